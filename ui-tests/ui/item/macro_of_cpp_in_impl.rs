// The macro of Ascend C, where it stands in C++: among the members.

use bufpool_runtime::prelude::*;

#[derive(Default)]
struct MyBufPool;

impl MyBufPool {
    EXTERN_IMPL_BUFPOOL!(MyBufPool, TPosition::VECCALC, 2 * 8);
}

include!("../uses.rs");

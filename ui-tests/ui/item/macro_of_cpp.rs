// The macro of Ascend C, after the struct.

use bufpool_runtime::prelude::*;

#[derive(Default)]
struct MyBufPool;

EXTERN_IMPL_BUFPOOL!(MyBufPool, TPosition::VECCALC, 16);

include!("../uses.rs");

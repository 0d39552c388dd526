// 2 errors: the form of the C++ macro, and a position that no pool has.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(MyBufPool, TPosition::CO1, 16)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

// Only a position, without its name: one error, the size is not asked for twice.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(VECCALC)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

// An enum cannot be a pool: one error at the keyword.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 16)]
#[derive(Default)]
enum MyBufPool {
    #[default]
    Empty,
}

include!("../uses.rs");

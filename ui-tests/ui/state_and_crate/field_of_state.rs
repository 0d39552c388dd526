// The name given by `state` is taken: one error at the argument.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 16, state = tiles)]
#[derive(Default)]
struct MyBufPool {
    tiles: u32,
}

include!("../uses.rs");

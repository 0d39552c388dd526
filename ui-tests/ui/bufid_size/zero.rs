// A pool needs at least one block.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 0)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

// Half a block.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 1.5)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

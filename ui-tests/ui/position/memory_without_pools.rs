// L0A is a memory, and one without pools.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = L0A, bufid_size = 16)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

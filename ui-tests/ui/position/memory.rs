// UB is a memory, not a position.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = UB, bufid_size = 16)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

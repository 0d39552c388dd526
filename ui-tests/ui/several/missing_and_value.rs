// 2 errors: position is missing, and there is no block.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(bufid_size = 0)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

// GM is global memory, where no pool can be.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = GM, bufid_size = 16)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

// 2 errors: each value is wrong.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCLAC, bufid_size = 0)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

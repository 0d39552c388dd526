// 3 errors: each value is wrong.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = A2, bufid_size = 300, state = "x")]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

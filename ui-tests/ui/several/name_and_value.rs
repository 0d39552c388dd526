// 2 errors: a misspelt name, and the value next to it.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(positon = VECCLAC, bufid_size = 16)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

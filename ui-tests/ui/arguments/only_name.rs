// A name and nothing after it: one error at the name.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position, bufid_size = 16)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

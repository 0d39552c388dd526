// A misspelt position at the end of a path: one error over the path.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = TPosition::VECOT, bufid_size = 16)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

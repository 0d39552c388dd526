// `crate` takes a path, not a string.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 16, crate = "bufpool_runtime")]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

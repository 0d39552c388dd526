// `crate` takes a path, not a number.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 16, crate = 1)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

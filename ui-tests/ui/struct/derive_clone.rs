// A pool cannot be cloned.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 16)]
#[derive(Default, Clone)]
struct MyBufPool;

include!("../uses.rs");

// `state` takes a name, not a string.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 16, state = "pool_state")]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

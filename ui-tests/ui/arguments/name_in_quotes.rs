// The name as a string, as in JSON.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool("position" = VECCALC, bufid_size = 16)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

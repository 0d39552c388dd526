// A keyword before the name, as in a declaration.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(pub position = VECCALC, bufid_size = 16)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

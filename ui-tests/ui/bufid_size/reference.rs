// A reference to a number.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = &16)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

// A number of bytes with its unit.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 64KB)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

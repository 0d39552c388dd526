// A number with its unit.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 16 blocks)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

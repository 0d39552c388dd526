// The prelude in the place of the crate.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 16, crate = bufpool_runtime::prelude)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

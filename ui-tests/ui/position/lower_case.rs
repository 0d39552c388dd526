// Positions are written in capitals: one error that says so.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = veccalc, bufid_size = 16)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

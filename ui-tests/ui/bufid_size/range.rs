// A range of numbers.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 1..16)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

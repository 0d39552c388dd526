// The same argument twice, and a keyword at that: one error over both.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(crate = bufpool_runtime, position = VECCALC, bufid_size = 16, crate = bufpool_runtime)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

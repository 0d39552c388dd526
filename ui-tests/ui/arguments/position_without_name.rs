// One value lost its name: one error at the value that gives it back.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(VECCALC, bufid_size = 16)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

// The same argument twice, even with the same value: one error that points at both.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 16, bufid_size = 16)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

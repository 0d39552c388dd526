// The same argument twice: one error that points at both.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 16, position = VECIN)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

// A position in the place of a number.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = VECIN)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

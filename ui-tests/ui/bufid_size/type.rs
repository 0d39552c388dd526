// The type of the number.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = u8)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

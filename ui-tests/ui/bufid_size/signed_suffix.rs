// The suffix of a signed integer type.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 16i32)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

// A tuple struct has no place for a named field: one error at the keyword.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 16)]
#[derive(Default)]
struct MyBufPool(u32);

include!("../uses.rs");

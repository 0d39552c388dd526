// Pools cannot be compared.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 16)]
#[derive(Default, PartialEq, Eq)]
struct MyBufPool;

include!("../uses.rs");

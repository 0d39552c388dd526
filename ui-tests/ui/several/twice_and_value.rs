// 2 errors: an argument given twice, and a wrong value.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, position = VECIN, bufid_size = -3)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

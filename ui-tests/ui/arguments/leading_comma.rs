// A comma before the first argument: one error at the comma.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(, position = VECCALC, bufid_size = 16)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

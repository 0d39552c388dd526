// One block more than u8 can count.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 256)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

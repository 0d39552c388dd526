// B2 is in L0B, where no pool can be.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = TPosition::B2, bufid_size = 16)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

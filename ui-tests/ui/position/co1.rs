// CO1 is in L0C, where no pool can be.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = CO1, bufid_size = 16)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

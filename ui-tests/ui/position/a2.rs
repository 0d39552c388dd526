// A2 is in L0A, where no pool can be.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = A2, bufid_size = 16)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

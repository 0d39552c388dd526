// C2 is in the bias table, where no pool can be.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = C2, bufid_size = 16)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

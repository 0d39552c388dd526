// CO2 is on the way to global memory, where no pool can be.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = CO2, bufid_size = 16)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

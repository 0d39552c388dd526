// The enum of the positions, and none of them.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = TPosition, bufid_size = 16)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

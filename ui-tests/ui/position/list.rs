// A list of positions.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = [VECIN, VECOUT], bufid_size = 16)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

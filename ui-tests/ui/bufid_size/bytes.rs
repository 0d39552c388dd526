// A number of bytes in the place of blocks: the error says where bytes go.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 65536)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

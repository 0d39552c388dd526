// A number of bytes in the place of blocks, in another radix.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 0x1_0000)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

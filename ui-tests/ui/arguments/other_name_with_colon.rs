// Another name of the number of blocks, and a colon.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, size: 16)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

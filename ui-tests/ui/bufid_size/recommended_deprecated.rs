// 255 blocks are a warning of the lint `deprecated`, here denied on the struct.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 0xff)]
#[deny(deprecated)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

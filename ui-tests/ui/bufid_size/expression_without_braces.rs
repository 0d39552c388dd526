// An expression goes in braces.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 2 * 8)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

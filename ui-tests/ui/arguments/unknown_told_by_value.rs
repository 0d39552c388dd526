// The value tells which argument was meant: one error, and bufid_size does not count as missing.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, quota = 16)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

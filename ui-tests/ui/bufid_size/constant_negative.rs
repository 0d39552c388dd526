// A constant below 0: found by the compiler at the argument, with the name of the struct.

use bufpool_runtime::prelude::*;

const BLOCKS: i32 = -4;

#[extern_impl_bufpool(position = VECCALC, bufid_size = BLOCKS)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

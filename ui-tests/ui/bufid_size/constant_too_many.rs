// A constant above 255: found by the compiler at the argument, with the name of the struct.

use bufpool_runtime::prelude::*;

const BLOCKS: usize = 3 * 65536;

#[extern_impl_bufpool(position = VECCALC, bufid_size = BLOCKS)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

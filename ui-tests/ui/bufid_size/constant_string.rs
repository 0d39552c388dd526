// A constant that is a string.

use bufpool_runtime::prelude::*;

const BLOCKS: &str = "4";

#[extern_impl_bufpool(position = VECCALC, bufid_size = BLOCKS)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

// An associated constant of the struct of value 0.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = Self::BLOCKS)]
#[derive(Default)]
struct MyBufPool;

impl MyBufPool {
    const BLOCKS: u8 = 0;
}

include!("../uses.rs");

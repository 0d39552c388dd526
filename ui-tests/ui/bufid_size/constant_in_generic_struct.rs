// A constant above 255 on a generic struct: it depends on no parameter, so it is found at once.

use bufpool_runtime::prelude::*;

const BLOCKS: u32 = 256;

#[extern_impl_bufpool(position = VECCALC, bufid_size = BLOCKS)]
struct Scratch<const TILES: usize> {
    tiles: [u32; TILES],
}

type MyBufPool = Scratch<4>;

impl Default for MyBufPool {
    fn default() -> Self {
        Scratch { tiles: [0; 4], bufpool: Default::default() }
    }
}

include!("../uses.rs");

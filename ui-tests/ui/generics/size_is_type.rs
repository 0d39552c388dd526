// A type parameter in the place of the const parameter.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = T)]
struct Tiles<T> {
    tiles: [T; 4],
}

type MyBufPool = Tiles<u32>;

impl Default for MyBufPool {
    fn default() -> Self {
        Tiles { tiles: [0; 4], bufpool: Default::default() }
    }
}

include!("../uses.rs");

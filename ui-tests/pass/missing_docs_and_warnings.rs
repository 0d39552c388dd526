//! A public pool in a crate that asks for documentation of all that is public.
#![deny(missing_docs, warnings)]
#![forbid(unsafe_code)]

use bufpool_runtime::prelude::*;

/// A pool.
#[extern_impl_bufpool(position = VECCALC, bufid_size = 16)]
pub struct MyBufPool;

/// A pool by a path to the runtime.
#[extern_impl_bufpool(position = VECCALC, bufid_size = 16, crate = bufpool_runtime)]
pub struct AtPath;

/// A pool with a field.
#[extern_impl_bufpool(position = P, bufid_size = N)]
#[derive(Debug)]
pub struct Tiles<P: PoolPosition, const N: u8> {
    /// The length of a tile in bytes.
    pub len: u32,
}

fn main() {
    assert_eq!(MyBufPool::default().get_cur_addr(), AtPath::default().get_cur_addr());
    let tiles = Tiles::<A1, 4> { len: 32, bufpool: Default::default() };
    assert_eq!(tiles.len, 32);
}

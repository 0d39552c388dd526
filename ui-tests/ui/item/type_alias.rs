// A type alias cannot be a pool.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 16)]
type MyBufPool = u32;

fn main() {}

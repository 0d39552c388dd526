// A constant cannot be a pool.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 16)]
const MY_BUF_POOL: u32 = 0;

fn main() {}

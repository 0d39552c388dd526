// A module cannot be a pool.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 16)]
mod my_buf_pool {}

fn main() {}

// A function cannot be a pool.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 16)]
fn my_buf_pool() {}

fn main() {}

// A const function is a function, not a constant.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 16)]
pub const unsafe fn my_buf_pool() {}

fn main() {}

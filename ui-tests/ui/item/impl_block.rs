// The attribute belongs on the struct, not on an impl block.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 16)]
impl MyBufPool {}

struct MyBufPool;

fn main() {}

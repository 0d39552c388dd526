// The user writes an accessor too: the compiler points at both.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 16)]
#[derive(Default)]
struct MyBufPool;

impl MyBufPool {
    fn reset(&mut self) {}
}

fn main() {}

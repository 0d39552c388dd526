// A method by its name in C++.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 16)]
struct MyBufPool;

fn kernel(pool: &mut MyBufPool) {
    pool.SetCurAddr(0);
}

fn main() {}

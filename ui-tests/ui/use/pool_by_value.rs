// A pool is initialised by value.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 16)]
struct MyBufPool;

fn kernel(pipe: &TPipe, pool: MyBufPool) -> Result<()> {
    pipe.init_buf_pool(pool, 65536)
}

fn main() {}

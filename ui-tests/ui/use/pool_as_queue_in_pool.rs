// A custom pool in the place of a queue of a TBufPool.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 16)]
#[derive(Default)]
struct MyBufPool;

fn kernel(pipe: &TPipe) -> Result<()> {
    let mut parent = TBufPool::<VECCALC>::new();
    let mut pool = MyBufPool::default();
    pipe.init_buf_pool(&mut parent, 65536)?;
    parent.init_buffer(&mut pool, 2, 1024)?;
    Ok(())
}

fn main() {}

// A pool in the place of a queue.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 16)]
#[derive(Default)]
struct MyBufPool;

fn kernel(pipe: &TPipe) -> Result<()> {
    let mut pool = MyBufPool::default();
    pipe.init_buffer(&mut pool, 2, 1024)?;
    Ok(())
}

fn main() {}

// A struct without the attribute is no pool: the error says to add it.

use bufpool_runtime::prelude::*;

#[derive(Default)]
struct MyBufPool;

fn kernel(pipe: &TPipe) -> Result<()> {
    let mut pool = MyBufPool::default();
    pipe.init_buf_pool(&mut pool, 65536)?;
    Ok(())
}

fn main() {}

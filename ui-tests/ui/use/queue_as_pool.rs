// A queue in the place of a pool.

use bufpool_runtime::prelude::*;

fn kernel(pipe: &TPipe) -> Result<()> {
    let mut que = TQue::<VECIN, 1>::new();
    pipe.init_buf_pool(&mut que, 65536)?;
    Ok(())
}

fn main() {}

// A TBuf in L0C cannot come from a pool, which manages UB or L1.

use bufpool_runtime::prelude::*;

fn kernel(pipe: &TPipe) -> Result<()> {
    let mut pool = TBufPool::<A1>::new();
    let mut buf = TBuf::<CO1>::new();
    pipe.init_buf_pool(&mut pool, 65536)?;
    pool.init_tbuf(&mut buf, 1024)?;
    Ok(())
}

fn main() {}

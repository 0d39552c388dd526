// A TBuf in the place of a pool.

use bufpool_runtime::prelude::*;

fn kernel(pipe: &TPipe) -> Result<()> {
    let mut buf = TBuf::<VECCALC>::new();
    pipe.init_buf_pool(&mut buf, 65536)?;
    Ok(())
}

fn main() {}

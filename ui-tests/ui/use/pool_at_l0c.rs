// A TBufPool cannot live at CO1.

use bufpool_runtime::prelude::*;

fn kernel(pipe: &TPipe) -> Result<()> {
    let mut pool = TBufPool::<CO1>::new();
    pipe.init_buf_pool(&mut pool, 65536)?;
    Ok(())
}

fn main() {}

// A TBuf gets its memory from `init_tbuf`.

use bufpool_runtime::prelude::*;

fn kernel(pipe: &TPipe, buf: &mut TBuf<VECCALC>) -> Result<()> {
    pipe.init_buffer(buf, 1, 64)
}

fn main() {}

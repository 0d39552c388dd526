// A TBufPool of 0 blocks.

use bufpool_runtime::prelude::*;

fn main() -> Result<()> {
    let pipe = TPipe::new(Chip::AtlasA2)?;
    let mut pool = TBufPool::<VECCALC, 0>::new();
    pipe.init_buf_pool(&mut pool, 1024)
}

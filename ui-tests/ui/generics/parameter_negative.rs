// A pool of -1 blocks by a signed const parameter.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = N)]
struct Blocks<const N: i32>;

fn main() -> Result<()> {
    let pipe = TPipe::new(Chip::AtlasA2)?;
    pipe.init_buf_pool(&mut Blocks::<4>::default(), 1024)?;
    pipe.init_buf_pool(&mut Blocks::<-1>::default(), 1024)
}

// A pool of 300 blocks by a const parameter that can hold so many.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = N)]
struct Blocks<const N: usize>;

fn main() -> Result<()> {
    let pipe = TPipe::new(Chip::AtlasA2)?;
    pipe.init_buf_pool(&mut Blocks::<4>::default(), 1024)?;
    pipe.init_buf_pool(&mut Blocks::<300>::default(), 1024)
}

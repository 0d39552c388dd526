// A pool of 0 blocks by its const parameter, seen where it is initialised.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = N)]
struct Blocks<const N: u8>;

fn main() -> Result<()> {
    let pipe = TPipe::new(Chip::AtlasA2)?;
    pipe.init_buf_pool(&mut Blocks::<4>::default(), 1024)?;
    pipe.init_buf_pool(&mut Blocks::<0>::default(), 1024)
}

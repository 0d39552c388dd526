// A pool of 0 blocks by its const parameter, seen where it is initialised and by `cargo check`.
// Generic code needs no bound for it.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = N)]
struct Blocks<const N: u8>;

fn init<const N: u8>(pipe: &TPipe, pool: &mut Blocks<N>) -> Result<()> {
    pipe.init_buf_pool(pool, 1024)
}

fn main() -> Result<()> {
    let pipe = TPipe::new(Chip::AtlasA2)?;
    init(&pipe, &mut Blocks::<4>::default())?;
    pipe.init_buf_pool(&mut Blocks::<0>::default(), 1024)
}

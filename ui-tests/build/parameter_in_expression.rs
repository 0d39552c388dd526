// A pool of 300 blocks by an expression with a const parameter.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = { N * 2 })]
struct Pairs<const N: usize>;

fn main() -> Result<()> {
    let pipe = TPipe::new(Chip::AtlasA2)?;
    pipe.init_buf_pool(&mut Pairs::<4>::default(), 1024)?;
    pipe.init_buf_pool(&mut Pairs::<150>::default(), 1024)
}

// 0 blocks, in a struct that has its position parameter for the pool only: one error, of the number.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = P, bufid_size = 0)]
struct MyBufPool<P: PoolPosition>;

fn main() -> Result<()> {
    let pipe = TPipe::new(Chip::AtlasA2)?;
    pipe.init_buf_pool(&mut MyBufPool::<VECCALC>::default(), 1024)
}

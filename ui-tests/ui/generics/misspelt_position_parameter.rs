// A position parameter in another case: one error, and the parameter is in use all the same.

use bufpool_runtime::PoolPosition;
use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = Wher, bufid_size = 4)]
struct MyBufPool<Where: PoolPosition>;

fn main() -> Result<()> {
    let pipe = TPipe::new(Chip::AtlasA2)?;
    pipe.init_buf_pool(&mut MyBufPool::<VECCALC>::default(), 1024)
}

// Members that nobody uses are no dead code.
#![deny(warnings, dead_code)]

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 16)]
struct MyBufPool;

mod inner {
    #[super::extern_impl_bufpool(position = A1, bufid_size = 4)]
    #[derive(Default)]
    pub(super) struct Tiles;
}

fn main() -> Result<()> {
    let pipe = TPipe::new(Chip::AtlasA2)?;
    pipe.init_buf_pool(&mut MyBufPool::default(), 32)?;
    pipe.init_buf_pool(&mut inner::Tiles::default(), 32)
}

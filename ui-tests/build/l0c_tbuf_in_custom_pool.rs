// A TBuf in L0C cannot come from a pool, which manages UB or L1.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 16)]
struct MyBufPool;

fn main() -> Result<()> {
    let pipe = TPipe::new(Chip::AtlasA2)?;
    let mut pool = MyBufPool::default();
    pipe.init_buf_pool(&mut pool, 65536)?;
    let mut buf = TBuf::<CO1>::new();
    buf.init_start_buf_handle(pool.get_buf_handle(0)?, 1, 1024)
}

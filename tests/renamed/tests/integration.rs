//! The renamed runtime, seen from an integration test.

use bufpool_test_renamed::MyBufPool;
use npu_pools::prelude::*;

#[extern_impl_bufpool(position = B1, bufid_size = 2)]
struct Own;

#[test]
fn both_pools_work() -> Result<()> {
    let pipe = TPipe::new(Chip::AtlasA2)?;
    let (mut pool, mut own) = (MyBufPool::default(), Own::default());
    pipe.init_buf_pool(&mut pool, 1024)?;
    pipe.init_buf_pool(&mut own, 1024)?;
    assert!(pool.get_buf_handle(15).is_ok());
    assert!(own.get_buf_handle(2).is_err());
    Ok(())
}

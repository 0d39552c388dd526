// The attribute as the documentation shows it, and every member that it gives.
#![deny(warnings)]

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 16)]
#[derive(Default)]
struct MyBufPool;

fn main() -> Result<()> {
    let pipe = TPipe::new(Chip::AtlasA2)?;
    let mut pool = MyBufPool::default();
    pipe.init_buf_pool(&mut pool, 65536)?;
    assert_eq!((pool.get_cur_addr(), pool.get_cur_buf_size()), (0, 0));
    let _: TBufHandle = pool.get_buf_handle(15)?;
    assert!(pool.get_buf_handle(16).is_err());
    pool.set_cur_addr(64);
    pool.set_cur_buf_size(2);
    assert_eq!((pool.get_cur_addr(), pool.get_cur_buf_size()), (64, 2));
    pool.init();
    assert_eq!((pool.get_cur_addr(), pool.get_cur_buf_size()), (0, 0));
    assert_eq!((MyBufPool::POSITION, MyBufPool::BUFID_SIZE), (TPosition::VECCALC, 16));
    pool.reset()
}

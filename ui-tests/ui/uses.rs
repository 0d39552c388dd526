// Every use that a pool is made for. Next to a mistake in the attribute they must not add errors.
fn main() -> Result<()> {
    let pipe = TPipe::new(Chip::AtlasA2)?;
    let mut pool = MyBufPool::default();
    pipe.init_buf_pool(&mut pool, 65536)?;
    pool.init();
    pool.set_cur_addr(pool.get_cur_addr() + 32);
    pool.set_cur_buf_size(pool.get_cur_buf_size() + 1);
    let _: TBufHandle = pool.get_buf_handle(0)?;
    let _: (TPosition, u8) = (MyBufPool::POSITION, MyBufPool::BUFID_SIZE);
    takes_any_pool(&pool);
    pool.reset()
}

fn takes_any_pool<P: BufPool>(_pool: &P) {}

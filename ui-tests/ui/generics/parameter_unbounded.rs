// Generic code over the number of blocks has to say that it is one: `where Blocks<N>: BufPool`.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = N)]
struct Blocks<const N: usize>;

impl<const N: usize> Blocks<N> {
    fn carve(&mut self, que: &mut TQue<VECIN, 1>) -> Result<()> {
        assert!(self.get_cur_buf_size() < Self::BUFID_SIZE && self.inspect().size == 4);
        que.init_start_buf_handle(self.get_buf_handle(0)?, 1, 32)?;
        que.init_buf_handle(self, 0, self.get_buf_handle(0)?, self.get_cur_addr(), 32)
    }
}

fn init<const N: usize>(pipe: &TPipe, pool: &mut Blocks<N>) -> Result<()> {
    pipe.init_buf_pool(pool, 1024)?;
    pool.carve(&mut TQue::new())
}

fn main() -> Result<()> {
    init(&TPipe::new(Chip::AtlasA2)?, &mut Blocks::<4>::default())
}

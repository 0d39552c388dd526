// A queue in L0A cannot come from a pool, which manages UB or L1. The signature of a custom pool
// takes every queue, so that it is seen where the type of the queue is known.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = A1, bufid_size = 16)]
struct MyBufPool;

impl MyBufPool {
    fn init_queue<S: Position, D: Position, const N: usize>(
        &mut self,
        que: &mut TQueBind<S, D, N>,
        len: u32,
    ) -> Result<()> {
        let handle = self.get_buf_handle(0)?;
        que.init_start_buf_handle(handle, 1, len)?;
        que.init_buf_handle(self, 0, handle, self.get_cur_addr(), len)
    }
}

fn main() -> Result<()> {
    let pipe = TPipe::new(Chip::AtlasA2)?;
    let mut pool = MyBufPool::default();
    let (mut in_l1, mut in_l0a) = (TQue::<A1, 1>::new(), TQue::<A2, 1>::new());
    pipe.init_buf_pool(&mut pool, 65536)?;
    pool.init_queue(&mut in_l1, 1024)?;
    pool.init_queue(&mut in_l0a, 1024)
}

// The number of blocks as a const parameter of any type, with queues carved in a generic impl.
#![deny(warnings)]

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = N)]
struct Bytes<const N: u8 = 4>;

#[extern_impl_bufpool(position = VECCALC, bufid_size = N)]
#[derive(Default)]
struct Counts<const N: usize>;

#[extern_impl_bufpool(position = VECCALC, bufid_size = { N * 2 })]
struct Pairs<const N: usize>;

type Number = u16;

#[extern_impl_bufpool(position = VECCALC, bufid_size = N)]
struct Aliased<const N: Number>;

impl<const N: u8> Bytes<N> {
    fn init_queue<S: Position, D: Position, const DEPTH: usize>(
        &mut self,
        que: &mut TQueBind<S, D, DEPTH>,
        len: u32,
    ) -> Result<()> {
        let (first, addr) = (self.get_cur_buf_size(), self.get_cur_addr());
        que.init_start_buf_handle(self.get_buf_handle(first)?, 1, len)?;
        que.init_buf_handle(self, 0, self.get_buf_handle(first)?, addr, len)?;
        self.set_cur_addr(addr + len);
        self.set_cur_buf_size(first + 1);
        Ok(())
    }
}

/// Initialises a pool of any number of blocks.
fn with_blocks<const N: usize>(pipe: &TPipe) -> Result<Counts<N>>
where
    Counts<N>: BufPool,
{
    let mut pool = Counts::default();
    pipe.init_buf_pool(&mut pool, 1024)?;
    Ok(pool)
}

fn main() -> Result<()> {
    let pipe = TPipe::new(Chip::AtlasA2)?;
    let mut pool = <Bytes>::default();
    let mut que = TQue::<VECIN, 1>::new();
    pipe.init_buf_pool(&mut pool, 1024)?;
    pool.init_queue(&mut que, 256)?;
    assert_eq!(pool.get_cur_addr(), 256);
    assert_eq!((<Bytes>::BUFID_SIZE, Bytes::<7>::BUFID_SIZE), (4, 7));
    assert_eq!((Counts::<255>::BUFID_SIZE, Pairs::<8>::BUFID_SIZE), (255, 16));
    assert_eq!(with_blocks::<3>(&pipe)?.inspect().size, 3);
    pipe.init_buf_pool(&mut Aliased::<2>::default(), 1024)?;
    pipe.init_buf_pool(&mut Pairs::<2>::default(), 1024)?;
    assert_eq!(Counts::<3>::default().get_cur_addr(), Pairs::<2>::default().get_cur_addr());
    Ok(())
}

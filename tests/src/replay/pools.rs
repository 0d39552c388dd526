//! The pools that traces declare, custom ones included.

use bufpool_runtime::inspect::PoolView;
use bufpool_runtime::prelude::*;

use super::queues::{Buffer, Queue};
use super::world::Refusal;

/// Takes the next records, one per block, and the bytes at the cursor.
macro_rules! advancing {
    ($name:ident, $position:ident, $size:literal, $handle:expr) => {
        #[extern_impl_bufpool(position = $position, bufid_size = $size)]
        #[derive(Default)]
        pub struct $name;

        impl CustomPool for $name {
            fn init_queue<S: Position, D: Position, const N: usize>(
                &mut self,
                que: &mut TQueBind<S, D, N>,
                num: u32,
                len: u32,
            ) -> Result<(), Refusal> {
                let len = align_up(len);
                let num = u8::try_from(num).map_err(|_| Refusal::Wraps)?;
                let (first, addr) = (self.get_cur_buf_size(), self.get_cur_addr());
                let count = first.checked_add(num).ok_or(Refusal::Wraps)?;
                que.init_start_buf_handle(self.get_buf_handle(first)?, num, len)?;
                let handle: fn(u8, u8) -> u8 = $handle;
                for i in 0..num {
                    let handle = self.get_buf_handle(handle(first, i))?;
                    que.init_buf_handle(self, i, handle, addr + u32::from(i) * len, len)?;
                }
                self.set_cur_addr(addr + u32::from(num) * len);
                self.set_cur_buf_size(count);
                Ok(())
            }

            fn init_tbuf<P: Position>(
                &mut self,
                buf: &mut TBuf<P>,
                len: u32,
            ) -> Result<(), Refusal> {
                let len = align_up(len);
                let (first, addr) = (self.get_cur_buf_size(), self.get_cur_addr());
                let count = first.checked_add(1).ok_or(Refusal::Wraps)?;
                let handle = self.get_buf_handle(first)?;
                buf.init_start_buf_handle(handle, 1, len)?;
                buf.init_buf_handle(self, 0, handle, addr, len)?;
                self.set_cur_addr(addr + len);
                self.set_cur_buf_size(count);
                Ok(())
            }
        }
    };
}

/// What the user of a custom pool writes.
pub trait CustomPool {
    fn init_queue<S: Position, D: Position, const N: usize>(
        &mut self,
        que: &mut TQueBind<S, D, N>,
        num: u32,
        len: u32,
    ) -> Result<(), Refusal>;

    fn init_tbuf<P: Position>(&mut self, buf: &mut TBuf<P>, len: u32) -> Result<(), Refusal>;
}

advancing!(My16, VECCALC, 16, |first, i| first + i);
advancing!(MyIn8, VECIN, 8, |first, i| first + i);
advancing!(MyA1, A1, 4, |first, i| first + i);
// The bug of the vendor's sample: the first record for every block.
advancing!(Sample16, VECCALC, 16, |first, _| first);

/// A ring: every queue gets the same four records.
#[extern_impl_bufpool(position = VECCALC, bufid_size = 4)]
#[derive(Default)]
pub struct Ring4;

impl CustomPool for Ring4 {
    fn init_queue<S: Position, D: Position, const N: usize>(
        &mut self,
        que: &mut TQueBind<S, D, N>,
        _: u32,
        len: u32,
    ) -> Result<(), Refusal> {
        let len = align_up(len);
        let addr = self.get_cur_addr();
        que.init_start_buf_handle(self.get_buf_handle(0)?, 4, len)?;
        for i in 0..4 {
            let handle = self.get_buf_handle(i)?;
            que.init_buf_handle(self, i, handle, addr + u32::from(i) * len, len)?;
        }
        self.set_cur_buf_size(4);
        Ok(())
    }

    fn init_tbuf<P: Position>(&mut self, buf: &mut TBuf<P>, len: u32) -> Result<(), Refusal> {
        buf.init_start_buf_handle(self.get_buf_handle(self.get_cur_buf_size())?, 1, len)?;
        self.set_cur_buf_size(4);
        Ok(())
    }
}

macro_rules! pools {
    ($(($variant:ident, $ty:ty, $name:literal)),* ; $(($cvariant:ident, $cty:ty, $cname:literal)),*) => {
        /// A pool of any declared type.
        #[allow(clippy::enum_variant_names, reason = "the types are called so")]
        pub enum Pool {
            $($variant($ty),)*
            $($cvariant($cty),)*
        }

        impl Pool {
            pub fn new(ty: &str) -> Option<Self> {
                Some(match ty {
                    $($name => Pool::$variant(<$ty>::new()),)*
                    $($cname => Pool::$cvariant(<$cty>::default()),)*
                    _ => return None,
                })
            }

            pub fn view(&self) -> PoolView {
                match self {
                    $(Pool::$variant(p) => p.inspect(),)*
                    $(Pool::$cvariant(p) => p.inspect(),)*
                }
            }

            pub fn init_by_pipe(&mut self, pipe: &TPipe, len: u32) -> Result<(), Refusal> {
                Ok(match self {
                    $(Pool::$variant(p) => pipe.init_buf_pool(p, len)?,)*
                    $(Pool::$cvariant(p) => pipe.init_buf_pool(p, len)?,)*
                })
            }

            /// By the pipe, over the range of another pool.
            pub fn init_shared(&mut self, pipe: &TPipe, len: u32, other: &Pool) -> Result<(), Refusal> {
                match self {
                    $(Pool::$variant(p) => share(Parent::Pipe(pipe), p, len, other),)*
                    $(Pool::$cvariant(p) => share(Parent::Pipe(pipe), p, len, other),)*
                }
            }

            pub fn init_child(&self, child: &mut Pool, len: u32) -> Result<(), Refusal> {
                match child {
                    $(Pool::$variant(c) => self.nest(c, len),)*
                    $(Pool::$cvariant(c) => self.nest(c, len),)*
                }
            }

            pub fn init_child_shared(&self, child: &mut Pool, len: u32, other: &Pool) -> Result<(), Refusal> {
                match child {
                    $(Pool::$variant(c) => share(Parent::Pool(self), c, len, other),)*
                    $(Pool::$cvariant(c) => share(Parent::Pool(self), c, len, other),)*
                }
            }

            fn nest<C: BufPool>(&self, child: &mut C, len: u32) -> Result<(), Refusal> {
                match self {
                    $(Pool::$variant(p) => Ok(p.init_buf_pool(child, len)?),)*
                    $(Pool::$cvariant(_) => Err(Refusal::DoesNotCompile),)*
                }
            }

            fn nest_shared<C: BufPool, O: BufPool>(&self, child: &mut C, len: u32, other: &O) -> Result<(), Refusal> {
                match self {
                    $(Pool::$variant(p) => Ok(p.init_buf_pool_shared(child, len, other)?),)*
                    $(Pool::$cvariant(_) => Err(Refusal::DoesNotCompile),)*
                }
            }

            pub fn carve<S: Position, D: PoolEnd<S>, const N: usize>(&mut self, que: &mut TQueBind<S, D, N>, num: u32, len: u32) -> Result<(), Refusal> {
                match self {
                    $(Pool::$variant(p) => Ok(p.init_buffer(que, num, len)?),)*
                    $(Pool::$cvariant(p) => p.init_queue(que, num, len),)*
                }
            }

            pub fn carve_tbuf<P: InPool>(&mut self, buf: &mut TBuf<P>, len: u32) -> Result<(), Refusal> {
                match self {
                    $(Pool::$variant(p) => Ok(p.init_tbuf(buf, len)?),)*
                    $(Pool::$cvariant(p) => p.init_tbuf(buf, len),)*
                }
            }

            pub fn reset(&mut self) -> Result<(), Refusal> {
                Ok(match self {
                    $(Pool::$variant(p) => p.reset()?,)*
                    $(Pool::$cvariant(p) => p.reset()?,)*
                })
            }

            pub fn destroy(&mut self) -> Result<(), Refusal> {
                Ok(match self {
                    $(Pool::$variant(p) => p.destroy()?,)*
                    $(Pool::$cvariant(p) => p.destroy()?,)*
                })
            }

            pub fn init(&mut self) -> Result<(), Refusal> {
                match self {
                    $(Pool::$variant(_) => Err(Refusal::DoesNotCompile),)*
                    $(Pool::$cvariant(p) => Ok(p.init()),)*
                }
            }

            pub fn handle(&self, index: u32) -> Result<u8, Refusal> {
                let index = u8::try_from(index).map_err(|_| Refusal::Wraps)?;
                match self {
                    $(Pool::$variant(_) => Err(Refusal::DoesNotCompile),)*
                    $(Pool::$cvariant(p) => Ok(p.get_buf_handle(index)?.index()),)*
                }
            }

            pub fn set_cur_addr(&mut self, addr: u32) -> Result<(), Refusal> {
                match self {
                    $(Pool::$variant(_) => Err(Refusal::DoesNotCompile),)*
                    $(Pool::$cvariant(p) => Ok(p.set_cur_addr(addr)),)*
                }
            }

            pub fn set_cur_buf_size(&mut self, count: u32) -> Result<(), Refusal> {
                let count = u8::try_from(count).map_err(|_| Refusal::Wraps)?;
                match self {
                    $(Pool::$variant(_) => Err(Refusal::DoesNotCompile),)*
                    $(Pool::$cvariant(p) => Ok(p.set_cur_buf_size(count)),)*
                }
            }
        }

        enum Parent<'a> {
            Pipe(&'a TPipe),
            Pool(&'a Pool),
        }

        fn share<C: BufPool>(parent: Parent<'_>, child: &mut C, len: u32, other: &Pool) -> Result<(), Refusal> {
            match other {
                $(Pool::$variant(o) => match parent {
                    Parent::Pipe(pipe) => Ok(pipe.init_buf_pool_shared(child, len, o)?),
                    Parent::Pool(pool) => pool.nest_shared(child, len, o),
                },)*
                $(Pool::$cvariant(o) => match parent {
                    Parent::Pipe(pipe) => Ok(pipe.init_buf_pool_shared(child, len, o)?),
                    Parent::Pool(pool) => pool.nest_shared(child, len, o),
                },)*
            }
        }
    };
}

pools! {
    (Pool4, TBufPool<VECCALC, 4>, "pool4"),
    (Pool16, TBufPool<VECCALC, 16>, "pool16"),
    (PoolA1, TBufPool<A1, 8>, "poola1"),
    (PoolIn4, TBufPool<VECIN>, "poolin4");
    (My16, My16, "my16"),
    (MyIn8, MyIn8, "myin8"),
    (MyA1, MyA1, "mya1"),
    (Sample16, Sample16, "smp16"),
    (Ring4, Ring4, "circ4")
}

impl Pool {
    pub fn init_buffer(&mut self, que: &mut Queue, num: u32, len: u32) -> Result<(), Refusal> {
        que.init_by_pool(self, num, len)
    }

    pub fn init_buf(&mut self, buf: &mut Buffer, len: u32) -> Result<(), Refusal> {
        buf.init_by_pool(self, len)
    }
}

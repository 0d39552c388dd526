//! The queues and TBufs that traces declare.

use bufpool_runtime::inspect::{BufferView, QueueView};
use bufpool_runtime::prelude::*;

use super::pools::Pool;
use super::world::{Refusal, Tensor};

macro_rules! queues {
    (queued: $(($variant:ident, $ty:ty, $name:literal, $new:expr)),*; of_the_cube: $(($cvariant:ident, $cty:ty, $cname:literal)),*; in_place: $(($zvariant:ident, $zty:ty, $zname:literal)),*) => {
        /// A queue of any declared type.
        pub enum Queue {
            $($variant($ty),)*
            $($cvariant($cty),)*
            $($zvariant($zty),)*
        }

        /// Calls one method on whatever type the queue has.
        macro_rules! each {
            ($queue:expr, $q:ident => $call:expr) => {
                match $queue {
                    $(Queue::$variant($q) => $call,)*
                    $(Queue::$cvariant($q) => $call,)*
                    $(Queue::$zvariant($q) => $call,)*
                }
            };
        }

        /// Calls a method that depth 0 does not have.
        macro_rules! queued {
            ($queue:expr, $q:ident => $call:expr) => {
                match $queue {
                    $(Queue::$variant($q) => $call,)*
                    $(Queue::$cvariant($q) => $call,)*
                    $(Queue::$zvariant(_) => Err(Refusal::DoesNotCompile),)*
                }
            };
        }

        impl Queue {
            pub fn new(ty: &str) -> Option<Self> {
                Some(match ty {
                    $($name => Queue::$variant($new),)*
                    $($cname => Queue::$cvariant(<$cty>::new()),)*
                    $($zname => Queue::$zvariant(<$zty>::new()),)*
                    _ => return None,
                })
            }

            pub fn view(&self) -> Option<QueueView> {
                each!(self, q => q.inspect())
            }

            pub fn init_by_pipe(&mut self, pipe: &TPipe, num: u32, len: u32) -> Result<(), Refusal> {
                each!(self, q => Ok(pipe.init_buffer(q, num, len)?))
            }

            pub fn init_at(&mut self, pipe: &TPipe, blocks: &[(u32, u32)]) -> Result<(), Refusal> {
                each!(self, q => Ok(pipe.init_buffer_at(q, blocks)?))
            }

            pub fn init_by_pool(&mut self, pool: &mut Pool, num: u32, len: u32) -> Result<(), Refusal> {
                match self {
                    $(Queue::$variant(q) => pool.carve(q, num, len),)*
                    // Its blocks are neither in UB nor in L1.
                    $(Queue::$cvariant(_) => Err(Refusal::DoesNotCompile),)*
                    $(Queue::$zvariant(q) => pool.carve(q, num, len),)*
                }
            }

            pub fn alloc(&self) -> Result<Tensor, Refusal> {
                each!(self, q => { let handle = q.alloc_buffer()?; Ok(Tensor::new(&q.tensor_of::<u8>(handle)?)) })
            }

            pub fn enque(&self, handle: TBufHandle) -> Result<(), Refusal> {
                each!(self, q => Ok(q.enque_handle(handle)?))
            }

            /// Of a depth 0 queue: the tensor itself.
            pub fn deque(&self, handle: Option<TBufHandle>) -> Result<Tensor, Refusal> {
                match self {
                    $(Queue::$variant(q) => { let handle = q.deque_handle()?; Ok(Tensor::new(&q.tensor_of::<u8>(handle)?)) })*
                    $(Queue::$cvariant(q) => { let handle = q.deque_handle()?; Ok(Tensor::new(&q.tensor_of::<u8>(handle)?)) })*
                    $(Queue::$zvariant(q) => {
                        let handle = handle.ok_or(Refusal::NoTensor)?;
                        q.deque_handle_in_place(handle)?;
                        Ok(Tensor::new(&q.tensor_of::<u8>(handle)?))
                    })*
                }
            }

            pub fn enque_at(&self, handle: TBufHandle, from: &str, to: &str) -> Result<(), Refusal> {
                queued!(self, q => with_positions!(from, to, |F, T| Ok(q.enque_handle_at::<F, T>(handle)?)))
            }

            pub fn deque_at(&self, from: &str, to: &str) -> Result<Tensor, Refusal> {
                queued!(self, q => with_positions!(from, to, |F, T| {
                    let handle = q.deque_handle_at::<F, T>()?;
                    Ok(Tensor::new(&q.tensor_of::<u8>(handle)?))
                }))
            }

            pub fn free(&self, handle: TBufHandle) -> Result<(), Refusal> {
                each!(self, q => Ok(q.free_buffer(handle)?))
            }

            pub fn state(&self, handle: TBufHandle) -> Result<&'static str, Refusal> {
                each!(self, q => Ok(q.get_state(handle)?.name()))
            }

            pub fn vacant(&self) -> Result<bool, Refusal> {
                queued!(self, q => Ok(q.vacant_in_que()?))
            }

            pub fn has_tensor(&self) -> Result<bool, Refusal> {
                queued!(self, q => Ok(q.has_tensor_in_que()?))
            }

            pub fn count(&self) -> Result<u32, Refusal> {
                queued!(self, q => Ok(q.get_tensor_count_in_que()?))
            }

            pub fn has_idle(&self) -> Result<bool, Refusal> {
                queued!(self, q => Ok(q.has_idle_buffer()?))
            }

            pub fn free_all_event(&self) -> Result<(), Refusal> {
                queued!(self, q => Ok(q.free_all_event()?))
            }
        }
    };
}

/// The user positions of a trace as types.
macro_rules! with_positions {
    ($from:expr, $to:expr, |$F:ident, $T:ident| $call:expr) => {
        with_positions!(@from $from, $to, $F, $T, $call, GM VECIN VECOUT VECCALC)
    };
    (@from $from:expr, $to:expr, $F:ident, $T:ident, $call:expr, $($p:ident)*) => {
        match $from {
            $(stringify!($p) => { type $F = $p; with_positions!(@to $to, $T, $call) })*
            _ => Err(Refusal::DoesNotCompile),
        }
    };
    (@to $to:expr, $T:ident, $call:expr) => {
        match $to {
            "GM" => { type $T = GM; $call }
            "VECIN" => { type $T = VECIN; $call }
            "VECOUT" => { type $T = VECOUT; $call }
            "VECCALC" => { type $T = VECCALC; $call }
            _ => Err(Refusal::DoesNotCompile),
        }
    };
}

queues! {
    queued:
    (VecIn1, TQue<VECIN, 1>, "vecin1", TQueBind::new()),
    (VecIn2, TQue<VECIN, 2>, "vecin2", TQueBind::new()),
    (VecIn4, TQue<VECIN, 4>, "vecin4", TQueBind::new()),
    (VecOut1, TQue<VECOUT, 1>, "vecout1", TQueBind::new()),
    (VecOut2, TQue<VECOUT, 2>, "vecout2", TQueBind::new()),
    (VBind1, TQueBind<VECIN, VECOUT, 1>, "vbind1", TQueBind::new()),
    (VBind4, TQueBind<GM, VECIN, 4>, "vbind4", TQueBind::new()),
    (A1x1, TQue<A1, 1>, "a1_1", TQueBind::new()),
    (A1x2, TQue<A1, 2>, "a1_2", TQueBind::new()),
    (A1Nd2Nz, TQue<A1, 1>, "a1_nd2nz", TQueBind::new().nd2nz()),
    (B1x1, TQue<B1, 1>, "b1_1", TQueBind::new()),
    (C1x1, TQue<C1, 1>, "c1_1", TQueBind::new()),
    (VecOutA1, TQueBind<VECOUT, A1, 1>, "vout_a1", TQueBind::new()),
    (TscmGm, TSCMQue<GM, 1>, "tscm_gm", TQueBind::new()),
    (TscmUb, TSCMQue<VECIN, 1>, "tscm_ub", TQueBind::new());
    of_the_cube:
    (Co1x1, TQue<CO1, 1>, "co1_1"),
    (A2x1, TQue<A2, 1>, "a2_1"),
    (B2x1, TQue<B2, 1>, "b2_1"),
    (C2x1, TQue<C2, 1>, "c2_1");
    in_place:
    (VecIn0, TQue<VECIN, 0>, "vecin0"),
    (VecOut0, TQue<VECOUT, 0>, "vecout0")
}

macro_rules! buffers {
    ($(($variant:ident, $position:ident, $name:literal)),*) => {
        /// A TBuf of any declared type.
        pub enum Buffer {
            $($variant(TBuf<$position>),)*
        }

        impl Buffer {
            pub fn new(ty: &str) -> Option<Self> {
                Some(match ty {
                    $($name => Buffer::$variant(TBuf::new()),)*
                    _ => return None,
                })
            }

            pub fn view(&self) -> Option<BufferView> {
                match self { $(Buffer::$variant(b) => b.inspect(),)* }
            }

            pub fn init_by_pipe(&mut self, pipe: &TPipe, len: u32) -> Result<(), Refusal> {
                match self { $(Buffer::$variant(b) => Ok(pipe.init_tbuf(b, len)?),)* }
            }

            pub fn init_by_pool(&mut self, pool: &mut Pool, len: u32) -> Result<(), Refusal> {
                match self { $(Buffer::$variant(b) => pool.carve_tbuf(b, len),)* }
            }

            /// `Get`, or `GetWithOffset` with an offset.
            pub fn get(&self, ty: &str, count: Option<usize>, offset: Option<u32>) -> Result<Tensor, Refusal> {
                match self { $(Buffer::$variant(b) => view_of(b, ty, count, offset),)* }
            }
        }
    };
}

buffers! {
    (Calc, VECCALC, "buf_calc"),
    (In, VECIN, "buf_in"),
    (Out, VECOUT, "buf_out"),
    (A1, A1, "buf_a1"),
    (B1, B1, "buf_b1")
}

fn view_of<P: Position>(
    buf: &TBuf<P>,
    ty: &str,
    count: Option<usize>,
    offset: Option<u32>,
) -> Result<Tensor, Refusal> {
    macro_rules! get {
        ($t:ty) => {
            match (count, offset) {
                (None, _) => Tensor::new(&buf.get::<$t>()?),
                (Some(count), None) => Tensor::new(&buf.get_len::<$t>(count)?),
                (Some(count), Some(offset)) => {
                    Tensor::new(&buf.get_with_offset::<$t>(count, offset)?)
                }
            }
        };
    }
    Ok(match ty {
        "u8" => get!(u8),
        "i8" => get!(i8),
        "u16" => get!(u16),
        "i16" => get!(i16),
        "f16" => get!(f16),
        "bf16" => get!(bf16),
        "u32" => get!(u32),
        "i32" => get!(i32),
        "f32" => get!(f32),
        "u64" => get!(u64),
        "i64" => get!(i64),
        _ => return Err(Refusal::Unknown),
    })
}

//! [`TBufPool`]: a pool of one contiguous range.

use std::fmt;
use std::marker::PhantomData;

use crate::error::Result;
use crate::model::pool::PoolSource;
use crate::place::Place;
use crate::pool::{AnyPool, BufPool, PoolState, blocks, init_shared};
use crate::position::{InPool, PoolEnd, PoolPosition, Position};
use crate::queue::TQueBind;
use crate::tbuf::TBuf;

/// A pool that carves queues and TBufs out of one contiguous range (`AscendC::TBufPool`).
///
/// `N` is the number of block records, 4 unless told otherwise (16 are recommended at most). The
/// position says which memory the pool manages: a VECCALC pool may carve VECIN and VECOUT queues.
///
/// ```
/// use bufpool_runtime::prelude::*;
/// # fn main() -> Result<()> {
/// let pipe = TPipe::new(Chip::AtlasA2)?;
/// let mut pool = TBufPool::<VECCALC>::new();
/// let mut x = TQue::<VECIN, 1>::new();
/// pipe.init_buf_pool(&mut pool, 65536)?;
/// pool.init_buffer(&mut x, 2, 16384)?;
/// assert_eq!(pool.inspect().cursor, 32768);
/// pool.reset()
/// # }
/// ```
pub struct TBufPool<POS, const N: u8 = 4> {
    state: PoolState,
    position: PhantomData<POS>,
}

impl<POS: PoolPosition, const N: u8> AnyPool for TBufPool<POS, N> {
    type Pos = POS;
    type __Blocks = blocks::u8<N>;
    const BUFID_SIZE: u8 = N;

    fn __state(&self) -> &PoolState {
        &self.state
    }

    fn __state_mut(&mut self) -> &mut PoolState {
        &mut self.state
    }
}

impl<POS: PoolPosition, const N: u8> Default for TBufPool<POS, N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<POS, const N: u8> TBufPool<POS, N> {
    /// A pool without memory yet.
    // The bound is on the call and not on the impl, for the compiler to say it in our words.
    #[must_use]
    pub fn new() -> Self
    where
        POS: PoolPosition,
    {
        const { assert!(N > 0, "a pool needs at least one block") };
        TBufPool { state: PoolState::of_tbufpool(), position: PhantomData }
    }
}

impl<POS: PoolPosition, const N: u8> TBufPool<POS, N> {
    /// Gives the pool a name for messages.
    #[must_use]
    pub fn named(mut self, name: &'static str) -> Self {
        self.state.set_name(name);
        self
    }

    /// Carves `num` blocks of `len` bytes (rounded up to 32) for a queue (`InitBuffer`).
    ///
    /// # Errors
    /// The bytes or the records do not suffice, the queue is in another memory or has depth 0, or
    /// the pool is not initialised.
    #[doc(alias = "InitBuffer")]
    #[track_caller]
    pub fn init_buffer<S: Position, D: PoolEnd<S>, const DEPTH: usize>(
        &self,
        que: &mut TQueBind<S, D, DEPTH>,
        num: u32,
        len: u32,
    ) -> Result<()> {
        let at = Place::here();
        let (core, pool) = self.state.bound_of::<Self>(at)?;
        let shape = que.shape();
        let slot = que.link_mut().slot(core);
        let id = core.run(at, |state| state.carve(pool, slot, shape, num, len, at))?;
        que.link_mut().bind(core, id);
        Ok(())
    }

    /// Carves one block of `len` bytes (rounded up to 32) for a TBuf (`InitBuffer`).
    ///
    /// # Errors
    /// As [`init_buffer`](Self::init_buffer).
    #[doc(alias = "InitBuffer")]
    #[track_caller]
    pub fn init_tbuf<P: InPool>(&self, buf: &mut TBuf<P>, len: u32) -> Result<()> {
        let at = Place::here();
        let (core, pool) = self.state.bound_of::<Self>(at)?;
        buf.init_on(core, at, |state, slot, shape| state.carve(pool, slot, shape, 1, len, at))
    }

    /// Carves a child pool of `len` bytes (rounded up to 32) out of this pool (`InitBufPool`).
    ///
    /// # Errors
    /// The bytes do not suffice, the child is in another memory, or this pool is not initialised.
    #[doc(alias = "InitBufPool")]
    #[track_caller]
    pub fn init_buf_pool<P: BufPool>(&self, child: &mut P, len: u32) -> Result<()> {
        let at = Place::here();
        let (core, pool) = self.state.bound_of::<Self>(at)?;
        let source = PoolSource { parent: pool, len, shares: None };
        let shape = child.__state().shape::<P>(P::BUFID_SIZE);
        child.__state_mut().init_on(core, shape, source, at)
    }

    /// Gives a child pool the range of another child (`InitBufPool(child, len, shared)`): the other
    /// pool's start and its whole length; `len` may be no longer than that.
    ///
    /// # Errors
    /// `len` is longer than the other pool, or the pools are of different memories.
    #[doc(alias = "InitBufPool")]
    #[track_caller]
    pub fn init_buf_pool_shared<P: BufPool, Q: BufPool>(
        &self,
        child: &mut P,
        len: u32,
        shared: &Q,
    ) -> Result<()> {
        let at = Place::here();
        let (core, pool) = self.state.bound_of::<Self>(at)?;
        init_shared(core, pool, child, len, shared, at)
    }

    /// Waits for the pending free events of the pool's blocks and empties it (`Reset`). On Ascend950
    /// start and length stay and carving again works; elsewhere the pool must be initialised again.
    ///
    /// # Errors
    /// A free event that a block waits for was never set.
    #[doc(alias = "Reset")]
    #[track_caller]
    pub fn reset(&mut self) -> Result<()> {
        self.state.reset()
    }
}

impl<POS: PoolPosition, const N: u8> fmt::Debug for TBufPool<POS, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TBufPool<{}, {N}> {:?}", POS::POSITION, self.state)
    }
}

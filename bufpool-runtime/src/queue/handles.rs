//! Queues by handle: for programs that decide at run time, and for custom pools, which write the
//! records of a queue themselves.

use crate::chip::check_in_pool;
use crate::error::Result;
use crate::inspect::BlockState;
use crate::link::{Link, no_records};
use crate::model::Core;
use crate::model::block::{QueueId, TBufHandle};
use crate::model::handles::HandleRecord;
use crate::model::queue::Shape;
use crate::ops::element::Element;
use crate::place::Place;
use crate::pool::AnyPool;
use crate::position::Position;
use crate::queue::TQueBind;
use crate::tensor::LocalTensor;

impl<SRC: Position, DST: Position, const DEPTH: usize> TQueBind<SRC, DST, DEPTH> {
    /// [`free_tensor`](Self::free_tensor) by handle.
    ///
    /// # Errors
    /// As `free_tensor`; the block is free already (double-free).
    #[doc(alias = "FreeBuffer")]
    #[track_caller]
    pub fn free_buffer(&self, handle: TBufHandle) -> Result<()> {
        let at = Place::here();
        let (core, id) = self.bound(at)?;
        core.run(at, |state| state.free(id, state.token(handle), at))
    }

    /// Allocates a block and returns its handle (`AllocBuffer`).
    ///
    /// # Errors
    /// As [`alloc_tensor`](Self::alloc_tensor).
    #[doc(alias = "AllocBuffer")]
    #[track_caller]
    pub fn alloc_buffer(&self) -> Result<TBufHandle> {
        let at = Place::here();
        let (core, id) = self.bound(at)?;
        let piece = core.alloc(id, at)?;
        Ok(piece.handle(core))
    }

    /// Enqueues a block by handle (`EnQue(TBufHandle)`).
    ///
    /// # Errors
    /// As [`enque`](Self::enque).
    #[doc(alias = "EnQue")]
    #[track_caller]
    pub fn enque_handle(&self, handle: TBufHandle) -> Result<()> {
        let at = Place::here();
        let (core, id) = self.bound(at)?;
        core.run(at, |state| state.enque(id, state.token(handle), None, at))
    }

    /// Dequeues the head of the queue and returns its handle; of a depth 0 queue use
    /// [`deque_handle_in_place`](Self::deque_handle_in_place).
    ///
    /// # Errors
    /// As [`deque`](Self::deque).
    #[doc(alias = "DeQue")]
    #[track_caller]
    pub fn deque_handle(&self) -> Result<TBufHandle> {
        let at = Place::here();
        let (core, id) = self.bound(at)?;
        let piece = core.deque(id, at)?;
        Ok(piece.handle(core))
    }

    /// State of a block of this queue (`GetState`).
    ///
    /// # Errors
    /// The block is of another queue, or stale.
    #[doc(alias = "GetState")]
    #[track_caller]
    pub fn get_state(&self, handle: TBufHandle) -> Result<BlockState> {
        let at = Place::here();
        let (core, id) = self.bound(at)?;
        core.run(at, |state| state.state_of(id, state.token(handle), at))
    }

    /// A tensor over the block of a handle, whatever its state: what a copied tensor is in C++.
    /// The checks see what is done with it.
    ///
    /// # Errors
    /// The handle is stale, or of another queue.
    #[track_caller]
    pub fn tensor_of<T: Element>(&self, handle: TBufHandle) -> Result<LocalTensor<T>> {
        let at = Place::here();
        let (core, id) = self.bound(at)?;
        let piece = core.run(at, |state| {
            state.block_of_queue(id, state.token(handle), "use", at)?;
            Ok(state.piece(id, handle, at))
        })?;
        Ok(LocalTensor::new(core, piece))
    }

    /// Binds the queue to `num` consecutive records of a custom pool, from `first`
    /// (`InitStartBufHandle`). `len` in bytes of one block, rounded up to 32.
    ///
    /// A program in which the queue is in UB or L1 on no chip (A2, B2, C2, CO1) does not build;
    /// `cargo check` does not see it.
    ///
    /// # Errors
    /// The records end beyond the pool's, the pool is not initialised or of another memory.
    #[doc(alias = "InitStartBufHandle")]
    #[track_caller]
    pub fn init_start_buf_handle(&mut self, first: TBufHandle, num: u8, len: u32) -> Result<()> {
        const { check_in_pool(SRC::POSITION, DST::POSITION) };
        let at = Place::here();
        init_start_buf_handle(
            &mut self.link,
            first,
            || Shape {
                name: self.name,
                src: SRC::POSITION,
                dst: DST::POSITION,
                depth: Some(DEPTH as u32),
                nd2nz: self.nd2nz,
            },
            num,
            len,
            at,
        )
    }

    /// Writes the record of block `index` of this queue: `len` bytes at `addr`
    /// (`InitBufHandle`). Each index needs a handle of its own.
    ///
    /// # Errors
    /// The range is outside the pool, the handle or the queue is of another pool, or the index is
    /// not below the number of blocks.
    #[doc(alias = "InitBufHandle")]
    #[track_caller]
    pub fn init_buf_handle<P: AnyPool>(
        &mut self,
        pool: &P,
        index: u8,
        handle: TBufHandle,
        addr: u32,
        len: u32,
    ) -> Result<()> {
        let at = Place::here();
        let record = HandleRecord { index, handle, addr, len };
        let bound = self.link().bound().ok_or_else(|| no_records(&self.shape(), at))?;
        write_record(bound, pool, record, at)
    }
}

/// `InitStartBufHandle` for a queue or TBuf, which may be on no core yet: that of the live pipe it is,
/// as with `GetTPipePtr`.
pub(crate) fn init_start_buf_handle(
    link: &mut Link,
    first: TBufHandle,
    shape: impl FnOnce() -> Shape,
    num: u8,
    len: u32,
    at: Place,
) -> Result<()> {
    let core = crate::pipe::live_core(at)?;
    let slot = link.slot(&core);
    let shape = shape();
    let id = core.run(at, |state| {
        state.init_start_buf_handle(slot, shape, first, u32::from(num), len, at)
    })?;
    link.bind(&core, id);
    Ok(())
}

/// `init_buf_handle` of a bound queue or TBuf, for a record of a custom pool.
pub(crate) fn write_record<P: AnyPool>(
    (core, id): (&Core, QueueId),
    pool: &P,
    record: HandleRecord,
    at: Place,
) -> Result<()> {
    let pool = pool.__state().owner_on::<P>(core, at)?;
    core.run(at, |state| state.init_buf_handle(id, pool, record, at))
}

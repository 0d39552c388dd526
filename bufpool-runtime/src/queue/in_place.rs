//! Queues of depth 0: the tensor stays where it is, and nothing is queued.

use crate::error::Result;
use crate::model::block::TBufHandle;
use crate::ops::element::Element;
use crate::place::Place;
use crate::position::Position;
use crate::queue::{Depth, Enqueued, InPlace, TQueBind};
use crate::tensor::{Local, LocalTensor};

// The bound is on each call and not on the impl, for the compiler to say it in our words.
impl<SRC: Position, DST: Position, const DEPTH: usize> TQueBind<SRC, DST, DEPTH> {
    /// The next block of a depth 0 queue (`AllocTensor(tensor)`); always waits for its free event.
    ///
    /// # Errors
    /// No block is free, the queue has no memory, or its pool was reset.
    #[doc(alias = "AllocTensor")]
    #[track_caller]
    pub fn alloc_in_place<T: Element>(&self) -> Result<LocalTensor<T>>
    where
        Depth<DEPTH>: InPlace,
    {
        let at = Place::here();
        let (core, id) = self.bound(at)?;
        let piece = core.alloc(id, at)?;
        Ok(LocalTensor::new(core, piece))
    }

    /// Sets the enqueue event of the tensor's block (`EnQue(tensor)`); nothing is queued.
    ///
    /// # Errors
    /// The tensor is of another queue, or was enqueued already.
    #[doc(alias = "EnQue")]
    #[track_caller]
    pub fn enque_in_place<T>(&self, tensor: LocalTensor<T>) -> Result<Enqueued<T>>
    where
        Depth<DEPTH>: InPlace,
    {
        let at = Place::here();
        let (core, id) = self.bound(at)?;
        core.enque(id, Local::core(&tensor).clone(), tensor.piece(), at)?;
        Ok(Enqueued(tensor))
    }

    /// Waits for the enqueue event of the tensor's block (`DeQue(tensor)`).
    ///
    /// # Errors
    /// The tensor is of another queue.
    #[doc(alias = "DeQue")]
    #[track_caller]
    pub fn deque_in_place<T>(&self, tensor: Enqueued<T>) -> Result<LocalTensor<T>>
    where
        Depth<DEPTH>: InPlace,
    {
        let at = Place::here();
        let (core, id) = self.bound(at)?;
        let token = core.own(Local::core(&tensor.0), tensor.0.piece(), at)?;
        core.run(at, |state| state.deque_in_place(id, token, at))?;
        Ok(tensor.0)
    }

    /// [`deque_in_place`](Self::deque_in_place) by handle.
    ///
    /// # Errors
    /// The block is not enqueued, or of another queue.
    #[track_caller]
    pub fn deque_handle_in_place(&self, handle: TBufHandle) -> Result<()>
    where
        Depth<DEPTH>: InPlace,
    {
        let at = Place::here();
        let (core, id) = self.bound(at)?;
        core.run(at, |state| state.deque_in_place(id, state.token(handle), at).map(drop))
    }
}

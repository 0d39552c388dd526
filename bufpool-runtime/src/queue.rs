//! Queues: [`TQueBind`] and its short forms [`TQue`] and [`TSCMQue`].

#![allow(clippy::inline_always, reason = "see `model::turn`")]

mod handles;

pub(crate) use handles::{init_start_buf_handle, write_record};

use std::fmt;
use std::marker::PhantomData;

use crate::error::{BufPoolError, Result};
use crate::inspect::QueueView;
use crate::link::{Link, no_init_buffer};
use crate::model::Core;
use crate::model::block::{QueueId, TBufHandle};
use crate::model::queue::Shape;
use crate::ops::element::Element;
use crate::place::Place;
use crate::position::{Position, QueuePosition, TPosition, TSCM, UserPosition};
use crate::tensor::{Local, LocalTensor};

/// A queue of tensors between two positions (`AscendC::TQueBind`).
///
/// `DEPTH` bounds `enque` without `deque`; the number of blocks given to `init_buffer` (2 for
/// double buffering) bounds the tensors out at one time. Depth 0 is the in-place form.
///
/// ```
/// use bufpool_runtime::prelude::*;
/// # fn main() -> Result<()> {
/// let pipe = TPipe::new(Chip::AtlasA2)?;
/// let mut que = TQueBind::<VECIN, VECOUT, 1>::new();
/// pipe.init_buffer(&mut que, 2, 1024)?;
/// let x = que.alloc_tensor::<f32>()?;
/// que.enque(x)?;
/// let x = que.deque::<f32>()?;
/// assert_eq!((x.position(), x.len()), (TPosition::VECOUT, 256));
/// que.free_tensor(x)
/// # }
/// ```
pub struct TQueBind<SRC, DST, const DEPTH: usize> {
    link: Link,
    name: Option<&'static str>,
    nd2nz: bool,
    route: PhantomData<(SRC, DST)>,
}

/// A queue at a position (`AscendC::TQue`): [`TQueBind`] with the usual route of the position.
///
/// ```
/// use bufpool_runtime::prelude::*;
/// let que = TQue::<VECIN, 1>::new();
/// let same: TQueBind<GM, VECIN, 1> = que;
/// ```
pub type TQue<POS, const DEPTH: usize> =
    TQueBind<<POS as QueuePosition>::Src, <POS as QueuePosition>::Dst, DEPTH>;

/// A queue into the L1 memory that cube and vector cores share (`AscendC::TSCM<POS, DEPTH>`).
/// `TSCM` itself is the position.
///
/// ```
/// use bufpool_runtime::prelude::*;
/// let que = TSCMQue::<VECIN, 1>::new();
/// let same: TQueBind<VECIN, TSCM, 1> = que;
/// ```
#[doc(alias = "TSCM")]
pub type TSCMQue<POS, const DEPTH: usize> = TQueBind<POS, TSCM, DEPTH>;

/// The depth of a queue as a type, for the bounds of its operations.
///
/// ```
/// use bufpool_runtime::prelude::*;
/// use bufpool_runtime::{Depth, Queued};
///
/// /// Takes and gives back one tensor, of a queue of any depth but 0.
/// fn round<const N: usize>(que: &TQue<VECIN, N>) -> Result<()>
/// where
///     Depth<N>: Queued,
/// {
///     let x = que.alloc_tensor::<f32>()?;
///     que.enque(x)?;
///     let x = que.deque::<f32>()?;
///     que.free_tensor(x)
/// }
/// ```
pub struct Depth<const DEPTH: usize>;

/// Depths of queues that hold tensors: 1 to 64.
#[diagnostic::on_unimplemented(
    message = "this call needs a queue of depth 1 or more",
    label = "the queue has `{Self}`, and 0 is the in-place form",
    note = "a depth 0 queue has alloc_in_place, enque_in_place, deque_in_place and free_tensor",
    note = "a queue can have depth 1 to 64; code for a parameter `N` says so by `where Depth<N>: Queued`"
)]
pub trait Queued {}

/// The depth of in-place queues: 0.
#[diagnostic::on_unimplemented(
    message = "the in-place calls need a queue of depth 0",
    label = "the queue has `{Self}`",
    note = "use alloc_tensor, enque and deque, or declare the queue with depth 0"
)]
pub trait InPlace {}

impl InPlace for Depth<0> {}

macro_rules! queued {
    ($($depth:literal)*) => { $(impl Queued for Depth<$depth> {})* };
}
queued!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32);
queued!(33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64);

/// A tensor of a depth 0 queue between `enque_in_place` and `deque_in_place`.
///
/// ```
/// use bufpool_runtime::prelude::*;
/// # fn main() -> Result<()> {
/// let pipe = TPipe::new(Chip::AtlasA2)?;
/// let mut que = TQue::<VECIN, 0>::new();
/// pipe.init_buffer(&mut que, 1, 64)?;
/// let x = que.alloc_in_place::<f32>()?;
/// let x: Enqueued<f32> = que.enque_in_place(x)?;
/// let x: LocalTensor<f32> = que.deque_in_place(x)?;
/// que.free_tensor(x)?;
/// # Ok(())
/// # }
/// ```
#[must_use = "dequeue the tensor with `deque_in_place`"]
pub struct Enqueued<T>(LocalTensor<T>);

impl<SRC: Position, DST: Position, const DEPTH: usize> Default for TQueBind<SRC, DST, DEPTH> {
    fn default() -> Self {
        Self::new()
    }
}

impl<SRC: Position, DST: Position, const DEPTH: usize> TQueBind<SRC, DST, DEPTH> {
    /// A queue without memory yet.
    #[must_use]
    pub const fn new() -> Self {
        const { assert!(DEPTH <= 64, "a queue has a depth of 0 to 64") };
        TQueBind { link: Link::new(), name: None, nd2nz: false, route: PhantomData }
    }

    /// Gives the queue a name for messages. One that is made at run time has to live as long as the
    /// program: `leak` it, as the call is for constants too.
    ///
    /// ```
    /// use bufpool_runtime::prelude::*;
    /// const X: TQue<VECIN, 1> = TQue::<VECIN, 1>::new().named("x");
    /// let numbered: Vec<TQue<VECIN, 1>> = (0..4)
    ///     .map(|i| TQue::<VECIN, 1>::new().named(format!("x{i}").leak()))
    ///     .collect();
    /// ```
    #[must_use]
    pub const fn named(mut self, name: &'static str) -> Self {
        self.name = Some(name);
        self
    }

    /// The nd to nz conversion on the way (the vendor's `TQueConfig` mask): other events on some chips.
    #[must_use]
    pub const fn nd2nz(mut self) -> Self {
        self.nd2nz = true;
        self
    }

    pub(crate) fn shape(&self) -> Shape {
        Shape {
            name: self.name,
            src: SRC::POSITION,
            dst: DST::POSITION,
            depth: Some(DEPTH as u32),
            nd2nz: self.nd2nz,
        }
    }

    pub(crate) fn link(&self) -> &Link {
        &self.link
    }

    pub(crate) fn link_mut(&mut self) -> &mut Link {
        &mut self.link
    }

    fn bound(&self, at: Place) -> Result<(&Core, QueueId)> {
        self.link.get(|| self.shape(), at)
    }

    #[cold]
    fn unbound(&self, at: Place) -> BufPoolError {
        no_init_buffer(&self.shape(), at)
    }

    /// Gives a tensor's block back (`FreeTensor`). Sets the free event for the next allocation of
    /// the block. Legal straight after allocation.
    ///
    /// # Errors
    /// The tensor is of another queue, stale, or no id of the free event is left. The block is as it
    /// was, but the tensor is gone: to go on after such an error, take [`LocalTensor::handle`] before
    /// and [`free_buffer`](Self::free_buffer) after.
    #[doc(alias = "FreeTensor")]
    #[track_caller]
    #[inline(always)]
    #[allow(clippy::needless_pass_by_value, reason = "the tensor is a token: freeing ends it")]
    pub fn free_tensor<T>(&self, tensor: LocalTensor<T>) -> Result<()> {
        let at = Place::here();
        let Some((core, id)) = self.link.bound() else { return Err(self.unbound(at)) };
        let LocalTensor { core: of, piece, .. } = tensor;
        core.free(id, of, &piece, at)
    }

    /// Waits for and releases every free id that blocks of the queue hold (`FreeAllEvent`).
    ///
    /// # Errors
    /// A tensor is in the queue.
    #[doc(alias = "FreeAllEvent")]
    #[track_caller]
    pub fn free_all_event(&self) -> Result<()>
    where
        Depth<DEPTH>: Queued,
    {
        let at = Place::here();
        let (core, id) = self.bound(at)?;
        core.run(at, |state| state.free_all_event(id, at))
    }

    /// What the layer sees of the queue; none before it got memory.
    #[must_use]
    pub fn inspect(&self) -> Option<QueueView> {
        let (core, id) = self.link.bound()?;
        Some(core.state_always()?.view_queue(id))
    }
}

// The bound is on each call and not on the impl, for the compiler to say it in our words.
impl<SRC: Position, DST: Position, const DEPTH: usize> TQueBind<SRC, DST, DEPTH> {
    /// The next free block, round robin (`AllocTensor`), as a tensor of `T` over all its bytes.
    /// Waits for the block's free event.
    ///
    /// # Errors
    /// No block is free (the device would wait for ever: the message lists who holds each), the
    /// queue has no memory, or its pool was reset.
    #[doc(alias = "AllocTensor")]
    #[track_caller]
    #[inline(always)]
    pub fn alloc_tensor<T: Element>(&self) -> Result<LocalTensor<T>>
    where
        Depth<DEPTH>: Queued,
    {
        let at = Place::here();
        let Some((core, id)) = self.link.bound() else { return Err(self.unbound(at)) };
        let piece = core.alloc(id, at)?;
        Ok(LocalTensor::new(core, piece))
    }

    /// Puts a tensor into the queue (`EnQue`) and sets the enqueue event.
    ///
    /// # Errors
    /// The queue is full, the tensor is of another queue, or no id of the event is left. The block
    /// is as it was, but the tensor is gone: to go on after such an error, take
    /// [`LocalTensor::handle`] before and [`enque_handle`](Self::enque_handle) after.
    #[doc(alias = "EnQue")]
    #[track_caller]
    #[inline(always)]
    #[allow(clippy::needless_pass_by_value, reason = "the tensor is a token: the queue has it now")]
    pub fn enque<T>(&self, tensor: LocalTensor<T>) -> Result<()>
    where
        Depth<DEPTH>: Queued,
    {
        let at = Place::here();
        let Some((core, id)) = self.link.bound() else { return Err(self.unbound(at)) };
        let LocalTensor { core: of, piece, .. } = tensor;
        core.enque(id, of, &piece, at)
    }

    /// Takes the oldest tensor out of the queue (`DeQue`) and waits for its enqueue event.
    ///
    /// # Errors
    /// The queue is empty, or its head was enqueued with other positions.
    #[doc(alias = "DeQue")]
    #[track_caller]
    #[inline(always)]
    pub fn deque<T: Element>(&self) -> Result<LocalTensor<T>>
    where
        Depth<DEPTH>: Queued,
    {
        let at = Place::here();
        let Some((core, id)) = self.link.bound() else { return Err(self.unbound(at)) };
        let piece = core.deque(id, at)?;
        Ok(LocalTensor::new(core, piece))
    }

    /// [`enque`](Self::enque) with the event of the way from `FROM` to `TO`
    /// (`EnQue<FROM, TO>`).
    ///
    /// # Errors
    /// As `enque`; both positions are GM.
    #[doc(alias = "EnQue")]
    #[track_caller]
    #[allow(clippy::needless_pass_by_value, reason = "the tensor is a token: the queue has it now")]
    pub fn enque_at<FROM: UserPosition, TO: UserPosition, T>(
        &self,
        tensor: LocalTensor<T>,
    ) -> Result<()>
    where
        Depth<DEPTH>: Queued,
    {
        let at = Place::here();
        let (core, id) = self.bound(at)?;
        let token = core.own(Local::core(&tensor), tensor.piece(), at)?;
        core.run(at, |state| state.enque(id, token, Some((FROM::POSITION, TO::POSITION)), at))
    }

    /// [`deque`](Self::deque) of a tensor that was enqueued with the same two positions
    /// (`DeQue<FROM, TO>`).
    ///
    /// # Errors
    /// As `deque`.
    #[doc(alias = "DeQue")]
    #[track_caller]
    pub fn deque_at<FROM: UserPosition, TO: UserPosition, T: Element>(
        &self,
    ) -> Result<LocalTensor<T>>
    where
        Depth<DEPTH>: Queued,
    {
        let at = Place::here();
        let (core, id) = self.bound(at)?;
        let pos = Some((FROM::POSITION, TO::POSITION));
        let piece = core.run(at, |state| state.deque(id, pos, at))?;
        Ok(LocalTensor::new(core, piece))
    }

    /// [`enque_at`](Self::enque_at) by handle.
    ///
    /// # Errors
    /// As `enque_at`.
    #[track_caller]
    pub fn enque_handle_at<FROM: UserPosition, TO: UserPosition>(
        &self,
        handle: TBufHandle,
    ) -> Result<()>
    where
        Depth<DEPTH>: Queued,
    {
        let at = Place::here();
        let (core, id) = self.bound(at)?;
        core.run(at, |state| {
            state.enque(id, state.token(handle), Some((FROM::POSITION, TO::POSITION)), at)
        })
    }

    /// [`deque_at`](Self::deque_at) by handle.
    ///
    /// # Errors
    /// As `deque_at`.
    #[track_caller]
    pub fn deque_handle_at<FROM: UserPosition, TO: UserPosition>(&self) -> Result<TBufHandle>
    where
        Depth<DEPTH>: Queued,
    {
        let at = Place::here();
        let (core, id) = self.bound(at)?;
        let pos = Some((FROM::POSITION, TO::POSITION));
        let piece = core.run(at, |state| state.deque(id, pos, at))?;
        Ok(piece.handle(core))
    }

    /// Whether one more tensor can be enqueued (`VacantInQue`).
    ///
    /// # Errors
    /// The queue has no memory, or its pool was reset.
    #[doc(alias = "VacantInQue")]
    #[track_caller]
    pub fn vacant_in_que(&self) -> Result<bool>
    where
        Depth<DEPTH>: Queued,
    {
        self.ask(Place::here(), |queue| (queue.fifo.len() as u32) < queue.depth())
    }

    /// Whether a tensor waits in the queue (`HasTensorInQue`).
    ///
    /// # Errors
    /// The queue has no memory, or its pool was reset.
    #[doc(alias = "HasTensorInQue")]
    #[track_caller]
    pub fn has_tensor_in_que(&self) -> Result<bool>
    where
        Depth<DEPTH>: Queued,
    {
        self.ask(Place::here(), |queue| !queue.fifo.is_empty())
    }

    /// Tensors in the queue (`GetTensorCountInQue`).
    ///
    /// # Errors
    /// The queue has no memory, or its pool was reset.
    #[doc(alias = "GetTensorCountInQue")]
    #[track_caller]
    pub fn get_tensor_count_in_que(&self) -> Result<u32>
    where
        Depth<DEPTH>: Queued,
    {
        self.ask(Place::here(), |queue| queue.fifo.len() as u32)
    }

    /// Whether fewer tensors are out than the queue has blocks (`HasIdleBuffer`).
    ///
    /// # Errors
    /// The queue has no memory, or its pool was reset.
    #[doc(alias = "HasIdleBuffer")]
    #[track_caller]
    pub fn has_idle_buffer(&self) -> Result<bool>
    where
        Depth<DEPTH>: Queued,
    {
        self.ask(Place::here(), |queue| queue.out < queue.num)
    }

    fn ask<R>(
        &self,
        at: Place,
        question: impl FnOnce(&crate::model::queue::Queue) -> R,
    ) -> Result<R> {
        let (core, id) = self.bound(at)?;
        let state = core.state(at)?;
        Ok(question(state.live_queue(id, at)?))
    }
}

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

impl<SRC: Position, DST: Position, const DEPTH: usize> fmt::Debug for TQueBind<SRC, DST, DEPTH> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (src, dst): (TPosition, TPosition) = (SRC::POSITION, DST::POSITION);
        write!(f, "TQueBind<{src}, {dst}, {DEPTH}>")?;
        match self.inspect() {
            Some(view) => write!(
                f,
                " {{ {} blocks, {} in the queue, {} out }}",
                view.blocks, view.used, view.out
            ),
            None => f.write_str(" { no memory }"),
        }
    }
}

//! TBufs: buffers without a queue.

#![allow(clippy::inline_always, reason = "see `model::turn`")]

use std::fmt;
use std::marker::PhantomData;

use crate::chip::check_in_pool;
use crate::error::{BufPoolError, Result, Trail};
use crate::inspect::BufferView;
use crate::link::{Link, no_init_buffer, no_records};
use crate::model::block::{QueueId, TBufHandle};
use crate::model::buffer::Range;
use crate::model::handles::HandleRecord;
use crate::model::piece::Piece;
use crate::model::queue::Shape;
use crate::model::{Core, State};
use crate::ops::element::Element;
use crate::place::Place;
use crate::pool::AnyPool;
use crate::position::Position;
use crate::queue::{init_start_buf_handle, write_record};
use crate::tensor::LocalTensor;

/// A buffer that only the user orders (`AscendC::TBuf`). All views are over the same bytes: two
/// `get`s alias, and no flag orders the pipes that use them.
///
/// ```
/// use bufpool_runtime::prelude::*;
/// # fn main() -> Result<()> {
/// let pipe = TPipe::new(Chip::AtlasA2)?;
/// let mut buf = TBuf::<VECCALC>::new();
/// pipe.init_tbuf(&mut buf, 1024)?;
/// let all = buf.get::<f32>()?;
/// let part = buf.get_with_offset::<f32>(64, 512)?;
/// assert_eq!((all.len(), part.addr(), part.len()), (256, all.addr() + 512, 64));
/// # Ok(())
/// # }
/// ```
pub struct TBuf<POS> {
    link: Link,
    name: Option<&'static str>,
    position: PhantomData<POS>,
}

impl<POS: Position> Default for TBuf<POS> {
    fn default() -> Self {
        Self::new()
    }
}

impl<POS: Position> TBuf<POS> {
    /// A TBuf without memory yet.
    #[must_use]
    pub const fn new() -> Self {
        TBuf { link: Link::new(), name: None, position: PhantomData }
    }

    /// Gives the TBuf a name for messages.
    #[must_use]
    pub const fn named(mut self, name: &'static str) -> Self {
        self.name = Some(name);
        self
    }

    pub(crate) fn shape(&self) -> Shape {
        Shape { name: self.name, src: POS::POSITION, dst: POS::POSITION, depth: None, nd2nz: false }
    }

    pub(crate) fn link(&self) -> &Link {
        &self.link
    }

    fn bound(&self, at: Place) -> Result<(&Core, QueueId)> {
        self.link.get(|| self.shape(), at)
    }

    /// The whole buffer (`Get`).
    ///
    /// # Errors
    /// The TBuf has no memory, or its pool was reset.
    #[doc(alias = "Get")]
    #[track_caller]
    #[inline(always)]
    pub fn get<T: Element>(&self) -> Result<LocalTensor<T>> {
        let at = Place::here();
        let Some((core, id)) = self.link.bound() else {
            return Err(no_init_buffer(&self.shape(), at));
        };
        Ok(whole_elements(core, core.get_all(id, at)?))
    }

    /// The first `count` elements (`Get(len)`), whose bytes must be a multiple of 32.
    ///
    /// # Errors
    /// As [`get`](Self::get); the bytes are none, not a multiple of 32, or more than the buffer has.
    #[doc(alias = "Get")]
    #[track_caller]
    pub fn get_len<T: Element>(&self, count: usize) -> Result<LocalTensor<T>> {
        let at = Place::here();
        let (count, size) = (count as u64, size_of::<T>() as u64);
        self.view(at, |state, id| state.get_len(id, count, size, at))
    }

    /// `count` elements from `offset` bytes on (`GetWithOffset`). The offset must be a multiple of
    /// 32.
    ///
    /// # Errors
    /// As [`get`](Self::get); the view has no bytes, its offset is not a multiple of 32, or it
    /// ends past the buffer.
    #[doc(alias = "GetWithOffset")]
    #[track_caller]
    pub fn get_with_offset<T: Element>(&self, count: usize, offset: u32) -> Result<LocalTensor<T>> {
        let at = Place::here();
        let bytes = bytes_of::<T>(count);
        let range = Range { offset: u64::from(offset), bytes };
        self.view(at, |state, id| state.get_with_offset(id, range, at))
    }

    /// What the layer sees of the buffer; none before it got memory.
    #[must_use]
    pub fn inspect(&self) -> Option<BufferView> {
        let (core, id) = self.link.bound()?;
        Some(core.state_always()?.view_buffer(id))
    }

    /// Binds the TBuf to one record of a custom pool (`InitStartBufHandle`); `num` must be 1.
    /// `len` in bytes, rounded up to 32.
    ///
    /// A program in which the TBuf is in UB or L1 on no chip (A2, B2, C2, CO1) does not build;
    /// `cargo check` does not see it.
    ///
    /// # Errors
    /// `num` is not 1, the pool is not initialised, or of another memory.
    #[doc(alias = "InitStartBufHandle")]
    #[track_caller]
    pub fn init_start_buf_handle(&mut self, first: TBufHandle, num: u8, len: u32) -> Result<()> {
        const { check_in_pool(POS::POSITION, POS::POSITION) };
        let at = Place::here();
        let shape = self.shape();
        init_start_buf_handle(&mut self.link, first, || shape, num, len, at)
    }

    /// Writes the record of the TBuf: `len` bytes at `addr` (`InitBufHandle`); `index` must be 0.
    ///
    /// # Errors
    /// The range is outside the pool, or the handle or the TBuf is of another pool.
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
        let bound = self.link.bound().ok_or_else(|| no_records(&self.shape(), at))?;
        write_record(bound, pool, record, at)
    }

    /// Gets memory from a core, by `init`.
    pub(crate) fn init_on(
        &mut self,
        core: &Core,
        at: Place,
        init: impl FnOnce(&mut State, Option<QueueId>, Shape) -> Result<QueueId>,
    ) -> Result<()> {
        let (shape, slot) = (self.shape(), self.link.slot(core));
        let id = core.run(at, |state| init(state, slot, shape))?;
        self.link.bind(core, id);
        Ok(())
    }

    #[inline]
    fn view<T: Element>(
        &self,
        at: Place,
        take: impl FnOnce(&mut State, QueueId) -> Result<Piece>,
    ) -> Result<LocalTensor<T>> {
        let (core, id) = self.bound(at)?;
        Ok(whole_elements(core, core.run(at, |state| take(state, id))?))
    }
}

/// A tensor over a piece. Bytes that do not fill an element stay out, as with `GetSize`.
#[inline]
fn whole_elements<T: Element>(core: &Core, piece: Piece) -> LocalTensor<T> {
    LocalTensor::new(core, piece.of_whole_elements(T::SIZE))
}

fn bytes_of<T>(count: usize) -> u64 {
    (count as u64).saturating_mul(size_of::<T>() as u64)
}

/// A pool or pipe gives memory only to what it can see on its own core.
pub(crate) fn other_pipe(what: String, at: Place) -> BufPoolError {
    BufPoolError::OtherPipe {
        what,
        trail: Trail::asked(at)
            .help("use queues, buffers and pools with the TPipe that initialised them"),
    }
}

impl<POS: Position> fmt::Debug for TBuf<POS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TBuf<{}>", POS::POSITION)?;
        match self.inspect() {
            Some(view) => write!(f, " {{ {} bytes at {} }}", view.len, view.record.addr),
            None => f.write_str(" { no memory }"),
        }
    }
}

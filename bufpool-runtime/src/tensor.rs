//! Tensors: the tokens that a kernel works with.
//!
//! A [`LocalTensor`] is neither Clone nor Copy. A queue gives it and takes it back, so double
//! free, use after free and use after enque do not compile. Views borrow it.

use std::fmt;
use std::marker::PhantomData;

use crate::error::{BufPoolError, Result};
use crate::error_data::Call;
use crate::model::Core;
use crate::model::block::TBufHandle;
use crate::model::piece::Piece;
use crate::model::stream::Span;
use crate::ops::element::Element;
use crate::pipe::TPipe;
use crate::place::Place;
use crate::position::TPosition;

/// Elements of type `T` in a memory of the core (`AscendC::LocalTensor`).
///
/// ```
/// use bufpool_runtime::prelude::*;
/// # fn main() -> Result<()> {
/// let pipe = TPipe::new(Chip::AtlasA2)?;
/// let mut que = TQue::<VECIN, 1>::new();
/// pipe.init_buffer(&mut que, 1, 1024)?;
/// let x = que.alloc_tensor::<f32>()?;
/// assert_eq!((x.len(), x.byte_len(), x.addr(), x.position()), (256, 1024, 0, TPosition::VECIN));
/// que.free_tensor(x)?; // moves x: a second free does not compile
/// # Ok(())
/// # }
/// ```
#[must_use = "a tensor that is dropped leaves its block out for ever; give it back with `enque` or `free_tensor`"]
pub struct LocalTensor<T> {
    pub(crate) core: Core,
    pub(crate) piece: Piece,
    element: PhantomData<T>,
}

impl<T> LocalTensor<T> {
    #[inline]
    pub(crate) fn new(core: &Core, piece: Piece) -> Self {
        LocalTensor { core: core.clone(), piece, element: PhantomData }
    }

    #[inline]
    pub(crate) fn piece(&self) -> &Piece {
        &self.piece
    }
}

/// A borrowed part of a tensor, or the tensor seen as another type.
///
/// ```
/// use bufpool_runtime::prelude::*;
/// # fn main() -> Result<()> {
/// let pipe = TPipe::new(Chip::AtlasA2)?;
/// let mut buf = TBuf::<VECCALC>::new();
/// pipe.init_tbuf(&mut buf, 1024)?;
/// let x = buf.get::<f32>()?;
/// let part = x.slice(64..128)?;
/// assert_eq!((part.addr(), part.len()), (256, 64));
/// assert_eq!(part.reinterpret::<f16>().len(), 128);
/// # Ok(())
/// # }
/// ```
pub struct TensorView<'t, T> {
    core: &'t Core,
    span: Span,
    element: PhantomData<T>,
}

impl<T> Clone for TensorView<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for TensorView<'_, T> {}

mod sealed {
    use super::{Core, Span};

    /// What operations need of a tensor or view.
    pub trait Local {
        fn core(&self) -> &Core;
        /// The whole range of the tensor or view.
        fn span(&self) -> Span;
    }
}
pub(crate) use sealed::Local;

impl<T> sealed::Local for LocalTensor<T> {
    #[inline]
    fn core(&self) -> &Core {
        &self.core
    }
    #[inline]
    fn span(&self) -> Span {
        let Piece { token, home, at, .. } = self.piece;
        let (addr, bytes) = (self.piece.addr(), self.piece.bytes());
        Span {
            hardware: home.hardware(),
            position: home.position(),
            addr,
            bytes,
            element: size_of::<T>() as u32,
            block: token.block(),
            life: home.life(),
            origin: token.block().map(|_| (home.owner(), token.epoch())),
            tensor_addr: addr,
            tensor_bytes: bytes,
            tensor_at: at,
        }
    }
}

impl<T> sealed::Local for TensorView<'_, T> {
    #[inline]
    fn core(&self) -> &Core {
        self.core
    }
    #[inline]
    fn span(&self) -> Span {
        self.span
    }
}

/// A tensor in a memory of the core: [`LocalTensor`] or a [`TensorView`] of one. What takes a
/// tensor takes both.
///
/// ```
/// use bufpool_runtime::prelude::*;
/// /// Doubles the first `count` elements.
/// fn double(x: &impl Tensor<f32>, count: usize) -> Result<()> {
///     add(x, x, x, count)
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a local tensor of `{T}`",
    label = "expected a `LocalTensor<{T}>` or a view of one",
    note = "to see the bytes as another type, use `tensor.reinterpret::<U>()`"
)]
pub trait Tensor<T: Element>: sealed::Local {}

impl<T: Element> Tensor<T> for LocalTensor<T> {}
impl<T: Element> Tensor<T> for TensorView<'_, T> {}

/// The bytes of a tensor.
pub(crate) fn bytes_of<T: Element>(tensor: &impl Tensor<T>) -> TensorView<'_, u8> {
    TensorView {
        core: tensor.core(),
        span: Span { element: 1, ..tensor.span() },
        element: PhantomData,
    }
}

macro_rules! shared_members {
    () => {
        /// Number of elements (`GetSize`).
        #[doc(alias = "GetSize")]
        #[must_use]
        pub fn len(&self) -> usize {
            self.byte_len() as usize / size_of::<T>()
        }

        /// Whether the tensor has no elements.
        #[must_use]
        pub fn is_empty(&self) -> bool {
            self.len() == 0
        }

        /// Length in bytes.
        #[must_use]
        pub fn byte_len(&self) -> u32 {
            sealed::Local::span(self).bytes
        }

        /// The logical position (`GetPosition`).
        #[doc(alias = "GetPosition")]
        #[must_use]
        pub fn position(&self) -> TPosition {
            sealed::Local::span(self).position
        }

        /// Offset from the start of the memory, in bytes (`GetPhyAddr`).
        #[doc(alias = "GetPhyAddr")]
        #[must_use]
        pub fn addr(&self) -> u32 {
            sealed::Local::span(self).addr
        }

        /// Elements `range` of this tensor (`tensor[offset]`), without copying.
        ///
        /// # Errors
        /// The range ends past the tensor, or before it starts.
        #[track_caller]
        pub fn slice(&self, range: std::ops::Range<usize>) -> Result<TensorView<'_, T>> {
            let span = part::<T>(&sealed::Local::span(self), range)?;
            Ok(TensorView { core: sealed::Local::core(self), span, element: PhantomData })
        }

        /// The same bytes as elements of another type (`ReinterpretCast`). Bytes that do not
        /// fill an element are left out.
        #[doc(alias = "ReinterpretCast")]
        #[must_use]
        pub fn reinterpret<U: Element>(&self) -> TensorView<'_, U> {
            let mut span = sealed::Local::span(self);
            span.bytes -= span.bytes % u32::from(U::SIZE);
            span.element = U::SIZE;
            TensorView { core: sealed::Local::core(self), span, element: PhantomData }
        }
    };
}

impl<T: Element> LocalTensor<T> {
    shared_members!();

    /// A tensor at a fixed address, outside of any queue or TBuf (a `LocalTensor` built from
    /// position, address and size). `addr` in bytes, `len` in elements.
    ///
    /// # Errors
    /// The range ends past the memory of the position, or the position is in global memory.
    #[track_caller]
    pub fn at(pipe: &TPipe, position: TPosition, addr: u32, len: usize) -> Result<Self> {
        let at = Place::here();
        let piece = pipe.core().fixed_piece(position, addr, len, T::SIZE, at)?;
        Ok(LocalTensor::new(pipe.core(), piece))
    }

    /// The handle of the block that the tensor stands on; none for a tensor at a fixed address.
    #[must_use]
    pub fn handle(&self) -> Option<TBufHandle> {
        self.piece.token.block().map(|_| self.piece.handle(&self.core))
    }

    /// The user's tag of the block, -1 at first (`GetUserTag`).
    ///
    /// # Errors
    /// The tensor has no block, or its pool was reset.
    #[doc(alias = "GetUserTag")]
    #[track_caller]
    pub fn user_tag(&self) -> Result<i32> {
        self.core.user_tag(self.handle(), Place::here())
    }

    /// Sets the user's tag of the block (`SetUserTag`).
    ///
    /// # Errors
    /// The tensor has no block, or its pool was reset.
    #[doc(alias = "SetUserTag")]
    #[track_caller]
    pub fn set_user_tag(&self, tag: i32) -> Result<()> {
        self.core.set_user_tag(self.handle(), tag, Place::here())
    }
}

impl<T: Element> TensorView<'_, T> {
    shared_members!();
}

#[track_caller]
fn part<T>(span: &Span, range: std::ops::Range<usize>) -> Result<Span> {
    let size = size_of::<T>();
    let len = span.bytes as usize / size;
    if range.start > range.end {
        return Err(Call::here("slice").reversed(&range));
    }
    if range.end > len {
        return Err(BufPoolError::view_out_of_bounds(
            range.start.saturating_mul(size),
            range.end.saturating_mul(size),
            span.bytes as usize,
            Place::here(),
            span.tensor_at,
        ));
    }
    let mut part = *span;
    part.addr += (range.start * size) as u32;
    part.bytes = (range.len() * size) as u32;
    Ok(part)
}

impl<T> fmt::Debug for LocalTensor<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_span(f, "LocalTensor", &sealed::Local::span(self))
    }
}

impl<T> fmt::Debug for TensorView<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_span(f, "TensorView", &self.span)
    }
}

fn write_span(f: &mut fmt::Formatter<'_>, name: &str, span: &Span) -> fmt::Result {
    let end = u64::from(span.addr) + u64::from(span.bytes);
    write!(f, "{name}({} {} [{}, {end}))", span.position, span.hardware, span.addr)
}

//! Tensors of either side, as copies and user-defined instructions take them.

use crate::global::{GlobalTensor, GlobalView, Pages};
use crate::model::Core;
use crate::model::stream::{GlobalSpan, Span};
use crate::ops::element::Element;
use crate::tensor::{LocalTensor, TensorView};

/// The side of a tensor in a memory of a core.
#[derive(Debug)]
pub enum OnChip {}

/// The side of a tensor in global memory.
#[derive(Debug)]
pub enum InGlobal {}

/// A tensor that an instruction can name: a local or global tensor, or a view of one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tensor",
    label = "expected a LocalTensor, a GlobalTensor, or a slice of one",
    note = "host data becomes a tensor with `GlobalTensor::from_vec` or `GlobalTensor::from_slice`"
)]
pub trait Operand: sealed::HasEnd {
    /// The element type.
    type Element: Element;
    /// [`OnChip`] or [`InGlobal`].
    type Side;
}

pub(super) mod sealed {
    use super::End;

    pub trait HasEnd {
        fn end(&self) -> End<'_>;
    }
}

/// Where a tensor is.
#[derive(Clone, Copy)]
pub enum End<'t> {
    Local(LocalEnd<'t>),
    Global(GlobalEnd<'t>),
}

#[derive(Clone, Copy)]
pub struct LocalEnd<'t> {
    pub core: &'t Core,
    pub span: Span,
}

#[derive(Clone, Copy)]
pub struct GlobalEnd<'t> {
    pub pages: &'t Pages,
    /// Of the first element, in bytes.
    pub offset: usize,
    /// Elements that there are.
    pub len: usize,
    /// Bytes of an element.
    pub element: usize,
}

impl GlobalEnd<'_> {
    pub(super) fn span(&self, start: usize, bytes: usize, atomic: bool) -> GlobalSpan {
        GlobalSpan {
            buffer: self.pages.id(),
            offset: (self.offset + start) as u64,
            bytes: bytes as u64,
            atomic,
        }
    }
}

macro_rules! operands {
    ($($type:ty: $side:ident |$self:ident| $end:expr;)*) => {$(
        impl<T: Element> sealed::HasEnd for $type {
            #[inline]
            fn end(&self) -> End<'_> {
                let $self = self;
                $end
            }
        }
        impl<T: Element> Operand for $type {
            type Element = T;
            type Side = $side;
        }
    )*};
}

operands! {
    LocalTensor<T>: OnChip |tensor| local(tensor);
    TensorView<'_, T>: OnChip |tensor| local(tensor);
    GlobalTensor<T>: InGlobal |tensor| global::<T>(tensor.pages(), tensor.offset(), tensor.len());
    GlobalView<'_, T>: InGlobal |tensor| global::<T>(tensor.pages(), tensor.offset(), tensor.len());
}

#[inline]
fn local(tensor: &impl crate::tensor::Local) -> End<'_> {
    End::Local(LocalEnd { core: tensor.core(), span: tensor.span() })
}

#[inline]
fn global<T>(pages: &Pages, offset: usize, len: usize) -> End<'_> {
    End::Global(GlobalEnd { pages, offset, len, element: size_of::<T>() })
}

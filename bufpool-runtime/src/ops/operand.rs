//! Tensors of either side, as copies and user-defined instructions take them.

use crate::global::{GlobalTensor, GlobalView, Pages};
use crate::model::Core;
use crate::model::stream::{GlobalSpan, Span};
use crate::ops::element::Element;
use crate::tensor::{LocalTensor, TensorView};

/// A tensor that an instruction can name: a local or global tensor, or a view of one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tensor",
    label = "expected a LocalTensor, a GlobalTensor, or a slice of one",
    note = "host data becomes a tensor with `GlobalTensor::from_vec` or `GlobalTensor::from_slice`"
)]
pub trait Operand: sealed::HasEnd {
    /// The element type.
    type Element: Element;
}

/// A tensor in global memory: [`GlobalTensor`] or a slice of one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a global tensor of `{T}`",
    label = "expected a `GlobalTensor<{T}>` or a slice of one"
)]
pub trait Global<T: Element>: Operand<Element = T> {}

impl<T: Element> Global<T> for GlobalTensor<T> {}
impl<T: Element> Global<T> for GlobalView<'_, T> {}

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

impl End<'_> {
    #[inline]
    pub(super) fn bytes(&self) -> usize {
        match self {
            End::Local(local) => local.span.bytes as usize,
            End::Global(global) => global.len * global.element,
        }
    }

    /// Makes a local end `bytes` long. More than 32 bits tell end past every memory, as does the
    /// greatest length that they tell.
    #[inline]
    pub(super) fn resize(&mut self, bytes: usize) {
        if let End::Local(local) = self {
            local.span.bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        }
    }
}

impl GlobalEnd<'_> {
    pub(super) fn span(&self, start: usize, bytes: usize, atomic: bool) -> GlobalSpan {
        GlobalSpan {
            buffer: self.pages.id(),
            offset: (self.offset + start) as u64,
            bytes: bytes as u64,
            element: self.element as u32,
            atomic,
        }
    }
}

macro_rules! operands {
    ($($type:ty: |$self:ident| $end:expr;)*) => {$(
        impl<T: Element> sealed::HasEnd for $type {
            #[inline]
            fn end(&self) -> End<'_> {
                let $self = self;
                $end
            }
        }
        impl<T: Element> Operand for $type {
            type Element = T;
        }
    )*};
}

operands! {
    LocalTensor<T>: |tensor| End::Local(local(tensor));
    TensorView<'_, T>: |tensor| End::Local(local(tensor));
    GlobalTensor<T>: |tensor| global::<T>(tensor.pages(), tensor.offset(), tensor.len());
    GlobalView<'_, T>: |tensor| global::<T>(tensor.pages(), tensor.offset(), tensor.len());
}

#[inline]
pub(super) fn local(tensor: &impl crate::tensor::Local) -> LocalEnd<'_> {
    LocalEnd { core: tensor.core(), span: tensor.span() }
}

#[inline]
fn global<T>(pages: &Pages, offset: usize, len: usize) -> End<'_> {
    End::Global(GlobalEnd { pages, offset, len, element: size_of::<T>() })
}

/// Implements a trait for pairs of tensors of the same element type, by the sides they are on.
macro_rules! pairs {
    ($trait:ident: $($to:ident <- $from:ident),*) => { $(pairs!(@ $trait, $to, $from);)* };
    (@ $trait:ident, local, global) => {
        pairs!(@impl $trait, LocalTensor<T>, GlobalTensor<T>);
        pairs!(@impl $trait, LocalTensor<T>, GlobalView<'_, T>);
        pairs!(@impl $trait, TensorView<'_, T>, GlobalTensor<T>);
        pairs!(@impl $trait, TensorView<'_, T>, GlobalView<'_, T>);
    };
    (@ $trait:ident, global, local) => {
        pairs!(@impl $trait, GlobalTensor<T>, LocalTensor<T>);
        pairs!(@impl $trait, GlobalView<'_, T>, LocalTensor<T>);
        pairs!(@impl $trait, GlobalTensor<T>, TensorView<'_, T>);
        pairs!(@impl $trait, GlobalView<'_, T>, TensorView<'_, T>);
    };
    (@ $trait:ident, local, local) => {
        pairs!(@impl $trait, LocalTensor<T>, LocalTensor<T>);
        pairs!(@impl $trait, LocalTensor<T>, TensorView<'_, T>);
        pairs!(@impl $trait, TensorView<'_, T>, LocalTensor<T>);
        pairs!(@impl $trait, TensorView<'_, T>, TensorView<'_, T>);
    };
    (@impl $trait:ident, $to:ty, $from:ty) => {
        impl<T: Element> $trait<$from> for $to {}
    };
}

/// A destination that data can be copied to from `S`.
#[diagnostic::on_unimplemented(
    message = "data_copy does not go from `{S}` to `{Self}`",
    label = "no such copy",
    note = "one of the two is a local tensor: data goes from one global tensor to another through one",
    note = "both hold the same element type: to copy the bytes of another, use `reinterpret`"
)]
pub trait CopyFrom<S>: Operand {}
pairs!(CopyFrom: local <- global, global <- local, local <- local);

/// A destination that any number of bytes can be copied to from `S`.
#[diagnostic::on_unimplemented(
    message = "data_copy_pad does not go from `{S}` to `{Self}`",
    label = "no such copy",
    note = "one of the two is a local tensor and the other a global one: within UB, use data_copy",
    note = "both hold the same element type: to copy the bytes of another, use `reinterpret`"
)]
pub trait PadFrom<S>: Operand {}
pairs!(PadFrom: local <- global, global <- local);

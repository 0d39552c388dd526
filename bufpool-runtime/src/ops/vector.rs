//! One vector instruction: tensors of UB in, one tensor of UB out, on pipe V.

use std::marker::PhantomData;

use crate::error::Result;
use crate::error_data::Call;
use crate::event::Pipe;
use crate::model::Core;
use crate::model::stream::{Instr, Span};
use crate::ops::element::{Element, elements, elements_mut};
use crate::position::Hardware;
use crate::tensor::Tensor;

/// The first `count` elements of a tensor, checked to be where an instruction can use them.
///
/// They may end past the tensor: the device reads and writes what follows it, and so does the
/// model. The span keeps the tensor's own range, so that a check can tell.
#[derive(Clone, Copy)]
pub(super) struct Arg<'t, T> {
    pub core: &'t Core,
    pub span: Span,
    element: PhantomData<T>,
}

impl<'t, T: Element> Arg<'t, T> {
    /// An argument in any memory.
    #[inline]
    pub fn new(call: Call, tensor: &'t impl Tensor<T>, count: usize) -> Result<Self> {
        let mut span = tensor.span();
        let size = T::SIZE;
        let bytes = u32::try_from(count).ok().and_then(|count| count.checked_mul(size));
        span.bytes = bytes.ok_or_else(|| call.too_long(count))?;
        if !span.addr.is_multiple_of(size) {
            return Err(call.element_alignment(T::NAME, span.addr, size, span.tensor_at));
        }
        Ok(Arg { core: tensor.core(), span, element: PhantomData })
    }

    /// An argument of the vector or scalar unit, which work on UB.
    #[inline]
    pub fn in_ub(call: Call, tensor: &'t impl Tensor<T>, count: usize) -> Result<Self> {
        let arg = Self::new(call, tensor, count)?;
        if arg.span.hardware != Hardware::UB {
            return Err(call.not_in_memory(&arg.span, Hardware::UB));
        }
        Ok(arg)
    }

    #[inline]
    pub fn same_core<U>(&self, call: Call, other: &Arg<'_, U>) -> Result<()> {
        if self.core.same(other.core) {
            return Ok(());
        }
        Err(call.different_cores(self.span.tensor_at, other.span.tensor_at))
    }
}

/// An instruction that writes `dst` without reading a tensor.
#[inline]
pub(super) fn vector0<D: Element>(
    call: Call,
    dst: &Arg<'_, D>,
    kernel: impl FnOnce(&mut [D]),
) -> Result<()> {
    let spans = [dst.span];
    dst.core.issue(&instr(call, &[], &spans), call.at, |memories| {
        kernel(elements_mut(memories.bytes_mut(&dst.span)?)?);
        Ok(())
    })
}

/// An instruction with one source. Of no elements it touches no bytes.
#[inline]
pub(super) fn vector1<D: Element, A: Element>(
    call: Call,
    dst: &Arg<'_, D>,
    a: &Arg<'_, A>,
    kernel: impl FnOnce(&mut [D], &[A]),
) -> Result<()> {
    dst.same_core(call, a)?;
    let (reads, writes) = ([a.span], [dst.span]);
    dst.core.issue(&instr(call, &reads, &writes), call.at, |memories| {
        let (out, [a]) = memories.split(&dst.span, [&a.span])?;
        kernel(elements_mut(out)?, elements(a)?);
        Ok(())
    })
}

/// An instruction with two sources.
#[inline]
pub(super) fn vector2<D: Element, A: Element, B: Element>(
    call: Call,
    dst: &Arg<'_, D>,
    a: &Arg<'_, A>,
    b: &Arg<'_, B>,
    kernel: impl FnOnce(&mut [D], &[A], &[B]),
) -> Result<()> {
    dst.same_core(call, a)?;
    dst.same_core(call, b)?;
    let (reads, writes) = ([a.span, b.span], [dst.span]);
    dst.core.issue(&instr(call, &reads, &writes), call.at, |memories| {
        let (out, [a, b]) = memories.split(&dst.span, [&a.span, &b.span])?;
        kernel(elements_mut(out)?, elements(a)?, elements(b)?);
        Ok(())
    })
}

/// An instruction with three sources.
#[inline]
pub(super) fn vector3<D: Element, A: Element, B: Element, C: Element>(
    call: Call,
    dst: &Arg<'_, D>,
    a: &Arg<'_, A>,
    b: &Arg<'_, B>,
    c: &Arg<'_, C>,
    kernel: impl FnOnce(&mut [D], &[A], &[B], &[C]),
) -> Result<()> {
    dst.same_core(call, a)?;
    dst.same_core(call, b)?;
    dst.same_core(call, c)?;
    let (reads, writes) = ([a.span, b.span, c.span], [dst.span]);
    dst.core.issue(&instr(call, &reads, &writes), call.at, |memories| {
        let (out, [a, b, c]) = memories.split(&dst.span, [&a.span, &b.span, &c.span])?;
        kernel(elements_mut(out)?, elements(a)?, elements(b)?, elements(c)?);
        Ok(())
    })
}

/// A vector instruction. One that moves nothing (a tail of length 0) has no spans.
#[inline]
pub(super) fn instr<'a>(call: Call, reads: &'a [Span], writes: &'a [Span]) -> Instr<'a> {
    let moves = writes.iter().any(|span| span.bytes > 0);
    Instr {
        name: call.op,
        pipe: Pipe::V,
        reads: if moves { reads } else { &[] },
        writes: if moves { writes } else { &[] },
        global_reads: &[],
        global_writes: &[],
    }
}

//! One vector instruction: tensors of UB in, one tensor of UB out, on pipe V.
//!
//! The generic parts are thin: what they call is compiled with this crate.

use std::marker::PhantomData;

use crate::error::{BufPoolError, Result};
use crate::error_data::{Call, bug};
use crate::event::Pipe;
use crate::model::Core;
use crate::model::memory::Memories;
use crate::model::stream::{Instr, Span};
use crate::ops::element::Element;
use crate::position::Hardware;
use crate::tensor::Tensor;

/// Bytes that one repeat of a vector instruction works on.
pub(super) const REPEAT_BYTES: usize = 256;

/// The first `count` elements of a tensor.
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
    /// See `check_count`, which comes first.
    #[inline]
    pub fn new(tensor: &'t impl Tensor<T>, count: usize) -> Self {
        let bytes = u32::try_from(count).unwrap_or(u32::MAX).saturating_mul(T::SIZE);
        let span = Span { bytes, ..tensor.span() };
        Arg { core: tensor.core(), span, element: PhantomData }
    }

    #[inline]
    pub fn same_core<U>(&self, call: Call, other: &Arg<'_, U>) -> Result<()> {
        if self.core.same(other.core) {
            return Ok(());
        }
        Err(call.different_cores(self.span.tensor_at, other.span.tensor_at))
    }
}

/// Refuses a count of more bytes than 32 bits tell. Once asked, `Arg::new` has nothing to clamp.
#[inline]
pub(super) fn check_count<T: Element>(call: Call, count: usize) -> Result<()> {
    if count <= (u32::MAX / T::SIZE) as usize { Ok(()) } else { Err(call.too_long(count)) }
}

/// Refuses what the vector and the scalar unit cannot use: they work on elements in UB.
#[inline]
pub(super) fn check_in_ub(call: Call, span: &Span) -> Result<()> {
    // Sizes are powers of two.
    let is_aligned = span.addr & span.element.wrapping_sub(1) == 0;
    if is_aligned && span.hardware == Hardware::UB {
        return Ok(());
    }
    Err(if is_aligned {
        call.not_in_memory(span, Hardware::UB)
    } else {
        call.element_alignment(span)
    })
}

/// An instruction that writes `dst` without reading a tensor.
#[inline]
pub(super) fn vector0<D: Element>(
    call: Call,
    dst: &Arg<'_, D>,
    kernel: impl Fn(&mut [D]),
) -> Result<()> {
    run0(call, dst.core, &dst.span, &mut |out| {
        kernel(D::from_bytes_mut(out)?);
        Some(())
    })
}

/// An instruction with one source.
#[inline]
pub(super) fn vector1<D: Element, A: Element>(
    call: Call,
    dst: &Arg<'_, D>,
    a: &Arg<'_, A>,
    kernel: impl Fn(&mut [D], &[A]),
) -> Result<()> {
    dst.same_core(call, a)?;
    run1(call, dst.core, &dst.span, [&a.span], &mut |out, [a]| {
        kernel(D::from_bytes_mut(out)?, A::from_bytes(a)?);
        Some(())
    })
}

/// An instruction with two sources.
#[inline]
pub(super) fn vector2<D: Element, A: Element, B: Element>(
    call: Call,
    dst: &Arg<'_, D>,
    a: &Arg<'_, A>,
    b: &Arg<'_, B>,
    kernel: impl Fn(&mut [D], &[A], &[B]),
) -> Result<()> {
    dst.same_core(call, a)?;
    dst.same_core(call, b)?;
    run2(call, dst.core, &dst.span, [&a.span, &b.span], &mut |out, [a, b]| {
        kernel(D::from_bytes_mut(out)?, A::from_bytes(a)?, B::from_bytes(b)?);
        Some(())
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
    kernel: impl Fn(&mut [D], &[A], &[B], &[C]),
) -> Result<()> {
    dst.same_core(call, a)?;
    dst.same_core(call, b)?;
    dst.same_core(call, c)?;
    run3(call, dst.core, &dst.span, [&a.span, &b.span, &c.span], &mut |out, [a, b, c]| {
        kernel(D::from_bytes_mut(out)?, A::from_bytes(a)?, B::from_bytes(b)?, C::from_bytes(c)?);
        Some(())
    })
}

/// What an instruction does to the bytes of its destination and of `N` sources; none if they are
/// not whole elements.
type Bytes<'a, const N: usize> = &'a mut dyn FnMut(&mut [u8], [&[u8]; N]) -> Option<()>;

fn run0(
    call: Call,
    core: &Core,
    dst: &Span,
    run: &mut dyn FnMut(&mut [u8]) -> Option<()>,
) -> Result<()> {
    run_any(call, core, dst, [], |out, []| run(out))
}

fn run1(call: Call, core: &Core, dst: &Span, srcs: [&Span; 1], run: Bytes<'_, 1>) -> Result<()> {
    run_any(call, core, dst, srcs, run)
}

fn run2(call: Call, core: &Core, dst: &Span, srcs: [&Span; 2], run: Bytes<'_, 2>) -> Result<()> {
    run_any(call, core, dst, srcs, run)
}

fn run3(call: Call, core: &Core, dst: &Span, srcs: [&Span; 3], run: Bytes<'_, 3>) -> Result<()> {
    run_any(call, core, dst, srcs, run)
}

#[inline]
fn run_any<const N: usize>(
    call: Call,
    core: &Core,
    dst: &Span,
    srcs: [&Span; N],
    mut run: impl FnMut(&mut [u8], [&[u8]; N]) -> Option<()>,
) -> Result<()> {
    check_in_ub(call, dst)?;
    for src in srcs {
        check_in_ub(call, src)?;
    }
    let mut calculate = |memories: &mut Memories| {
        let (out, sources) = memories.split(dst, srcs)?;
        run(out, sources)
    };
    if core.issue_unheard(Pipe::V, dst, srcs, &mut calculate).is_some() {
        return Ok(());
    }
    let reads = srcs.map(|src| *src);
    core.issue(&instr(call, &reads, std::slice::from_ref(dst)), call.at, |memories| {
        calculate(memories).ok_or_else(off_memory)
    })
}

/// Every span was checked to be whole elements inside its memory.
#[cold]
pub(super) fn off_memory() -> BufPoolError {
    bug("bytes outside of a memory or an element went through")
}

/// A vector instruction. One that moves nothing (a tail of length 0) has no spans.
#[inline]
pub(super) fn instr<'a>(call: Call, reads: &'a [Span], writes: &'a [Span]) -> Instr<'a> {
    let moves = writes.first().is_some_and(|span| span.bytes > 0);
    Instr {
        reads: if moves { reads } else { &[] },
        writes: if moves { writes } else { &[] },
        ..Instr::new(call.op, Pipe::V)
    }
}

//! Any other instruction: the user says which pipe runs it, which tensors it touches, and what it
//! does.

use crate::error::Result;
use crate::error_data::Call;
use crate::event::Pipe;
use crate::model::Core;
use crate::model::memory::Memories;
use crate::model::stream::{GlobalSpan, Instr, Span};
use crate::ops::element::Element;
use crate::ops::operand::{End, LocalEnd, Operand};
use crate::ops::vector::off_memory;

/// Issues an instruction that bufpool does not know, on any pipe.
///
/// `reads` and `writes` are tuples of up to six references to tensors or views, local or global.
/// `run` gets one slice for each, in the same order: what the tensors held before, and for `writes`
/// slices to be changed. All of `reads` count as read and all of `writes` as written, so name
/// slices of the tensors where an instruction touches only a part.
///
/// ```
/// # use bufpool_runtime::prelude::*;
/// # fn reverse(z: &LocalTensor<f32>, x: &LocalTensor<f32>) -> Result<()> {
/// issue("reverse", Pipe::V, (x,), (z,), |(x,), (z,)| {
///     for (z, x) in z.iter_mut().zip(x.iter().rev()) {
///         *z = *x;
///     }
/// })
/// # }
/// ```
///
/// The closure works on copies: where tensors overlap, it reads what was there before, and of
/// overlapping writes the later one stays. Calls that may fail are refused from inside it; what
/// cannot fail works there too: questions, the cursor of a custom pool, and dropping things.
///
/// # Errors
/// No tensor is local, or they are of different cores; the core does not have the pipe or the
/// memory; a call into the runtime from within the closure.
#[track_caller]
#[allow(clippy::needless_pass_by_value, reason = "tuples of references, written at the call")]
pub fn issue<R: Operands, W: Operands, Out>(
    name: &'static str,
    pipe: Pipe,
    reads: R,
    writes: W,
    run: impl for<'m> FnOnce(R::Slices<'m>, W::SlicesMut<'m>) -> Out,
) -> Result<Out> {
    let call = Call::here(name);
    let (read, written) = (Sides::of(&reads), Sides::of(&writes));
    let core = read.same_core(call, &written)?;
    let instr = Instr {
        name,
        pipe,
        reads: &read.local,
        writes: &written.local,
        global_reads: &read.global,
        global_writes: &written.global,
    };
    core.issue_closure(
        &instr,
        call.at,
        |memories| Ok((reads.load(memories)?, writes.load(memories)?)),
        |(sources, results)| run(R::slices(sources), W::slices_mut(results)),
        |memories, (_, results)| writes.store(memories, results),
    )
}

/// The spans of a tuple of tensors.
struct Sides<'t> {
    ends: Vec<LocalEnd<'t>>,
    local: Vec<Span>,
    global: Vec<GlobalSpan>,
}

impl<'t> Sides<'t> {
    fn of(operands: &'t impl Operands) -> Self {
        let mut sides = Sides { ends: Vec::new(), local: Vec::new(), global: Vec::new() };
        operands.each(&mut |end| match end {
            End::Local(local) => {
                sides.ends.push(local);
                sides.local.push(local.span);
            }
            End::Global(global) => {
                sides.global.push(global.span(0, global.len * global.element, false));
            }
        });
        sides
    }

    fn same_core(&self, call: Call, other: &Sides<'t>) -> Result<&'t Core> {
        let mut ends = self.ends.iter().chain(&other.ends);
        let first = ends.next().ok_or_else(|| call.no_operand())?;
        match ends.find(|end| !end.core.same(first.core)) {
            Some(end) => Err(call.different_cores(first.span.tensor_at, end.span.tensor_at)),
            None => Ok(first.core),
        }
    }
}

/// A tuple of up to six references to tensors or views.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tuple of tensors",
    label = "expected a tuple such as `(&x, &y)`; of one tensor `(&x,)`, of none `()`"
)]
pub trait Operands: sealed::Operands {}

mod sealed {
    use super::{End, Memories, Result};

    pub trait Operands {
        /// The elements of each tensor.
        type Data;
        type Slices<'m>;
        type SlicesMut<'m>;
        fn each<'t>(&'t self, f: &mut dyn FnMut(End<'t>));
        fn load(&self, memories: &mut Memories) -> Result<Self::Data>;
        fn store(&self, memories: &mut Memories, data: &Self::Data) -> Result<()>;
        fn slices(data: &Self::Data) -> Self::Slices<'_>;
        fn slices_mut(data: &mut Self::Data) -> Self::SlicesMut<'_>;
    }
}

fn load<T: Element>(end: End<'_>, memories: &mut Memories) -> Result<Box<[T]>> {
    let bytes = match &end {
        End::Local(local) => local.span.bytes as usize,
        End::Global(global) => global.len * global.element,
    };
    let mut data = vec![T::default(); bytes / size_of::<T>()].into_boxed_slice();
    let out = T::as_bytes_mut(&mut data);
    match end {
        End::Local(local) => {
            let bytes = memories.bytes(&whole(local.span, out.len()));
            out.copy_from_slice(bytes.ok_or_else(off_memory)?);
        }
        End::Global(global) => global.pages.read(global.offset, out),
    }
    Ok(data)
}

fn store<T: Element>(end: End<'_>, memories: &mut Memories, data: &[T]) -> Result<()> {
    let bytes = T::as_bytes(data);
    match end {
        End::Local(local) => {
            let there = memories.bytes_mut(&whole(local.span, bytes.len()));
            there.ok_or_else(off_memory)?.copy_from_slice(bytes);
        }
        End::Global(global) => global.pages.write(global.offset, bytes),
    }
    Ok(())
}

/// The span without bytes that do not fill an element.
fn whole(span: Span, bytes: usize) -> Span {
    Span { bytes: u32::try_from(bytes).unwrap_or(span.bytes), ..span }
}

macro_rules! tuples {
    ($(($($name:ident $index:tt),*))*) => {$(
        #[allow(unused_variables, clippy::unused_unit, reason = "the tuple of none")]
        impl<$($name: Operand),*> sealed::Operands for ($(&$name,)*) {
            type Data = ($(Box<[$name::Element]>,)*);
            type Slices<'m> = ($(&'m [$name::Element],)*);
            type SlicesMut<'m> = ($(&'m mut [$name::Element],)*);

            fn each<'t>(&'t self, f: &mut dyn FnMut(End<'t>)) {
                $(f(self.$index.end());)*
            }

            fn load(&self, memories: &mut Memories) -> Result<Self::Data> {
                Ok(($(load::<$name::Element>(self.$index.end(), memories)?,)*))
            }

            fn store(&self, memories: &mut Memories, data: &Self::Data) -> Result<()> {
                $(store(self.$index.end(), memories, &data.$index)?;)*
                Ok(())
            }

            fn slices(data: &Self::Data) -> Self::Slices<'_> {
                ($(&*data.$index,)*)
            }

            fn slices_mut(data: &mut Self::Data) -> Self::SlicesMut<'_> {
                ($(&mut *data.$index,)*)
            }
        }
        impl<$($name: Operand),*> Operands for ($(&$name,)*) {}
    )*};
}

tuples! {
    ()
    (A 0)
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
    (A 0, B 1, C 2, D 3, E 4, F 5)
}

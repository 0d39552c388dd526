//! Reads and writes of single elements by the scalar unit.

use crate::error::Result;
use crate::error_data::Call;
use crate::event::Pipe;
use crate::model::stream::Instr;
use crate::ops::element::Element;
use crate::ops::vector::{Arg, check_in_ub, off_memory};
use crate::tensor::{LocalTensor, Tensor, TensorView};

/// The element at `index`. One beyond what 32 bits tell lies past every memory, as does the last
/// that they tell.
#[inline]
fn element<T: Element>(tensor: &impl Tensor<T>, index: usize) -> Arg<'_, T> {
    let mut arg = Arg::new(tensor, 1);
    let offset = u32::try_from(index).unwrap_or(u32::MAX).saturating_mul(T::SIZE);
    arg.span.addr = arg.span.addr.saturating_add(offset);
    arg
}

fn get<T: Element>(call: Call, tensor: &impl Tensor<T>, index: usize) -> Result<T> {
    check_in_ub(call, &tensor.span())?;
    let arg = element(tensor, index);
    let reads = [arg.span];
    let instr = Instr { reads: &reads, ..scalar(call) };
    arg.core.issue(&instr, call.at, |memories| {
        let value = memories.bytes(&arg.span).and_then(T::from_bytes);
        value.and_then(|value| value.first().copied()).ok_or_else(off_memory)
    })
}

fn set<T: Element>(call: Call, tensor: &impl Tensor<T>, index: usize, value: T) -> Result<()> {
    check_in_ub(call, &tensor.span())?;
    let arg = element(tensor, index);
    let writes = [arg.span];
    let instr = Instr { writes: &writes, ..scalar(call) };
    arg.core.issue(&instr, call.at, |memories| {
        let there = memories.bytes_mut(&arg.span).and_then(T::from_bytes_mut);
        there.ok_or_else(off_memory)?.fill(value);
        Ok(())
    })
}

fn scalar(call: Call) -> Instr<'static> {
    Instr::new(call.op, Pipe::S)
}

macro_rules! scalar_access {
    ($($type:ty)*) => {$(
        impl<T: Element> $type {
            /// The element at `index` (`GetValue`), read by the scalar unit.
            ///
            /// Pipe S, which a queue does not order: vector work or copies that write the tensor
            /// need an event to S first. An index past the tensor reads what lies there, as the
            /// device does; a check reports it.
            ///
            /// # Errors
            /// The tensor is not in UB or not on a multiple of its element's size; the element lies
            /// past UB.
            #[doc(alias = "GetValue")]
            #[track_caller]
            pub fn get_value(&self, index: usize) -> Result<T> {
                get(Call::here("get_value"), self, index)
            }

            /// Writes the element at `index` (`SetValue`), by the scalar unit.
            ///
            /// Pipe S, which a queue does not order: vector work or copies that read the element
            /// need an event from S first.
            ///
            /// # Errors
            /// The tensor is not in UB or not on a multiple of its element's size; the element lies
            /// past UB.
            #[doc(alias = "SetValue")]
            #[track_caller]
            pub fn set_value(&self, index: usize, value: T) -> Result<()> {
                set(Call::here("set_value"), self, index, value)
            }
        }
    )*};
}

scalar_access!(LocalTensor<T> TensorView<'_, T>);

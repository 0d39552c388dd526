//! Reads and writes of single elements by the scalar unit.

use crate::error::Result;
use crate::error_data::Call;
use crate::event::Pipe;
use crate::model::stream::Instr;
use crate::ops::element::{Element, elements, elements_mut};
use crate::ops::vector::Arg;
use crate::tensor::{LocalTensor, Tensor, TensorView};

/// The element at `index`, as an argument of its own.
fn element<T: Element>(call: Call, tensor: &impl Tensor<T>, index: usize) -> Result<Arg<'_, T>> {
    let mut arg = Arg::in_ub(call, tensor, 1)?;
    let offset = index.checked_mul(size_of::<T>()).and_then(|bytes| u32::try_from(bytes).ok());
    let addr = offset.and_then(|offset| arg.span.addr.checked_add(offset));
    arg.span.addr = addr.ok_or_else(|| call.too_long(index))?;
    Ok(arg)
}

fn get<T: Element>(call: Call, tensor: &impl Tensor<T>, index: usize) -> Result<T> {
    let arg = element(call, tensor, index)?;
    let reads = [arg.span];
    let instr = Instr { reads: &reads, ..scalar(call) };
    arg.core.issue(&instr, call.at, |memories| {
        let value = elements::<T>(memories.bytes(&arg.span)?)?;
        Ok(value.first().copied().unwrap_or_default())
    })
}

fn set<T: Element>(call: Call, tensor: &impl Tensor<T>, index: usize, value: T) -> Result<()> {
    let arg = element(call, tensor, index)?;
    let writes = [arg.span];
    let instr = Instr { writes: &writes, ..scalar(call) };
    arg.core.issue(&instr, call.at, |memories| {
        elements_mut(memories.bytes_mut(&arg.span)?)?.fill(value);
        Ok(())
    })
}

fn scalar(call: Call) -> Instr<'static> {
    Instr {
        name: call.op,
        pipe: Pipe::S,
        reads: &[],
        writes: &[],
        global_reads: &[],
        global_writes: &[],
    }
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

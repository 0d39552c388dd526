//! Copies that add to global memory, so that several cores can sum into the same place.

use crate::error::Result;
use crate::error_data::{Call, bug};
use crate::event::Pipe;
use crate::ops::copy::BLOCK_BYTES;
use crate::ops::operand::{End, Global, LocalEnd, local};
use crate::ops::piece::store;
use crate::ops::support::{AtomicAdd, has_type};
use crate::position::Hardware;
use crate::tensor::Tensor;

/// Adds all elements of `src` to those at the start of `dst`, in global memory (`DataCopy` between
/// `SetAtomicAdd` and `SetAtomicNone`).
///
/// UB to GM on pipe MTE3. No other core's copy comes between the read and the write of an element;
/// in which order the cores add is not defined, so float sums may differ in the last digit.
/// Integers wrap around.
///
/// # Errors
/// The bytes are not a multiple of 32 (use [`data_copy_pad_atomic_add`]); `src` is not in UB; the
/// chip does not have the type; the bytes end past UB or the global tensor.
#[doc(alias = "SetAtomicAdd")]
#[doc(alias = "DataCopy")]
#[track_caller]
pub fn data_copy_atomic_add<T: AtomicAdd>(
    dst: &impl Global<T>,
    src: &impl Tensor<T>,
) -> Result<()> {
    let call = Call::here("data_copy_atomic_add");
    add_to_global::<T>(call, &dst.end(), &local(src), true)
}

/// As [`data_copy_atomic_add`], of any number of bytes (`DataCopyPad` between `SetAtomicAdd` and
/// `SetAtomicNone`).
///
/// # Errors
/// The chip has no `DataCopyPad` (`AtlasTraining`, `AtlasInferenceAiCore`); `src` is not in UB; the
/// chip does not have the type; the bytes end past UB or the global tensor.
#[doc(alias = "SetAtomicAdd")]
#[doc(alias = "DataCopyPad")]
#[track_caller]
pub fn data_copy_pad_atomic_add<T: AtomicAdd>(
    dst: &impl Global<T>,
    src: &impl Tensor<T>,
) -> Result<()> {
    let call = Call::here("data_copy_pad_atomic_add");
    add_to_global::<T>(call, &dst.end(), &local(src), false)
}

fn add_to_global<T: AtomicAdd>(
    call: Call,
    dst: &End<'_>,
    src: &LocalEnd<'_>,
    whole_blocks: bool,
) -> Result<()> {
    if src.span.hardware != Hardware::UB {
        return Err(call.not_in_memory(&src.span, Hardware::UB));
    }
    has_type::<T>(call, src.core)?;
    let bytes = src.span.bytes as usize;
    let spec = src.core.state(call.at)?.spec;
    if whole_blocks && !bytes.is_multiple_of(BLOCK_BYTES) {
        let pad = spec.copies_any_length.then_some("data_copy_pad_atomic_add");
        return Err(call.copy_length(bytes as u64, spec, pad));
    }
    if !whole_blocks && !spec.copies_any_length {
        return Err(call.no_operation(spec, "use data_copy_atomic_add with a multiple of 32 bytes"));
    }
    let End::Global(dst) = dst else {
        return Err(bug("a local tensor stood for a global one"));
    };
    store(call, Pipe::MTE3, dst, src, bytes, true, T::accumulate)
}

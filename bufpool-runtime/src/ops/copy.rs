//! Copies in one piece.

use crate::error::{BufPoolError, Result};
use crate::error_data::{Call, bug};
use crate::event::Pipe;
use crate::model::Core;
use crate::ops::operand::{CopyFrom, End, Operand};
use crate::ops::piece;
use crate::position::Hardware;

/// Bytes that a copy moves at least: the unit of lengths and addresses on a core.
pub(super) const BLOCK_BYTES: usize = 32;

/// Copies all elements of `src` to the start of `dst` (`DataCopy`).
///
/// | from | to | pipe | on |
/// |---|---|---|---|
/// | GM | UB, L1 | MTE2 | all chips |
/// | UB | GM | MTE3 | all chips |
/// | L1 | GM | MTE3 | `AtlasA2`, `AtlasA3` |
/// | UB | UB | V | all chips |
/// | UB | L1 | MTE3 | `AtlasTraining`, `AtlasInferenceAiCore`, `Ascend950` |
/// | L1 | UB | MTE1 | `Ascend950` |
///
/// Of separate cores, the vector core goes between GM and UB and the cube core between GM and L1;
/// UB to L1 is the vector core's, and L1 to UB the cube core's. Tensors at TSCM are for both.
///
/// To copy fewer elements, slice: `data_copy(&x, &x_gm.slice(0..n)?)`, or use [`data_copy_n`].
/// A local `dst` that is shorter than `src` does not stop the device, nor the model: the bytes
/// after it are written, and a check reports it.
///
/// # Errors
/// The bytes are not a multiple of 32 (the device would round down: use
/// [`data_copy_pad`](crate::ops::data_copy_pad)); the chip or the core has no such path; the bytes end past
/// a memory or a global tensor; the tensors are of different cores.
#[doc(alias = "DataCopy")]
#[track_caller]
#[inline]
pub fn data_copy<D, S>(dst: &D, src: &S) -> Result<()>
where
    D: CopyFrom<S>,
    S: Operand,
{
    let call = Call::here("data_copy");
    let (mut dst, src) = (dst.end(), src.end());
    let bytes = src.bytes();
    dst.resize(bytes);
    copy(call, &dst, &src, bytes)
}

/// Copies the first `count` elements of `src` to the start of `dst` (`DataCopy` with a count).
///
/// # Errors
/// Those of [`data_copy`].
#[doc(alias = "DataCopy")]
#[track_caller]
#[inline]
pub fn data_copy_n<D, S>(dst: &D, src: &S, count: usize) -> Result<()>
where
    D: CopyFrom<S>,
    S: Operand,
{
    let call = Call::here("data_copy_n");
    let bytes = count.checked_mul(size_of::<D::Element>());
    let bytes = bytes.filter(|&bytes| u32::try_from(bytes).is_ok());
    let bytes = bytes.ok_or_else(|| call.too_long(count))?;
    let (mut dst, mut src) = (dst.end(), src.end());
    dst.resize(bytes);
    src.resize(bytes);
    copy(call, &dst, &src, bytes)
}

/// Local ends are `bytes` long.
fn copy(call: Call, dst: &End<'_>, src: &End<'_>, bytes: usize) -> Result<()> {
    if !bytes.is_multiple_of(BLOCK_BYTES) {
        let spec = local_core(dst, src)?.state(call.at)?.spec;
        return Err(call.copy_length(
            bytes as u64,
            spec,
            spec.copies_any_length.then_some("data_copy_pad"),
        ));
    }
    let pipe = path(call, dst, src)?;
    match (dst, src) {
        (End::Local(dst), End::Global(src)) => piece::load(call, pipe, dst, src, bytes),
        (End::Global(dst), End::Local(src)) => {
            piece::store(call, pipe, dst, src, bytes, false, <[u8]>::copy_from_slice)
        }
        (End::Local(dst), End::Local(src)) => piece::shift(call, pipe, dst, src, bytes),
        (End::Global(_), End::Global(_)) => Err(between_globals()),
    }
}

fn between_globals() -> BufPoolError {
    bug("a copy between global tensors went through")
}

/// The core that runs a copy.
pub(super) fn local_core<'t>(dst: &End<'t>, src: &End<'t>) -> Result<&'t Core> {
    match (dst, src) {
        (End::Local(local), _) | (_, End::Local(local)) => Ok(local.core),
        _ => Err(between_globals()),
    }
}

/// The pipe that runs a copy.
#[inline]
pub(super) fn path(call: Call, dst: &End<'_>, src: &End<'_>) -> Result<Pipe> {
    use Hardware::{GM, L1, UB};
    // Most copies are of the ways that all chips have: no need to ask for the chip.
    match (hardware(src), hardware(dst)) {
        (GM, UB | L1) => Ok(Pipe::MTE2),
        (UB, GM) => Ok(Pipe::MTE3),
        (UB, UB) => Ok(Pipe::V),
        _ => rare_path(call, dst, src),
    }
}

#[cold]
fn rare_path(call: Call, dst: &End<'_>, src: &End<'_>) -> Result<Pipe> {
    use Hardware::{L1, UB};
    let (from, to) = (hardware(src), hardware(dst));
    let spec = local_core(dst, src)?.state(call.at)?.spec;
    spec.rare_path(from, to).ok_or_else(|| {
        let help = match (from, to) {
            (UB, L1) | (L1, UB) => "go through global memory",
            _ => "use `issue` with the pipe of the instruction that goes there",
        };
        call.no_path(from, to, spec, help)
    })
}

fn hardware(end: &End<'_>) -> Hardware {
    match end {
        End::Local(local) => local.span.hardware,
        End::Global(_) => Hardware::GM,
    }
}

//! Copies in blocks with gaps, and of any number of bytes.

use crate::error::Result;
use crate::error_data::Call;
use crate::ops::copy::{BLOCK_BYTES, local_core, path};
use crate::ops::element::Element;
use crate::ops::operand::{CopyFrom, End, Global, Operand, PadFrom, local};
use crate::ops::strided::{Shape, load, shift, store};
use crate::position::Hardware;
use crate::tensor::Tensor;

/// Most blocks of one copy.
const MOST_BLOCKS: u64 = 4095;
/// Most bytes of a block in [`data_copy_pad`].
const MOST_BYTES: u64 = 2_097_151;

/// Shape of [`data_copy_blocks`] (`DataCopyParams`). All in units of 32 bytes but the number of
/// blocks; strides count from the end of a block to the start of the next.
#[doc(alias = "DataCopyParams")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DataCopyBlocks {
    /// Number of blocks, at most 4095.
    pub block_count: u16,
    /// Length of a block, in units of 32 bytes.
    pub block_len: u16,
    /// Gap between blocks in the source, in units of 32 bytes.
    pub src_stride: u16,
    /// Gap between blocks in the destination, in units of 32 bytes.
    pub dst_stride: u16,
}

/// Shape of [`data_copy_pad`] (`DataCopyExtParams`).
///
/// In global memory, lengths and strides are in bytes and blocks may start anywhere. In UB, every
/// block starts on a multiple of 32 bytes and strides are in units of 32 bytes.
#[doc(alias = "DataCopyExtParams")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DataCopyPad {
    /// Number of blocks, at most 4095.
    pub block_count: u16,
    /// Length of a block, in bytes, at most 2097151.
    pub block_len: u32,
    /// Gap between blocks in the source: in bytes in global memory, in units of 32 bytes in UB.
    pub src_stride: u32,
    /// Gap between blocks in the destination: in bytes in global memory, in units of 32 bytes in
    /// UB.
    pub dst_stride: u32,
}

impl DataCopyPad {
    /// One block of `bytes` bytes.
    #[must_use]
    pub const fn bytes(bytes: u32) -> Self {
        DataCopyPad { block_count: 1, block_len: bytes, src_stride: 0, dst_stride: 0 }
    }
}

/// Elements to put around each block on its way to UB (`DataCopyPadExtParams`).
///
/// ```text
/// UB  |left_padding x value| block |right_padding x value| what was there |
///     ^ multiple of 32                                                    ^ multiple of 32
/// ```
#[doc(alias = "DataCopyPadExtParams")]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Padding<T> {
    /// Elements before the block, at most 32 bytes of them.
    pub left_padding: u8,
    /// Elements after the block, at most 32 bytes of them.
    pub right_padding: u8,
    /// What to put there.
    pub value: T,
}

/// Copies blocks of a multiple of 32 bytes, with gaps between them (`DataCopy` with
/// `DataCopyParams`).
///
/// The paths and pipes are those of [`data_copy`](crate::ops::data_copy).
///
/// # Errors
/// More than 4095 blocks; the chip or the core has no such path; the bytes end past a memory or a global
/// tensor; the tensors are of different cores.
#[doc(alias = "DataCopy")]
#[track_caller]
pub fn data_copy_blocks<D, S>(dst: &D, src: &S, shape: &DataCopyBlocks) -> Result<()>
where
    D: CopyFrom<S>,
    S: Operand,
{
    let call = Call::here("data_copy_blocks");
    check_blocks(call, shape.block_count)?;
    let bytes = |units: u16| usize::from(units) * BLOCK_BYTES;
    let len = bytes(shape.block_len);
    let shape = Shape {
        blocks: usize::from(shape.block_count),
        src_len: len,
        dst_len: len,
        src_step: len + bytes(shape.src_stride),
        dst_step: len + bytes(shape.dst_stride),
    };
    let (dst, src) = (dst.end(), src.end());
    let pipe = path(call, &dst, &src)?;
    match (&dst, &src) {
        (End::Local(dst), End::Global(src)) => {
            load(call, pipe, dst, src, &shape, |out, offset| src.pages.read(offset, out))
        }
        (End::Global(dst), End::Local(src)) => {
            store(call, pipe, dst, src, &shape, |offset, bytes| dst.pages.write(offset, bytes))
        }
        (End::Local(dst), End::Local(src)) => shift(call, pipe, dst, src, &shape),
        // `path` has refused it.
        (End::Global(_), End::Global(_)) => Ok(()),
    }
}

/// Copies any number of bytes between global memory and UB (`DataCopyPad`).
///
/// GM to UB on pipe MTE2, UB to GM on MTE3. Each block takes a multiple of 32 bytes in UB; on the
/// way there, what the bytes after a block hold up to the next multiple of 32 is not defined (here
/// they keep what they held; they count as written). On the way back they are not copied.
///
/// ```
/// # use bufpool_runtime::ops::DataCopyPad;
/// // 3 rows of 30 bytes, one after the other in global memory, each on its own 32 bytes in UB
/// let rows = DataCopyPad { block_count: 3, block_len: 30, src_stride: 0, dst_stride: 0 };
/// # let _ = rows;
/// ```
///
/// # Errors
/// The chip has no `DataCopyPad` (`AtlasTraining`, `AtlasInferenceAiCore`); the local tensor is not in
/// UB; a number is out of its range; the bytes end past UB or the global tensor.
#[doc(alias = "DataCopyPad")]
#[track_caller]
pub fn data_copy_pad<D, S>(dst: &D, src: &S, shape: &DataCopyPad) -> Result<()>
where
    D: PadFrom<S>,
    S: Operand,
{
    let none = Padding { left_padding: 0, right_padding: 0, value: D::Element::default() };
    copy_pad(Call::here("data_copy_pad"), &dst.end(), &src.end(), shape, &none)
}

/// Copies any number of bytes from global memory to UB and puts a value around each block
/// (`DataCopyPad` with `isPad`).
///
/// # Errors
/// Those of [`data_copy_pad`], and padding of more than 32 bytes on one side.
#[doc(alias = "DataCopyPad")]
#[track_caller]
pub fn data_copy_pad_with<T: Element>(
    dst: &impl Tensor<T>,
    src: &impl Global<T>,
    shape: &DataCopyPad,
    padding: &Padding<T>,
) -> Result<()> {
    let call = Call::here("data_copy_pad_with");
    copy_pad(call, &End::Local(local(dst)), &src.end(), shape, padding)
}

fn copy_pad<T: Element>(
    call: Call,
    dst: &End<'_>,
    src: &End<'_>,
    shape: &DataCopyPad,
    padding: &Padding<T>,
) -> Result<()> {
    let spec = local_core(dst, src)?.state(call.at)?.spec;
    if !spec.copies_any_length {
        return Err(call.no_operation(spec, "use data_copy with a multiple of 32 bytes"));
    }
    check_blocks(call, shape.block_count)?;
    check_range(call, "block_len (bytes)", shape.block_len.into(), MOST_BYTES)?;
    let (left, right) = (padding_bytes(call, padding)?, padding.right_padding);
    let right = usize::from(right) * size_of::<T>();
    let ((End::Local(local), _) | (_, End::Local(local))) = (dst, src) else {
        return path(call, dst, src).map(|_| ());
    };
    if local.span.hardware != Hardware::UB {
        return Err(call.not_in_memory(&local.span, Hardware::UB));
    }

    let pipe = path(call, dst, src)?;
    let blocks = usize::from(shape.block_count);
    let len = shape.block_len as usize;
    let row = (left + len + right).next_multiple_of(BLOCK_BYTES);
    let gap_in_ub = |units: u32| units as usize * BLOCK_BYTES;
    match (dst, src) {
        (End::Local(dst), End::Global(src)) => {
            let shape = Shape {
                blocks,
                src_len: len,
                dst_len: row,
                src_step: len + shape.src_stride as usize,
                dst_step: row + gap_in_ub(shape.dst_stride),
            };
            let value = T::as_bytes(std::slice::from_ref(&padding.value));
            let fill = |bytes: &mut [u8]| {
                for element in bytes.chunks_exact_mut(size_of::<T>()) {
                    element.copy_from_slice(value);
                }
            };
            load(call, pipe, dst, src, &shape, |row, offset| {
                let (before, rest) = row.split_at_mut(left);
                let (block, rest) = rest.split_at_mut(len);
                fill(before);
                src.pages.read(offset, block);
                fill(&mut rest[..right]);
            })
        }
        (End::Global(dst), End::Local(src)) => {
            let shape = Shape {
                blocks,
                src_len: len,
                dst_len: len,
                src_step: len.next_multiple_of(BLOCK_BYTES) + gap_in_ub(shape.src_stride),
                dst_step: len + shape.dst_stride as usize,
            };
            store(call, pipe, dst, src, &shape, |offset, bytes| dst.pages.write(offset, bytes))
        }
        _ => path(call, dst, src).map(|_| ()),
    }
}

/// Bytes before each block, with both sides checked.
fn padding_bytes<T>(call: Call, padding: &Padding<T>) -> Result<usize> {
    let most = (BLOCK_BYTES / size_of::<T>()) as u64;
    check_range(call, "left_padding (elements)", padding.left_padding.into(), most)?;
    check_range(call, "right_padding (elements)", padding.right_padding.into(), most)?;
    Ok(usize::from(padding.left_padding) * size_of::<T>())
}

fn check_blocks(call: Call, blocks: u16) -> Result<()> {
    check_range(call, "block_count", blocks.into(), MOST_BLOCKS)
}

fn check_range(call: Call, what: &'static str, asked: u64, most: u64) -> Result<()> {
    if asked <= most {
        return Ok(());
    }
    Err(call.copy_parameter(what, asked, (0, most), "copy in several calls"))
}

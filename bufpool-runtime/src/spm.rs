//! The SPM buffer: room outside of UB for what a kernel puts aside and fetches again.
//!
//! ```text
//! UB tensor ── write_spm_buffer (MTE3) ──▶ | workspace in GM, or L1 |
//! UB tensor ◀── read_spm_buffer (MTE2; from L1: MTE1) ──────────────┘
//! ```
//!
//! Nothing orders the two but the user's flags: MTE3 to MTE2 (from L1: MTE3 to MTE1) between a write
//! and a read, and as for every copy between them and the vector work.

use std::ops::Range;

use crate::error::{BufPoolError, Result, Trail};
use crate::event::Pipe;
use crate::global::{GlobalTensor, GlobalView};
use crate::ops::element::Element;
use crate::ops::{DataCopyBlocks, data_copy_blocks, data_copy_n, issue};
use crate::pipe::TPipe;
use crate::place::Place;
use crate::position::SPM;
use crate::tbuf::TBuf;
use crate::tensor::{LocalTensor, Tensor, TensorView, bytes_of};

/// Bytes that lengths and strides of [`DataCopyBlocks`] count.
const UNIT: usize = 32;

/// Where the SPM buffer is.
pub(crate) enum SpmBuffer {
    Global(GlobalTensor<u8>),
    /// A block of the pipe, so that the ledger and the checks know of it.
    L1(TBuf<SPM>),
}

/// The SPM buffer as a call works on it.
enum Spm {
    Global(GlobalTensor<u8>),
    L1(LocalTensor<u8>),
}

/// The bytes of it that a call works on.
enum Part<'s> {
    Global(GlobalView<'s, u8>),
    L1(TensorView<'s, u8>),
}

impl Spm {
    fn part(&self, range: Range<usize>) -> Result<Part<'_>> {
        Ok(match self {
            Spm::Global(all) => Part::Global(all.slice(range)?),
            Spm::L1(all) => Part::L1(all.slice(range)?),
        })
    }
}

impl TPipe {
    /// Makes the first `bytes` bytes of a workspace in global memory the SPM buffer
    /// (`InitSpmBuffer(workspace, size)`).
    ///
    /// # Errors
    /// The workspace is shorter than that, or `bytes` is 0.
    #[doc(alias = "InitSpmBuffer")]
    #[track_caller]
    pub fn init_spm_buffer<T: Element>(
        &self,
        workspace: &GlobalTensor<T>,
        bytes: usize,
    ) -> Result<()> {
        let at = Place::here();
        check_bytes(bytes, at)?;
        let all = workspace.to_bytes();
        if bytes > all.len() {
            return Err(past_the_end("the workspace", 0, bytes, all.len(), at));
        }
        self.spm.replace(Some(SpmBuffer::Global(all.slice(0..bytes)?.to_tensor())));
        Ok(())
    }

    /// Takes `bytes` bytes of L1 (rounded up to 32) as the SPM buffer (`InitSpmBuffer(size)`). It is
    /// one more block of the pipe, at the cursor of L1.
    ///
    /// # Errors
    /// The chip has no SPM buffer in L1: only the cores of `AtlasTraining` and `AtlasInferenceAiCore`
    /// both write L1 from UB and read it back. The rest of L1 does not suffice, or `bytes` is 0.
    #[doc(alias = "InitSpmBuffer")]
    #[track_caller]
    pub fn init_spm_buffer_l1(&self, bytes: u32) -> Result<()> {
        let at = Place::here();
        if !self.chip().spec().has_spm_in_l1 {
            return Err(BufPoolError::NotOnChip {
                chip: self.chip(),
                what: "SPM buffer in L1".to_owned(),
                trail: Trail::asked(at)
                    .help("pass a workspace in global memory: init_spm_buffer(&workspace, bytes)"),
            });
        }
        let mut buffer = TBuf::new().named("SPM buffer");
        self.init_tbuf(&mut buffer, bytes)?;
        self.spm.replace(Some(SpmBuffer::L1(buffer)));
        Ok(())
    }

    /// Copies the first `count` elements of `src` to the SPM buffer, `offset` elements from its start
    /// (`WriteSpmBuffer`). Runs on MTE3.
    ///
    /// # Errors
    /// There is no SPM buffer, or it ends before; those of [`data_copy`](crate::ops::data_copy).
    #[doc(alias = "WriteSpmBuffer")]
    #[track_caller]
    pub fn write_spm_buffer<T: Element>(
        &self,
        src: &impl Tensor<T>,
        count: usize,
        offset: usize,
    ) -> Result<()> {
        let bytes = count.saturating_mul(size_of::<T>());
        let (spm, range) = self.spm::<T>(offset, bytes, Place::here())?;
        match spm.part(range)? {
            Part::Global(part) => data_copy_n(&part, &bytes_of(src), bytes),
            Part::L1(part) => data_copy_n(&part, &bytes_of(src), bytes),
        }
    }

    /// The same in blocks with gaps between them (`WriteSpmBuffer` with `DataCopyParams`).
    ///
    /// # Errors
    /// As [`write_spm_buffer`](Self::write_spm_buffer); more than 4095 blocks.
    #[doc(alias = "WriteSpmBuffer")]
    #[track_caller]
    pub fn write_spm_buffer_blocks<T: Element>(
        &self,
        src: &impl Tensor<T>,
        blocks: &DataCopyBlocks,
        offset: usize,
    ) -> Result<()> {
        let bytes = reach(*blocks, blocks.dst_stride);
        let (spm, range) = self.spm::<T>(offset, bytes, Place::here())?;
        match spm.part(range)? {
            Part::Global(part) => data_copy_blocks(&part, &bytes_of(src), blocks),
            Part::L1(part) => data_copy_blocks(&part, &bytes_of(src), blocks),
        }
    }

    /// Copies `count` elements of the SPM buffer, from `offset` elements after its start on, to the
    /// start of `dst` (`ReadSpmBuffer`). Runs on MTE2, from L1 on MTE1.
    ///
    /// # Errors
    /// As [`write_spm_buffer`](Self::write_spm_buffer).
    #[doc(alias = "ReadSpmBuffer")]
    #[track_caller]
    pub fn read_spm_buffer<T: Element>(
        &self,
        dst: &impl Tensor<T>,
        count: usize,
        offset: usize,
    ) -> Result<()> {
        let bytes = count.saturating_mul(size_of::<T>());
        let (spm, range) = self.spm::<T>(offset, bytes, Place::here())?;
        match spm.part(range)? {
            Part::Global(part) => data_copy_n(&bytes_of(dst), &part, bytes),
            Part::L1(part) => fetch(&bytes_of(dst).slice(0..bytes)?, &part),
        }
    }

    /// The same in blocks with gaps between them (`ReadSpmBuffer` with `DataCopyParams`).
    ///
    /// # Errors
    /// As [`write_spm_buffer`](Self::write_spm_buffer); more than 4095 blocks.
    #[doc(alias = "ReadSpmBuffer")]
    #[track_caller]
    pub fn read_spm_buffer_blocks<T: Element>(
        &self,
        dst: &impl Tensor<T>,
        blocks: &DataCopyBlocks,
        offset: usize,
    ) -> Result<()> {
        let bytes = reach(*blocks, blocks.src_stride);
        let (spm, range) = self.spm::<T>(offset, bytes, Place::here())?;
        match spm.part(range)? {
            Part::Global(part) => data_copy_blocks(&bytes_of(dst), &part, blocks),
            Part::L1(part) => {
                let len = UNIT * usize::from(blocks.block_len);
                let step = |stride: u16| len + UNIT * usize::from(stride);
                for block in 0..usize::from(blocks.block_count) {
                    let (from, to) =
                        (block * step(blocks.src_stride), block * step(blocks.dst_stride));
                    fetch(&bytes_of(dst).slice(to..to + len)?, &part.slice(from..from + len)?)?;
                }
                Ok(())
            }
        }
    }

    /// The SPM buffer, and its `bytes` bytes from `offset` elements on.
    fn spm<T: Element>(
        &self,
        offset: usize,
        bytes: usize,
        at: Place,
    ) -> Result<(Spm, Range<usize>)> {
        let start = offset.saturating_mul(size_of::<T>());
        let end = start.saturating_add(bytes);
        let (spm, len) = match self.spm.borrow().as_ref() {
            None => {
                return Err(BufPoolError::NoInitBuffer {
                    what: "the SPM buffer".to_owned(),
                    trail: Trail::asked(at).help("call init_spm_buffer of the TPipe first"),
                });
            }
            Some(SpmBuffer::Global(all)) => (Spm::Global(all.clone()), all.len()),
            Some(SpmBuffer::L1(buffer)) => {
                let all = buffer.get::<u8>()?;
                let len = all.len();
                (Spm::L1(all), len)
            }
        };
        if end > len {
            return Err(past_the_end("the SPM buffer", start, end, len, at));
        }
        Ok((spm, start..end))
    }
}

/// From the first byte on one side of a copy in blocks to the end of its last block.
fn reach(blocks: DataCopyBlocks, stride: u16) -> usize {
    let (count, len) = (usize::from(blocks.block_count), usize::from(blocks.block_len));
    count.checked_sub(1).map_or(0, |gaps| (gaps * (len + usize::from(stride)) + len) * UNIT)
}

/// The way back from L1, which no `data_copy` has on these chips.
#[track_caller]
fn fetch(dst: &TensorView<'_, u8>, src: &TensorView<'_, u8>) -> Result<()> {
    issue("read_spm_buffer", Pipe::MTE1, (src,), (dst,), |(src,), (dst,)| dst.copy_from_slice(src))
}

fn check_bytes(bytes: usize, at: Place) -> Result<()> {
    if bytes > 0 {
        return Ok(());
    }
    Err(BufPoolError::BadLength {
        what: "the SPM buffer".to_owned(),
        asked: 0,
        trail: Trail::asked(at).help("pass the bytes of the whole buffer"),
    })
}

fn past_the_end(what: &str, start: usize, end: usize, limit: usize, at: Place) -> BufPoolError {
    BufPoolError::ViewOutOfBounds {
        what: what.to_owned(),
        start: start as u64,
        end: end as u64,
        limit: limit as u64,
        trail: Trail::asked(at).help(format!("keep offset + length within {limit} bytes")),
    }
}

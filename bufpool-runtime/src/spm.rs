//! The SPM buffer: room outside of UB for what a kernel puts aside and fetches again.
//!
//! ```text
//! UB tensor ── write_spm_buffer (MTE3) ──▶ | workspace in GM, or L1 |
//! UB tensor ◀── read_spm_buffer (MTE2; from L1: MTE1) ──────────────┘
//! ```
//!
//! Nothing orders the two but the user's flags: MTE3 to MTE2 (from L1: MTE3 to MTE1) between a write
//! and a read, and as for every copy between them and the vector work.

use crate::error::{BufPoolError, Result, Trail};
use crate::event::Pipe;
use crate::global::GlobalTensor;
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

/// The bytes of the SPM buffer, and the first that a call works on.
enum Spm {
    Global(GlobalTensor<u8>, usize),
    L1(LocalTensor<u8>, usize),
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
        match self.spm::<T>(offset, bytes, Place::here())? {
            Spm::Global(all, start) => {
                data_copy_n(&all.slice(start..start + bytes)?, &bytes_of(src), bytes)
            }
            Spm::L1(all, start) => {
                data_copy_n(&all.slice(start..start + bytes)?, &bytes_of(src), bytes)
            }
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
        match self.spm::<T>(offset, bytes, Place::here())? {
            Spm::Global(all, start) => {
                data_copy_blocks(&all.slice(start..start + bytes)?, &bytes_of(src), blocks)
            }
            Spm::L1(all, start) => {
                data_copy_blocks(&all.slice(start..start + bytes)?, &bytes_of(src), blocks)
            }
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
        match self.spm::<T>(offset, bytes, Place::here())? {
            Spm::Global(all, start) => {
                data_copy_n(&bytes_of(dst), &all.slice(start..start + bytes)?, bytes)
            }
            Spm::L1(all, start) => {
                fetch(&bytes_of(dst).slice(0..bytes)?, &all.slice(start..start + bytes)?)
            }
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
        match self.spm::<T>(offset, bytes, Place::here())? {
            Spm::Global(all, start) => {
                data_copy_blocks(&bytes_of(dst), &all.slice(start..start + bytes)?, blocks)
            }
            Spm::L1(all, start) => {
                let len = UNIT * usize::from(blocks.block_len);
                let step = |stride: u16| len + UNIT * usize::from(stride);
                for block in 0..usize::from(blocks.block_count) {
                    let (from, to) =
                        (start + block * step(blocks.src_stride), block * step(blocks.dst_stride));
                    fetch(&bytes_of(dst).slice(to..to + len)?, &all.slice(from..from + len)?)?;
                }
                Ok(())
            }
        }
    }

    /// The SPM buffer and its byte at `offset` elements, which `bytes` bytes must follow.
    fn spm<T: Element>(&self, offset: usize, bytes: usize, at: Place) -> Result<Spm> {
        let start = offset.saturating_mul(size_of::<T>());
        let end = start.saturating_add(bytes);
        let (spm, len) = match self.spm.borrow().as_ref() {
            None => {
                return Err(BufPoolError::NoInitBuffer {
                    what: "the SPM buffer".to_owned(),
                    trail: Trail::asked(at).help("call init_spm_buffer of the TPipe first"),
                });
            }
            Some(SpmBuffer::Global(all)) => (Spm::Global(all.clone(), start), all.len()),
            Some(SpmBuffer::L1(buffer)) => {
                let all = buffer.get::<u8>()?;
                let len = all.len();
                (Spm::L1(all, start), len)
            }
        };
        if end <= len { Ok(spm) } else { Err(past_the_end("the SPM buffer", start, end, len, at)) }
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

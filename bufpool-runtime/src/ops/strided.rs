//! Moving bytes in blocks, with gaps between the blocks on either side.
//!
//! ```text
//! source       |==len==|  gap  |==len==|  gap  |==len==|
//!              |<- src_step -->|
//! destination  |==len==|g|==len==|g|==len==|
//!              |<-step-->|
//! ```

use crate::error::Result;
use crate::error_data::Call;
use crate::event::Pipe;
use crate::model::stream::{GlobalSpan, Instr, Span};
use crate::ops::operand::{GlobalEnd, LocalEnd};
use crate::ops::vector::off_memory;

/// How many blocks go where. All in bytes but the number of blocks.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    pub blocks: usize,
    /// Bytes of a block in the source.
    pub src_len: usize,
    /// Bytes of a block in the destination.
    pub dst_len: usize,
    /// From the start of a block to the start of the next, in the source.
    pub src_step: usize,
    /// The same in the destination.
    pub dst_step: usize,
}

impl Shape {
    /// Whether nothing moves.
    fn is_empty(&self) -> bool {
        self.blocks == 0 || self.src_len == 0
    }
}

/// From global memory to a core. `place` writes one block of the destination from what lies at
/// an offset of the source.
#[inline]
pub(super) fn load(
    call: Call,
    pipe: Pipe,
    dst: &LocalEnd<'_>,
    src: &GlobalEnd<'_>,
    shape: &Shape,
    place: impl Fn(&mut [u8], usize),
) -> Result<()> {
    let reads = global_pieces(call, src, shape.src_len, shape.src_step, shape)?;
    let writes = local_pieces(call, &dst.span, shape.dst_len, shape.dst_step, shape)?;
    let instr = Instr {
        writes: writes.as_slice(),
        global_reads: reads.as_slice(),
        ..Instr::new(call.op, pipe)
    };
    dst.core.issue(&instr, call.at, |memories| {
        for block in writes.blocks(shape, shape.dst_len, shape.dst_step) {
            let out = memories.bytes_mut(&block.span).ok_or_else(off_memory)?;
            place(out, src.offset + block.index * shape.src_step);
        }
        Ok(())
    })
}

/// From a core to global memory. `put` takes the bytes of one block to an offset of the
/// destination.
#[inline]
pub(super) fn store(
    call: Call,
    pipe: Pipe,
    dst: &GlobalEnd<'_>,
    src: &LocalEnd<'_>,
    shape: &Shape,
    put: impl Fn(usize, &[u8]),
) -> Result<()> {
    let reads = local_pieces(call, &src.span, shape.src_len, shape.src_step, shape)?;
    let writes = global_pieces(call, dst, shape.dst_len, shape.dst_step, shape)?;
    let instr = Instr {
        reads: reads.as_slice(),
        global_writes: writes.as_slice(),
        ..Instr::new(call.op, pipe)
    };
    src.core.issue(&instr, call.at, |memories| {
        for block in reads.blocks(shape, shape.src_len, shape.src_step) {
            let bytes = memories.bytes(&block.span).ok_or_else(off_memory)?;
            put(dst.offset + block.index * shape.dst_step, bytes);
        }
        Ok(())
    })
}

/// Within a core. Blocks are moved one after the other; within a block the source is read before
/// the destination is written.
#[inline]
pub(super) fn shift(
    call: Call,
    pipe: Pipe,
    dst: &LocalEnd<'_>,
    src: &LocalEnd<'_>,
    shape: &Shape,
) -> Result<()> {
    if !dst.core.same(src.core) {
        return Err(call.different_cores(dst.span.tensor_at, src.span.tensor_at));
    }
    let reads = local_pieces(call, &src.span, shape.src_len, shape.src_step, shape)?;
    let writes = local_pieces(call, &dst.span, shape.dst_len, shape.dst_step, shape)?;
    let instr =
        Instr { reads: reads.as_slice(), writes: writes.as_slice(), ..Instr::new(call.op, pipe) };
    dst.core.issue(&instr, call.at, |memories| {
        let from = reads.blocks(shape, shape.src_len, shape.src_step);
        let to = writes.blocks(shape, shape.dst_len, shape.dst_step);
        for (from, to) in from.zip(to) {
            let moved = memories.split(&to.span, [&from.span]);
            let (out, [bytes]) = moved.ok_or_else(off_memory)?;
            out.copy_from_slice(bytes);
        }
        Ok(())
    })
}

/// What one side of a copy touches, in as few spans as tell it.
enum Pieces<S> {
    Nothing,
    One(S),
    Many(Vec<S>),
}

impl<S> Pieces<S> {
    fn as_slice(&self) -> &[S] {
        match self {
            Pieces::Nothing => &[],
            Pieces::One(span) => std::slice::from_ref(span),
            Pieces::Many(spans) => spans,
        }
    }
}

/// One block of a copy on the local side.
struct Block {
    index: usize,
    span: Span,
}

impl Pieces<Span> {
    fn blocks(&self, shape: &Shape, len: usize, step: usize) -> impl Iterator<Item = Block> {
        // The last block ends where a u32 can tell: `local_pieces` has seen to that.
        self.as_slice().first().into_iter().flat_map(move |first| {
            (0..shape.blocks).map(move |index| Block {
                index,
                span: Span {
                    addr: first.addr + to_u32(index * step),
                    bytes: to_u32(len),
                    ..*first
                },
            })
        })
    }
}

/// For lengths that were checked to fit.
#[inline]
fn to_u32(bytes: usize) -> u32 {
    u32::try_from(bytes).unwrap_or(u32::MAX)
}

#[inline]
fn local_pieces(
    call: Call,
    base: &Span,
    len: usize,
    step: usize,
    shape: &Shape,
) -> Result<Pieces<Span>> {
    if shape.is_empty() {
        return Ok(Pieces::Nothing);
    }
    let extent = (shape.blocks - 1) * step + len;
    if u32::try_from(base.addr as usize + extent).is_err() {
        return Err(call.too_long(extent / base.element.max(1) as usize));
    }
    if shape.blocks == 1 || step == len {
        return Ok(Pieces::One(Span { bytes: to_u32(extent), ..*base }));
    }
    let spans = (0..shape.blocks).map(|index| Span {
        addr: base.addr + to_u32(index * step),
        bytes: to_u32(len),
        ..*base
    });
    Ok(Pieces::Many(spans.collect()))
}

#[inline]
fn global_pieces(
    call: Call,
    end: &GlobalEnd<'_>,
    len: usize,
    step: usize,
    shape: &Shape,
) -> Result<Pieces<GlobalSpan>> {
    if shape.is_empty() {
        return Ok(Pieces::Nothing);
    }
    let extent = (shape.blocks - 1) * step + len;
    if extent > end.len * end.element {
        return Err(call.global_out_of_bounds(0, extent.div_ceil(end.element), end.len));
    }
    if shape.blocks == 1 || step == len {
        return Ok(Pieces::One(end.span(0, extent, false)));
    }
    let spans = (0..shape.blocks).map(|index| end.span(index * step, len, false));
    Ok(Pieces::Many(spans.collect()))
}

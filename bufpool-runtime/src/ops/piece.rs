//! Moving bytes in one piece: the copy that kernels spend their time in. It needs no list of
//! blocks, which would take as long as copying a small tile. Local ends are as long as the copy.

use crate::error::Result;
use crate::error_data::Call;
use crate::event::Pipe;
use crate::model::stream::Instr;
use crate::ops::operand::{GlobalEnd, LocalEnd};
use crate::ops::vector::off_memory;

#[inline]
fn check_global(call: Call, end: &GlobalEnd<'_>, bytes: usize) -> Result<()> {
    if bytes <= end.len * end.element {
        return Ok(());
    }
    Err(call.global_out_of_bounds(0, bytes.div_ceil(end.element), end.len))
}

/// From global memory to a core.
#[inline]
pub(super) fn load(
    call: Call,
    pipe: Pipe,
    dst: &LocalEnd<'_>,
    src: &GlobalEnd<'_>,
    bytes: usize,
) -> Result<()> {
    check_global(call, src, bytes)?;
    let span = &dst.span;
    let moved = dst.core.issue_unheard(pipe, span, [], |memories| {
        src.pages.read(src.offset, memories.bytes_mut(span)?);
        Some(())
    });
    if moved.is_some() {
        return Ok(());
    }
    // A longer span than 32 bits tell was cut.
    if u32::try_from(bytes).is_err() {
        return Err(call.too_long(bytes / src.element));
    }
    let (reads, writes) = ([src.span(0, bytes, false)], [*span]);
    let moves = bytes > 0;
    let instr = Instr {
        writes: if moves { &writes } else { &[] },
        global_reads: if moves { &reads } else { &[] },
        ..Instr::new(call.op, pipe)
    };
    dst.core.issue(&instr, call.at, |memories| {
        src.pages.read(src.offset, memories.bytes_mut(span).ok_or_else(off_memory)?);
        Ok(())
    })
}

/// From a core to global memory; `put` takes the bytes there.
#[inline]
pub(super) fn store(
    call: Call,
    pipe: Pipe,
    dst: &GlobalEnd<'_>,
    src: &LocalEnd<'_>,
    bytes: usize,
    atomic: bool,
    put: impl Fn(&mut [u8], &[u8]),
) -> Result<()> {
    check_global(call, dst, bytes)?;
    let span = &src.span;
    let moved = src.core.issue_unheard(pipe, span, [], |memories| {
        dst.pages.update(dst.offset, memories.bytes(span)?, &put);
        Some(())
    });
    if moved.is_some() {
        return Ok(());
    }
    let (reads, writes) = ([*span], [dst.span(0, bytes, atomic)]);
    let moves = bytes > 0;
    let instr = Instr {
        reads: if moves { &reads } else { &[] },
        global_writes: if moves { &writes } else { &[] },
        ..Instr::new(call.op, pipe)
    };
    src.core.issue(&instr, call.at, |memories| {
        dst.pages.update(dst.offset, memories.bytes(span).ok_or_else(off_memory)?, put);
        Ok(())
    })
}

/// Within a core.
#[inline]
pub(super) fn shift(
    call: Call,
    pipe: Pipe,
    dst: &LocalEnd<'_>,
    src: &LocalEnd<'_>,
    bytes: usize,
) -> Result<()> {
    if !dst.core.same(src.core) {
        return Err(call.different_cores(dst.span.tensor_at, src.span.tensor_at));
    }
    let (reads, writes) = ([src.span], [dst.span]);
    let moves = bytes > 0;
    let instr = Instr {
        reads: if moves { &reads } else { &[] },
        writes: if moves { &writes } else { &[] },
        ..Instr::new(call.op, pipe)
    };
    dst.core.issue(&instr, call.at, |memories| {
        let moved = memories.split(&writes[0], [&reads[0]]);
        let (out, [bytes]) = moved.ok_or_else(off_memory)?;
        out.copy_from_slice(bytes);
        Ok(())
    })
}

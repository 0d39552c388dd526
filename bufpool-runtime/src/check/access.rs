//! One instruction: each range that it touches goes through the checks of memory and order.

use super::Checker;
use super::findings::Cause;
use super::global::Written;
use super::memory::Unallocated;
use super::order::{Hazard, Order};
use super::runs::Bytes;
use super::shadow::Access;
use super::table::{BlockInfo, Step};
use super::usage::range;
use crate::event::Pipe;
use crate::model::block::BlockId;
use crate::model::stream::{GlobalSpan, Instr, Span};
use crate::place::Place;
use crate::position::Hardware;
use crate::report::{CheckId, Finding, Severity};

impl Checker {
    #[inline(never)]
    pub(super) fn instr(&mut self, instr: &Instr<'_>, at: Place) {
        for span in instr.reads {
            self.touch(instr, span, false, at);
        }
        for span in instr.writes {
            self.touch(instr, span, true, at);
        }
        for span in instr.global_reads {
            self.touch_global(instr, span, false, at);
        }
        for span in instr.global_writes {
            self.touch_global(instr, span, true, at);
        }
        self.order.clocks.issue(instr.pipe, self.now);
        self.raced.clear();
        if self.crowded {
            self.tidy();
        }
    }

    fn touch(&mut self, instr: &Instr<'_>, span: &Span, writes: bool, at: Place) {
        if span.bytes == 0 {
            return;
        }
        let mut access = Access {
            time: self.now,
            pipe: instr.pipe,
            name: instr.name,
            place: at,
            tensor_at: span.tensor_at,
            block: span.block,
            bytes: span.bytes,
            atomic: false,
        };
        if instr.pipe != Pipe::S && !is_aligned(span) {
            self.misaligned(span, &access, writes);
        }
        let start = u64::from(span.addr);
        let mut bytes = Bytes::new(start, start + u64::from(span.bytes));
        let tensor_start = u64::from(span.tensor_addr);
        let tensor = Bytes::new(tensor_start, tensor_start + u64::from(span.tensor_bytes));
        if !tensor.contains(bytes) {
            self.out_of_bounds(span, &access, writes);
            if !tensor.meets(bytes) {
                return;
            }
            bytes = bytes.common(tensor);
        }
        if access.block.is_none() {
            access.block = self.owner_of_fixed(span, bytes, &access, writes);
        }
        let (mut handed, mut suspect) = (0, false);
        if let Some(block) = access.block {
            let Some(info) = self.table.block(block) else { return };
            let own = span.block.is_none() || info.bytes.contains(bytes);
            // Tensors of queues have a life, those of TBufs have none.
            let (of_buffer, on_buffer) = (span.life == 0, info.step == Step::Buffer);
            let why = match info.step {
                _ if !own => Some(Unallocated::Elsewhere),
                _ if of_buffer != on_buffer && span.block.is_some() => Some(Unallocated::Taken),
                Step::Free => Some(Unallocated::Free),
                _ if span.life != info.life && !of_buffer => Some(Unallocated::Again),
                _ => None,
            };
            if let Some(why) = why {
                return self.unallocated(block, span, &access, writes, why);
            }
            suspect = match info.step {
                Step::Enqueued => true,
                Step::Allocated => !writes,
                Step::Free | Step::Dequeued | Step::Buffer => false,
            };
            suspect |= writes && !info.rivals.is_empty();
            handed = info.handed;
        }
        let shadow = &mut self.memories[span.hardware as usize];
        if writes {
            shadow.write(bytes, &access, Some(handed), &self.order, &mut self.met);
        } else {
            let rewritten = rewritten(instr, span.hardware, bytes, &self.order);
            shadow.read(bytes, &access, Some(handed), rewritten, &self.order, &mut self.met);
        }
        self.crowded |= shadow.is_crowded();
        if suspect || !self.met.is_empty() {
            self.judge(span, bytes, &access, writes);
        }
    }

    fn touch_global(&mut self, instr: &Instr<'_>, span: &GlobalSpan, writes: bool, at: Place) {
        if span.bytes == 0 {
            return;
        }
        let access = Access {
            time: self.now,
            pipe: instr.pipe,
            name: instr.name,
            place: at,
            tensor_at: at,
            block: None,
            bytes: u32::try_from(span.bytes).unwrap_or(u32::MAX),
            atomic: span.atomic,
        };
        let bytes = Bytes::new(span.offset, span.offset + span.bytes);
        let history = self.global.history(span.buffer, self.now);
        if writes {
            history.write(bytes, &access, None, &self.order, &mut self.met);
        } else {
            history.read(bytes, &access, None, None, &self.order, &mut self.met);
        }
        self.crowded |= history.is_crowded();
        if writes {
            let written = Written {
                start: bytes.start,
                end: bytes.end,
                element: span.element,
                name: instr.name,
                place: at,
                atomic: span.atomic,
            };
            self.global.wrote(span.buffer, self.now, written);
        }
        if !self.met.is_empty() {
            self.judge_global(span, &access);
        }
    }

    /// Joins what the instructions so far have cut.
    #[cold]
    fn tidy(&mut self) {
        self.crowded = false;
        let clocks = &self.order.clocks;
        let of_block =
            |block: Option<BlockId>| self.table.block(block?).map(BlockInfo::turning_points);
        for shadow in &mut self.memories {
            shadow.tidy(clocks, &|block| of_block(block).unwrap_or_default());
        }
        for history in self.global.histories() {
            history.tidy(clocks, &|_| [0; 3]);
        }
    }

    /// The block that a tensor at a fixed address stands on, if there is one. A tensor across the
    /// border of a block is a finding, and so is one beside all blocks of a memory that has some.
    fn owner_of_fixed(
        &mut self,
        span: &Span,
        bytes: Bytes,
        access: &Access,
        writes: bool,
    ) -> Option<BlockId> {
        let mut blocks = self.table.blocks_of(span.hardware).peekable();
        blocks.peek()?;
        let meeting: Vec<_> = blocks.filter(|block| block.bytes.meets(bytes)).collect();
        let around = || meeting.iter().filter(|block| block.bytes.contains(bytes));
        if let Some(block) = around().find(|block| block.is_live()).or(around().next()) {
            return Some(block.id);
        }
        if let Some(block) = meeting.iter().find(|block| block.is_live()) {
            if writes {
                let block = block.id;
                self.overlap(span, bytes, access, block, Vec::new());
            } else {
                let near = Some((block.init_at, block.bytes));
                self.bad_memory(span, bytes, access, near);
            }
        } else if bytes.start < self.reserved_from(span.hardware) {
            let near = meeting.first().map(|block| (block.init_at, block.bytes));
            self.bad_memory(span, bytes, access, near);
        }
        None
    }

    /// Where the part of UB begins that instructions of the library use for themselves.
    fn reserved_from(&self, hardware: Hardware) -> u64 {
        const RESERVED: u32 = 8192;
        let capacity = self.spec.capacity(hardware);
        if hardware == Hardware::UB && self.spec.documented_ub < capacity {
            u64::from(capacity - RESERVED)
        } else {
            u64::from(capacity)
        }
    }

    fn bad_memory(
        &mut self,
        span: &Span,
        bytes: Bytes,
        access: &Access,
        near: Option<(Place, Bytes)>,
    ) {
        let cause = Cause::new(CheckId::BadMemory, access.place).and(span.tensor_at);
        let (op, pipe) = (access.name, access.pipe);
        let memory = span.hardware;
        self.findings.add(cause, || {
            let finding = Finding::new(
                CheckId::BadMemory,
                Severity::Error,
                format!(
                    "`{op}` on {pipe} works on [{}, {}) of {memory}, which is not inside any block",
                    bytes.start, bytes.end
                ),
            )
            .at(access.place, "used here")
            .at(span.tensor_at, "the tensor at a fixed address")
            .range(range(memory, bytes, span.element))
            .help("take the tensor from a queue or a TBuf, or keep it inside one block");
            match near {
                Some((at, block)) => {
                    finding.at(at, format!("block [{}, {}) is the nearest", block.start, block.end))
                }
                None => finding,
            }
        });
    }
}

/// The bytes of a read that the same instruction writes, where an earlier read of its pipe may not
/// be done with them: an operation in place, on V without a barrier.
#[inline]
fn rewritten(instr: &Instr<'_>, memory: Hardware, bytes: Bytes, order: &Order) -> Option<Bytes> {
    if !order.overtakes(instr.pipe, Hazard::WriteAfterRead) {
        return None;
    }
    let written =
        instr.writes.iter().filter(|span| span.hardware == memory).map(|span| {
            Bytes::new(u64::from(span.addr), u64::from(span.addr) + u64::from(span.bytes))
        });
    written.filter(|written| written.meets(bytes)).map(|written| written.common(bytes)).next()
}

/// Whether the pipes can address the start of the span. Steps are powers of two, and a mask is much
/// cheaper than a division.
#[inline]
fn is_aligned(span: &Span) -> bool {
    span.addr & (span.hardware.alignment() - 1) == 0
}

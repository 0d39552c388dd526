//! Reads and writes of memory: alignment, bounds, ownership, overlap, unwritten and unread bytes.

use super::Checker;
use super::findings::Cause;
use super::judge::Loss;
use super::runs::Bytes;
use super::shadow::{Access, Meeting, Met};
use super::usage::range;
use crate::model::block::{BlockId, QueueId};
use crate::model::stream::Span;
use crate::report::{ByteRange, CheckId, Finding, Severity};

/// Pairs of queues that are remembered as overlapping.
const MOST_PAIRS: usize = 1024;

/// Why the bytes of a tensor are not its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unallocated {
    /// The block is free.
    Free,
    /// The block was freed, and handed out again since.
    Again,
    /// The record of the block was written at other bytes since.
    Elsewhere,
    /// The tensor is of a TBuf, and its record was written for a queue since, or the other way.
    Taken,
}

impl Checker {
    #[cold]
    pub(super) fn misaligned(&mut self, span: &Span, access: &Access, writes: bool) {
        let check = if writes { CheckId::WriteMisaligned } else { CheckId::ReadMisaligned };
        let align = span.hardware.alignment();
        let (addr, memory, name) = (span.addr, span.hardware, self.table.name(access.block));
        let (op, pipe, does) = (access.name, access.pipe, does(writes));
        let block = access.block.and_then(|block| self.table.block(block));
        // A block that is misaligned itself, and the access is not besides.
        let unit = u64::from(align);
        let misplaced = block
            .map(|block| (block.bytes.start, block.init_at))
            .filter(|(start, _)| start % unit != 0 && u64::from(addr) % unit == start % unit);
        self.findings.add(Cause::new(check, access.place).and(span.tensor_at), || {
            let finding = Finding::new(
                check,
                Severity::Error,
                format!("`{op}` on {pipe} {does} the {name} from {addr}, which is not a multiple of {align}"),
            )
            .at(access.place, format!("{pipe} {does} it here"))
            .at(span.tensor_at, "the tensor is taken here")
            .range(of_span(span, Bytes::new(u64::from(addr), u64::from(addr) + u64::from(span.bytes))))
            .buffer(&name)
            .note(format!("{memory} is addressed in steps of {align} bytes"));
            let near = |addr: u64| {
                format!("start at {} or {}", addr / unit * unit, addr.next_multiple_of(unit))
            };
            match misplaced {
                Some((start, at)) => finding
                    .at(at, "its block is placed here")
                    .help(format!("let the block {}", near(start))),
                None => finding.help(near(u64::from(addr))),
            }
        });
    }

    #[cold]
    pub(super) fn out_of_bounds(&mut self, span: &Span, access: &Access, writes: bool) {
        let check = if writes { CheckId::WriteOutOfBounds } else { CheckId::ReadOutOfBounds };
        let name = self.table.name(access.block);
        let (op, pipe, does) = (access.name, access.pipe, does(writes));
        let element = span.element.max(1);
        let tensor_end = u64::from(span.tensor_addr) + u64::from(span.tensor_bytes);
        let end = u64::from(span.addr) + u64::from(span.bytes);
        let bytes = Bytes::new(tensor_end.max(u64::from(span.addr)).min(end), end);
        let past = counted(bytes.len(), "byte");
        self.findings.add(Cause::new(check, access.place).and(span.tensor_at), || {
            Finding::new(
                check,
                Severity::Error,
                format!("`{op}` on {pipe} {does} {past} past the end of a tensor of the {name}"),
            )
            .at(
                access.place,
                format!("{pipe} {does} {} here", counted((span.bytes / element).into(), "element")),
            )
            .at(span.tensor_at, format!("the tensor has {}", span.tensor_bytes / element))
            .range(of_span(span, bytes))
            .buffer(&name)
            .help(format!(
                "stay within {}, or use a longer tensor",
                counted((span.tensor_bytes / element).into(), "element")
            ))
        });
    }

    /// An access to bytes that are not the tensor's, by what is known of its block now.
    #[cold]
    pub(super) fn unallocated(
        &mut self,
        block: BlockId,
        span: &Span,
        access: &Access,
        writes: bool,
        why: Unallocated,
    ) {
        let check = if writes { CheckId::WriteUnallocated } else { CheckId::ReadUnallocated };
        let Some(info) = self.table.block(block) else { return };
        let name = self.table.name(Some(block));
        let freed = info.step_time > info.born;
        let (since, what, text, help) = match why {
            Unallocated::Free if freed => (
                info.step_at,
                format!("bytes of the {name} that nobody owns"),
                "freed here".to_owned(),
                "free the tensor after its last use",
            ),
            Unallocated::Free => (
                info.step_at,
                format!("bytes of the {name} that nobody owns"),
                "never handed out since it was initialised here".to_owned(),
                "take the tensor with alloc_tensor first",
            ),
            Unallocated::Again => (
                info.handed_at,
                format!(
                    "a tensor of the {name} that was freed: its block is another tensor's by now"
                ),
                "its block was handed out again here".to_owned(),
                "free the tensor after its last use",
            ),
            Unallocated::Taken => (
                info.init_at,
                format!("a tensor whose record is one of the {name} by now"),
                format!("record {} is one of the {name} since here", info.record),
                "give the TBuf and the queue a record each, and take tensors anew when theirs is written again",
            ),
            Unallocated::Elsewhere => (
                info.init_at,
                "a tensor on bytes that its record no longer has".to_owned(),
                format!(
                    "record {} is at [{}, {}) since here",
                    info.record, info.bytes.start, info.bytes.end
                ),
                "take the tensor again after its record is written, or give the other user a record of its own",
            ),
        };
        let (op, pipe, does) = (access.name, access.pipe, does(writes));
        let start = u64::from(span.addr);
        let taken = why != Unallocated::Free;
        let them = if taken { "it" } else { "them" };
        let cause = Cause::new(check, access.place).and(if taken { span.tensor_at } else { since });
        self.findings.add(cause, || {
            Finding::new(check, Severity::Error, format!("`{op}` on {pipe} {does} {what}"))
                .at(access.place, format!("{pipe} {does} {them} here"))
                .maybe_at(taken.then_some(span.tensor_at), "the tensor was taken here")
                .at(since, text)
                .range(of_span(span, Bytes::new(start, start + u64::from(span.bytes))))
                .buffer(&name)
                .help(help)
        });
    }

    /// `bytes` are the first of the `total` ones that nobody wrote.
    pub(super) fn uninitialised(&mut self, span: &Span, bytes: Bytes, total: u64, access: &Access) {
        let handed = access.block.and_then(|block| self.table.block(block)).map(|block| {
            (
                block.handed_at,
                if block.is_live() && block.viewed { "view taken here" } else { "handed out here" },
            )
        });
        let name = self.table.name(access.block);
        let (op, pipe) = (access.name, access.pipe);
        let all = total == u64::from(span.bytes);
        let cause = Cause::new(CheckId::ReadUninitialised, access.place).and(span.tensor_at);
        self.findings.add(cause, || {
            let part = if all { String::new() } else { format!("{total} of ") };
            let finding = Finding::new(
                CheckId::ReadUninitialised,
                Severity::Error,
                format!(
                    "`{op}` on {pipe} reads {part}{} of the {name} that nobody wrote since it was handed out",
                    counted(span.bytes.into(), "byte")
                ),
            )
            .at(access.place, format!("{pipe} reads them here"));
            match handed {
                Some((at, text)) => finding.at(at, text),
                None => finding.at(span.tensor_at, "the tensor is taken here"),
            }
            .range(of_span(span, bytes))
            .buffer(&name)
            .help("write all elements that are read: copy or compute as many, or `duplicate` a value first")
        });
    }

    pub(super) fn overwrite_unread(
        &mut self,
        span: &Span,
        bytes: Bytes,
        access: &Access,
        earlier: &Access,
        loss: Loss,
    ) {
        let name = self.table.name(access.block);
        let (op, pipe, first) = (access.name, access.pipe, earlier.name);
        let first_pipe = earlier.pipe;
        let views = earlier.tensor_at != access.tensor_at;
        let part = counted(bytes.len(), "byte");
        let (severity, what) = match loss {
            Loss::All => (Severity::Warning, "all that"),
            Loss::Part => (Severity::Note, "a part of what"),
        };
        let cause = Cause::new(CheckId::OverwriteUnread, access.place).and(earlier.place);
        self.findings.add(cause, || {
            let finding = Finding::new(
                CheckId::OverwriteUnread,
                severity,
                format!("`{op}` on {pipe} overwrites {what} `{first}` wrote to the {name}, and nobody read it"),
            )
            .at(access.place, format!("{pipe} writes it again here"));
            let finding = if earlier.place == access.place {
                finding.note("both writes are the same instruction, in two rounds")
            } else {
                finding.at(earlier.place, format!("{first_pipe} writes it here"))
            };
            let finding = match loss {
                Loss::Part => finding
                    .at(access.tensor_at, format!("this view shares {part} with the other one"))
                    .at(earlier.tensor_at, "the other view")
                    .help("give get_with_offset separate parts if each is to keep what is written to it"),
                Loss::All if views => finding
                    .at(access.tensor_at, "this view of the bytes")
                    .at(earlier.tensor_at, "and this one are the same bytes")
                    .help("two views of a TBuf alias: use get_with_offset for separate parts, or two TBufs"),
                Loss::All => finding
                    .help("read the first result before it is overwritten, or leave the first write out"),
            };
            finding.range(of_span(span, bytes)).buffer(&name)
        });
    }

    /// A write to bytes that live tensors of other blocks hold too. Takes the races with them out
    /// of `met`: they have the same cause.
    pub(super) fn overlaps(
        &mut self,
        span: &Span,
        bytes: Bytes,
        access: &Access,
        met: &mut Vec<Meeting>,
    ) {
        let Some(info) = access.block.and_then(|block| self.table.block(block)) else { return };
        let live: Vec<BlockId> = info
            .rivals
            .iter()
            .filter_map(|&rival| self.table.block(rival))
            .filter(|rival| rival.is_live() && rival.bytes.meets(bytes))
            .filter(|rival| !self.table.is_declared(info, rival))
            .map(|rival| rival.id)
            .collect();
        for rival in live {
            let mut also = Vec::new();
            met.retain(|meeting| match meeting.what {
                Met::Unordered(hazard, earlier) if earlier.block == Some(rival) => {
                    also.push(hazard.check());
                    false
                }
                Met::Unread(earlier) => earlier.block != Some(rival),
                _ => true,
            });
            also.dedup();
            self.overlap(span, bytes, access, rival, also);
        }
    }

    pub(super) fn overlap(
        &mut self,
        span: &Span,
        bytes: Bytes,
        access: &Access,
        rival: BlockId,
        also: Vec<CheckId>,
    ) {
        let Some(other) = self.table.block(rival) else { return };
        let common = other.bytes.common(bytes);
        let (other_at, handed_at) = (other.init_at, other.handed_at);
        let mine = access.block.and_then(|block| self.table.block(block));
        let queues = mine.map(|mine| pair(mine.queue, other.queue));
        let shared = mine.is_some_and(|mine| self.table.pools_share(mine.owner, other.owner));
        let pools = mine.map(|mine| (mine.owner, other.owner));
        let pool_at = pools.and_then(|(_, other)| self.table.owner(other)).map(|pool| pool.init_at);
        let (name, other_name) = (self.table.name(access.block), self.table.name(Some(rival)));
        let (op, pipe) = (access.name, access.pipe);
        if let Some(queues) = queues
            && self.overlapping.len() < MOST_PAIRS
        {
            self.overlapping.insert(queues);
        }
        let cause = Cause::new(CheckId::Overlap, access.place).and(handed_at);
        self.findings.add(cause, || {
            let mut finding = Finding::new(
                CheckId::Overlap,
                Severity::Error,
                format!("`{op}` on {pipe} writes the {name} over a live tensor of the {other_name}"),
            )
            .at(access.place, format!("{pipe} writes it here"))
            .at(span.tensor_at, "the tensor written to")
            .at(handed_at, "the tensor that it overwrites");
            if other_at != handed_at {
                finding = finding.at(other_at, "whose block is initialised here");
            }
            finding.also = also;
            let finding = finding.range(of_span(span, common)).buffer(&name).buffer(&other_name);
            if shared {
                finding
                    .maybe_at(pool_at, "its pool, which shares the bytes")
                    .help("free the tensors of the one pool and reset it before the other pool is used")
            } else {
                finding.help("give the two other bytes; if they share on purpose, declare it and order their use")
            }
        });
    }
}

pub(super) fn pair(a: QueueId, b: QueueId) -> (QueueId, QueueId) {
    (a.min(b), a.max(b))
}

pub(super) fn counted(number: u64, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

fn does(writes: bool) -> &'static str {
    if writes { "writes" } else { "reads" }
}

/// A range of a tensor.
pub(super) fn of_span(span: &Span, bytes: Bytes) -> ByteRange {
    let element = span.element;
    let first = bytes.start.checked_sub(u64::from(span.tensor_addr));
    ByteRange {
        first_element: first.map(|first| first / u64::from(element.max(1))),
        ..range(span.hardware, bytes, element)
    }
}

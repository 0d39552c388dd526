//! Two cores that write the same bytes of global memory.

use super::findings::{Cause, Findings};
use super::global::{Written, WrittenRanges};
use crate::options::OnFinding;
use crate::report::{ByteRange, CheckId, Finding, Severity};

/// What one core wrote: buffers with their ranges.
pub(crate) type CoreWrites = Vec<(u64, WrittenRanges)>;

/// The conflicts between the cores of a launch, and the number of those that were not kept. Cores
/// are not ordered while they run.
pub(crate) fn conflicts(cores: Vec<(u32, CoreWrites)>) -> (Vec<Finding>, u64) {
    let mut writes: Vec<(u64, u32, Written)> = Vec::new();
    for (core, buffers) in cores {
        for (buffer, ranges) in buffers {
            writes.extend(ranges.sorted().into_iter().map(|written| (buffer, core, written)));
        }
    }
    writes.sort_by_key(|(buffer, _, written)| (*buffer, written.start));
    let mut findings = Findings::new(OnFinding::Collect);
    // Ranges of the buffer at hand that go on past the start of the next one.
    let mut open: Vec<(u64, u32, Written)> = Vec::new();
    for (buffer, core, written) in writes {
        open.retain(|(other, _, range)| *other == buffer && range.end > written.start);
        for (_, other_core, other) in &open {
            if *other_core != core && !(other.atomic && written.atomic) {
                conflict(&mut findings, (*other_core, other), (core, &written));
            }
        }
        open.push((buffer, core, written));
    }
    findings.take()
}

fn conflict(findings: &mut Findings, first: (u32, &Written), second: (u32, &Written)) {
    let ((core, one), (other_core, other)) =
        if first.0 < second.0 { (first, second) } else { (second, first) };
    let cause = Cause::new(CheckId::GmConflict, one.place).and(other.place);
    findings.add_on(&[core, other_core], cause, || {
        let (start, end) = (one.start.max(other.start), one.end.min(other.end));
        let finding = Finding::new(
            CheckId::GmConflict,
            Severity::Error,
            format!("cores {core} and {other_core} both write [{start}, {end}) of a buffer in global memory"),
        )
        .at(one.place, format!("core {core} writes it here (`{}`)", one.name));
        let finding = if one.place == other.place {
            finding.note("both cores write it at the same place")
        } else {
            finding.at(other.place, format!("core {other_core} writes it here (`{}`)", other.name))
        };
        finding
            .range(ByteRange::global(start, end, one.element))
            .note("cores are not ordered: which write stays is chance")
            .help("give each core its own part: offset by block_idx, or use an atomic add")
    });
}

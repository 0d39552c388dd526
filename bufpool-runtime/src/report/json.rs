//! The report as JSON, for scripts. `format` goes up when a key changes its meaning.

use serde_json::{Value, json};

use super::{ByteRange, CheckId, Finding, Label, Report, Severity};

const FORMAT: u32 = 1;

pub(super) fn report(report: &Report) -> Value {
    json!({
        "format": FORMAT,
        "chip": report.chip().to_string(),
        "checked": report.is_checked(),
        "clean": report.is_clean(),
        "errors": report.count(Severity::Error),
        "warnings": report.count(Severity::Warning),
        "notes": report.count(Severity::Note),
        "not_kept": report.not_kept(),
        "findings": report.findings().iter().map(finding).collect::<Vec<_>>(),
    })
}

fn finding(finding: &Finding) -> Value {
    json!({
        "id": finding.check.id(),
        "npuchk": finding.check.npuchk(),
        "also": finding.also.iter().map(|check| check.id()).collect::<Vec<_>>(),
        "severity": finding.severity.name(),
        "message": finding.message,
        "ranges": finding.ranges.iter().map(range).collect::<Vec<_>>(),
        "places": finding.labels.iter().map(place).collect::<Vec<_>>(),
        "buffers": finding.buffers,
        "notes": finding.notes,
        "help": finding.help,
        "count": finding.count,
        "cores": finding.cores,
    })
}

fn range(range: &ByteRange) -> Value {
    json!({
        "memory": range.memory.name(),
        "start": range.start,
        "end": range.end,
        "element_bytes": range.element,
        "first_element": range.first_element,
        "elements": range.elements(),
    })
}

fn place(label: &Label) -> Value {
    json!({
        "file": label.place.file(),
        "line": label.place.line(),
        "column": label.place.column(),
        "text": label.text,
    })
}

/// What the vendor calls a check, for the properties of a SARIF rule.
pub(super) fn vendor_code(check: CheckId) -> Value {
    check.npuchk().map_or(Value::Null, Value::from)
}

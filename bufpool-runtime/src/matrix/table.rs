//! The matrix for people: a row a chip, then what the rows stand for.
//!
//! ```text
//! product                        result  UB at most   ids at most       findings  differs
//! Atlas 350, Ascend 950PR/950DT  fits      7168   3%  7 of 28 lock ids  clean     -
//! Atlas training                 fails     7168   3%  V_MTE2 4 of 4     clean     -
//!
//! fails on AtlasTraining:
//!     too few ids of V_MTE2: 1 asked, 0 of 4 free
//!          asked at: src/main.rs:20:9
//! ```

use std::fmt::Write as _;

use super::{ChipMatrix, ChipRow, Outcome};
use crate::chip::{Chip, LOCK_IDS};
use crate::position::Hardware;
use crate::report::{Report, Severity};

/// Findings of one chip that are listed.
const MOST_FINDINGS: usize = 3;

pub(super) fn matrix(matrix: &ChipMatrix) -> String {
    let memories: Vec<Hardware> = Hardware::ALL
        .into_iter()
        .filter(|&memory| matrix.rows.iter().any(|row| row.high_water[memory as usize].1 > 0))
        .collect();
    let mut lines = vec![header(&memories)];
    lines.extend(matrix.rows.iter().map(|row| cells(row, &memories, matrix.reference)));
    let mut out = aligned(&lines);
    for (title, text) in notes(matrix) {
        let _ = write!(out, "\n{title}:\n");
        for line in text.lines() {
            let _ = writeln!(out, "    {line}");
        }
    }
    out
}

fn header(memories: &[Hardware]) -> Vec<String> {
    let fixed = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    let mut cells = fixed(&["product", "result"]);
    cells.extend(memories.iter().map(|memory| format!("{memory} at most")));
    cells.extend(fixed(&["ids at most", "findings", "differs"]));
    cells
}

fn cells(row: &ChipRow, memories: &[Hardware], reference: Option<Chip>) -> Vec<String> {
    let result = match row.outcome {
        Outcome::Fits => "fits",
        Outcome::Refused(_) => "not there",
        Outcome::Fails(_) => "fails",
    };
    let mut cells = vec![row.chip.spec().product.to_owned(), result.to_owned()];
    if let Outcome::Refused(_) = row.outcome {
        // What it did before it was refused says nothing.
        cells.resize(memories.len() + 5, "-".to_owned());
        return cells;
    }
    cells.extend(memories.iter().map(|&memory| bytes(row, memory)));
    cells.push(ids(row));
    cells.push(findings(&row.report));
    cells.push(differs(row, reference));
    cells
}

/// Bytes, and how much of the memory they are.
fn bytes(row: &ChipRow, memory: Hardware) -> String {
    let (used, capacity) = (row.high_water[memory as usize].1, row.chip.spec().capacity(memory));
    if used == 0 || capacity == 0 {
        return "-".to_owned();
    }
    let percent = (u64::from(used) * 100).div_ceil(u64::from(capacity));
    format!("{used:>6} {percent:>3}%")
}

/// Lock ids, and the event of which the most ids were reserved. Only cube cores of Ascend950 have
/// both.
fn ids(row: &ChipRow) -> String {
    let locks = (row.peak_locks > 0).then(|| format!("{} of {LOCK_IDS} lock ids", row.peak_locks));
    let events = row.fullest_event();
    let events =
        events.map(|(event, peak)| format!("{event} {peak} of {}", row.chip.spec().event_ids));
    match (locks, events) {
        (Some(locks), Some(events)) => format!("{locks}, {events}"),
        (Some(ids), None) | (None, Some(ids)) => ids,
        (None, None) => "-".to_owned(),
    }
}

fn findings(report: &Report) -> String {
    let parts: Vec<String> = [Severity::Error, Severity::Warning]
        .into_iter()
        .filter_map(|severity| match report.count(severity) {
            0 => None,
            1 => Some(format!("1 {severity}")),
            n => Some(format!("{n} {severity}s")),
        })
        .collect();
    match (parts.is_empty(), report.is_checked()) {
        (false, _) => parts.join(", "),
        (true, true) => "clean".to_owned(),
        (true, false) => "-".to_owned(),
    }
}

fn differs(row: &ChipRow, reference: Option<Chip>) -> String {
    if row.differs.is_empty() {
        return match reference {
            Some(chip) if chip != row.chip && row.fits() => "no".to_owned(),
            _ => "-".to_owned(),
        };
    }
    let kinds: Vec<&str> = row.differs.iter().map(|difference| difference.kind.name()).collect();
    kinds.join(", ")
}

/// Columns two spaces apart, each as wide as its widest cell.
fn aligned(lines: &[Vec<String>]) -> String {
    let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        lines.iter().filter_map(|line| line.get(column)).map(String::len).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut out = String::new();
    for line in lines {
        let mut text = String::new();
        for (cell, width) in line.iter().zip(&widths) {
            let _ = write!(text, "{cell:<width$}  ");
        }
        out.push_str(text.trim_end());
        out.push('\n');
    }
    out
}

/// What the rows stand for, each text once with all chips that it holds for.
fn notes(matrix: &ChipMatrix) -> Vec<(String, String)> {
    let mut notes = Notes::default();
    for row in &matrix.rows {
        match &row.outcome {
            Outcome::Fits => {}
            Outcome::Refused(error) => {
                // The chip's name is in the title already.
                let text = error.to_string().replacen(&format!("{} has no", row.chip), "no", 1);
                notes.add(row.chip, "not there on", "", &text);
            }
            Outcome::Fails(failure) => notes.add(row.chip, "fails on", "", &failure.to_string()),
        }
    }
    for row in &matrix.rows {
        for finding in
            row.report.findings().iter().filter(|f| f.severity > Severity::Note).take(MOST_FINDINGS)
        {
            let place =
                finding.place().map(|place| format!("\n    at {place}")).unwrap_or_default();
            let text =
                format!("{} [{}]: {}{place}", finding.severity, finding.check, finding.message);
            notes.add(row.chip, "found on", "", &text);
        }
    }
    for row in &matrix.rows {
        let Some(reference) = matrix.reference else { continue };
        for difference in &row.differs {
            let text = format!("{}: {}", difference.kind, difference.first);
            notes.add(row.chip, "differs on", &format!(" from {reference}"), &text);
        }
    }
    notes.0.into_iter().map(|note| (note.title(), note.text)).collect()
}

#[derive(Default)]
struct Notes(Vec<Note>);

struct Note {
    before: &'static str,
    chips: Vec<Chip>,
    after: String,
    text: String,
}

impl Note {
    fn title(&self) -> String {
        let names: Vec<&str> = self.chips.iter().map(|chip| chip.spec().name).collect();
        format!("{} {}{}", self.before, names.join(", "), self.after)
    }
}

impl Notes {
    fn add(&mut self, chip: Chip, before: &'static str, after: &str, text: &str) {
        let same = |note: &&mut Note| {
            (note.before, &note.after[..], &note.text[..]) == (before, after, text)
        };
        if let Some(note) = self.0.iter_mut().find(same) {
            note.chips.push(chip);
        } else {
            let (after, text) = (after.to_owned(), text.to_owned());
            self.0.push(Note { before, chips: vec![chip], after, text });
        }
    }
}

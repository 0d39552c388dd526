//! One finding: what happened, where, to which bytes, and what to change.

use std::fmt;

use super::{CheckId, text};
use crate::place::Place;
use crate::position::Hardware;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing; the kernel is right.
    Note,
    /// Works, perhaps by luck or not everywhere.
    Warning,
    /// Wrong on the device.
    Error,
}

impl Severity {
    /// The name in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A source place and what happened there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub place: Place,
    /// What happened there.
    pub text: String,
}

/// Bytes of a memory that a finding is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByteRange {
    /// The memory.
    pub memory: Hardware,
    /// First byte, from the start of the memory (GM: of the buffer).
    pub start: u64,
    /// End, exclusive.
    pub end: u64,
    /// Bytes of one element.
    pub element: u32,
    /// First element of the accessed tensor (GM: of the buffer) that is concerned; none where there
    /// is no tensor.
    pub first_element: Option<u64>,
}

impl ByteRange {
    /// Bytes of a buffer in global memory.
    pub(crate) fn global(start: u64, end: u64, element: u32) -> Self {
        let first_element = Some(start / u64::from(element.max(1)));
        ByteRange { memory: Hardware::GM, start, end, element, first_element }
    }

    /// Number of bytes.
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        self.end - self.start
    }

    /// Number of elements that the bytes touch.
    #[must_use]
    pub const fn elements(&self) -> u64 {
        self.bytes().div_ceil(if self.element == 0 { 1 } else { self.element as u64 })
    }
}

impl fmt::Display for ByteRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (start, end, bytes) = (self.start, self.end, self.bytes());
        write!(f, "{} bytes [{start}, {end}): {bytes} bytes", self.memory)?;
        if let Some(first) = self.first_element
            && self.element > 0
        {
            let last = first + self.elements();
            write!(f, ", elements {first}..{last} of {} bytes each", self.element)?;
        }
        Ok(())
    }
}

/// Something that the checks found. Findings of one cause are one, with a count.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The check that found it.
    pub check: CheckId,
    /// Other checks that the same cause breaks.
    pub also: Vec<CheckId>,
    /// How bad it is.
    pub severity: Severity,
    /// What happened.
    pub message: String,
    /// The bytes concerned.
    pub ranges: Vec<ByteRange>,
    /// Every source place involved; the first is where the fault showed.
    pub labels: Vec<Label>,
    /// Names of the queues, TBufs and pools involved.
    pub buffers: Vec<String>,
    /// Rules and circumstances.
    pub notes: Vec<String>,
    /// What to change.
    pub help: Option<String>,
    /// How often it happened.
    pub count: u64,
    /// The cores of a launch on which it happened; empty outside of one.
    pub cores: Vec<u32>,
}

impl Finding {
    pub(crate) fn new(check: CheckId, severity: Severity, message: impl Into<String>) -> Self {
        Finding {
            check,
            also: Vec::new(),
            severity,
            message: message.into(),
            ranges: Vec::new(),
            labels: Vec::new(),
            buffers: Vec::new(),
            notes: Vec::new(),
            help: None,
            count: 1,
            cores: Vec::new(),
        }
    }

    pub(crate) fn also(mut self, check: CheckId) -> Self {
        self.also.push(check);
        self
    }

    pub(crate) fn at(mut self, place: Place, text: impl Into<String>) -> Self {
        self.labels.push(Label { place, text: text.into() });
        self
    }

    pub(crate) fn maybe_at(self, place: Option<Place>, text: impl Into<String>) -> Self {
        match place {
            Some(place) => self.at(place, text),
            None => self,
        }
    }

    pub(crate) fn range(mut self, range: ByteRange) -> Self {
        self.ranges.push(range);
        self
    }

    pub(crate) fn buffer(mut self, name: impl Into<String>) -> Self {
        let name = name.into();
        if !self.buffers.contains(&name) {
            self.buffers.push(name);
        }
        self
    }

    pub(crate) fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    pub(crate) fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }

    /// Whether this is a finding of the check, as its first id or as one that the same cause
    /// breaks.
    #[must_use]
    pub fn is(&self, check: CheckId) -> bool {
        self.check == check || self.also.contains(&check)
    }

    /// Where the fault showed; none if the finding is about no place.
    #[must_use]
    pub fn place(&self) -> Option<Place> {
        self.labels.first().map(|label| label.place)
    }

    /// Adds cores to those on which it happened.
    pub(crate) fn join_cores(&mut self, cores: &[u32]) {
        self.cores.extend(cores);
        self.cores.sort_unstable();
        self.cores.dedup();
    }

    /// Whether both come from the same cause: the same check at the same places.
    pub(super) fn same_cause(&self, other: &Finding) -> bool {
        self.check == other.check
            && self.labels.iter().map(|l| l.place).eq(other.labels.iter().map(|l| l.place))
            && self.labels.iter().zip(&other.labels).all(|(a, b)| a.text == b.text)
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&text::finding(self, text::Style::Plain))
    }
}

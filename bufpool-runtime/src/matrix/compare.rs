//! What differs between two runs, and where first.

use std::fmt::Debug;

use super::{Difference, DifferenceKind, Placed, Run};
use crate::chip::Chip;
use crate::report::{Finding, Severity};

/// What a kernel may return to [`on_every_chip`](crate::on_every_chip): numbers, texts, vectors and
/// arrays of what can be compared and shown, tuples of these, and `()`.
#[diagnostic::on_unimplemented(
    message = "results of type `{Self}` cannot be compared between chips",
    label = "not a result of a kernel",
    note = "return a Vec of numbers, a number, a String, a tuple of these, or `()`"
)]
pub trait KernelResult {
    /// Where `self` differs first from `other`, in words; none if both are the same.
    fn first_difference(&self, other: &Self) -> Option<Mismatch>;
}

/// Two values that should be the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Which part of the results; empty for the whole.
    pub part: String,
    /// The value here.
    pub found: String,
    /// The value on the chip that is compared with.
    pub other: String,
}

impl Mismatch {
    /// The same inside a larger result.
    #[must_use]
    pub fn within(self, part: &str) -> Self {
        let part =
            if self.part.is_empty() { part.to_owned() } else { format!("{} of {part}", self.part) };
        Mismatch { part, ..self }
    }
}

/// NaN differs from itself, though it looks the same: what looks the same is the same here.
fn mismatch<T: PartialEq + Debug + ?Sized>(found: &T, other: &T) -> Option<Mismatch> {
    if found == other {
        return None;
    }
    let (found, other) = (format!("{found:?}"), format!("{other:?}"));
    (found != other).then_some(Mismatch { part: String::new(), found, other })
}

fn in_slices<T: PartialEq + Debug>(found: &[T], other: &[T]) -> Option<Mismatch> {
    let first = found.iter().zip(other).enumerate().find_map(|(index, (found, other))| {
        mismatch(found, other).map(|values| values.within(&format!("element {index}")))
    });
    first.or_else(|| {
        mismatch(&found.len(), &other.len()).map(|values| values.within("the number of elements"))
    })
}

impl KernelResult for () {
    fn first_difference(&self, (): &Self) -> Option<Mismatch> {
        None
    }
}

impl<T: PartialEq + Debug> KernelResult for Vec<T> {
    fn first_difference(&self, other: &Self) -> Option<Mismatch> {
        in_slices(self, other)
    }
}

impl<T: PartialEq + Debug, const N: usize> KernelResult for [T; N] {
    fn first_difference(&self, other: &Self) -> Option<Mismatch> {
        in_slices(self, other)
    }
}

impl<T: KernelResult> KernelResult for Option<T> {
    fn first_difference(&self, other: &Self) -> Option<Mismatch> {
        match (self, other) {
            (Some(found), Some(other)) => found.first_difference(other),
            _ => mismatch(&self.is_some(), &other.is_some())
                .map(|values| values.within("whether there is a result")),
        }
    }
}

macro_rules! values {
    ($($type:ty)*) => {$(
        impl KernelResult for $type {
            fn first_difference(&self, other: &Self) -> Option<Mismatch> {
                mismatch(self, other)
            }
        }
    )*};
}
values! {
    bool char String &'static str u8 u16 u32 u64 usize i8 i16 i32 i64 isize f32 f64
    crate::ops::element::f16 crate::ops::element::bf16
}

macro_rules! tuples {
    ($($($part:ident $index:tt),*;)*) => {$(
        impl<$($part: KernelResult),*> KernelResult for ($($part,)*) {
            fn first_difference(&self, other: &Self) -> Option<Mismatch> {
                $(if let Some(values) = self.$index.first_difference(&other.$index) {
                    return Some(values.within(concat!("result ", $index)));
                })*
                None
            }
        }
    )*};
}
tuples! {
    A 0;
    A 0, B 1;
    A 0, B 1, C 2;
    A 0, B 1, C 2, D 3;
}

/// At most one difference of each kind.
pub(super) fn differences<R: KernelResult>(run: &Run<R>, reference: &Run<R>) -> Vec<Difference> {
    let chip = reference.row.chip;
    let differs = |kind, first: Option<String>| first.map(|first| Difference { kind, first });
    [
        differs(DifferenceKind::Results, results(run, reference, chip)),
        differs(DifferenceKind::Layout, layout(&run.row.layout, &reference.row.layout, chip)),
        differs(DifferenceKind::Findings, findings(&run.row.report, &reference.row.report, chip)),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn results<R: KernelResult>(run: &Run<R>, reference: &Run<R>, chip: Chip) -> Option<String> {
    let (result, other) = run.result.as_ref().zip(reference.result.as_ref())?;
    let Mismatch { part, found, other } = result.first_difference(other)?;
    let part = if part.is_empty() { "the result".to_owned() } else { part };
    Some(format!("{part} is {found}, on {chip} {other}"))
}

fn layout(found: &[Placed], other: &[Placed], chip: Chip) -> Option<String> {
    let first = found.iter().zip(other).find(|(found, other)| {
        (found.memory, found.start, found.bytes) != (other.memory, other.start, other.bytes)
    });
    if let Some((found, other)) = first {
        let here = format!("{} is {}, on {chip} {}", found.what, range(found), range(other));
        return Some(format!("{here} ({})", found.at));
    }
    let (more, less, who) = match found.len().cmp(&other.len()) {
        std::cmp::Ordering::Equal => return None,
        std::cmp::Ordering::Greater => (found, other, format!("not on {chip}")),
        std::cmp::Ordering::Less => (other, found, format!("only on {chip}")),
    };
    let next = &more[less.len()];
    Some(format!("{} is placed {who} ({})", next.what, next.at))
}

fn range(placed: &Placed) -> String {
    format!(
        "in {} at [{}, {})",
        placed.memory,
        placed.start,
        u64::from(placed.start) + u64::from(placed.bytes)
    )
}

fn findings(
    found: &crate::report::Report,
    other: &crate::report::Report,
    chip: Chip,
) -> Option<String> {
    let same = |a: &Finding, b: &Finding| a.check == b.check && a.place() == b.place();
    let missing_in = |all: &[Finding], finding: &Finding| !all.iter().any(|one| same(one, finding));
    let worth = |finding: &&Finding| finding.severity > Severity::Note;
    let here = found.findings().iter().filter(worth).find(|f| missing_in(other.findings(), f));
    let there = || other.findings().iter().filter(worth).find(|f| missing_in(found.findings(), f));
    let (finding, who) = match here {
        Some(finding) => (finding, format!("not on {chip}")),
        None => (there()?, format!("only on {chip}")),
    };
    let place = finding.place().map(|place| format!(" ({place})")).unwrap_or_default();
    Some(format!("{} is found {who}: {}{place}", finding.check, finding.message))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text<R: KernelResult>(found: &R, other: &R) -> Option<String> {
        found.first_difference(other).map(|m| format!("{}: {} / {}", m.part, m.found, m.other))
    }

    #[test]
    fn the_first_element_that_differs_is_named() {
        assert_eq!(text(&vec![1, 2, 3], &vec![1, 2, 3]), None);
        assert_eq!(text(&vec![1, 5, 4], &vec![1, 2, 3]).as_deref(), Some("element 1: 5 / 2"));
        assert_eq!(text(&vec![1, 2], &vec![1]).as_deref(), Some("the number of elements: 2 / 1"));
        assert_eq!(text(&7_u32, &8).as_deref(), Some(": 7 / 8"));
    }

    #[test]
    fn parts_of_tuples_are_named_and_nan_is_nan() {
        let (a, b) = ((1_u32, vec![0.5_f32, f32::NAN]), (1_u32, vec![0.25, f32::NAN]));
        assert_eq!(text(&a, &b).as_deref(), Some("element 0 of result 1: 0.5 / 0.25"));
        assert_eq!(text(&a, &a.clone()), None);
        assert_eq!(
            text(&Some(1), &None).as_deref(),
            Some("whether there is a result: true / false")
        );
    }
}

//! One kernel on every chip: [`on_every_chip`] and the [`ChipMatrix`] that it returns.
//!
//! ```text
//! on_every_chip(kernel)
//!  ├ one thread a chip, one after the other     launch   findings of the pipes, panics caught
//!  │                                            watch    layout, high water, ids at the peak
//!  ├ compare  results, layout and findings with the first chip that fits
//!  └ ChipMatrix ── table for people, json for scripts, report with differs-by-chip
//! ```

mod compare;
#[cfg(feature = "report")]
mod json;
mod table;
mod watch;

use std::fmt;
use std::thread;

use crate::chip::Chip;
use crate::error::{BufPoolError, Result};
use crate::event::HardEvent;
use crate::launch::{self, CoreFailure};
use crate::position::Hardware;
use crate::report::{CheckId, Finding, Report, Severity};

pub use compare::KernelResult;
pub use watch::Placed;
pub(crate) use watch::{Watch, listener, note};

/// Runs one kernel on all chips, newest first, and compares what it did: whether it fits, what it
/// found, how much memory and how many ids it took, and whether results, layout or findings differ.
///
/// The kernel builds its own `TPipe` for the chip that it is given, and returns its results, which
/// are compared: anything that is a [`KernelResult`], `()` if there is nothing to compare.
///
/// ```
/// use bufpool_runtime::on_every_chip;
/// use bufpool_runtime::prelude::*;
///
/// let matrix = on_every_chip(|chip| {
///     let pipe = TPipe::builder(chip).checks(Checks::Full).build()?;
///     let mut pool = TBufPool::<VECCALC>::new();
///     let mut x = TQue::<VECIN, 1>::new();
///     pipe.init_buf_pool(&mut pool, 8192)?;
///     pool.init_buffer(&mut x, 2, 1024)?;
///     pool.reset()?;
///     pool.init_buffer(&mut x, 2, 2048) // the reset emptied the pool, except on Ascend950
/// });
/// assert!(matrix.row(Chip::Ascend950).unwrap().fits());
/// assert!(!matrix.row(Chip::AtlasA2).unwrap().fits());
/// println!("{matrix}");
/// ```
pub fn on_every_chip<R, F>(kernel: F) -> ChipMatrix
where
    R: KernelResult + Send,
    F: Fn(Chip) -> Result<R> + Sync,
{
    on_chips(&Chip::ALL, kernel)
}

/// Runs one kernel on the chips of a list, in its order. See [`on_every_chip`].
pub fn on_chips<R, F>(chips: &[Chip], kernel: F) -> ChipMatrix
where
    R: KernelResult + Send,
    F: Fn(Chip) -> Result<R> + Sync,
{
    let runs: Vec<Run<R>> = chips.iter().map(|&chip| run(chip, &kernel)).collect();
    let reference = runs.iter().position(|run| run.row.fits());
    let differences: Vec<_> = runs
        .iter()
        .enumerate()
        .map(|(index, run)| match reference {
            Some(first) if first != index && run.row.fits() => {
                compare::differences(run, &runs[first])
            }
            _ => Vec::new(),
        })
        .collect();
    let rows =
        runs.into_iter().zip(differences).map(|(run, differs)| ChipRow { differs, ..run.row });
    ChipMatrix { rows: rows.collect(), reference: reference.map(|index| chips[index]) }
}

/// What a kernel did on one chip, with its results.
struct Run<R> {
    row: ChipRow,
    result: Option<R>,
}

/// On a thread of its own: one core is one thread, and whatever one run leaves behind is no
/// concern of the next.
fn run<R, F>(chip: Chip, kernel: &F) -> Run<R>
where
    R: Send,
    F: Fn(Chip) -> Result<R> + Sync,
{
    let watch = Watch::default();
    let ended = thread::scope(|scope| {
        let core = || {
            let _watching = Watch::enter(Some(watch.clone()));
            launch::as_core(|| kernel(chip))
        };
        scope.spawn(core).join()
    });
    let (result, reports) = match ended {
        Ok(ended) => ended,
        Err(panic) => (Err(CoreFailure::of_panic(&*panic)), Vec::new()),
    };
    let (result, outcome) = match result {
        Ok(result) => (Some(result), Outcome::Fits),
        Err(CoreFailure::Error(error @ BufPoolError::NotOnChip { .. })) => {
            (None, Outcome::Refused(error))
        }
        Err(failure) => (None, Outcome::Fails(failure)),
    };
    let mut report = Report::unchecked(chip);
    for found in reports {
        report.merge(found);
    }
    if outcome != Outcome::Fits {
        // A kernel that stopped half way leaves things behind: that is no fault of its own.
        report.retain(|finding| !finding.is(CheckId::Leak) && !finding.is(CheckId::UnmatchedSet));
    }
    let seen = watch.take();
    let row = ChipRow {
        chip,
        outcome,
        report,
        high_water: Hardware::ALL.map(|memory| (memory, seen.high_water[memory as usize])),
        peak_events: seen.peak_events,
        peak_locks: seen.peak_locks,
        layout: seen.layout,
        differs: Vec::new(),
    };
    Run { row, result }
}

/// One kernel on several chips: a row a chip.
#[derive(Clone, Debug)]
pub struct ChipMatrix {
    rows: Vec<ChipRow>,
    reference: Option<Chip>,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The kernel ran to its end.
    Fits,
    /// The chip does not have what the kernel asked for, such as pools.
    Refused(BufPoolError),
    /// The first error of the kernel, or its panic.
    Fails(CoreFailure),
}

/// What the kernel did on one chip.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ChipRow {
    /// The chip.
    pub chip: Chip,
    /// How the run ended.
    pub outcome: Outcome,
    /// What the checks found, if the kernel's pipes were built with checks.
    pub report: Report,
    /// Most bytes of each memory handed out by a pipe of the kernel, from the start of the memory.
    pub high_water: [(Hardware, u32); Hardware::COUNT],
    /// Most event ids reserved at one time, per event; events without any left out.
    pub peak_events: Vec<(HardEvent, u8)>,
    /// Most lock ids taken at one time (Ascend950).
    pub peak_locks: u32,
    /// Blocks and pools in the order in which they got their memory.
    pub layout: Vec<Placed>,
    /// How the run differs from that on the first chip that fits: at most one entry each for
    /// results, layout and findings, with where they differ first.
    pub differs: Vec<Difference>,
}

impl ChipRow {
    /// Whether the kernel ran to its end.
    #[must_use]
    pub fn fits(&self) -> bool {
        self.outcome == Outcome::Fits
    }

    /// The event of which the most ids were reserved at one time.
    #[must_use]
    pub fn fullest_event(&self) -> Option<(HardEvent, u8)> {
        // The first of equals: max_by_key gives the last.
        self.peak_events.iter().rev().copied().max_by_key(|&(_, peak)| peak)
    }
}

/// What differs between two chips.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DifferenceKind {
    /// What the kernel returned.
    Results,
    /// Where blocks and pools are.
    Layout,
    /// What the checks found.
    Findings,
}

impl DifferenceKind {
    /// The name in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            DifferenceKind::Results => "results",
            DifferenceKind::Layout => "layout",
            DifferenceKind::Findings => "findings",
        }
    }
}

impl fmt::Display for DifferenceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A difference between a chip and the first one that fits.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Difference {
    /// What differs.
    pub kind: DifferenceKind,
    /// Where it differs first, in words.
    pub first: String,
}

impl ChipMatrix {
    /// The rows, in the order of the chips.
    #[must_use]
    pub fn rows(&self) -> &[ChipRow] {
        &self.rows
    }

    /// The row of a chip.
    #[must_use]
    pub fn row(&self, chip: Chip) -> Option<&ChipRow> {
        self.rows.iter().find(|row| row.chip == chip)
    }

    /// The first chip on which the kernel fits: the others are compared with it.
    #[must_use]
    pub fn reference(&self) -> Option<Chip> {
        self.reference
    }

    /// Whether the kernel does the same on all chips that have what it asks for.
    #[must_use]
    pub fn is_portable(&self) -> bool {
        self.report().is_clean()
    }

    /// What differs as findings of [`CheckId::DiffersByChip`]: an error for a chip on which the kernel
    /// fails, a warning for one on which it does something else. A chip that does not have what the
    /// kernel asks for is no finding.
    #[must_use]
    pub fn report(&self) -> Report {
        let chip = self.reference.or(self.rows.first().map(|row| row.chip)).unwrap_or_default();
        let findings = self.rows.iter().filter_map(|row| {
            let (severity, message) = match (&row.outcome, &row.differs[..]) {
                (Outcome::Fails(failure), _) => {
                    (Severity::Error, format!("the kernel fails on {}: {failure}", row.chip))
                }
                (Outcome::Fits, [first, ..]) => (
                    Severity::Warning,
                    format!(
                        "the kernel does something else on {} than on {chip}: {}",
                        row.chip, first.first
                    ),
                ),
                _ => return None,
            };
            let (message, notes) = message.split_once('\n').unwrap_or((&message, ""));
            let mut finding = Finding::new(CheckId::DiffersByChip, severity, message);
            for line in notes.lines().map(str::trim) {
                match line.strip_prefix("help: ") {
                    Some(help) => finding = finding.help(help),
                    None => finding = finding.note(line),
                }
            }
            finding
                .notes
                .extend(row.differs.iter().skip(1).map(|difference| difference.first.clone()));
            Some(finding)
        });
        Report::new(chip, findings.collect(), 0)
    }

    /// For tests.
    ///
    /// # Panics
    /// The kernel fails on a chip that has what it asks for, or does something else there; the
    /// message is the table.
    #[track_caller]
    pub fn assert_portable(&self) {
        assert!(self.is_portable(), "the kernel is not portable\n\n{self}");
    }

    /// The matrix as a JSON object.
    #[cfg(feature = "report")]
    #[must_use]
    pub fn to_json(&self) -> String {
        json::matrix(self)
    }
}

impl fmt::Display for ChipMatrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&table::matrix(self))
    }
}

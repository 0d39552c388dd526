//! What the checks found: [`Report`], for people and for machines.
//!
//! ```text
//! Report
//!  └ Finding      one cause, with a count
//!     ├ id, severity, message, help, notes
//!     ├ ranges    bytes of which memory
//!     └ labels    every source place involved
//! ```
//!
//! `println!("{report}")` prints it for people, [`Report::print`] too and in colour on a
//! terminal; [`Report::to_json`] and [`Report::to_sarif`] are for machines. The lines that it
//! quotes are those of the workspace of the package that cargo runs, or that the program lies in;
//! elsewhere the places stand alone.

mod finding;
mod ids;
#[cfg(feature = "report")]
mod json;
#[cfg(feature = "report")]
mod sarif;
#[cfg(feature = "report")]
mod source;
mod text;

pub use finding::{ByteRange, Finding, Label, Severity};
pub use ids::CheckId;

use std::fmt;
use std::io::IsTerminal as _;
use std::process::ExitCode;

use crate::chip::Chip;
use crate::error::BufPoolError;

/// All findings of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    chip: Chip,
    findings: Vec<Finding>,
    not_kept: u64,
    checked: bool,
}

impl Report {
    pub(crate) fn new(chip: Chip, findings: Vec<Finding>, not_kept: u64) -> Self {
        let mut report = Report { chip, findings, not_kept, checked: true };
        // The worst first; of one severity, as they happened.
        report.findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
        report
    }

    /// The report of a run without checks.
    pub(crate) fn unchecked(chip: Chip) -> Self {
        Report { chip, findings: Vec::new(), not_kept: 0, checked: false }
    }

    /// Adds the findings of another core.
    pub(crate) fn merge(&mut self, other: Report) {
        self.checked |= other.checked;
        self.not_kept += other.not_kept;
        self.add(other.findings);
    }

    /// Adds findings; those of a cause that is known are counted there.
    pub(crate) fn add(&mut self, findings: impl IntoIterator<Item = Finding>) {
        for finding in findings {
            match self.findings.iter_mut().find(|mine| mine.same_cause(&finding)) {
                Some(mine) => {
                    mine.count += finding.count;
                    mine.join_cores(&finding.cores);
                }
                None => self.findings.push(finding),
            }
        }
        self.findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    }

    /// Counts findings that were not kept.
    pub(crate) fn add_not_kept(&mut self, count: u64) {
        self.not_kept += count;
    }

    /// Adds the error that ended the kernel, as a finding before all others: so it is in the
    /// text, the JSON and the SARIF log too. An error that is a finding of this report is not
    /// added again.
    ///
    /// ```
    /// use bufpool_runtime::prelude::*;
    /// # fn main() -> Result<()> {
    /// let pipe = TPipe::new(Chip::AtlasA2)?;
    /// let ended = TBuf::<VECCALC>::new().get::<f32>().map(drop);
    /// let mut report = pipe.finish();
    /// if let Err(error) = &ended {
    ///     report.add_error(error);
    /// }
    /// assert!(report.to_string().starts_with("error[no-init-buffer]: the VECCALC TBuf has"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn add_error(&mut self, error: &BufPoolError) {
        let finding = Finding::from(error);
        if !self.findings.iter().any(|found| found.same_cause(&finding)) {
            self.findings.insert(0, finding);
        }
    }

    /// Keeps some of the findings.
    pub(crate) fn retain(&mut self, keep: impl FnMut(&Finding) -> bool) {
        self.findings.retain(keep);
    }

    pub(crate) fn set_core(&mut self, core: u32) {
        for finding in &mut self.findings {
            finding.cores = vec![core];
        }
    }

    /// The chip that the kernel ran on.
    #[must_use]
    pub fn chip(&self) -> Chip {
        self.chip
    }

    /// The findings, the worst first.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// The findings of one check.
    pub fn of(&self, check: CheckId) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(move |finding| finding.is(check))
    }

    /// Whether the check found something.
    #[must_use]
    pub fn has(&self, check: CheckId) -> bool {
        self.of(check).next().is_some()
    }

    /// Number of distinct findings of a severity.
    #[must_use]
    pub fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|finding| finding.severity == severity).count()
    }

    /// Findings beyond the number that a report keeps apart.
    #[must_use]
    pub fn not_kept(&self) -> u64 {
        self.not_kept
    }

    /// Whether the kernel ran with checks: without them nothing is ever found.
    #[must_use]
    pub fn is_checked(&self) -> bool {
        self.checked
    }

    /// Whether there is no error and no warning. Notes are clean, and so is a run without checks
    /// ([`is_checked`](Self::is_checked)).
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.findings.iter().all(|finding| finding.severity == Severity::Note)
    }

    /// For tests: the kernel was checked, and there is no error and no warning.
    ///
    /// # Panics
    /// There is an error or a warning; the message is the report. Or the kernel ran without checks
    /// ([`is_checked`](Self::is_checked)), as it does in a release build if nobody asks for
    /// [`Checks::Full`](crate::Checks::Full); the message says how to ask.
    #[track_caller]
    pub fn assert_clean(&self) {
        assert!(self.is_clean(), "the kernel is not clean\n\n{self}");
        assert!(
            self.is_checked(),
            "nothing was checked: the kernel ran with Checks::Api, the default of release builds\n    help: build the pipe with `TPipe::builder(chip).checks(Checks::Full)`, or run the launch with `Launch::checks`"
        );
    }

    /// For `main` and CI: failure if there is an error, success otherwise.
    #[must_use]
    pub fn exit_code(&self) -> ExitCode {
        if self.count(Severity::Error) == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }

    /// Prints the report to standard error, in colour if that is a terminal and `NO_COLOR` is
    /// not set.
    pub fn print(&self) {
        let colour = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
        let style = if colour { text::Style::Colour } else { text::Style::Plain };
        eprintln!("{}", text::report(self, style));
    }

    /// The report as text, in colour (ANSI escapes) or plain.
    #[must_use]
    pub fn to_text(&self, colour: bool) -> String {
        text::report(self, if colour { text::Style::Colour } else { text::Style::Plain })
    }

    /// The report as a JSON object.
    ///
    /// | key | value |
    /// |---|---|
    /// | `format` | 1; goes up when a key changes its meaning |
    /// | `chip`, `checked`, `clean` | as [`chip`](Self::chip), [`is_checked`](Self::is_checked), [`is_clean`](Self::is_clean) |
    /// | `errors`, `warnings`, `notes`, `not_kept` | how many |
    /// | `findings` | a list, the worst first: the fields of a [`Finding`], its labels as `places`, and `id` and `npuchk` of its check |
    #[cfg(feature = "report")]
    #[must_use]
    pub fn to_json(&self) -> String {
        format!("{:#}", self.to_json_value())
    }

    #[cfg(feature = "report")]
    pub(crate) fn to_json_value(&self) -> serde_json::Value {
        json::report(self)
    }

    /// The report as a SARIF 2.1.0 log, which code scanning tools read.
    #[cfg(feature = "report")]
    #[must_use]
    pub fn to_sarif(&self) -> String {
        sarif::report(self)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&text::report(self, text::Style::Plain))
    }
}

//! Collects findings: those of one cause become one with a count, and their number is bounded.

use std::collections::HashMap;

use crate::options::OnFinding;
use crate::place::Place;
use crate::report::{CheckId, Finding, Severity};

/// Findings that a run keeps apart.
const MOST: usize = 256;

/// The cause of a finding: the check, the places, and what else tells causes apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Cause {
    check: CheckId,
    place: Option<Place>,
    other: Option<Place>,
    detail: u64,
}

impl Cause {
    pub fn new(check: CheckId, place: Place) -> Self {
        Cause { check, place: Some(place), other: None, detail: 0 }
    }

    pub fn and(mut self, other: Place) -> Self {
        self.other = Some(other);
        self
    }

    pub fn detail(mut self, detail: u64) -> Self {
        self.detail = detail;
        self
    }
}

/// What was found so far.
pub(super) struct Findings {
    on_finding: OnFinding,
    found: Vec<Finding>,
    causes: HashMap<Cause, usize>,
    not_kept: u64,
    refused: Option<Finding>,
}

impl Findings {
    pub fn new(on_finding: OnFinding) -> Self {
        Findings {
            on_finding,
            found: Vec::new(),
            causes: HashMap::new(),
            not_kept: 0,
            refused: None,
        }
    }

    /// Counts a finding; describes it when its cause is new.
    #[cold]
    pub fn add(&mut self, cause: Cause, describe: impl FnOnce() -> Finding) {
        let index = if let Some(&index) = self.causes.get(&cause) {
            self.found[index].count += 1;
            index
        } else if self.found.len() < MOST {
            self.causes.insert(cause, self.found.len());
            self.found.push(describe());
            self.found.len() - 1
        } else {
            return self.add_to_full(cause, describe);
        };
        self.refused_by(index);
    }

    /// There is no room left: an error takes that of a finding that is none.
    fn add_to_full(&mut self, cause: Cause, describe: impl FnOnce() -> Finding) {
        let least = self.found.iter().rposition(|finding| finding.severity != Severity::Error);
        self.not_kept += 1;
        let Some(index) = least else { return };
        let finding = describe();
        if finding.severity == Severity::Error {
            self.causes.retain(|_, kept| *kept != index);
            self.causes.insert(cause, index);
            self.not_kept += std::mem::replace(&mut self.found[index], finding).count - 1;
            self.refused_by(index);
        }
    }

    /// Keeps an error for the call that made it, where that is asked for.
    fn refused_by(&mut self, index: usize) {
        let finding = &self.found[index];
        if self.on_finding == OnFinding::Error && finding.severity == Severity::Error {
            self.refused.get_or_insert_with(|| finding.clone());
        }
    }

    /// The same, for a fault that several cores have a part in.
    #[cold]
    pub fn add_on(&mut self, cores: &[u32], cause: Cause, describe: impl FnOnce() -> Finding) {
        self.add(cause, describe);
        if let Some(&index) = self.causes.get(&cause) {
            self.found[index].join_cores(cores);
        }
    }

    /// Whether errors are to stop the kernel.
    pub fn may_refuse(&self) -> bool {
        self.on_finding == OnFinding::Error
    }

    /// The first error since the last call, where errors are to stop the kernel.
    #[inline]
    pub fn take_refused(&mut self) -> Option<Finding> {
        self.refused.take()
    }

    /// All that was found, and the number of findings that were not kept.
    pub fn take(&mut self) -> (Vec<Finding>, u64) {
        self.causes.clear();
        (std::mem::take(&mut self.found), std::mem::take(&mut self.not_kept))
    }
}

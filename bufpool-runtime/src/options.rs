//! How a [`TPipe`](crate::TPipe) is built: chip, core, checks.

use crate::chip::{Chip, CoreKind};

/// How much is checked beyond the errors of the calls themselves.
///
/// ```
/// use bufpool_runtime::prelude::*;
/// # fn main() -> Result<()> {
/// let pipe = TPipe::builder(Chip::AtlasA2).checks(Checks::Full).build()?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checks {
    /// Errors only: what cannot work on the device.
    Api,
    /// Also what works by luck: races, uninitialised reads, leaks, pool mistakes.
    Full,
}

impl Default for Checks {
    /// [`Checks::Full`] in debug builds, [`Checks::Api`] in release builds.
    fn default() -> Self {
        if cfg!(debug_assertions) { Checks::Full } else { Checks::Api }
    }
}

/// What becomes of a finding.
///
/// ```
/// use bufpool_runtime::prelude::*;
/// # fn main() -> Result<()> {
/// let pipe = TPipe::builder(Chip::AtlasA2).checks(Checks::Full).on_finding(OnFinding::Error).build()?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnFinding {
    /// It is kept for the report of `finish`.
    #[default]
    Collect,
    /// The call that made it returns it as an error. What the call did is done by then.
    Error,
}

/// Everything that a pipe is built from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Options {
    pub chip: Chip,
    pub kind: CoreKind,
    pub checks: Checks,
    pub on_finding: OnFinding,
    /// The vendor's compiler inserts V barriers where vector work depends on vector work.
    pub auto_v_barriers: bool,
    pub trace: bool,
}

impl Options {
    pub fn new(chip: Chip) -> Self {
        Options {
            chip,
            kind: CoreKind::default(),
            checks: Checks::default(),
            on_finding: OnFinding::default(),
            auto_v_barriers: true,
            trace: false,
        }
    }
}

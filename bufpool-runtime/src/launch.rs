//! Several cores: [`launch`] runs a kernel on each, on threads, over shared global memory.

use std::cell::RefCell;
use std::fmt;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

use crate::check::{CoreWrites, conflicts};
use crate::chip::{Chip, CoreKind};
use crate::error::{BufPoolError, Result};
use crate::matrix::Watch;
use crate::options::{Checks, OnFinding};
use crate::pipe::{TPipe, TPipeBuilder};
use crate::report::{Finding, Report};

thread_local! {
    /// What the pipes of the core that runs on this thread have found.
    static HERE: RefCell<Option<Findings>> = const { RefCell::new(None) };
}

/// What the checks of one core hand over.
#[derive(Default)]
struct Findings {
    reports: Vec<Report>,
    writes: CoreWrites,
}

/// Whether a launch runs a core on this thread.
pub(crate) fn is_running() -> bool {
    HERE.with_borrow(Option::is_some)
}

/// Hands the findings of a pipe to the launch that runs on this thread; false if there is none.
pub(crate) fn hand_over(report: &Report, writes: CoreWrites) -> bool {
    HERE.try_with(|here| {
        let mut here = here.borrow_mut();
        let Some(findings) = here.as_mut() else { return false };
        findings.reports.push(report.clone());
        findings.writes.extend(writes);
        true
    })
    .unwrap_or(false)
}

/// Runs something as a core of its own on this thread: the result, and what the checks of its
/// pipes found.
pub(crate) fn as_core<R>(run: impl FnOnce() -> Result<R>) -> (Result<R, CoreFailure>, Vec<Report>) {
    let (result, findings) = with_findings(run);
    (result, findings.reports)
}

fn with_findings<R>(run: impl FnOnce() -> Result<R>) -> (Result<R, CoreFailure>, Findings) {
    let outside = HERE.replace(Some(Findings::default()));
    let ended = catch_unwind(AssertUnwindSafe(run));
    let findings = HERE.replace(outside).unwrap_or_default();
    let result = match ended {
        Ok(result) => result.map_err(CoreFailure::Error),
        Err(panic) => Err(CoreFailure::of_panic(&*panic)),
    };
    (result, findings)
}

/// One core of a launch.
#[derive(Clone, Copy, Debug)]
pub struct LaunchCore {
    index: u32,
    num: u32,
    launch: Launch,
}

impl LaunchCore {
    /// Number of this core, from 0 (`GetBlockIdx`).
    #[doc(alias = "GetBlockIdx")]
    #[must_use]
    pub fn block_idx(&self) -> u32 {
        self.index
    }

    /// Number of cores (`GetBlockNum`).
    #[doc(alias = "GetBlockNum")]
    #[must_use]
    pub fn block_num(&self) -> u32 {
        self.num
    }

    /// The chip.
    #[must_use]
    pub fn chip(&self) -> Chip {
        self.launch.chip
    }

    /// A `TPipe` with the settings of the launch.
    ///
    /// # Errors
    /// The product has no `TPipe`, or one lives on this core already.
    #[track_caller]
    pub fn pipe(&self) -> Result<TPipe> {
        self.builder().build()
    }

    /// The same with settings to be changed.
    pub fn builder(&self) -> TPipeBuilder {
        TPipe::builder(self.launch.chip)
            .core_kind(self.launch.kind)
            .checks(self.launch.checks)
            .on_finding(self.launch.on_finding)
    }

    /// The part of `len` elements that is this core's: equal shares, the first ones longer by
    /// `step` where it does not come out even. Each share starts on a multiple of `step`.
    #[must_use]
    pub fn share(&self, len: usize, step: usize) -> std::ops::Range<usize> {
        let step = step.max(1);
        let steps = len.div_ceil(step);
        let (num, index) = (self.num as usize, self.index as usize);
        let first =
            |index: usize| (steps / num * index + index.min(steps % num)).saturating_mul(step);
        first(index).min(len)..first(index + 1).min(len)
    }
}

/// Cores that run side by side where nobody says how many: more than any product has, so that
/// cores that wait for each other all go on, whatever machine this is. The others run after them, as
/// on the device.
const SIDE_BY_SIDE: usize = 64;

/// Runs `kernel` once per core, for `block_dim` cores: the first 64 side by side, each of the others
/// as soon as one is done.
///
/// Global tensors may be used by all cores; everything else is each core's own. The report holds
/// what the checks of every core found, and where two cores wrote the same bytes of global memory.
///
/// ```
/// use bufpool_runtime::prelude::*;
/// use bufpool_runtime::launch;
///
/// let x = GlobalTensor::from_vec(vec![1.0f32; 4096]);
/// let report = launch(4, Chip::AtlasA2, |core| {
///     let pipe = core.pipe()?;
///     let mut que = TQueBind::<VECIN, VECOUT, 1>::new();
///     pipe.init_buffer(&mut que, 1, 4096)?;
///     let part = x.slice(core.share(x.len(), 8))?;
///     let t = que.alloc_tensor::<f32>()?;
///     data_copy(&t, &part)?;
///     que.enque(t)?;
///     let t = que.deque::<f32>()?;
///     data_copy(&part, &t)?;
///     que.free_tensor(t)
/// })?;
/// assert!(report.is_clean());
/// # Ok::<(), bufpool_runtime::LaunchError>(())
/// ```
///
/// A test that runs in a release build too asks for the checks: [`Launch::checks`].
///
/// # Errors
/// A core returned an error or panicked; the first by number is named.
pub fn launch<F>(block_dim: u32, chip: Chip, kernel: F) -> Result<Report, LaunchError>
where
    F: Fn(&LaunchCore) -> Result<()> + Sync,
{
    Launch::new(chip).run(block_dim, kernel)
}

/// A [`launch`] with other than the usual settings.
///
/// ```
/// use bufpool_runtime::Launch;
/// use bufpool_runtime::prelude::*;
///
/// let report = Launch::new(Chip::AtlasA2).checks(Checks::Full).run(4, |core| {
///     let pipe = core.pipe()?;
///     pipe.init_tbuf(&mut TBuf::<VECCALC>::new(), 1024)
/// })?;
/// report.assert_clean();
/// # Ok::<(), bufpool_runtime::LaunchError>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use = "call `run`"]
pub struct Launch {
    chip: Chip,
    kind: CoreKind,
    checks: Checks,
    on_finding: OnFinding,
    threads: Option<NonZero<usize>>,
}

impl Launch {
    /// On vector cores, with the usual checks, up to 64 cores side by side.
    pub fn new(chip: Chip) -> Self {
        Launch {
            chip,
            kind: CoreKind::default(),
            checks: Checks::default(),
            on_finding: OnFinding::default(),
            threads: None,
        }
    }

    /// Vector or cube cores.
    pub fn core_kind(mut self, kind: CoreKind) -> Self {
        self.kind = kind;
        self
    }

    /// How much is checked.
    pub fn checks(mut self, checks: Checks) -> Self {
        self.checks = checks;
        self
    }

    /// Whether findings are collected or are errors of the calls.
    pub fn on_finding(mut self, on_finding: OnFinding) -> Self {
        self.on_finding = on_finding;
        self
    }

    /// Threads to run the cores on, instead of one for each of the first 64 cores. With fewer than
    /// `block_dim`, cores that wait for each other may wait for ever.
    pub fn threads(mut self, threads: NonZero<usize>) -> Self {
        self.threads = Some(threads);
        self
    }

    /// Runs the kernel. See [`launch`].
    ///
    /// # Errors
    /// A core returned an error or panicked; the first by number is named.
    pub fn run<F>(self, block_dim: u32, kernel: F) -> Result<Report, LaunchError>
    where
        F: Fn(&LaunchCore) -> Result<()> + Sync,
    {
        let threads = self.threads.map_or(SIDE_BY_SIDE, NonZero::get).min(block_dim as usize);
        let next = AtomicU32::new(0);
        // Where a matrix runs the launch, it looks at core 0.
        let watch = Watch::here();
        let done: Mutex<Vec<(u32, CoreEnd)>> = Mutex::new(Vec::new());
        let work = || {
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                if index >= block_dim {
                    break;
                }
                let _watching = Watch::enter(watch.clone().filter(|_| index == 0));
                let end = self.run_core(index, block_dim, &kernel);
                if let Ok(mut done) = done.lock() {
                    done.push((index, end));
                }
            }
        };
        thread::scope(|scope| {
            let started = (0..threads)
                .take_while(|_| thread::Builder::new().spawn_scoped(scope, work).is_ok())
                .count();
            // The machine has no thread to give, not even one.
            if started == 0 {
                work();
            }
        });
        let mut cores = done.into_inner().unwrap_or_default();
        cores.sort_by_key(|&(index, _)| index);
        self.gather(cores)
    }

    fn run_core<F>(self, index: u32, num: u32, kernel: &F) -> CoreEnd
    where
        F: Fn(&LaunchCore) -> Result<()> + Sync,
    {
        let core = LaunchCore { index, num, launch: self };
        let (result, findings) = with_findings(|| kernel(&core));
        CoreEnd { findings, failure: result.err() }
    }

    fn gather(self, cores: Vec<(u32, CoreEnd)>) -> Result<Report, LaunchError> {
        let mut report = match self.checks {
            Checks::Api => Report::unchecked(self.chip),
            Checks::Full => Report::new(self.chip, Vec::new(), 0),
        };
        let (mut failed, mut writes) = (Vec::new(), Vec::new());
        for (index, core) in cores {
            for mut found in core.findings.reports {
                found.set_core(index);
                report.merge(found);
            }
            writes.push((index, core.findings.writes));
            failed.extend(core.failure.map(|failure| (index, failure)));
        }
        let (found, not_kept) = conflicts(writes);
        report.add(found);
        report.add_not_kept(not_kept);
        hand_over(&report, CoreWrites::default());
        for (index, failure) in &failed {
            report.add(failure.finding(*index));
        }
        let mut failed = failed.into_iter();
        match failed.next() {
            None => Ok(report),
            Some((core, failure)) => Err(LaunchError {
                core,
                failure: Box::new(failure),
                others: failed.map(|(core, _)| core).collect(),
                report: Box::new(report),
            }),
        }
    }
}

/// How the run of one core ended.
struct CoreEnd {
    findings: Findings,
    failure: Option<CoreFailure>,
}

fn text_of(panic: &(dyn std::any::Any + Send)) -> String {
    panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without a message".to_owned())
}

/// What stopped a core.
#[derive(Clone, Debug, PartialEq)]
pub enum CoreFailure {
    /// The kernel returned it.
    Error(BufPoolError),
    /// The kernel panicked with this message.
    Panic(String),
}

impl CoreFailure {
    pub(crate) fn of_panic(panic: &(dyn std::any::Any + Send)) -> Self {
        CoreFailure::Panic(text_of(panic))
    }

    /// What the report of a launch says of it. A panic breaks no check, and what is a finding was
    /// found already.
    fn finding(&self, core: u32) -> Option<Finding> {
        match self {
            CoreFailure::Error(BufPoolError::Finding(_)) | CoreFailure::Panic(_) => None,
            CoreFailure::Error(error) => {
                let mut finding = Finding::from(error);
                finding.cores = vec![core];
                Some(finding)
            }
        }
    }
}

impl fmt::Display for CoreFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CoreFailure::Error(error) => error.fmt(f),
            CoreFailure::Panic(text) => write!(f, "panicked: {text}"),
        }
    }
}

/// A launch in which a core failed.
#[derive(Clone, PartialEq)]
pub struct LaunchError {
    core: u32,
    failure: Box<CoreFailure>,
    others: Vec<u32>,
    report: Box<Report>,
}

impl LaunchError {
    /// Number of the first core that failed.
    #[must_use]
    pub fn core(&self) -> u32 {
        self.core
    }

    /// What stopped it.
    #[must_use]
    pub fn failure(&self) -> &CoreFailure {
        &self.failure
    }

    /// The other cores that failed.
    #[must_use]
    pub fn others(&self) -> &[u32] {
        &self.others
    }

    /// What the checks found until then, and the errors that stopped cores.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.report
    }
}

impl fmt::Display for LaunchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.failure {
            CoreFailure::Error(error) => write!(f, "core {}: {error}", self.core)?,
            CoreFailure::Panic(_) => write!(f, "core {} {}", self.core, self.failure)?,
        }
        if let [first, ..] = &self.others[..] {
            let count = self.others.len();
            write!(
                f,
                "\n    {count} more core{} failed, the next is {first}",
                if count == 1 { "" } else { "s" }
            )?;
        }
        Ok(())
    }
}

/// What `main` and `unwrap` show: the message, and what the checks found until then.
impl fmt::Debug for LaunchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}\n\n{}", self.report)
    }
}

impl std::error::Error for LaunchError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &*self.failure {
            CoreFailure::Error(error) => Some(error),
            CoreFailure::Panic(_) => None,
        }
    }
}

//! [`TPipe`]: the memories, events and blocks of one core.

#![allow(clippy::inline_always, reason = "see `model::turn`")]

use std::cell::RefCell;
use std::fmt;

use crate::check;
use crate::chip::{Chip, CoreKind};
use crate::error::{BufPoolError, Result, Trail};
use crate::event::{EventId, HardEvent, Pipe};
use crate::inspect::PipeView;
use crate::ledger::Ledger;
use crate::matrix;
use crate::model::Core;
use crate::model::block::OwnerId;
use crate::model::pool::PoolSource;
use crate::model::stream::Listener;
use crate::options::{Checks, OnFinding, Options};
use crate::place::Place;
use crate::pool::{BufPool, init_shared};
use crate::position::{Hardware, Position};
use crate::queue::TQueBind;
use crate::report::Report;
use crate::spm::SpmBuffer;
use crate::tbuf::TBuf;
use crate::trace::{TraceEvent, TraceLog};

thread_local! {
    /// The core whose pipe lives on this thread: one core is one thread (`GetTPipePtr`).
    static CURRENT: RefCell<Option<Core>> = const { RefCell::new(None) };
}

/// The core of the live pipe of this thread.
pub(crate) fn live_core(at: Place) -> Result<Core> {
    let current = CURRENT.try_with(|current| current.borrow().clone());
    current.ok().flatten().ok_or_else(|| BufPoolError::PipeDestroyed {
        trail: Trail::asked(at).help("build a TPipe on this thread first"),
    })
}

/// The buffer layer of one core (`AscendC::TPipe`). Dropping it destroys it.
///
/// ```
/// use bufpool_runtime::prelude::*;
/// # fn main() -> Result<()> {
/// let pipe = TPipe::new(Chip::AtlasA2)?;
/// let mut que = TQue::<VECIN, 1>::new();
/// pipe.init_buffer(&mut que, 2, 1024)?;
/// assert_eq!(pipe.used_bytes(Hardware::UB), 2048);
/// # Ok(())
/// # }
/// ```
pub struct TPipe {
    core: Core,
    options: Options,
    trace: Option<TraceLog>,
    /// The SPM buffer, once it is initialised.
    pub(crate) spm: RefCell<Option<SpmBuffer>>,
}

/// Builds a [`TPipe`] with other than the usual settings.
///
/// ```
/// use bufpool_runtime::prelude::*;
/// # fn main() -> Result<()> {
/// let pipe = TPipe::builder(Chip::AtlasA2).core_kind(CoreKind::AIC).checks(Checks::Full).build()?;
/// assert_eq!(pipe.core_kind(), CoreKind::AIC);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use = "call `build`"]
pub struct TPipeBuilder(Options);

impl TPipeBuilder {
    /// Vector or cube core, on chips that have both apart.
    pub fn core_kind(mut self, kind: CoreKind) -> Self {
        self.0.kind = kind;
        self
    }

    /// How much is checked.
    pub fn checks(mut self, checks: Checks) -> Self {
        self.0.checks = checks;
        self
    }

    /// Whether findings are collected or returned as errors.
    pub fn on_finding(mut self, on_finding: OnFinding) -> Self {
        self.0.on_finding = on_finding;
        self
    }

    /// Whether the compiler inserts V barriers where vector work depends on vector work: on, as
    /// with the vendor's compiler, unless turned off.
    pub fn auto_v_barriers(mut self, on: bool) -> Self {
        self.0.auto_v_barriers = on;
        self
    }

    /// Keeps every flag, lock and barrier for [`TPipe::take_trace`]. Grows with the kernel.
    pub fn trace(mut self, on: bool) -> Self {
        self.0.trace = on;
        self
    }

    /// The pipe.
    ///
    /// # Errors
    /// The product has no `TPipe`, or one lives on this core already.
    #[track_caller]
    pub fn build(self) -> Result<TPipe> {
        TPipe::from_options(self.0, Place::here())
    }
}

impl TPipe {
    /// A pipe of the chip's usual core.
    ///
    /// # Errors
    /// The product has no `TPipe`, or one lives on this core already.
    #[track_caller]
    pub fn new(chip: Chip) -> Result<Self> {
        Self::from_options(Options::new(chip), Place::here())
    }

    /// Settings other than the usual ones.
    pub fn builder(chip: Chip) -> TPipeBuilder {
        TPipeBuilder(Options::new(chip))
    }

    fn from_options(options: Options, at: Place) -> Result<Self> {
        if !options.chip.spec().has_tpipe {
            return Err(BufPoolError::NotOnChip {
                chip: options.chip,
                what: "TPipe".to_owned(),
                trail: Trail::asked(at).help("pick one of the other six products"),
            });
        }
        check_no_other(at)?;
        let trace = options.trace.then(TraceLog::default);
        let mut listeners: Vec<Box<dyn Listener>> = Vec::new();
        if let Some(log) = &trace {
            listeners.push(Box::new(log.clone()));
        }
        listeners.extend(check::listener(options));
        listeners.extend(matrix::listener());
        let core = Core::new(options.chip, options.kind, listeners, at);
        let pipe = TPipe { core, options, trace, spm: RefCell::new(None) };
        pipe.start(at)?;
        Ok(pipe)
    }

    fn start(&self, at: Place) -> Result<()> {
        self.core.run(at, |state| {
            state.init_pipe(at);
            Ok(())
        })?;
        CURRENT.set(Some(self.core.clone()));
        Ok(())
    }

    pub(crate) fn core(&self) -> &Core {
        &self.core
    }

    /// The chip that the pipe was built for.
    #[must_use]
    pub fn chip(&self) -> Chip {
        self.options.chip
    }

    /// The kind of core that the pipe was built for.
    #[must_use]
    pub fn core_kind(&self) -> CoreKind {
        self.options.kind
    }

    /// Gives a queue `num` blocks of `len` bytes (rounded up to 32), end to end (`InitBuffer`).
    /// 2 blocks are double buffering.
    ///
    /// # Errors
    /// The memory or the 64 block records do not suffice (the message lists the holders), `num` is
    /// not 1 to 64, `len` is 0, or the chip has no such route.
    #[doc(alias = "InitBuffer")]
    #[track_caller]
    pub fn init_buffer<S: Position, D: Position, const DEPTH: usize>(
        &self,
        que: &mut TQueBind<S, D, DEPTH>,
        num: u32,
        len: u32,
    ) -> Result<()> {
        let at = Place::here();
        let shape = que.shape();
        let slot = que.link_mut().slot(&self.core);
        let id = self.core.run(at, |state| state.init_queue(slot, shape, num, len, at))?;
        que.link_mut().bind(&self.core, id);
        Ok(())
    }

    /// Gives a queue blocks at given addresses, `(address, bytes)` each
    /// (`InitBuffer(que, (addr, len), ...)`). The cursor stays: the blocks may overlap others.
    ///
    /// # Errors
    /// As [`init_buffer`](Self::init_buffer); a block ends past the memory.
    #[doc(alias = "InitBuffer")]
    #[track_caller]
    pub fn init_buffer_at<S: Position, D: Position, const DEPTH: usize>(
        &self,
        que: &mut TQueBind<S, D, DEPTH>,
        blocks: &[(u32, u32)],
    ) -> Result<()> {
        let at = Place::here();
        let shape = que.shape();
        let slot = que.link_mut().slot(&self.core);
        let id = self.core.run(at, |state| state.init_queue_at(slot, shape, blocks, at))?;
        que.link_mut().bind(&self.core, id);
        Ok(())
    }

    /// Gives a TBuf one block of `len` bytes (rounded up to 32) (`InitBuffer`).
    ///
    /// # Errors
    /// As [`init_buffer`](Self::init_buffer).
    #[doc(alias = "InitBuffer")]
    #[track_caller]
    pub fn init_tbuf<P: Position>(&self, buf: &mut TBuf<P>, len: u32) -> Result<()> {
        let at = Place::here();
        buf.init_on(&self.core, at, |state, slot, shape| state.init_tbuf(slot, shape, len, at))
    }

    /// Gives a pool `len` bytes (rounded up to 32) of its memory (`InitBufPool`).
    ///
    /// # Errors
    /// The memory does not suffice, `len` is 0, or the product has no pools.
    #[doc(alias = "InitBufPool")]
    #[track_caller]
    pub fn init_buf_pool<P: BufPool>(&self, pool: &mut P, len: u32) -> Result<()> {
        let at = Place::here();
        let source = PoolSource { parent: OwnerId::PIPE, len, shares: None };
        let shape = pool.__state().shape::<P>(P::BUFID_SIZE);
        pool.__state_mut().init_on(&self.core, shape, source, at)
    }

    /// Gives a pool the range of another one (`InitBufPool(pool, len, shared)`): the other pool's
    /// start and its whole length; `len` may be no longer than that.
    ///
    /// # Errors
    /// `len` is longer than the other pool, the other pool is not initialised, or they are of
    /// different memories.
    #[doc(alias = "InitBufPool")]
    #[track_caller]
    pub fn init_buf_pool_shared<P: BufPool, Q: BufPool>(
        &self,
        pool: &mut P,
        len: u32,
        shared: &Q,
    ) -> Result<()> {
        init_shared(&self.core, OwnerId::PIPE, pool, len, shared, Place::here())
    }

    /// Makes the pipe ready again after [`destroy`](Self::destroy) (`Init`); on a live pipe, all
    /// blocks are dropped without waiting.
    ///
    /// # Errors
    /// Another `TPipe` lives on this core.
    #[doc(alias = "Init")]
    #[track_caller]
    pub fn init(&self) -> Result<()> {
        let at = Place::here();
        if !self.core.state(at)?.live {
            check_no_other(at)?;
        }
        self.start(at)
    }

    /// Waits for the pending free events of FREE blocks, then everything is as new (`Reset`).
    ///
    /// # Errors
    /// The pipe was destroyed, or a free event was never set.
    #[doc(alias = "Reset")]
    #[track_caller]
    pub fn reset(&self) -> Result<()> {
        let at = Place::here();
        self.core.run(at, |state| state.reset_pipe(at))
    }

    /// The waits of [`reset`](Self::reset), then a barrier of all pipes (`Destroy`).
    ///
    /// # Errors
    /// The pipe was destroyed already, or a free event was never set.
    #[doc(alias = "Destroy")]
    #[track_caller]
    pub fn destroy(&self) -> Result<()> {
        let at = Place::here();
        self.core.run(at, |state| state.destroy(at))?;
        CURRENT.set(None);
        Ok(())
    }

    /// Destroys the pipe, unless that was done, and gives what the checks found. Let queues and
    /// pools go, or free their tensors, before it: what is out then is a leak.
    ///
    /// A pipe with checks that is dropped instead prints its report if it is not clean.
    ///
    /// ```
    /// use bufpool_runtime::prelude::*;
    /// # fn main() -> Result<()> {
    /// let pipe = TPipe::builder(Chip::AtlasA2).checks(Checks::Full).build()?;
    /// let mut que = TQue::<VECIN, 1>::new();
    /// pipe.init_buffer(&mut que, 2, 1024)?;
    /// let x = que.alloc_tensor::<f32>()?;
    /// que.free_tensor(x)?;
    /// pipe.finish().assert_clean();
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    #[track_caller]
    pub fn finish(self) -> Report {
        let at = Place::here();
        let ended = self.core.run(at, |state| if state.live { state.destroy(at) } else { Ok(()) });
        let report = self.core.state_always().and_then(|mut state| state.report());
        let mut report = report.unwrap_or_else(|| Report::unchecked(self.options.chip));
        if let Err(error) = ended {
            report.add_error(&error);
        }
        report
    }

    /// Reserves the lowest free id of an event (`AllocEventID`).
    ///
    /// # Errors
    /// All ids are reserved; the message lists the holders.
    #[doc(alias = "AllocEventID")]
    #[track_caller]
    #[inline(always)]
    pub fn alloc_event_id(&self, event: HardEvent) -> Result<EventId> {
        let at = Place::here();
        self.core.alloc_event_id(event, at)
    }

    /// Gives an id back (`ReleaseEventID`).
    ///
    /// # Errors
    /// The id is not reserved, or the chip does not have it.
    #[doc(alias = "ReleaseEventID")]
    #[track_caller]
    #[inline(always)]
    pub fn release_event_id(&self, event: HardEvent, id: EventId) -> Result<()> {
        let at = Place::here();
        self.core.release_event_id(event, id, at)
    }

    /// The lowest free id of an event, without reserving it (`FetchEventID`): two fetches in a row
    /// give the same id.
    ///
    /// # Errors
    /// All ids are reserved.
    #[doc(alias = "FetchEventID")]
    #[track_caller]
    pub fn fetch_event_id(&self, event: HardEvent) -> Result<EventId> {
        let at = Place::here();
        self.core.run(at, |state| state.fetch_event_id(event, at))
    }

    /// Sets a flag on the event's source pipe, after all its earlier work (`SetFlag`).
    ///
    /// # Errors
    /// The chip does not have the id, or this core not both pipes.
    #[doc(alias = "SetFlag")]
    #[track_caller]
    pub fn set_flag(&self, event: HardEvent, id: EventId) -> Result<()> {
        let at = Place::here();
        self.core.run(at, |state| state.set_flag(event, id, at))
    }

    /// Lets the event's destination pipe wait for a flag, which it clears (`WaitFlag`).
    ///
    /// # Errors
    /// The flag is not set: on the device the pipe would wait for ever.
    #[doc(alias = "WaitFlag")]
    #[track_caller]
    pub fn wait_flag(&self, event: HardEvent, id: EventId) -> Result<()> {
        let at = Place::here();
        self.core.run(at, |state| state.wait_flag(event, id, at))
    }

    /// Lets a pipe complete its earlier work first (`PipeBarrier`).
    ///
    /// # Errors
    /// The pipe is S, which takes no barrier, or not on this core.
    #[doc(alias = "PipeBarrier")]
    #[track_caller]
    pub fn pipe_barrier(&self, pipe: Pipe) -> Result<()> {
        let at = Place::here();
        self.core.run(at, |state| state.pipe_barrier(Some(pipe), at))
    }

    /// Lets all pipes complete their earlier work first (`PipeBarrier<PIPE_ALL>`).
    ///
    /// # Errors
    /// The pipe was destroyed.
    #[doc(alias = "PIPE_ALL")]
    #[track_caller]
    pub fn pipe_barrier_all(&self) -> Result<()> {
        let at = Place::here();
        self.core.run(at, |state| state.pipe_barrier(None, at))
    }

    /// Bytes of a memory that are handed out, to queues, TBufs and pools.
    #[must_use]
    pub fn used_bytes(&self, memory: Hardware) -> u32 {
        self.inspect().cursors[memory as usize].1
    }

    /// Bytes of a memory that are left.
    #[must_use]
    pub fn free_bytes(&self, memory: Hardware) -> u32 {
        self.core.state_always().map_or(0, |state| {
            state.memory_limit(memory).saturating_sub(state.cursors[memory as usize])
        })
    }

    /// Who holds which bytes of a memory.
    #[must_use]
    pub fn ledger(&self, memory: Hardware) -> Ledger {
        match self.core.state_always() {
            Some(state) => Ledger::of(&state, memory),
            None => Ledger {
                chip: self.chip(),
                memory,
                capacity: self.chip().spec().capacity(memory),
                used: 0,
                rows: Vec::new(),
            },
        }
    }

    /// What the layer sees of the pipe.
    #[must_use]
    pub fn inspect(&self) -> PipeView {
        self.core.state_always().map_or_else(PipeView::empty, |state| state.view_pipe())
    }

    /// The flags, locks and barriers issued since the last call; empty unless the pipe was built
    /// with `trace(true)`.
    pub fn take_trace(&self) -> Vec<TraceEvent> {
        self.trace.as_ref().map(TraceLog::take).unwrap_or_default()
    }
}

fn check_no_other(at: Place) -> Result<()> {
    let made = CURRENT.try_with(|current| {
        let current = current.borrow();
        let state = current.as_ref()?.state_always()?;
        state.live.then_some(state.made_at)
    });
    match made.ok().flatten() {
        None => Ok(()),
        Some(made) => Err(BufPoolError::PipeLive {
            trail: Trail::asked(at)
                .at("lives since", made)
                .help("destroy the first TPipe, or drop it, before the second"),
        }),
    }
}

impl Drop for TPipe {
    fn drop(&mut self) {
        matrix::note(|| self.inspect());
        if let Some(mut state) = self.core.state_always() {
            state.drop_pipe();
        }
        // A pipe that lives in a thread-local of the user may outlast ours.
        let _ = CURRENT.try_with(|current| {
            current.replace_with(|current| current.take().filter(|core| !core.same(&self.core)))
        });
    }
}

impl fmt::Debug for TPipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TPipe {{ chip: {}, core: {} }}", self.chip(), self.core_kind())
    }
}

//! Instructions: what is asked of them before they move data, and who is told.

use std::mem;

use crate::error::{BufPoolError, Result, Trail};
use crate::error_data::DataError;
use crate::event::Pipe;
use crate::model::memory::Memories;
use crate::model::stream::{Event, Instr, Span};
use crate::model::{Core, HeardBy, State};
use crate::place::Place;
use crate::position::{Hardware, TPosition};

impl Core {
    /// An instruction whose work is a closure of the user: `run` works on what `load` gave, while
    /// the state can be looked at.
    ///
    /// # Errors
    /// As [`issue`](Self::issue).
    pub(crate) fn issue_closure<D, R>(
        &self,
        instr: &Instr<'_>,
        at: Place,
        load: impl FnOnce(&mut Memories) -> Result<D>,
        run: impl FnOnce(&mut D) -> R,
        store: impl FnOnce(&mut Memories, &D) -> Result<()>,
    ) -> Result<R> {
        let mut data = {
            let mut state = self.state(at)?;
            state.check_instr(instr, at)?;
            load(&mut state.memories)?
        };
        let result = {
            let _busy = Busy::new(self);
            run(&mut data)
        };
        self.run(at, |state| {
            store(&mut state.memories, &data)?;
            if state.is_heard() {
                state.emit(&Event::Instr(*instr), at);
            }
            Ok(result)
        })
    }

    /// The one way through for every instruction: checks the ranges, tells the listeners, moves
    /// the data.
    ///
    /// # Errors
    /// The pipe was destroyed or is not on this core, or does not reach a memory from it, or a
    /// range ends past its memory.
    pub(crate) fn issue<R>(
        &self,
        instr: &Instr<'_>,
        at: Place,
        data: impl FnOnce(&mut Memories) -> Result<R>,
    ) -> Result<R> {
        self.run(at, |state| {
            state.check_instr(instr, at)?;
            state.check_reach(instr, at)?;
            let result = data(&mut state.memories)?;
            if state.is_heard() {
                state.emit(&Event::Instr(*instr), at);
            }
            Ok(result)
        })
    }

    /// An instruction of which nobody is to hear: saves its description. None, and nothing done,
    /// where anything is out of the usual; `issue` says what.
    #[inline]
    pub(crate) fn issue_unheard<R, const N: usize>(
        &self,
        pipe: Pipe,
        span: &Span,
        others: [&Span; N],
        data: impl FnOnce(&mut Memories) -> Option<R>,
    ) -> Option<R> {
        let mut state = self.unheard()?;
        let usual = state.live
            && state.abilities.reaches(pipe, span.hardware)
            && state.is_usable(span)
            && others.iter().all(|span| state.is_usable(span));
        if usual { data(&mut state.memories) } else { None }
    }
}

/// While the closure of an instruction runs, also if it panics.
struct Busy<'c> {
    core: &'c Core,
    heard: HeardBy,
}

impl<'c> Busy<'c> {
    fn new(core: &'c Core) -> Self {
        let mut busy = Busy { core, heard: HeardBy::Instruction };
        busy.swap();
        busy
    }

    fn swap(&mut self) {
        if let Some(mut state) = self.core.state_always() {
            mem::swap(&mut state.heard, &mut self.heard);
        }
    }
}

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.swap();
    }
}

impl State {
    #[inline]
    fn check_instr(&self, instr: &Instr<'_>, at: Place) -> Result<()> {
        self.check_live(at)?;
        self.check_pipe(instr.pipe, at)?;
        for spans in [instr.reads, instr.writes] {
            for span in spans {
                self.check_span(span, at)?;
            }
        }
        Ok(())
    }

    #[inline]
    pub fn check_live(&self, at: Place) -> Result<()> {
        if self.live { Ok(()) } else { Err(self.destroyed(at)) }
    }

    #[cold]
    fn destroyed(&self, at: Place) -> BufPoolError {
        BufPoolError::PipeDestroyed {
            trail: Trail::asked(at).maybe_at("destroyed at", self.pipe.ended_at()).help(
                if self.pipe.dropped {
                    "use tensors and pools before the pipe is dropped or finished"
                } else {
                    "call TPipe::init, then initialise queues and pools again"
                },
            ),
        }
    }

    #[inline]
    pub fn check_pipe(&self, pipe: Pipe, at: Place) -> Result<()> {
        if self.abilities.has_pipe(pipe) { Ok(()) } else { Err(self.no_such_pipe(pipe, at)) }
    }

    #[cold]
    fn no_such_pipe(&self, pipe: Pipe, at: Place) -> BufPoolError {
        let other = self.kind.other();
        let trail = Trail::asked(at);
        BufPoolError::NoSuchPipe {
            chip: self.chip,
            kind: self.kind,
            pipe,
            why: "is not on this core",
            trail: if self.spec.has_split_cores() && self.spec.has_pipe(other, pipe) {
                trail.help(format!(
                    "build the pipe with `TPipe::builder(chip).core_kind(CoreKind::{other})`"
                ))
            } else {
                trail
            },
        }
    }

    /// Whether this kind of core reaches the memories of a copy. What the user issues is not asked:
    /// nothing is known of it.
    #[inline]
    fn check_reach(&self, instr: &Instr<'_>, at: Place) -> Result<()> {
        for spans in [instr.reads, instr.writes] {
            for span in spans {
                if !self.abilities.reaches(instr.pipe, span.hardware) {
                    return self.out_of_reach(instr, span, at);
                }
            }
        }
        Ok(())
    }

    #[cold]
    fn out_of_reach(&self, instr: &Instr<'_>, span: &Span, at: Place) -> Result<()> {
        // TSCM is there for vector cores too: they ask the cube core for the copy.
        if span.position == TPosition::TSCM {
            return Ok(());
        }
        let memory = |spans: &[Span]| spans.first().map_or(Hardware::GM, |span| span.hardware);
        Err(DataError::NoPath {
            op: instr.name,
            src: memory(instr.reads),
            dst: memory(instr.writes),
            chip: self.spec.name,
            kind: Some(self.kind),
            trail: Trail::asked(at).at("tensor from", span.tensor_at).help(format!(
                "build the pipe with `TPipe::builder(chip).core_kind(CoreKind::{})`",
                self.kind.other()
            )),
        }
        .into())
    }

    #[inline]
    pub fn check_span(&self, span: &Span, at: Place) -> Result<()> {
        if self.is_usable(span) { Ok(()) } else { Err(self.unusable(span, at)) }
    }

    #[inline]
    fn is_usable(&self, span: &Span) -> bool {
        self.is_live(span) && self.is_inside(span)
    }

    /// Whether what the tensor was made from is still there.
    #[inline]
    fn is_live(&self, span: &Span) -> bool {
        span.origin.is_none_or(|(owner, epoch)| self.owner(owner).epoch == epoch)
    }

    #[inline]
    fn is_inside(&self, span: &Span) -> bool {
        let end = u64::from(span.addr) + u64::from(span.bytes);
        end <= u64::from(self.spec.capacity(span.hardware))
    }

    #[cold]
    fn unusable(&self, span: &Span, at: Place) -> BufPoolError {
        if let Some((owner, epoch)) = span.origin.filter(|_| !self.is_live(span)) {
            return self.stale("the tensor".to_owned(), owner, epoch, at);
        }
        BufPoolError::OutsideMemory {
            memory: span.hardware,
            addr: u64::from(span.addr),
            end: u64::from(span.addr) + u64::from(span.bytes),
            limit: u64::from(self.spec.capacity(span.hardware)),
            trail: Trail::asked(at)
                .at("tensor from", span.tensor_at)
                .help(format!("keep the access within the tensor's {} bytes", span.tensor_bytes)),
        }
    }
}

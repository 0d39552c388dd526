//! The checks: a listener of the stream that knows nothing else.
//!
//! ```text
//! Event ─▶ Checker ─┬ flags    set twice, never waited for, fetched while in flight
//!                   ├ buffers  queues bound twice, the documented size
//!                   │   └ records  of custom pools, written again
//!                   ├ usage    steps of a block, leaks
//!                   ├ pools    cursors, sharing, what a reset loses
//!                   └ access   one instruction's ranges, one after the other
//!                       ├ memory   alignment, bounds, ownership, overlap, unwritten, unread
//!                       └ race     what is not ordered, and what would order it
//!          knows:   order (rules of the pipes, with clocks)   · table (blocks, queues, pools)
//!                   shadow (who touched which bytes, in runs) · global (the same of global memory)
//!                   findings (merged, counted)
//!
//! cores of a launch ─▶ conflict   the same bytes of global memory written by two cores
//! ```

mod access;
mod buffers;
mod clocks;
mod conflict;
mod findings;
mod flags;
mod global;
mod judge;
mod memory;
mod order;
mod pools;
mod race;
mod records;
mod runs;
mod shadow;
mod table;
#[cfg(test)]
mod tests;
mod usage;

use std::collections::HashSet;

use crate::chip::{Chip, ChipSpec};
use crate::error::BufPoolError;
use crate::event::Pipe;
use crate::launch;
use crate::model::block::QueueId;
use crate::model::stream::{Event, FlagUser, Listener, Operation, TurnStep};
use crate::options::{Checks, Options};
use crate::place::Place;
use crate::position::Hardware;
use crate::report::Report;

pub(crate) use conflict::{CoreWrites, conflicts};

use clocks::Time;
use findings::Findings;
use flags::FlagPlaces;
use global::Global;
use order::Order;
use records::TakenOver;
use shadow::{Meeting, Shadow};
use table::Table;

/// The listener for these options; none if they ask for no checks.
pub(crate) fn listener(options: Options) -> Option<Box<dyn Listener>> {
    match options.checks {
        Checks::Api => None,
        Checks::Full => Some(Box::new(Checker::new(options))),
    }
}

/// All checks of one core.
struct Checker {
    chip: Chip,
    spec: &'static ChipSpec,
    now: Time,
    order: Order,
    flags: FlagPlaces,
    table: Table,
    memories: [Shadow; Hardware::COUNT],
    global: Global,
    findings: Findings,
    /// What the access at hand met; kept to save the allocation.
    met: Vec<Meeting>,
    /// The accesses that the instruction at hand was reported to race with.
    raced: Vec<(Pipe, Place)>,
    /// Whether a history has many runs, to be joined when the instruction is over.
    crowded: bool,
    /// Records that were written for another user, and whose first one has not gone on yet.
    taken_over: Vec<TakenOver>,
    /// Pairs of queues whose overlap was reported: that they race too is no news.
    overlapping: HashSet<(QueueId, QueueId)>,
}

impl Checker {
    fn new(options: Options) -> Self {
        let spec = options.chip.spec();
        Checker {
            chip: options.chip,
            spec,
            now: 0,
            order: Order::new(spec, options.auto_v_barriers),
            flags: FlagPlaces::new(spec, options.kind),
            table: Table::default(),
            memories: std::array::from_fn(|_| Shadow::default()),
            global: Global::new(launch::is_running()),
            findings: Findings::new(options.on_finding),
            met: Vec::new(),
            raced: Vec::new(),
            crowded: false,
            taken_over: Vec::new(),
            overlapping: HashSet::new(),
        }
    }

    /// What happens once for a buffer and not once for a tile.
    #[inline(never)]
    fn rare(&mut self, event: &Event<'_>, at: Place) {
        match *event {
            Event::Barrier { pipe } => self.order.clocks.barrier(pipe),
            Event::PipesFinished { pipes } => self.order.clocks.finish(pipes),
            Event::Id { event, id, how } => self.event_id(event, id, how, at),
            Event::Get { queue, block } => self.view(queue, block, at),
            Event::Bound { .. } => self.bound(event, at),
            Event::BlockInit { .. } => self.block_init(event, at),
            Event::PoolInit { .. } => self.pool_init(event, at),
            Event::PoolCursor { owner, addr, count } => self.pool_cursor(owner, addr, count, at),
            Event::PoolEmptied { owner } => self.pool_emptied(owner, at),
            Event::Ended { owner, how, ids_lost } => self.end_owner(owner, how, ids_lost, at),
            Event::SharingDeclared { queues } => self.table.declare_sharing(queues),
            _ => {}
        }
    }
}

impl Listener for Checker {
    fn on(&mut self, event: &Event<'_>, at: Place) {
        self.now += 1;
        match event {
            Event::Instr(instr) => self.instr(instr, at),
            &Event::SetFlag { event, id, by } => self.set_flag(event, id, by, at),
            &Event::WaitFlag { event, id, .. } => self.wait_flag(event, id),
            &Event::Alloc { queue, block, life } => self.alloc(queue, block, life, at),
            &Event::Enque { queue, block, pos } => self.enque(queue, block, pos.is_some(), at),
            &Event::Deque { queue, block } => self.deque(queue, block, at),
            &Event::Free { queue, block, before } => self.free(queue, block, before, at),
            &Event::GetBuf { pipe, lock, .. } => self.order.clocks.get_lock(pipe, lock),
            &Event::RlsBuf { pipe, lock, .. } => self.order.clocks.release_lock(pipe, lock),
            _ => self.rare(event, at),
        }
    }

    /// The flag and the step of one operation, without a description of either.
    fn on_turn(&mut self, turn: &TurnStep, at: Place) {
        let TurnStep { queue, block, operation, flag } = *turn;
        if let Some((event, id)) = flag {
            self.now += 1;
            if operation.waits() {
                self.wait_flag(event, id);
            } else {
                self.set_flag(event, id, FlagUser::Block(block), at);
            }
        }
        self.now += 1;
        match operation {
            Operation::Alloc { life } => self.alloc(queue, block, life, at),
            Operation::Enque => self.enque(queue, block, false, at),
            Operation::Deque => self.deque(queue, block, at),
            Operation::Free { before } => self.free(queue, block, before, at),
        }
    }

    fn may_refuse(&self) -> bool {
        self.findings.may_refuse()
    }

    #[inline]
    fn take_refusal(&mut self) -> Option<BufPoolError> {
        self.findings.take_refused().map(|finding| BufPoolError::Finding(Box::new(finding)))
    }

    fn report(&mut self) -> Option<Report> {
        self.settle_doubts(|_| true);
        let (found, not_kept) = self.findings.take();
        let report = Report::new(self.chip, found, not_kept);
        launch::hand_over(&report, self.global.take_written());
        Some(report)
    }
}

/// A kernel that never asked for its report hears of it all the same.
impl Drop for Checker {
    fn drop(&mut self) {
        let Some(report) = self.report() else { return };
        if !launch::is_running() && !report.is_clean() && !std::thread::panicking() {
            report.print();
        }
    }
}

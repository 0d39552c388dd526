//! Flags: set twice, never waited for, fetched while in flight.

use super::Checker;
use super::clocks::{IDS, Time, flag_index};
use super::findings::Cause;
use super::table::{BlockInfo, Table};
use crate::chip::{ChipSpec, CoreKind};
use crate::event::{EventId, HardEvent};
use crate::model::block::{BlockId, OwnerId};
use crate::model::stream::{Ended, FlagUser, IdUse};
use crate::place::Place;
use crate::report::{CheckId, Finding, Severity};

/// A flag that was set and not waited for yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waiting {
    pub event: HardEvent,
    pub id: EventId,
    pub by: FlagUser,
    pub at: Place,
    pub time: Time,
}

/// Who set the flags that wait, by event and id.
pub(super) struct FlagPlaces {
    waiting: Vec<Option<Waiting>>,
    /// The events that this core waits for, one bit each. Some cores set flags that only another
    /// core waits for.
    heard: u64,
}

impl FlagPlaces {
    pub fn new(spec: &ChipSpec, kind: CoreKind) -> Self {
        let heard = HardEvent::ALL
            .iter()
            .filter(|&&event| spec.issues_wait(kind, event))
            .fold(0, |heard, &event| heard | 1 << event as u64);
        FlagPlaces { waiting: vec![None; HardEvent::COUNT * IDS], heard }
    }

    #[inline]
    fn is_heard(&self, event: HardEvent) -> bool {
        self.heard & (1 << event as u64) != 0
    }

    #[inline]
    fn of(&mut self, event: HardEvent, id: EventId) -> &mut Option<Waiting> {
        &mut self.waiting[flag_index(event, id)]
    }

    /// The first of the flags that a block waits with.
    pub fn of_block(&self, block: BlockId) -> Option<&Waiting> {
        let of_block = |waiting: &&Waiting| waiting.by == FlagUser::Block(block);
        self.waiting.iter().flatten().filter(of_block).min_by_key(|waiting| waiting.time)
    }

    /// The flag will not be spoken of again.
    pub fn forget(&mut self, waiting: &Waiting) {
        *self.of(waiting.event, waiting.id) = None;
    }
}

impl Checker {
    pub(super) fn set_flag(&mut self, event: HardEvent, id: EventId, by: FlagUser, at: Place) {
        if !self.flags.is_heard(event) {
            return;
        }
        let slot = self.flags.of(event, id);
        if slot.is_some() {
            return self.set_again(event, id, by, at);
        }
        *slot = Some(Waiting { event, id, by, at, time: self.now });
        self.order.clocks.set_flag(event, id);
    }

    #[cold]
    fn set_again(&mut self, event: HardEvent, id: EventId, by: FlagUser, at: Place) {
        self.order.clocks.set_flag(event, id);
        let waiting = Waiting { event, id, by, at, time: self.now };
        if let Some(first) = self.flags.of(event, id).replace(waiting) {
            self.duplicate_set(&first, by, at);
        }
    }

    pub(super) fn wait_flag(&mut self, event: HardEvent, id: EventId) {
        *self.flags.of(event, id) = None;
        self.order.clocks.wait_flag(event, id);
    }

    pub(super) fn event_id(&mut self, event: HardEvent, id: EventId, how: IdUse, at: Place) {
        match how {
            IdUse::Fetch => {}
            IdUse::Seize(block, since) => return self.seized_id(event, id, block, since, at),
            IdUse::Alloc | IdUse::Release => return,
        }
        let Some(first) = *self.flags.of(event, id) else { return };
        self.findings.add(Cause::new(CheckId::FetchedIdInFlight, at).and(first.at), || {
            Finding::new(
                CheckId::FetchedIdInFlight,
                Severity::Warning,
                format!("fetch_event_id gives {event} {id}, whose flag is set and not waited for yet"),
            )
            .at(at, "fetched here")
            .at(first.at, "set here")
            .note("fetch_event_id does not reserve: two fetches give the same id")
            .help(format!(
                "take ids with alloc_event_id(HardEvent::{event}), and release_event_id after the wait"
            ))
        });
    }

    /// The user gives back an id that is not his, but a block's.
    #[cold]
    fn seized_id(
        &mut self,
        event: HardEvent,
        id: EventId,
        block: BlockId,
        since: Place,
        at: Place,
    ) {
        let name = self.table.name(Some(block));
        self.findings.add(Cause::new(CheckId::EventIdNotReserved, at).and(since), || {
            Finding::new(
                CheckId::EventIdNotReserved,
                Severity::Error,
                format!(
                    "event id {id} of {event} is released, though a block of the {name} holds it"
                ),
            )
            .at(at, "released here")
            .at(since, "the block took it here")
            .buffer(&name)
            .note(
                "the next alloc_event_id or enque gives the same id again: two then share one flag",
            )
            .help("release only ids that alloc_event_id gave; queues give back their own")
        });
    }

    #[cold]
    fn duplicate_set(&mut self, first: &Waiting, by: FlagUser, at: Place) {
        let Waiting { event, id, .. } = *first;
        let table = &self.table;
        let holder = |by| match by {
            FlagUser::Block(block) => Some(table.name(Some(block))),
            FlagUser::User | FlagUser::Layer => None,
        };
        let (first_holder, holder) = (holder(first.by), holder(by));
        self.findings.add(Cause::new(CheckId::DuplicateSet, at).and(first.at), || {
            let first_text = match &first_holder {
                Some(name) => format!("set here by a block of the {name}, which holds the id"),
                None => "set here first".to_owned(),
            };
            let mut finding = Finding::new(
                CheckId::DuplicateSet,
                Severity::Error,
                format!("flag {event} {id} is set again before anybody waited for it"),
            )
            .at(at, "set again here")
            .at(first.at, first_text)
            .help(match (first.by, by) {
                (FlagUser::User, _) => format!(
                    "wait_flag(HardEvent::{event}, {id}) between the two, or take another id with alloc_event_id"
                ),
                // Whoever set it waits for it too: a wait in between would take the flag away.
                (_, FlagUser::User) => {
                    format!("take another id with alloc_event_id(HardEvent::{event})")
                }
                (_, FlagUser::Block(_) | FlagUser::Layer) => {
                    "release_event_id only ids that alloc_event_id gave: two blocks have one id here"
                        .to_owned()
                }
            });
            for name in [first_holder, holder].into_iter().flatten() {
                finding = finding.buffer(name);
            }
            finding
        });
    }

    /// Flags that nobody waits for any more: those of the user, and those of the blocks for which
    /// `is_over` holds. They are gone then.
    pub(super) fn unmatched_sets(
        &mut self,
        user: bool,
        is_over: impl Fn(&Table, &BlockInfo) -> bool,
        how: Ended,
    ) {
        let when = when(how);
        let all: Vec<Waiting> = self.flags.waiting.iter().flatten().copied().collect();
        for waiting in all {
            let block = match waiting.by {
                FlagUser::Block(block) => self.table.block(block),
                FlagUser::User | FlagUser::Layer => None,
            };
            let lost = match (waiting.by, block) {
                (FlagUser::User, _) => user,
                (FlagUser::Block(_), Some(block)) => is_over(&self.table, block),
                (FlagUser::Block(_) | FlagUser::Layer, _) => false,
            };
            if !lost {
                continue;
            }
            let Waiting { event, id, at, .. } = waiting;
            // A block that is out is a leak, its flag a part of that.
            let leaks = block.is_some_and(BlockInfo::is_live);
            let of_pool = block.is_some_and(|block| block.owner != OwnerId::PIPE);
            let forgotten = block.and_then(|block| forgotten(&self.table, block, waiting.time));
            let name = block.map(|block| self.table.name(Some(block.id)));
            self.order.clocks.clear_flag(event, id);
            *self.flags.of(event, id) = None;
            if leaks {
                continue;
            }
            self.findings.add(Cause::new(CheckId::UnmatchedSet, at).detail(event as u64), || {
                let finding = Finding::new(
                    CheckId::UnmatchedSet,
                    Severity::Error,
                    format!("flag {event} {id} is still set {when}: nobody waited for it"),
                )
                .at(at, format!("{} sets it here", event.src()))
                .note("a flag left set poisons the next wait for it, in this kernel or the next one");
                if let (Some(name), Some(Forgotten { at, how, help })) = (&name, forgotten) {
                    return finding.at(at, how).buffer(name.as_str()).help(help);
                }
                match name {
                    Some(name) => finding.buffer(name).help(match how {
                        Ended::PipeInit => "call TPipe::reset instead: init of a live pipe waits for no flag",
                        Ended::PipeReset => "reset the pool before the pipe: TPipe::reset does not wait for blocks of pools",
                        _ if of_pool => "set_cur_buf_size to the number of records in use: reset waits only for those",
                        _ => "free_all_event on the queue before the end",
                    }),
                    None => finding.help(format!("add wait_flag(HardEvent::{event}, {id}) after it")),
                }
            });
        }
    }
}

/// Why nobody will wait for a flag of a block any more.
struct Forgotten {
    at: Place,
    how: &'static str,
    help: &'static str,
}

/// What made a pool forget the flag that one of its blocks set at a time.
fn forgotten(table: &Table, block: &BlockInfo, set: Time) -> Option<Forgotten> {
    if set < block.born {
        return Some(Forgotten {
            at: block.init_at,
            how: "its record is written again here, and does not know of the flag",
            help: "free_all_event on the queue before its records are written again",
        });
    }
    let (emptied, at) = table.owner(block.owner)?.emptied?;
    (set < emptied).then_some(Forgotten {
        at,
        how: "init empties its pool here, and waits for no flag",
        help: "reset the pool instead of init: a reset waits for the flags of its blocks",
    })
}

/// At which end of a life something was left over.
pub(super) fn when(how: Ended) -> &'static str {
    match how {
        Ended::PoolReset => "when its pool is reset",
        Ended::PoolDropped => "when its pool is dropped",
        Ended::PipeReset => "when the pipe is reset",
        Ended::PipeInit => "when the pipe is initialised again",
        Ended::Destroyed => "at the end",
    }
}

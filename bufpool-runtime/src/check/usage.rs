//! Use of queues and TBufs: the steps of a block, and what is left of it at the end.

use super::Checker;
use super::findings::Cause;
use super::flags::{Waiting, when};
use super::runs::Bytes;
use super::shadow::Access;
use super::table::{BlockInfo, Step};
use crate::event::Pipe;
use crate::model::block::{BlockId, BlockState, OwnerId, QueueId};
use crate::model::stream::Ended;
use crate::place::Place;
use crate::position::{Hardware, TPosition};
use crate::report::{ByteRange, CheckId, Finding, Severity};

impl Checker {
    pub(super) fn alloc(&mut self, queue: QueueId, block: BlockId, life: u8, at: Place) {
        self.settle_doubts_of(queue, block, at);
        let now = self.now;
        if let Some(info) = self.table.block_mut(block) {
            let last = std::mem::replace(&mut info.queue, queue);
            info.counted_by = Some(queue);
            info.life = life;
            info.handed = now;
            info.handed_at = at;
            info.own_steps = false;
            step(info, Step::Allocated, now, at);
            if last != queue {
                self.other_queue(last, queue, block, at);
            }
        }
        self.check_orphan(block, at);
    }

    /// A queue takes a block that another one freed. If the flag of that free is still set, the
    /// allocation has waited for a flag of somebody else, who will miss it.
    #[cold]
    fn other_queue(&mut self, last: QueueId, queue: QueueId, block: BlockId, at: Place) {
        let Some(own) = self.flags.of_block(block).copied() else { return };
        self.flags.forget(&own);
        if let Some(info) = self.table.block_mut(block) {
            info.counted_by = None;
        }
        let (Some(first), Some(second)) = (self.table.queue(last), self.table.queue(queue)) else {
            return;
        };
        let (event, id) = (own.event, own.id);
        self.findings.add(Cause::new(CheckId::MixedFreeEvents, at).and(own.at), || {
            Finding::new(
                CheckId::MixedFreeEvents,
                Severity::Error,
                format!("the {} takes a block that the {} freed with {event} {id}, and does not wait for that flag", second.name, first.name),
            )
            .at(at, "allocated here, after a wait for a flag of another block or of your own")
            .at(own.at, format!("freed here: {event} {id} stays set"))
            .at(second.bound_at, "the record is shared since here")
            .buffer(&first.name)
            .buffer(&second.name)
            .note("each queue waits for its own free event: whoever set the flag that was taken will wait for ever")
            .help("share records only between queues of one free event")
        });
    }

    pub(super) fn enque(&mut self, queue: QueueId, block: BlockId, own_steps: bool, at: Place) {
        let now = self.now;
        if let Some(info) = self.table.block_mut(block) {
            info.queue = queue;
            info.own_steps |= own_steps;
            step(info, Step::Enqueued, now, at);
        }
    }

    pub(super) fn deque(&mut self, queue: QueueId, block: BlockId, at: Place) {
        let now = self.now;
        if let Some(info) = self.table.block_mut(block) {
            info.queue = queue;
            step(info, Step::Dequeued, now, at);
        }
    }

    pub(super) fn free(&mut self, queue: QueueId, block: BlockId, before: BlockState, at: Place) {
        let now = self.now;
        let Some(info) = self.table.block_mut(block) else { return };
        let (was, was_at) = (info.step, info.step_at);
        let counted_by = info.counted_by;
        info.queue = queue;
        step(info, Step::Free, now, at);
        if let Some(from) = counted_by
            && from != queue
            && !matches!(was, Step::Free | Step::Buffer)
        {
            self.other_count(from, queue, block, at);
        }
        if before == BlockState::Free || was == Step::Enqueued {
            self.wrong_free(block, before, was_at, at);
        }
    }

    /// A ring's tensor goes back to another queue than it came from.
    #[cold]
    fn other_count(&mut self, from: QueueId, to: QueueId, block: BlockId, at: Place) {
        let (Some(first), Some(second)) = (self.table.queue(from), self.table.queue(to)) else {
            return;
        };
        let Some(info) = self.table.block(block) else { return };
        let cause = Cause::new(CheckId::WrongQueue, at).and(info.handed_at);
        self.findings.add(cause, || {
            Finding::new(
                CheckId::WrongQueue,
                Severity::Warning,
                format!(
                    "a tensor of the {} is freed on the {}, which shares its record",
                    first.name, second.name
                ),
            )
            .at(at, "freed here")
            .at(info.handed_at, "allocated here")
            .buffer(&first.name)
            .buffer(&second.name)
            .note("each queue counts its own tensors out: one now counts one too many, the other one too few, and has_idle_buffer goes by that")
            .help("free_tensor on the queue that allocated the tensor")
        });
    }

    #[cold]
    fn wrong_free(&mut self, block: BlockId, before: BlockState, was_at: Place, at: Place) {
        let name = self.table.name(Some(block));
        let lost = self.flags.of_block(block).copied().filter(|_| before != BlockState::Free);
        if let Some(lost) = &lost {
            self.flags.forget(lost);
        }
        if before == BlockState::Free {
            self.findings.add(Cause::new(CheckId::DoubleFree, at).and(was_at), || {
                Finding::new(
                    CheckId::DoubleFree,
                    Severity::Error,
                    format!("a block of the {name} is freed twice"),
                )
                .at(at, "freed again here")
                .at(was_at, "freed here")
                .buffer(&name)
                .help("free each tensor once, after its last use")
            });
        } else {
            self.findings.add(Cause::new(CheckId::WrongState, at).and(was_at), || {
                Finding::new(
                    CheckId::WrongState,
                    Severity::Error,
                    format!("a block of the {name} is freed while it is in the queue"),
                )
                .at(at, "freed here")
                .at(was_at, "enqueued here, and not dequeued since")
                .buffer(&name)
                .note(match lost {
                    Some(Waiting { event, id, .. }) => format!(
                        "its entry stays in the queue and flag {event} {id} stays set: the next deque fails"
                    ),
                    None => "its entry stays in the queue: the next deque fails".to_owned(),
                })
                .help("deque the tensor before free_tensor")
            });
        }
    }

    pub(super) fn view(&mut self, queue: QueueId, block: BlockId, at: Place) {
        self.settle_doubts_of(queue, block, at);
        if let Some(info) = self.table.block_mut(block)
            && !info.viewed
        {
            info.viewed = true;
            info.handed_at = at;
        }
        self.check_orphan(block, at);
    }

    /// An instruction on a block whose step does not call for it, though the pipes are ordered.
    pub(super) fn wrong_step(&mut self, id: BlockId, access: &Access, reads: bool) {
        let Some(info) = self.table.block(id) else { return };
        let (pipe, op) = (access.pipe, access.name);
        let does = if reads { "reads" } else { "writes" };
        let (step_at, handed_at) = (info.step_at, info.handed_at);
        let cause = Cause::new(CheckId::WrongState, access.place).and(step_at);
        if info.step == Step::Enqueued {
            let name = self.table.name(Some(id));
            self.findings.add(cause, || {
                Finding::new(
                    CheckId::WrongState,
                    Severity::Error,
                    format!("`{op}` on {pipe} {does} a tensor of the {name} that is in the queue"),
                )
                .at(access.place, format!("{pipe} {does} it here"))
                .at(step_at, "enqueued here, and not dequeued since")
                .buffer(&name)
                .help("deque the tensor first, and use what deque gives")
            });
        } else if self.is_early(info, access, reads) {
            let name = self.table.name(Some(id));
            self.findings.add(cause, || {
                Finding::new(
                    CheckId::WrongState,
                    Severity::Note,
                    format!("`{op}` on {pipe} reads a tensor of the {name} that was never enqueued"),
                )
                .at(access.place, format!("{pipe} reads it here"))
                .at(handed_at, "allocated here")
                .buffer(&name)
                .note("something else orders the pipes, so it works on the device; the vendor's checker calls it ErrorBuffer2")
                .help(format!("enque and deque the tensor before {pipe} reads it"))
            });
        }
    }

    /// Whether a pipe reads a tensor that was to be dequeued for it first.
    pub(super) fn is_early(&self, info: &BlockInfo, access: &Access, reads: bool) -> bool {
        let position = self.table.queue(info.queue).map(|queue| queue.position);
        reads
            && info.step == Step::Allocated
            && !info.own_steps
            && position.and_then(consumer) == Some(access.pipe)
    }

    pub(super) fn end_owner(&mut self, owner: OwnerId, how: Ended, ids_lost: u32, at: Place) {
        let all = matches!(how, Ended::PipeReset | Ended::PipeInit | Ended::Destroyed);
        self.settle_doubts(|_| true);
        self.records_gone((!all).then_some(owner));
        let gone: Vec<BlockInfo> =
            self.table.standing().filter(|block| all || block.owner == owner).cloned().collect();
        for block in gone.iter().filter(|block| block.is_live() && block.step != Step::Buffer) {
            self.leak(block, how);
        }
        match how {
            Ended::PoolReset | Ended::PoolDropped => {
                self.unmatched_sets(false, |_, block| block.owner == owner, how);
            }
            Ended::PipeReset | Ended::PipeInit => self.unmatched_sets(true, |_, _| true, how),
            // A pool waits for its flags when it is dropped, which may come after the pipe: for
            // those of the records that it counts.
            Ended::Destroyed => self.unmatched_sets(
                true,
                |table, block| {
                    table
                        .owner(block.owner)
                        .is_none_or(|pool| pool.custom && block.record >= pool.awaited)
                },
                how,
            ),
        }
        if ids_lost > 0 {
            self.ids_lost(owner, ids_lost, how, at);
        }
        if !all {
            self.table.orphan(owner, how, at);
        }
        if how == Ended::PoolDropped {
            self.table.remove_owner(owner);
        }
        for block in &gone {
            self.table.remove_block(block.id);
        }
        if let Some(info) = self.table.owner_mut(owner) {
            info.cursor = info.bytes.start as u32;
            (info.count, info.awaited, info.emptied) = (0, 0, None);
        }
    }

    fn leak(&mut self, block: &BlockInfo, how: Ended) {
        let name = self.table.name(Some(block.id));
        let (state, did) = match block.step {
            Step::Allocated => (BlockState::Occupied, "allocated"),
            Step::Enqueued => (BlockState::Enque, "enqueued"),
            Step::Dequeued => (BlockState::Deque, "dequeued"),
            Step::Free | Step::Buffer => return,
        };
        let when = when(how);
        let flag = self.flags.of_block(block.id).copied();
        // A reset takes the bytes back, and leaves nothing behind but the flag of an enqueue.
        let severity = match how {
            Ended::Destroyed => Severity::Error,
            _ if flag.is_some() => Severity::Error,
            Ended::PoolReset | Ended::PoolDropped => Severity::Warning,
            Ended::PipeReset | Ended::PipeInit => Severity::Note,
        };
        let cause = Cause::new(CheckId::Leak, block.step_at).and(block.handed_at);
        self.findings.add(cause, || {
            let mut finding = Finding::new(
                CheckId::Leak,
                severity,
                format!("a block of the {name} is still {state} {when}"),
            )
            .at(block.step_at, format!("{did} here, and never freed"))
            .range(range(block.hardware, block.bytes, 1))
            .buffer(&name)
            .help(match block.step {
                Step::Enqueued => "deque and free the tensor",
                _ => "free the tensor with free_tensor after its last use",
            });
            if block.step_at != block.handed_at {
                finding = finding.at(block.handed_at, "allocated here");
            }
            if let Some(flag) = flag {
                let (event, id) = (flag.event, flag.id);
                finding = finding
                    .also(CheckId::UnmatchedSet)
                    .note(format!("its flag {event} {id} stays set"));
            }
            finding
        });
    }
}

fn step(info: &mut BlockInfo, step: Step, now: u64, at: Place) {
    info.step = step;
    info.step_time = now;
    info.step_at = at;
}

/// The pipe that a tensor at a position is dequeued for.
fn consumer(position: TPosition) -> Option<Pipe> {
    match position {
        TPosition::VECIN => Some(Pipe::V),
        TPosition::VECOUT => Some(Pipe::MTE3),
        TPosition::A1 | TPosition::B1 => Some(Pipe::MTE1),
        TPosition::A2 | TPosition::B2 => Some(Pipe::M),
        TPosition::CO1 => Some(Pipe::FIX),
        _ => None,
    }
}

/// Bytes of a memory, with no tensor.
pub(super) fn range(memory: Hardware, bytes: Bytes, element: u32) -> ByteRange {
    ByteRange { memory, start: bytes.start, end: bytes.end, element, first_element: None }
}

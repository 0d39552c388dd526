//! Names for messages, and the errors that list who holds what is missing.

use crate::chip::CUBE_RESERVED_IDS;
use crate::error::{BufPoolError, Trail};
use crate::event::{EventId, HardEvent};
use crate::model::State;
use crate::model::block::{BlockId, BlockState, OwnerId, QueueId};
use crate::model::owner::Owner;
use crate::model::piece::Token;
use crate::model::queue::{Queue, Shape};
use crate::model::stream::{Ended, FlagUser};
use crate::place::Place;
use crate::position::TPosition;

/// Who holds an event id. Where several do, the help goes by the greatest: one call frees what is the
/// user's, and what is lost need not have been.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum IdHolder {
    /// The pipe itself, on a core that starts with some.
    Init,
    Block,
    /// Nobody: its block was reset with its pool, or its record written again.
    Lost,
    User,
}

impl IdHolder {
    /// How one of its ids comes free.
    fn help(self) -> &'static str {
        match self {
            IdHolder::User => "release_event_id each id of alloc_event_id after its last wait_flag",
            IdHolder::Lost => {
                "free_all_event on a pool's queues before its reset, or before their records are written \
                 again: lost ids come back only with TPipe::reset"
            }
            IdHolder::Block | IdHolder::Init => {
                "an id is held from enque to deque, and from free_tensor until the same block is \
                 allocated again: use fewer blocks, or one queue for what is used one after the other"
            }
        }
    }
}

impl Shape {
    /// "VECIN queue `x`" or "VECCALC TBuf", without an article.
    pub fn label(&self, position: TPosition) -> String {
        let what = if self.depth.is_some() { "queue" } else { "TBuf" };
        match self.name {
            Some(name) => format!("{position} {what} `{name}`"),
            None => format!("{position} {what}"),
        }
    }
}

impl Queue {
    pub fn label(&self) -> String {
        self.shape.label(self.position)
    }

    /// "VECIN queue, 2 x 22528".
    pub fn label_with_size(&self) -> String {
        format!("{}, {} x {}", self.label(), self.num, self.len)
    }
}

impl State {
    /// What was made in an epoch of its owner that is over.
    #[cold]
    pub fn stale(&self, what: String, owner: OwnerId, epoch: u32, at: Place) -> BufPoolError {
        let owner = self.owner(owner);
        let pipe = self.owner(OwnerId::PIPE);
        let (name, how, ended_at) = if epoch < owner.since {
            ("its pool".to_owned(), "dropped", None)
        } else if owner.dropped {
            (owner.label(), "dropped", None)
        } else {
            // A reset of the pipe takes the pools with it.
            let taker = if owner.ended.is_some() { owner } else { pipe };
            match taker.ended {
                Some((Ended::Destroyed, _)) if taker.dropped => (taker.label(), "dropped", None),
                Some((Ended::Destroyed | Ended::PoolDropped, at)) => {
                    (taker.label(), "destroyed", at)
                }
                Some((Ended::PipeInit, at)) => (taker.label(), "initialised again", at),
                Some((_, at)) => (taker.label(), "reset", at),
                None => (owner.label(), "reset", None),
            }
        };
        let of_pool = matches!(owner.ended, Some((Ended::PoolDropped, _)));
        let help = match how {
            "dropped" => "keep the pipe and the pools alive as long as what was made from them",
            "destroyed" if of_pool => "initialise the pool again, and what was made from it",
            "destroyed" => "call TPipe::init, then initialise queues and pools again",
            "initialised again" => {
                "initialise the queues and buffers again after TPipe::init: it drops all of a live pipe"
            }
            _ if what == "the handle" => {
                "take the handle again after the reset, with get_buf_handle"
            }
            _ if what == "the tensor" || what == "the block" => {
                "initialise again after the reset, and take a new tensor"
            }
            _ => "initialise the queues and buffers again after a reset",
        };
        BufPoolError::Stale {
            what,
            owner: name,
            how,
            trail: Trail::asked(at).maybe_at(&format!("{how} at"), ended_at).help(help),
        }
    }

    #[cold]
    pub fn stale_queue(&self, id: QueueId, at: Place) -> BufPoolError {
        let queue = self.queue(id);
        self.stale(format!("the {}", queue.label()), queue.owner, queue.epoch, at)
    }

    #[cold]
    pub fn double_free(&self, block: BlockId, at: Place) -> BufPoolError {
        BufPoolError::DoubleFree {
            trail: Trail::asked(at)
                .maybe_at("freed at", self.block(block).state_at)
                .help("free each tensor once, after its last use"),
        }
    }

    #[cold]
    pub fn wrong_state(
        &self,
        op: &'static str,
        needed: &'static str,
        block: BlockId,
        at: Place,
    ) -> BufPoolError {
        let record = self.block(block);
        let help = match (op, record.state) {
            ("enque", BlockState::Enque) => "deque the tensor before enqueueing it again",
            ("enque", _) => "alloc_tensor first, and enqueue before free",
            _ => "enque a tensor first; freeing an enqueued tensor leaves its entry behind",
        };
        BufPoolError::WrongState {
            op,
            needed,
            found: record.state,
            trail: Trail::asked(at)
                .maybe_at(&format!("{} since", record.state), record.state_at)
                .help(help),
        }
    }

    #[cold]
    pub fn no_free_block(&self, id: QueueId, at: Place) -> BufPoolError {
        let queue = self.queue(id);
        let mut trail = Trail::asked(at);
        let mut help = None;
        for block in queue.blocks() {
            let record = self.block(block);
            let index = block.0 - queue.first.0;
            trail = trail.holder(
                format!("block {index}"),
                record.state_at,
                &format!("{}, taken here", record.state),
            );
            help = help.max(Some(match record.state {
                BlockState::Deque => "free_tensor the tensor that was dequeued",
                BlockState::Enque => "deque and free_tensor a tensor of the queue first",
                _ => "enque or free_tensor the tensor that was allocated",
            }));
        }
        let more = format!("initialise the queue with {} blocks", u32::from(queue.num) + 1);
        let shared = queue.blocks().find_map(|block| self.other_on(block, id));
        BufPoolError::NoFreeBlock {
            queue: format!("the {}", queue.label()),
            blocks: u32::from(queue.num),
            trail: match (shared, help) {
                (Some((_, other)), _) => shared_records(queue, other, trail),
                (None, Some(help)) => trail.help(format!("{help}, or {more}")),
                (None, None) => trail.help(more),
            },
        }
    }

    #[cold]
    pub fn queue_full(&self, id: QueueId, at: Place) -> BufPoolError {
        let queue = self.queue(id);
        let mut trail = Trail::asked(at);
        for entry in queue.fifo.iter() {
            trail = trail.at("in the queue since", entry.at);
        }
        BufPoolError::QueueFull {
            queue: format!("the {}", queue.label()),
            depth: queue.depth(),
            trail: trail
                .help(format!("deque first, or give the queue depth {}", queue.depth() + 1)),
        }
    }

    #[cold]
    pub fn queue_empty(&self, id: QueueId, at: Place) -> BufPoolError {
        let queue = self.queue(id);
        let mut trail = Trail::asked(at);
        for block in queue.blocks() {
            let record = self.block(block);
            if record.state == BlockState::Occupied {
                trail = trail.maybe_at("allocated and not enqueued", record.state_at);
            }
        }
        BufPoolError::QueueEmpty {
            queue: format!("the {}", queue.label()),
            trail: trail.help("enque one tensor for each deque"),
        }
    }

    #[cold]
    pub fn wrong_queue(
        &self,
        id: QueueId,
        block: BlockId,
        op: &'static str,
        at: Place,
    ) -> BufPoolError {
        let record = self.block(block);
        let own = record.queue.map(|queue| self.queue(queue));
        let label = self.queue(id).label();
        let trail = Trail::asked(at)
            .maybe_at("its queue", own.map(|own| own.init_at))
            .at("this queue", self.queue(id).init_at)
            .help(format!("{op} the tensor on the queue that allocated it"));
        let alike = record.queue != Some(id) && own.is_some_and(|own| own.label() == label);
        BufPoolError::WrongQueue {
            what: match own {
                Some(own) if record.queue == Some(id) => {
                    format!("a tensor from before the {} was initialised again", own.label())
                }
                Some(own) => format!("a tensor of the {}", own.label()),
                None => "the handle".to_owned(),
            },
            queue: format!("the {label}"),
            trail: if alike { trail.note("`named` tells queues apart") } else { trail },
        }
    }

    /// Why a token is not of a queue: another core's, of an earlier life, or another queue's.
    #[cold]
    pub fn not_of_queue(
        &self,
        id: QueueId,
        token: Token,
        op: &'static str,
        at: Place,
    ) -> BufPoolError {
        let Some(block) = token.block() else { return other_core(at) };
        let owner = self.owner_of(block);
        if self.owner(owner).epoch == token.epoch() {
            self.wrong_queue(id, block, op, at)
        } else {
            self.stale("the block".to_owned(), owner, token.epoch(), at)
        }
    }

    fn owner_of(&self, block: BlockId) -> OwnerId {
        let owns = |owner: &Owner| (owner.base..owner.base + owner.size).contains(&block.0);
        let found = self.owners().find(|(_, owner)| owns(owner));
        found.map_or(OwnerId::PIPE, |(id, _)| id)
    }

    #[cold]
    pub fn record_never_initialised(&self, id: QueueId, block: BlockId, at: Place) -> BufPoolError {
        let queue = self.queue(id);
        let index = block.0 - queue.first.0;
        BufPoolError::RecordNeverInitialised {
            queue: format!("the {}", queue.label()),
            index,
            trail: Trail::asked(at).at("bound at", queue.init_at).help(format!(
                "call init_buf_handle for each index 0 to {}, each with its own handle",
                u32::from(queue.num).saturating_sub(1)
            )),
        }
    }

    #[cold]
    pub fn ids_exhausted(&self, event: HardEvent, asked: u32, at: Place) -> BufPoolError {
        let mut trail = Trail::asked(at);
        let mut help = IdHolder::Init;
        for id in (0..self.events.ids()).filter(|&id| self.events.is_reserved(event, id)) {
            let (holder, text) = self.id_holder(event, id);
            help = help.max(holder);
            trail = trail.holder(format!("id {id}"), self.events.reserved_at(event, id), &text);
        }
        BufPoolError::EventIdsExhausted {
            event,
            asked,
            free: self.events.free_count(event),
            limit: u32::from(self.events.ids()),
            trail: trail.help(help.help()),
        }
    }

    /// Who has a reserved id, and what to call him.
    fn id_holder(&self, event: HardEvent, id: EventId) -> (IdHolder, String) {
        if self.events.is_users(event, id) {
            return (IdHolder::User, "by alloc_event_id".to_owned());
        }
        let block = self.queues.iter().find_map(|queue| {
            queue.blocks().find_map(|block| {
                let record = self.block(block);
                let freed = record.free_event == Some(event) && record.free_id == Some(id);
                let enqued =
                    queue.way.is_some_and(|way| way.event == event) && record.enque_id == Some(id);
                (freed || enqued).then(|| {
                    let since = if freed { "free" } else { "enque" };
                    format!("{} block {}, since {since}", queue.label(), block.0 - queue.first.0)
                })
            })
        });
        if let Some(block) = block {
            return (IdHolder::Block, block);
        }
        let of_init = event == HardEvent::M_MTE1
            && id < CUBE_RESERVED_IDS
            && self.spec.reserves_cube_ids(self.kind);
        if of_init {
            (IdHolder::Init, "by TPipe::init".to_owned())
        } else {
            (IdHolder::Lost, "by a block that is gone".to_owned())
        }
    }

    #[cold]
    pub fn wait_never_set(
        &self,
        event: HardEvent,
        id: EventId,
        by: FlagUser,
        at: Place,
    ) -> BufPoolError {
        let (who, help) = match by {
            FlagUser::User => (
                "wait_flag".to_owned(),
                format!("set_flag({event}, {id}) on pipe {} first", event.src()),
            ),
            FlagUser::Layer => (
                "destroy".to_owned(),
                format!("leave {event} {id} as TPipe::init sets it: take ids with alloc_event_id"),
            ),
            FlagUser::Block(block) => return self.block_waits_for_ever(block, event, id, at),
        };
        BufPoolError::WaitNeverSet { who, event, id, trail: self.never_set(event, id, help, at) }
    }

    /// A block waits for a flag that nobody set since: queues of different free events share its
    /// record, or the user waited for the flag himself.
    #[cold]
    pub fn block_waits_for_ever(
        &self,
        block: BlockId,
        event: HardEvent,
        id: EventId,
        at: Place,
    ) -> BufPoolError {
        let record = self.block(block);
        let last = record.queue.map(|queue| self.queue(queue));
        let sharing = || {
            self.queues.iter().filter(|queue| {
                queue.live && queue.blocks().any(|of| of == block) && queue.free_event.is_some()
            })
        };
        let waits = sharing().find(|queue| queue.free_event == Some(event));
        let other = last
            .into_iter()
            .chain(sharing())
            .find_map(|queue| Some((queue, queue.free_event.filter(|&other| other != event)?)));
        let who = match waits.or(last) {
            Some(queue) => format!("a block of the {}", queue.label()),
            None => "a block".to_owned(),
        };
        let (Some(waits), Some((other, other_event))) = (waits, other) else {
            let help = format!(
                "{event} {id} is the block's own flag, and something else waited for it: wait_flag only for ids \
                 of alloc_event_id, and share records only between queues of one free event"
            );
            let trail = self.never_set(event, id, help, at);
            return BufPoolError::WaitNeverSet { who, event, id, trail };
        };
        let freed_at = record.state_at.filter(|_| record.state == BlockState::Free);
        BufPoolError::MixedFreeEvents {
            who,
            event,
            id,
            other: format!("the {}", other.label()),
            other_event,
            trail: Trail::asked(at)
                .maybe_at("freed at", freed_at)
                .at("bound at", waits.init_at)
                .at("and bound at", other.init_at)
                .help("share records only between queues of one free event"),
        }
    }

    fn never_set(&self, event: HardEvent, id: EventId, help: String, at: Place) -> Trail {
        Trail::asked(at).maybe_at("last set at", self.events.last_set_at(event, id)).help(help)
    }
}

/// Two queues stand on the same records: what the one has out, the other lacks.
fn shared_records(queue: &Queue, other: &Queue, trail: Trail) -> Trail {
    let (label, other_label) = (queue.label(), other.label());
    let either = if label == other_label {
        format!("either {label}")
    } else {
        format!("the {label} or the {other_label}")
    };
    trail.at("bound at", queue.init_at).at("and bound at", other.init_at).help(format!(
        "free a tensor of {either}, which have the same records, or give each its own: \
         set_cur_buf_size past those of the first before the next is bound"
    ))
}

/// A handle of another core.
#[cold]
pub(crate) fn other_core(at: Place) -> BufPoolError {
    BufPoolError::OtherPipe {
        what: "the handle".to_owned(),
        trail: Trail::asked(at).help("take the handle from a pool of this TPipe"),
    }
}

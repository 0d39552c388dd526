//! How a queue operation orders the pipes: by flags, by flags held for the life of the block, by
//! a lock id, or not at all. A chip with another way adds a kind of [`BlockSync`] here.
//!
//! | operation | `Flags` | `HeldFlags` (depth 0) | `Lock` |
//! |---|---|---|---|
//! | alloc | wait for and release the free id | wait | source pipe, mode 0 |
//! | enque | take an id, set | set | source pipe, mode 1 |
//! | deque | wait for and release the id | wait | destination pipe, mode 0 |
//! | free | take an id, set | set | destination pipe, mode 1 |

use crate::chip::{CoreKind, SyncPolicy};
use crate::error::Result;
use crate::event::{HardEvent, Pipe};
use crate::model::State;
use crate::model::block::{BlockId, BlockSync, OwnerId, QueueId};
use crate::model::owner::OwnerKind;
use crate::model::queue::Shape;
use crate::model::stream::{Event, FlagUser};
use crate::place::Place;
use crate::position::TPosition;

/// What `num` new blocks need from the core before they can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SyncPlan {
    Flags,
    HeldFlags,
    /// Lock ids, one per block from this one.
    Locks(u8),
    Silent,
}

impl SyncPlan {
    pub fn of_block(self, index: u8) -> BlockSync {
        match self {
            SyncPlan::Flags => BlockSync::Flags,
            SyncPlan::HeldFlags => BlockSync::HeldFlags,
            SyncPlan::Locks(first) => BlockSync::Lock(first + index),
            SyncPlan::Silent => BlockSync::Silent,
        }
    }
}

impl State {
    /// Whether queues of this core are ordered by lock ids.
    pub fn uses_locks(&self) -> bool {
        self.spec.sync == SyncPolicy::Locks && self.kind == CoreKind::AIV
    }

    pub fn sync_alloc(&mut self, queue: QueueId, block: BlockId, at: Place) -> Result<()> {
        let record = self.block(block);
        let (sync, free_id, event) = (record.sync, record.free_id, record.free_event);
        match (sync, event) {
            (BlockSync::Lock(lock), _) => self.pass_lock(queue, lock, Side::Source, 0, at),
            (BlockSync::Flags, Some(event)) => {
                if let Some(id) = free_id {
                    self.wait(event, id, FlagUser::Block(block), at)?;
                    self.events.release(event, id);
                    self.block_mut(block).free_id = None;
                }
            }
            (BlockSync::HeldFlags, Some(event)) => {
                if let Some(id) = free_id {
                    self.wait(event, id, FlagUser::Block(block), at)?;
                }
            }
            (BlockSync::Silent, _) | (_, None) => {}
        }
        Ok(())
    }

    pub fn sync_enque(
        &mut self,
        queue: QueueId,
        block: BlockId,
        event: HardEvent,
        at: Place,
    ) -> Result<()> {
        match self.block(block).sync {
            BlockSync::Lock(lock) => self.pass_lock(queue, lock, Side::Source, 1, at),
            BlockSync::Flags => {
                let id = self.take_id(event, at)?;
                self.block_mut(block).enque_id = Some(id);
                self.set(event, id, FlagUser::Block(block), at);
            }
            BlockSync::HeldFlags => {
                if let Some(id) = self.block(block).enque_id {
                    self.set(event, id, FlagUser::Block(block), at);
                }
            }
            BlockSync::Silent => {}
        }
        Ok(())
    }

    pub fn sync_deque(
        &mut self,
        queue: QueueId,
        block: BlockId,
        event: HardEvent,
        at: Place,
    ) -> Result<()> {
        let record = self.block(block);
        let (sync, id) = (record.sync, record.enque_id);
        match sync {
            BlockSync::Lock(lock) => self.pass_lock(queue, lock, Side::Destination, 0, at),
            BlockSync::Flags => {
                if let Some(id) = id {
                    self.wait(event, id, FlagUser::Block(block), at)?;
                    self.events.release(event, id);
                    self.block_mut(block).enque_id = None;
                }
            }
            BlockSync::HeldFlags => {
                if let Some(id) = id {
                    self.wait(event, id, FlagUser::Block(block), at)?;
                }
            }
            BlockSync::Silent => {}
        }
        Ok(())
    }

    pub fn sync_free(&mut self, queue: QueueId, block: BlockId, at: Place) -> Result<()> {
        let record = self.block(block);
        let (sync, held) = (record.sync, record.free_id);
        let event = self.queue(queue).free_event;
        match (sync, event) {
            (BlockSync::Lock(lock), _) => self.pass_lock(queue, lock, Side::Destination, 1, at),
            (BlockSync::Flags, Some(event)) if self.signals_free(queue) => {
                let id = self.take_id(event, at)?;
                self.block_mut(block).free_id = Some(id);
                self.set(event, id, FlagUser::Block(block), at);
            }
            (BlockSync::HeldFlags, Some(event)) => {
                if let Some(id) = held {
                    self.set(event, id, FlagUser::Block(block), at);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Whether `deque` of a depth 0 queue changes the state of its block. The flag form leaves it
    /// at ENQUE; the lock form goes the ordinary way, counters included.
    pub fn in_place_deque_shows(&self, block: BlockId) -> bool {
        matches!(self.block(block).sync, BlockSync::Lock(_))
    }

    /// A cube core hears from vector cores through TSCM, but does not tell them when it is done.
    fn signals_free(&self, queue: QueueId) -> bool {
        let shape = &self.queue(queue).shape;
        !(self.spec.has_split_cores()
            && shape.dst == TPosition::TSCM
            && shape.src != TPosition::GM)
    }

    /// How the blocks of a queue that is about to be initialised will be ordered.
    pub fn plan_sync(&self, shape: &Shape, owner: OwnerId) -> SyncKind {
        let tscm = shape.dst == TPosition::TSCM;
        let vector_core = self.spec.has_split_cores() && self.kind == CoreKind::AIV;
        if tscm && vector_core {
            return SyncKind::Silent;
        }
        if self.uses_locks() {
            return SyncKind::Locks;
        }
        match (shape.depth, self.owner(owner).kind) {
            (Some(0), OwnerKind::Pipe) => SyncKind::HeldFlags,
            _ => SyncKind::Flags,
        }
    }

    /// One get and release of a lock id on a pipe of the queue's route.
    fn pass_lock(&mut self, queue: QueueId, lock: u8, side: Side, mode: u8, at: Place) {
        let event = self.queue(queue).enque_event.unwrap_or(HardEvent::V_V);
        let pipe = match side {
            Side::Source => event.src(),
            Side::Destination => event.dst(),
        };
        if self.spec.has_pipe(self.kind, pipe) {
            self.emit(&Event::GetBuf { pipe, lock, mode }, at);
            self.emit(&Event::RlsBuf { pipe, lock, mode }, at);
        }
    }
}

/// What kind of order the blocks of a queue will have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SyncKind {
    Flags,
    HeldFlags,
    Locks,
    Silent,
}

/// The two ends of a queue's route.
#[derive(Clone, Copy, Debug)]
enum Side {
    Source,
    Destination,
}

/// A barrier is the flag of a pipe with itself.
pub(crate) fn barrier_of(event: HardEvent) -> Option<Pipe> {
    (event.src() == event.dst()).then(|| event.src())
}


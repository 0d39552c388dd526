//! How a queue operation orders the pipes: by flags, by flags held for the life of the block, by
//! a lock id, or not at all. A chip with another way adds a kind of [`BlockSync`] here.
//!
//! | operation | `Flags` | `HeldFlags` (depth 0) | `Lock` |
//! |---|---|---|---|
//! | alloc | wait for and release the free id | wait | source pipe, mode 0 |
//! | enque | take an id, set | set | source pipe, mode 1 |
//! | deque | wait for and release the id | wait | destination pipe, mode 0 |
//! | free | take an id, set | set | destination pipe, mode 1 |
//!
//! A lock id passes by a get and a release right after it: the release of mode 1 comes after the
//! pipe's work on the block, the get of mode 0 before it.

use crate::chip::{ChipSpec, CoreKind, SyncPolicy};
use crate::error::{BufPoolError, Result, Trail};
use crate::event::{HardEvent, Pipe};
use crate::model::State;
use crate::model::block::{BlockId, BlockSync, OwnerId, QueueId};
use crate::model::fifo::Entry;
use crate::model::owner::OwnerKind;
use crate::model::queue::{Shape, Way};
use crate::model::stream::{Event, FlagUser};
use crate::place::Place;
use crate::position::TPosition;

impl State {
    /// Whether queues of this core are ordered by lock ids.
    pub fn uses_locks(&self) -> bool {
        self.has_locks() && self.kind == CoreKind::AIV
    }

    #[inline]
    pub fn sync_alloc(&mut self, queue: QueueId, block: BlockId, at: Place) -> Result<()> {
        let record = self.block(block);
        let (sync, free_id) = (record.sync, record.free_id);
        // The queue's event, not the record's: in a ring of queues of different events this is a
        // flag that nobody set.
        let event = self.queue(queue).free_event;
        match (sync, event) {
            (BlockSync::Lock, _) => {
                let (source, _) = lock_pipes(self.queue(queue).own_way());
                self.pass_lock(block, source, 0, at)?;
            }
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

    #[inline]
    pub fn sync_enque(&mut self, block: BlockId, way: Way, at: Place) -> Result<()> {
        match self.sync_on(block, way) {
            BlockSync::Lock => self.pass_lock(block, lock_pipes(way).0, 1, at)?,
            BlockSync::Flags => {
                let id = self.take_id(way.event, at)?;
                let record = self.block_mut(block);
                // The lock id lies over the enqueue id: see `Block::lock`.
                (record.enque_id, record.lock) = (Some(id), None);
                self.set(way.event, id, FlagUser::Block(block), at);
            }
            BlockSync::HeldFlags => {
                if let Some(id) = self.block(block).enque_id {
                    self.set(way.event, id, FlagUser::Block(block), at);
                }
            }
            BlockSync::Silent => {}
        }
        Ok(())
    }

    /// `entry`: what the enqueue left in the queue; none for depth 0.
    #[inline]
    pub fn sync_deque(
        &mut self,
        queue: QueueId,
        block: BlockId,
        way: Way,
        entry: Option<Entry>,
        at: Place,
    ) -> Result<()> {
        let id = self.block(block).enque_id;
        match self.sync_on(block, way) {
            BlockSync::Lock => self.pass_lock(block, lock_pipes(way).1, 0, at)?,
            BlockSync::Flags => {
                self.check_same_way(queue, way, entry, at)?;
                if let Some(id) = id {
                    self.wait(way.event, id, FlagUser::Block(block), at)?;
                    self.events.release(way.event, id);
                }
                let record = self.block_mut(block);
                (record.enque_id, record.lock) = (None, None);
            }
            BlockSync::HeldFlags => {
                if let Some(id) = id {
                    self.wait(way.event, id, FlagUser::Block(block), at)?;
                }
            }
            BlockSync::Silent => {}
        }
        Ok(())
    }

    #[inline]
    pub fn sync_free(&mut self, queue: QueueId, block: BlockId, at: Place) -> Result<()> {
        let record = self.block(block);
        let (sync, held) = (record.sync, record.free_id);
        let event = self.queue(queue).free_event;
        match (sync, event) {
            (BlockSync::Lock, _) => {
                let (_, destination) = lock_pipes(self.queue(queue).own_way());
                self.pass_lock(block, destination, 1, at)?;
            }
            (BlockSync::Flags, Some(event)) if self.signals_free(&self.queue(queue).shape) => {
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

    /// Whether the in-place operations of depth 0 go through states and counters like those of
    /// other depths. The layers that know only flags leave the state at ENQUE.
    #[inline]
    pub fn in_place_is_ordinary(&self) -> bool {
        self.has_locks()
    }

    /// What an enqueue waits for that was not dequeued since, by the block's own ids.
    pub fn is_enque_pending(&self, block: BlockId) -> bool {
        let record = self.block(block);
        record.enque_id.is_some() || (record.sync == BlockSync::Flags && record.lock.is_some())
    }

    /// How the blocks of a queue that is about to be initialised will be ordered.
    pub fn plan_sync(&self, shape: &Shape, owner: OwnerId) -> BlockSync {
        let tscm = shape.dst == TPosition::TSCM;
        let vector_core = self.spec.has_split_cores() && self.kind == CoreKind::AIV;
        match self.spec.sync {
            _ if shape.depth.is_none() || (tscm && vector_core) => BlockSync::Silent,
            SyncPolicy::Locks if tscm && shape.src != TPosition::GM => BlockSync::Silent,
            SyncPolicy::Locks if tscm || vector_core => BlockSync::Lock,
            SyncPolicy::Flags | SyncPolicy::Locks => match (shape.depth, self.owner(owner).kind) {
                (Some(0), OwnerKind::Pipe) => BlockSync::HeldFlags,
                _ => BlockSync::Flags,
            },
        }
    }

    /// What a reset of UB on a chip with lock ids consists of: barriers of the pipes that use it.
    pub fn finish_pipes(&mut self, at: Place) {
        const PIPES: [Pipe; 3] = [Pipe::MTE2, Pipe::MTE3, Pipe::V];
        for pipe in PIPES {
            if self.spec.has_pipe(self.kind, pipe) && self.spec.has_barrier(pipe) {
                self.emit(&Event::Barrier { pipe: Some(pipe) }, at);
            }
        }
        self.emit(&Event::PipesFinished { pipes: &PIPES }, at);
    }

    /// Lets one pipe wait for the work of another over a lock id that no block has.
    pub fn hand_over(&mut self, lock: u8, from: Pipe, to: Pipe, at: Place) {
        self.get_and_release(from, lock, 1, at);
        self.get_and_release(to, lock, 0, at);
    }

    /// A cube core hears from vector cores through TSCM, but does not tell them when it is done.
    #[inline]
    pub fn signals_free(&self, shape: &Shape) -> bool {
        !(self.spec.has_split_cores() && shape.dst == TPosition::TSCM && shape.src != TPosition::GM)
    }

    /// How an operation on this way is ordered: with positions of the user, a chip that has lock
    /// ids uses them on both cores.
    #[inline]
    fn sync_on(&self, block: BlockId, way: Way) -> BlockSync {
        if way.named && self.has_locks() { BlockSync::Lock } else { self.block(block).sync }
    }

    /// A flag must be waited for by the event that it was set with.
    #[inline]
    fn check_same_way(
        &self,
        queue: QueueId,
        way: Way,
        entry: Option<Entry>,
        at: Place,
    ) -> Result<()> {
        match entry {
            Some(entry) if entry.event != way.event => {
                Err(self.positions_differ(queue, way, entry, at))
            }
            _ => Ok(()),
        }
    }

    #[cold]
    fn positions_differ(&self, queue: QueueId, way: Way, entry: Entry, at: Place) -> BufPoolError {
        BufPoolError::PositionsDiffer {
            queue: format!("the {}", self.queue(queue).label()),
            enqueued: entry.event,
            asked: way.event,
            trail: Trail::asked(at)
                .at("enqueued at", entry.at)
                .help("name the same two positions in enque and deque"),
        }
    }

    #[inline(never)]
    fn pass_lock(&mut self, block: BlockId, pipe: Pipe, mode: u8, at: Place) -> Result<()> {
        let record = self.block(block);
        let Some(lock) = record.lock.or(record.enque_id) else {
            return Err(self.no_lock_id(block, at));
        };
        self.get_and_release(pipe, lock, mode, at);
        Ok(())
    }

    fn get_and_release(&mut self, pipe: Pipe, lock: u8, mode: u8, at: Place) {
        if self.spec.has_pipe(self.kind, pipe) {
            self.emit(&Event::GetBuf { pipe, lock, mode }, at);
            self.emit(&Event::RlsBuf { pipe, lock, mode }, at);
        }
    }
}

fn lock_pipes(way: Way) -> (Pipe, Pipe) {
    ChipSpec::lock_pipes(way.src, way.dst)
}

/// A barrier is the flag of a pipe with itself.
pub(crate) const fn barrier_of(event: HardEvent) -> Option<Pipe> {
    if event.src() as u8 == event.dst() as u8 { Some(event.src()) } else { None }
}

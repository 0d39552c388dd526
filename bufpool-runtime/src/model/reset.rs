//! Letting go: reset of a pool, reset and destroy of the pipe.

use crate::chip::{CUBE_RESERVED_IDS, PIPE_RESET_LOCK, POOL_RESET_LOCK, PoolDrop, PoolReset};
use crate::error::{BufPoolError, Result, Trail};
use crate::event::{HardEvent, Pipe};
use crate::model::State;
use crate::model::block::{Block, BlockState, OwnerId};
use crate::model::locks::LockRange;
use crate::model::owner::{LostRange, OwnerKind};
use crate::model::stream::{Ended, Event, FlagUser};
use crate::place::Place;
use crate::position::Hardware;

impl State {
    /// `Reset` of a pool, by the chip's policy.
    pub fn reset_pool(&mut self, id: OwnerId, at: Place) -> Result<()> {
        self.end_pool(id, Ended::PoolReset, at)
    }

    fn end_pool(&mut self, id: OwnerId, how: Ended, at: Place) -> Result<()> {
        let records = self.owner(id).used_records();
        match self.spec.pool_reset {
            PoolReset::Empties => {
                let ids = self.ids_held(records.clone());
                self.wait_for_frees(records, false, at)?;
                self.note_lost_range(id, at);
                let owner = self.owner_mut(id);
                (owner.start, owner.cursor, owner.len, owner.used) = (0, 0, 0, 0);
                owner.init_at = None;
                self.end_owner(id, how, ids, at);
            }
            PoolReset::Rewinds => self.rewind_pool(id, how, at)?,
        }
        Ok(())
    }

    /// The end of a pool's life, by the chip's policy. Whatever was made from it is stale.
    pub fn drop_pool(&mut self, id: OwnerId, at: Place) -> Result<()> {
        match self.spec.pool_drop {
            PoolDrop::Leaves if self.owner(id).kind == OwnerKind::TBufPool => {
                let ids = self.ids_held(self.owner(id).used_records());
                self.end_owner(id, Ended::PoolDropped, ids, at);
                Ok(())
            }
            PoolDrop::Leaves | PoolDrop::Resets => self.end_pool(id, Ended::PoolDropped, at),
        }
    }

    /// `TPipe::Reset`: waits for the free ids of FREE blocks of the pipe, then all is as new.
    pub fn reset_pipe(&mut self, at: Place) -> Result<()> {
        self.check_live(at)?;
        self.wait_for_pipe_frees(at)?;
        if self.uses_locks() {
            self.hand_over(PIPE_RESET_LOCK, Pipe::V, Pipe::MTE3, at);
            self.finish_pipes(at);
        }
        self.end_all(Ended::PipeReset, at);
        self.clear();
        Ok(())
    }

    /// `TPipe::Destroy`: the same waits, then a barrier of all pipes.
    pub fn destroy(&mut self, at: Place) -> Result<()> {
        self.check_live(at)?;
        self.check_cube_ids(at)?;
        self.wait_for_pipe_frees(at)?;
        self.give_back_cube_ids(at)?;
        self.emit(&Event::Barrier { pipe: None }, at);
        self.locks.release_all();
        self.end_all(Ended::Destroyed, at);
        self.live = false;
        Ok(())
    }

    /// The user's pipe is gone. That has no place: what is told of it is told at the place where the
    /// pipe was made.
    pub fn drop_pipe(&mut self) {
        // What hangs in destroy is in the report; a drop cannot return it.
        if self.live && self.destroy(self.made_at).is_ok() {
            self.pipe.ended = Some((Ended::Destroyed, None));
        }
        self.live = false;
        self.pipe.dropped = true;
    }

    /// `TPipe::Init`: clears what a destroyed pipe left, or drops all blocks of a live one.
    pub fn init_pipe(&mut self, at: Place) {
        if self.live {
            self.end_all(Ended::PipeInit, at);
        }
        self.clear();
        self.live = true;
        self.owner_mut(OwnerId::PIPE).init_at = Some(at);
        if self.spec.reserves_cube_ids(self.kind) {
            for _ in 0..CUBE_RESERVED_IDS {
                if let Some(id) = self.events.reserve(HardEvent::M_MTE1, at) {
                    self.set(HardEvent::M_MTE1, id, FlagUser::Layer, at);
                }
            }
        }
    }

    fn wait_for_pipe_frees(&mut self, at: Place) -> Result<()> {
        // Only FREE blocks are waited for: a depth 0 block that is out has its id cleared first.
        let records = self.pipe.used_records();
        if records.is_empty() {
            return Ok(());
        }
        let mut kept = Vec::new();
        for block in records.clone() {
            let record = &mut self.blocks[block];
            if record.state != BlockState::Free {
                kept.push((block, record.free_id.take()));
            }
        }
        let waited = self.wait_for_frees(records, false, at);
        if waited.is_err() {
            for (block, id) in kept {
                self.blocks[block].free_id = id;
            }
        }
        waited
    }

    /// Whether the flags that `init_pipe` set are still there: the user may have waited for one.
    fn check_cube_ids(&self, at: Place) -> Result<()> {
        let event = HardEvent::M_MTE1;
        let missing = |&id: &u8| self.events.waits(event) && !self.events.is_set(event, id);
        let ids = if self.spec.reserves_cube_ids(self.kind) { CUBE_RESERVED_IDS } else { 0 };
        match (0..ids).find(missing) {
            Some(id) => Err(self.wait_never_set(event, id, FlagUser::Layer, at)),
            None => Ok(()),
        }
    }

    fn give_back_cube_ids(&mut self, at: Place) -> Result<()> {
        if self.spec.reserves_cube_ids(self.kind) {
            for id in 0..CUBE_RESERVED_IDS {
                self.wait(HardEvent::M_MTE1, id, FlagUser::Layer, at)?;
                self.events.release(HardEvent::M_MTE1, id);
            }
        }
        Ok(())
    }

    /// Everything that the pipe knows goes; set flags stay, they are the machine's.
    fn clear(&mut self) {
        self.cursors = [0; Hardware::COUNT];
        self.tscm = self.spec.tscm_top;
        self.events.release_all();
        self.locks.release_all();
        let used = self.owner(OwnerId::PIPE).used_records();
        self.blocks[used].fill(Block::EMPTY);
        self.owner_mut(OwnerId::PIPE).used = 0;
        self.lost.clear();
    }

    /// The range of a pool that is about to be emptied: nobody can hand it out again before
    /// `TPipe::reset`, unless another pool has it too.
    fn note_lost_range(&mut self, id: OwnerId, at: Place) {
        let owner = self.owner(id);
        if owner.init_at.is_none() {
            return;
        }
        let (memory, start, end) = (owner.hardware, owner.start, owner.end() as u32);
        let pool = owner.name;
        // A pool that shares its range loses the same bytes at each reset.
        let holds =
            |lost: &&mut LostRange| lost.memory == memory && lost.start <= start && end <= lost.end;
        if let Some(known) = self.lost.iter_mut().find(holds) {
            if (known.start, known.end) == (start, end) {
                (known.pool, known.at) = (pool, at);
            }
            return;
        }
        match self.lost.last_mut() {
            // One line of a loop: one entry.
            Some(last) if last.at == at && last.memory == memory && last.end == start => {
                last.end = end;
            }
            _ => self.lost.push(LostRange { memory, start, end, pool, at }),
        }
    }

    /// The pipe and its pools let go of their blocks.
    fn end_all(&mut self, how: Ended, at: Place) {
        let ids = self.ids_held(self.owner(OwnerId::PIPE).used_records());
        self.end_queues(|owner| owner != OwnerId::PIPE);
        for pool in &mut self.pools {
            pool.epoch += 1;
            pool.init_at = None;
            pool.ended = None;
            (pool.locks, pool.locks_taken) = (LockRange::EMPTY, 0);
        }
        self.end_owner(OwnerId::PIPE, how, ids, at);
    }

    /// Marks whatever was made from the owner as stale.
    pub fn end_owner(&mut self, id: OwnerId, how: Ended, ids_lost: u32, at: Place) {
        self.end_queues(|owner| owner == id);
        let owner = self.owner_mut(id);
        owner.epoch += 1;
        owner.ended = Some((how, Some(at)));
        self.emit(&Event::Ended { owner: id, how, ids_lost }, at);
    }

    /// Event ids that the records hold.
    fn ids_held(&self, records: std::ops::Range<usize>) -> u32 {
        self.blocks[records]
            .iter()
            .map(|block| u32::from(block.free_id.is_some()) + u32::from(block.enque_id.is_some()))
            .sum()
    }

    /// The form that keeps start and length, and gives back neither lock ids nor event ids.
    fn rewind_pool(&mut self, id: OwnerId, how: Ended, at: Place) -> Result<()> {
        let owner = self.owner(id);
        let records = owner.used_records();
        let ids = self.ids_held(records.clone());
        match (owner.hardware, owner.kind) {
            (Hardware::UB, _) => self.finish_pipes(at),
            (_, OwnerKind::TBufPool) if !records.is_empty() => return Err(self.no_reset(id, at)),
            _ => {
                self.wait_for_frees(records, false, at)?;
                self.hand_over(POOL_RESET_LOCK, Pipe::MTE1, Pipe::MTE2, at);
            }
        }
        let owner = self.owner_mut(id);
        owner.cursor = owner.start;
        owner.used = 0;
        self.end_owner(id, how, ids, at);
        Ok(())
    }

    /// The reset of a `TBufPool` in L1 passes the lock ids of its blocks, which have none.
    fn no_reset(&self, id: OwnerId, at: Place) -> BufPoolError {
        let owner = self.owner(id);
        BufPoolError::NoReset {
            chip: self.chip,
            pool: owner.name.to_string(),
            memory: owner.hardware,
            trail: Trail::asked(at)
                .maybe_at("pool from", owner.init_at)
                .help("use a custom pool in L1, or TPipe::reset"),
        }
    }
}

//! Which blocks and pools have lock ids (Ascend950). Elsewhere every request is answered with none.
//!
//! | who | its lock ids |
//! |---|---|
//! | block of the pipe, vector core | the lowest free one |
//! | block of the pipe, cube core | none, except TSCM from GM: the lowest free one |
//! | TSCM block that a vector core fills | an id of its own kind, from 11 down |
//! | pool of the pipe | as many as it declares, on both cores |
//! | nested pool, sharing pool | what the other pool has left, without taking it |
//! | queue block of a TBufPool | UB: the next one of the pool; L1: none |
//! | block `i` of a queue of a custom pool | vector core: the pool's id `i`; cube core: none |
//!
//! A reset of a pool gives no id back to it.

use crate::chip::{CoreKind, FIRST_CROSS_ID, LOCK_IDS, SyncPolicy};
use crate::error::{BufPoolError, Result, Trail};
use crate::model::State;
use crate::model::block::{BlockId, OwnerId, QueueId};
use crate::model::locks::LockRange;
use crate::model::pool::PoolShape;
use crate::model::queue::Shape;
use crate::model::site::Site;
use crate::place::Place;
use crate::position::{Hardware, TPosition};

/// Lock ids of the blocks of one queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BlockLocks {
    None,
    Up(LockRange),
    /// From this one down.
    Down(u8),
}

impl BlockLocks {
    /// The id of block `index` of the queue.
    pub fn of_block(self, index: u8) -> Option<u8> {
        match self {
            BlockLocks::None => None,
            BlockLocks::Up(range) => range.get(index),
            BlockLocks::Down(first) => first.checked_sub(index),
        }
    }
}

impl State {
    /// Whether the chip has lock ids, on whichever core.
    pub fn has_locks(&self) -> bool {
        self.spec.sync == SyncPolicy::Locks
    }

    /// Lock ids for `num` blocks of the pipe.
    pub fn take_pipe_locks(
        &mut self,
        shape: &Shape,
        site: Site,
        num: u32,
        at: Place,
    ) -> Result<BlockLocks> {
        if !self.has_locks() || shape.depth.is_none() {
            return Ok(BlockLocks::None);
        }
        let tscm = shape.dst == TPosition::TSCM;
        if tscm && shape.src != TPosition::GM {
            let first = self.locks.take_cross(num).map(BlockLocks::Down);
            return first.ok_or_else(|| BufPoolError::LockIdsExhausted {
                what: format!("the {}", shape.label(site.position)),
                asked: num,
                free: self.locks.free_cross(),
                limit: u32::from(FIRST_CROSS_ID) + 1,
                trail: Trail::asked(at)
                    .help("use fewer TSCM blocks: each takes an id that both cores know"),
            });
        }
        if !tscm && self.kind == CoreKind::AIC {
            return Ok(BlockLocks::None);
        }
        match self.locks.take(num) {
            Some(range) => Ok(BlockLocks::Up(range)),
            None => {
                Err(self.locks_exhausted(format!("the {}", shape.label(site.position)), num, at))
            }
        }
    }

    /// Lock ids for all blocks that a pool declares.
    pub fn take_pool_locks(
        &mut self,
        shape: PoolShape,
        parent: OwnerId,
        shares: Option<OwnerId>,
        at: Place,
    ) -> Result<LockRange> {
        if !self.has_locks() {
            return Ok(LockRange::EMPTY);
        }
        if let Some(other) = shares.or((parent != OwnerId::PIPE).then_some(parent)) {
            return Ok(self.owner(other).locks);
        }
        let num = u32::from(shape.size);
        self.locks
            .take(num)
            .ok_or_else(|| self.locks_exhausted(format!("pool `{}`", shape.name), num, at))
    }

    /// Lock ids of a `TBufPool` for `num` blocks of a queue.
    pub fn take_block_locks(
        &mut self,
        pool: OwnerId,
        shape: &Shape,
        what: &str,
        num: u32,
        at: Place,
    ) -> Result<BlockLocks> {
        let owner = self.owner(pool);
        if !self.has_locks() || shape.depth.is_none() || owner.hardware != Hardware::UB {
            return Ok(BlockLocks::None);
        }
        let range = owner.locks;
        let Some(left) = range.without(num) else {
            return Err(self.pool_locks_exhausted(pool, what.to_owned(), num, at));
        };
        self.owner_mut(pool).locks = left;
        Ok(BlockLocks::Up(range))
    }

    /// The lock id of block `index` of a queue or TBuf of a custom pool. A cube core checks that
    /// there is one and does not use it.
    #[inline]
    pub fn handle_lock(
        &self,
        pool: OwnerId,
        queue: QueueId,
        index: u8,
        at: Place,
    ) -> Result<Option<u8>> {
        if !self.has_locks() {
            return Ok(None);
        }
        let Some(lock) = self.owner(pool).locks.get(index) else {
            let what = format!("the {}", self.queue(queue).label());
            return Err(self.pool_locks_exhausted(pool, what, u32::from(index) + 1, at));
        };
        Ok((self.kind == CoreKind::AIV).then_some(lock))
    }

    fn locks_exhausted(&self, what: String, num: u32, at: Place) -> BufPoolError {
        BufPoolError::LockIdsExhausted {
            what,
            asked: num,
            free: self.locks.free(),
            limit: u32::from(LOCK_IDS),
            trail: self.lock_holders(Trail::asked(at)).help(
                "use fewer blocks, or pools that declare fewer: each takes a lock id until TPipe::reset",
            ),
        }
    }

    fn pool_locks_exhausted(
        &self,
        pool: OwnerId,
        what: String,
        num: u32,
        at: Place,
    ) -> BufPoolError {
        let owner = self.owner(pool);
        let trail = self.block_holders(pool, Trail::asked(at));
        BufPoolError::LockIdsExhausted {
            what,
            asked: num,
            free: u32::from(owner.locks.num),
            limit: owner.size,
            trail: if owner.locks_taken == 0 {
                trail.help(
                    "it has the lock ids that the other pool had left: initialise it before the \
                     other pool carves, or let the other pool declare more blocks",
                )
            } else {
                trail.help("declare more blocks in the pool: a reset does not give lock ids back")
            },
        }
    }

    /// A block that must be locked and has no lock id.
    pub fn no_lock_id(&self, block: BlockId, at: Place) -> BufPoolError {
        let queue = self.block(block).queue.map(|id| self.queue(id));
        let help = match self.kind {
            CoreKind::AIV => {
                "take the queue from TPipe::init_buffer or a custom pool: a TBufPool in L1 has no \
                 lock ids for its blocks"
            }
            CoreKind::AIC => "leave the positions out on a cube core: its queues go by flags",
        };
        BufPoolError::NoLockId {
            what: queue.map_or_else(
                || "a block".to_owned(),
                |queue| format!("a block of the {}", queue.label()),
            ),
            kind: self.kind,
            trail: Trail::asked(at)
                .maybe_at("block from", queue.map(|queue| queue.init_at))
                .help(help),
        }
    }
}

//! Lock ids for blocks and pools (Ascend950). On other chips every request is answered with none.

use crate::chip::LOCK_IDS;
use crate::error::{BufPoolError, Result, Trail};
use crate::model::State;
use crate::model::block::OwnerId;
use crate::model::owner::LockRange;
use crate::model::pipe::{Site, sized};
use crate::model::pool::PoolShape;
use crate::model::queue::Shape;
use crate::place::Place;

impl State {
    /// Lock ids for `num` blocks of the pipe; the first of them.
    pub fn take_locks(&mut self, shape: &Shape, site: Site, num: u32, at: Place) -> Result<u8> {
        match self.locks.take(num) {
            Some(first) => Ok(first),
            None => Err(self.locks_exhausted(sized(shape, site, num, 32), num, at)),
        }
    }

    /// Lock ids for all blocks that a pool declares. A sharing pool and a child use those of the
    /// pool whose bytes they have.
    pub fn take_pool_locks(
        &mut self,
        shape: PoolShape,
        parent: OwnerId,
        shares: Option<OwnerId>,
        at: Place,
    ) -> Result<Option<LockRange>> {
        if !self.uses_locks() {
            return Ok(None);
        }
        let num = u32::from(shape.size);
        if parent == OwnerId::PIPE && shares.is_none() {
            let Some(first) = self.locks.take(num) else {
                return Err(self.locks_exhausted(format!("pool `{}`", shape.name), num, at));
            };
            return Ok(Some(LockRange { first, num: shape.size, next: 0 }));
        }
        let of = self.owner(shares.unwrap_or(parent));
        Ok(of.locks.map(|locks| LockRange { next: 0, ..locks }))
    }

    /// Lock ids of a pool for `num` blocks of a queue; the first of them.
    pub fn take_block_locks(
        &mut self,
        pool: OwnerId,
        shape: &Shape,
        what: &str,
        num: u32,
        at: Place,
    ) -> Result<Option<u8>> {
        let Some(locks) = self.owner(pool).locks.filter(|_| shape.depth.is_some()) else {
            return Ok(None);
        };
        let free = u32::from(locks.num - locks.next);
        if num > free {
            return Err(BufPoolError::LockIdsExhausted {
                what: what.to_owned(),
                asked: num,
                free,
                limit: u32::from(locks.num),
                trail: self
                    .block_holders(pool, Trail::asked(at))
                    .help("declare more blocks in the pool: a reset does not give lock ids back"),
            });
        }
        let first = locks.first + locks.next;
        self.owner_mut(pool).locks = Some(LockRange { next: locks.next + num as u8, ..locks });
        Ok(Some(first))
    }

    fn locks_exhausted(&self, what: String, num: u32, at: Place) -> BufPoolError {
        BufPoolError::LockIdsExhausted {
            what,
            asked: num,
            free: self.locks.free(),
            limit: u32::from(LOCK_IDS),
            trail: self
                .block_holders(OwnerId::PIPE, Trail::asked(at))
                .help("use fewer blocks, or pools that declare fewer: each takes a lock id"),
        }
    }
}

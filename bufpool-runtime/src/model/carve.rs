//! Carving queues and TBufs out of a `TBufPool`: the next records, the bytes at the cursor.

use crate::error::{BufPoolError, Result, Trail};
use crate::model::State;
use crate::model::alloc;
use crate::model::bind::{NewBlock, Records};
use crate::model::block::{OwnerId, QueueId};
use crate::model::owner::{COUNT_GOES_ON, declare_help};
use crate::model::queue::Shape;
use crate::model::site::{Site, sized};
use crate::model::stream::Placement;
use crate::place::Place;

impl State {
    /// `TBufPool::InitBuffer`: the next records, at the cursor of the pool.
    pub fn carve(
        &mut self,
        pool: OwnerId,
        slot: Option<QueueId>,
        shape: Shape,
        num: u32,
        len: u32,
        at: Place,
    ) -> Result<QueueId> {
        self.check_live(at)?;
        self.check_pool(pool, at)?;
        let site = self.site_in_pool(pool, &shape, num, len, at)?;
        let what = sized(&shape, site, num, len);
        self.check_records(pool, &what, num, at)?;
        let owner = self.owner(pool);
        let limit = u32::try_from(owner.end()).unwrap_or(u32::MAX);
        let Some(placed) = alloc::place(owner.cursor, limit, num, len) else {
            return Err(self.pool_overflow(pool, &what, alloc::total(num, len), at));
        };
        let locks = self.take_block_locks(pool, &shape, &what, num, at)?;
        let sync = self.plan_sync(&shape, pool);
        let owner = self.owner_mut(pool);
        let records = Records {
            owner: pool,
            first: owner.block(owner.used),
            num: num as u8,
            len: placed.stride,
        };
        owner.cursor = placed.cursor;
        owner.used += records.num;
        let id = self.bind(slot, shape, site, records, at);
        for index in 0..records.num {
            let block = NewBlock {
                index,
                addr: placed.first + u32::from(index) * placed.stride,
                len: placed.stride,
                sync,
                lock: locks.of_block(index),
                placement: Placement::Cursor,
            };
            self.write_block(id, records.block(index), block, at);
        }
        Ok(id)
    }

    /// What a queue or TBuf is on this chip, if the pool can have it.
    pub fn site_in_pool(
        &self,
        pool: OwnerId,
        shape: &Shape,
        num: u32,
        len: u32,
        at: Place,
    ) -> Result<Site> {
        if shape.depth == Some(0) && !self.uses_locks() {
            return Err(BufPoolError::DepthZeroInPool {
                trail: Trail::asked(at).help("use depth 1, or TPipe::init_buffer"),
            });
        }
        let site = self.site(shape, at)?;
        self.check_memory(pool, shape, site, at)?;
        site.check_count(shape, num, u32::from(u8::MAX), at)?;
        site.check_len(shape, len, at)?;
        Ok(site)
    }

    pub fn check_records(&self, pool: OwnerId, what: &str, num: u32, at: Place) -> Result<()> {
        let owner = self.owner(pool);
        let free = owner.size.saturating_sub(u32::from(owner.used));
        if num <= free {
            return Ok(());
        }
        Err(self.records_exhausted(pool, free, what, num, at))
    }

    pub fn records_exhausted(
        &self,
        pool: OwnerId,
        free: u32,
        what: &str,
        num: u32,
        at: Place,
    ) -> BufPoolError {
        let owner = self.owner(pool);
        let help = if num <= owner.size && !self.has_block_holders(pool) {
            COUNT_GOES_ON.to_owned()
        } else {
            declare_help(owner.kind, owner.position, owner.size - free + num)
        };
        BufPoolError::PoolIdsExhausted {
            pool: owner.name.to_string(),
            position: owner.position,
            what: what.to_owned(),
            asked: num,
            free,
            limit: owner.size,
            trail: self.block_holders(pool, Trail::asked(at)).help(help),
        }
    }

    fn check_memory(&self, pool: OwnerId, shape: &Shape, site: Site, at: Place) -> Result<()> {
        let owner = self.owner(pool);
        if owner.hardware == site.hardware {
            return Ok(());
        }
        Err(BufPoolError::WrongMemory {
            pool: owner.name.to_string(),
            position: owner.position,
            memory: owner.hardware,
            what: format!("the {}", shape.label(site.position)),
            other: site.hardware,
            trail: Trail::asked(at)
                .maybe_at("pool from", owner.init_at)
                .help(format!("carve it from a pool at a position of {}", site.hardware)),
        })
    }

    pub fn pool_overflow(&self, pool: OwnerId, what: &str, asked: u64, at: Place) -> BufPoolError {
        let owner = self.owner(pool);
        let free = owner.end().saturating_sub(u64::from(owner.cursor));
        let needed = (u64::from(owner.cursor) + asked).saturating_sub(u64::from(owner.start));
        BufPoolError::PoolOverflow {
            pool: owner.name.to_string(),
            position: owner.position,
            what: what.to_owned(),
            asked,
            free,
            limit: u64::from(owner.len),
            trail: self.pool_holders(pool, Trail::asked(at)).help(format!(
                "give the pool {needed} bytes in init_buf_pool, or use fewer or smaller blocks"
            )),
        }
    }
}

//! What the author of a custom pool does to it: cursor and count, and the two calls that bind a
//! queue to records and write them.

use crate::error::{BufPoolError, Result, Trail};
use crate::event::HardEvent;
use crate::model::State;
use crate::model::alloc::align_up;
use crate::model::bind::{NewBlock, Records};
use crate::model::block::{BlockId, OwnerId, QueueId, TBufHandle};
use crate::model::owner::{OwnerKind, declare_help};
use crate::model::queue::Shape;
use crate::model::stream::{Event, Placement};
use crate::place::Place;
use crate::position::TPosition;

/// A record as `InitBufHandle` is asked to write it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HandleRecord {
    pub index: u8,
    pub handle: TBufHandle,
    pub addr: u32,
    pub len: u32,
}

impl State {
    /// `InitStartBufHandle`: binds a queue to `num` consecutive records of a custom pool.
    pub fn init_start_buf_handle(
        &mut self,
        slot: Option<QueueId>,
        shape: Shape,
        first: TBufHandle,
        num: u32,
        len: u32,
        at: Place,
    ) -> Result<QueueId> {
        self.check_live(at)?;
        let block = self.resolve(first, at)?;
        let pool = first.owner;
        self.check_custom(pool, at)?;
        self.check_pool(pool, at)?;
        let site = self.site_in_pool(pool, &shape, num, len, at)?;
        self.check_index(pool, u32::from(first.index) + num - 1, at)?;
        if shape.depth.is_none() && self.tbuf_free_event(site.position).is_none() {
            return Err(BufPoolError::NotOnChip {
                chip: self.chip,
                what: format!("TBuf at {} in a custom pool", site.position),
                trail: Trail::asked(at).help("take it from TPipe::init_tbuf or a TBufPool"),
            });
        }
        let records = Records { owner: pool, first: block, num: num as u8, len: align_up(len) };
        Ok(self.bind(slot, shape, site, records, at))
    }

    /// `InitBufHandle`: writes one record of a custom pool for block `index` of a queue.
    pub fn init_buf_handle(
        &mut self,
        id: QueueId,
        pool: OwnerId,
        record: HandleRecord,
        at: Place,
    ) -> Result<()> {
        let HandleRecord { index, handle, addr, len } = record;
        self.check_live(at)?;
        let queue = self.live_queue(id, at)?;
        let (of, num) = (queue.owner, queue.num);
        let the_queue = || format!("the {}", self.queue(id).label());
        if of != pool {
            return Err(self.foreign(the_queue(), of, pool, at));
        }
        if handle.owner != pool {
            return Err(self.foreign("the handle".to_owned(), handle.owner, pool, at));
        }
        self.check_pool(pool, at)?;
        let block = self.resolve(handle, at)?;
        if index >= num {
            return Err(BufPoolError::BadBlockIndex {
                what: the_queue(),
                index: u32::from(index),
                num: u32::from(num),
                trail: Trail::asked(at)
                    .at("bound at", self.queue(id).init_at)
                    .help("pass an index below the number given to init_start_buf_handle"),
            });
        }
        let queue = self.live_queue(id, at)?;
        if !queue.blocks().any(|own| own == block) {
            return Err(self.record_of_another(id, block, handle.index, at));
        }
        if len == 0 {
            return Err(BufPoolError::BadLength {
                what: format!("a block of {}", the_queue()),
                asked: 0,
                trail: Trail::asked(at).help("pass the bytes of one block, at least 1"),
            });
        }
        let bytes = align_up(len);
        let owner = self.owner(pool);
        let end = u64::from(addr) + u64::from(bytes);
        if addr < owner.start || end > owner.end() {
            return Err(self.outside_pool(pool, addr, end, at));
        }
        let lock = self.handle_lock(pool, id, index, at)?;
        let sync = self.plan_sync(&self.queue(id).shape, pool);
        let new = NewBlock { index, addr, len: bytes, sync, lock, placement: Placement::Handle };
        self.write_block(id, block, new, at);
        if self.queue(id).shape.depth.is_none() {
            let position = self.queue(id).position;
            self.block_mut(block).free_event = self.tbuf_free_event(position);
        }
        Ok(())
    }

    /// The cursor or count of a custom pool, set by hand.
    pub fn set_pool_cursor(
        &mut self,
        pool: OwnerId,
        addr: Option<u32>,
        used: Option<u8>,
        at: Place,
    ) {
        let owner = self.owner_mut(pool);
        owner.cursor = addr.unwrap_or(owner.cursor);
        owner.used = used.unwrap_or(owner.used);
        let (addr, count) = (owner.cursor, owner.used);
        if self.is_heard() {
            self.emit(&Event::PoolCursor { owner: pool, addr, count }, at);
        }
    }

    /// `Init` of a custom pool: to nothing, without waiting for anybody.
    pub fn empty_pool(&mut self, pool: OwnerId, at: Place) {
        let owner = self.owner_mut(pool);
        (owner.start, owner.cursor, owner.len, owner.used) = (0, 0, 0, 0);
        (owner.init_at, owner.emptied) = (None, true);
        self.emit(&Event::PoolEmptied { owner: pool }, at);
    }

    /// `index` must be below what the pool declares.
    #[inline]
    pub fn check_index(&self, pool: OwnerId, index: u32, at: Place) -> Result<()> {
        let owner = self.owner(pool);
        if index < owner.size {
            return Ok(());
        }
        Err(BufPoolError::HandleOutOfRange {
            pool: owner.name.to_string(),
            index,
            limit: owner.size,
            trail: Trail::asked(at).help(declare_help(owner.kind, owner.position, index + 1)),
        })
    }

    fn check_custom(&self, pool: OwnerId, at: Place) -> Result<()> {
        if self.owner(pool).kind == OwnerKind::Custom {
            return Ok(());
        }
        Err(BufPoolError::ForeignHandle {
            what: "the handle".to_owned(),
            owner: self.owner(pool).label(),
            expected: "a custom pool".to_owned(),
            trail: Trail::asked(at).help("take the handle from get_buf_handle of a custom pool"),
        })
    }

    fn foreign(&self, what: String, owner: OwnerId, expected: OwnerId, at: Place) -> BufPoolError {
        BufPoolError::ForeignHandle {
            what,
            owner: self.owner(owner).label(),
            expected: self.owner(expected).label(),
            trail: Trail::asked(at)
                .maybe_at("the first from", self.owner(owner).init_at)
                .maybe_at("the other from", self.owner(expected).init_at)
                .help("bind and write with handles of one and the same pool"),
        }
    }

    /// A record that the queue was not bound to: it would never be handed out by this queue, and
    /// one of the queue's own would stay unwritten.
    #[cold]
    fn record_of_another(&self, id: QueueId, block: BlockId, index: u8, at: Place) -> BufPoolError {
        let (queue, pool) = (self.queue(id), self.owner(self.queue(id).owner).label());
        let holder =
            self.queues.iter().find(|other| other.live && other.blocks().any(|own| own == block));
        let first = queue.first.0 + u32::from(index) - block.0;
        let last = first + u32::from(queue.num) - 1;
        BufPoolError::ForeignHandle {
            what: format!("record {index} of {pool}"),
            owner: holder
                .map_or_else(|| "no queue".to_owned(), |other| format!("the {}", other.label())),
            expected: format!("the {}", queue.label()),
            trail: Trail::asked(at)
                .at("bound at", queue.init_at)
                .maybe_at("the other one at", holder.map(|other| other.init_at))
                .help(if first == last {
                    format!("pass the handle of record {first}")
                } else {
                    format!("pass the handles of records {first} to {last}")
                }),
        }
    }

    /// A block outside its pool. A longer pool helps only where its memory goes on that far.
    #[cold]
    fn outside_pool(&self, pool: OwnerId, addr: u32, end: u64, at: Place) -> BufPoolError {
        let owner = self.owner(pool);
        let (start, memory) = (owner.start, owner.hardware);
        let bytes = end - u64::from(addr);
        let help = if addr < start {
            format!(
                "add {start}, the start of the pool: addresses count from the start of {memory}, as get_cur_addr does"
            )
        } else if end <= u64::from(self.spec.capacity(memory)) {
            let needed = end - u64::from(start);
            format!("give the pool {needed} bytes in init_buf_pool, or make the block smaller")
        } else if bytes <= u64::from(owner.len) {
            format!("let the block start at {} or below", owner.end() - bytes)
        } else {
            format!("make the block smaller: the pool has {} bytes", owner.len)
        };
        BufPoolError::OutsidePool {
            pool: owner.name.to_string(),
            addr: u64::from(addr),
            end,
            start: u64::from(start),
            pool_end: owner.end(),
            trail: self.pool_holders(pool, Trail::asked(at)).help(help),
        }
    }

    /// The free event that `InitBufHandle` writes into the record of a TBuf: that of a queue from
    /// its position to itself, which only UB has.
    fn tbuf_free_event(&self, position: TPosition) -> Option<HardEvent> {
        self.spec.route(position, position, false).and_then(|route| route.free)
    }
}

//! Pools: initialising them, carving queues and TBufs, and the two calls of custom pools.

use crate::chip::ChildBlocks;
use crate::error::{BufPoolError, Result, Trail};
use crate::event::HardEvent;
use crate::model::State;
use crate::model::alloc::{self, align_up};
use crate::model::block::{Block, BlockId, OwnerId, QueueId, TBufHandle};
use crate::model::owner::{Owner, OwnerKind};
use crate::model::pipe::{Site, sized};
use crate::model::queue::Shape;
use crate::model::stream::{Event, Placement};
use crate::place::Place;
use crate::position::{Hardware, TPosition};

/// What a pool is by its type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PoolShape {
    pub name: &'static str,
    pub position: TPosition,
    pub size: u8,
    pub custom: bool,
}

impl State {
    /// `InitBufPool`, by the pipe or by a parent pool; with `shares`, over the range of that pool.
    /// `slot` and `used`: the pool's records if it has them here already, and its count.
    pub fn init_pool(
        &mut self,
        slot: Option<OwnerId>,
        shape: PoolShape,
        used: u8,
        parent: OwnerId,
        len: u32,
        shares: Option<OwnerId>,
        at: Place,
    ) -> Result<OwnerId> {
        self.check_live(at)?;
        self.check_pool_support(at)?;
        let hardware = self.spec.hardware(shape.position);
        if len == 0 {
            return Err(BufPoolError::BadLength {
                what: format!("pool `{}`", shape.name),
                asked: 0,
                trail: Trail::asked(at).help("pass the bytes of the whole pool"),
            });
        }
        let range = match shares {
            Some(other) => self.shared_range(shape, hardware, other, len, at)?,
            None if parent == OwnerId::PIPE => self.range_of_memory(shape, hardware, len, at)?,
            None => self.range_of_pool(shape, hardware, parent, len, at)?,
        };
        let records = self.child_records(shape, parent, shares, at)?;
        let before = self.locks.free();
        let locks = self.take_pool_locks(shape, parent, shares, at)?;
        let locks_taken = before - self.locks.free();
        if shares.is_none() {
            self.take_range(hardware, parent, range);
            self.owner_mut(parent).used += records;
        }
        let id = self.own(slot, shape, hardware, used);
        let owner = self.owner_mut(id);
        (owner.start, owner.cursor, owner.len) = (range.start, range.start, range.len);
        owner.init_at = Some(at);
        owner.ended = None;
        owner.locks = locks;
        owner.locks_taken += locks_taken;
        self.emit(
            &Event::PoolInit {
                owner: id,
                name: shape.name,
                custom: shape.custom,
                hardware,
                start: range.start,
                len: range.len,
                parent,
                shares,
                asked: len,
            },
            at,
        );
        Ok(id)
    }

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
        if shape.depth == Some(0) && !self.uses_locks() {
            return Err(BufPoolError::DepthZeroInPool {
                trail: Trail::asked(at).help("use depth 1, or TPipe::init_buffer"),
            });
        }
        let site = self.site(&shape, at)?;
        self.check_memory(pool, &shape, site, at)?;
        self.check_count(&shape, site, num, u32::from(u8::MAX), at)?;
        self.check_len(&shape, site, len, at)?;
        let what = sized(&shape, site, num, len);
        self.check_records(pool, &what, num, at)?;
        let owner = self.owner(pool);
        let limit = u32::try_from(owner.end()).unwrap_or(u32::MAX);
        let Some(placed) = alloc::place(owner.cursor, limit, num, len) else {
            return Err(self.pool_overflow(pool, &what, alloc::total(num, len), at));
        };
        let locks = self.take_block_locks(pool, &shape, &what, num, at)?;
        let sync = self.plan_sync(&shape, pool);
        let first = owner_block(self.owner(pool));
        let id = self.bind(slot, shape, site, pool, first, num as u8, placed.stride, at);
        for index in 0..num as u8 {
            let addr = placed.first + u32::from(index) * placed.stride;
            let block = BlockId(first.0 + u32::from(index));
            let lock = locks.of_block(index);
            self.write_block(id, block, index, addr, placed.stride, sync, lock, Placement::Cursor, at);
        }
        let owner = self.owner_mut(pool);
        owner.cursor = placed.cursor;
        owner.used += num as u8;
        Ok(id)
    }

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
        if shape.depth == Some(0) && !self.uses_locks() {
            return Err(BufPoolError::DepthZeroInPool {
                trail: Trail::asked(at).help("use depth 1, or TPipe::init_buffer"),
            });
        }
        let site = self.site(&shape, at)?;
        self.check_memory(pool, &shape, site, at)?;
        self.check_count(&shape, site, num, u32::from(u8::MAX), at)?;
        self.check_len(&shape, site, len, at)?;
        self.check_index(pool, u32::from(first.index) + num - 1, at)?;
        if shape.depth.is_none() && self.tbuf_free_event(site.position).is_none() {
            return Err(BufPoolError::NotOnChip {
                chip: self.chip,
                what: format!("TBuf at {} in a custom pool", site.position),
                trail: Trail::asked(at).help("take it from TPipe::init_tbuf or a TBufPool"),
            });
        }
        Ok(self.bind(slot, shape, site, pool, block, num as u8, align_up(len), at))
    }

    /// `InitBufHandle`: writes one record of a custom pool for block `index` of a queue.
    #[allow(clippy::too_many_arguments, reason = "the vendor's call")]
    pub fn init_buf_handle(
        &mut self,
        id: QueueId,
        pool: OwnerId,
        index: u8,
        handle: TBufHandle,
        addr: u32,
        len: u32,
        at: Place,
    ) -> Result<()> {
        self.check_live(at)?;
        let queue = self.live_queue(id, at)?;
        let (of, num, label) = (queue.owner, queue.num, queue.label());
        if of != pool {
            return Err(self.foreign(format!("the {label}"), of, pool, at));
        }
        if handle.owner != pool {
            return Err(self.foreign("the handle".to_owned(), handle.owner, pool, at));
        }
        self.check_pool(pool, at)?;
        let block = self.resolve(handle, at)?;
        if index >= num {
            return Err(BufPoolError::BadBlockCount {
                what: format!("the {label}"),
                asked: u32::from(index) + 1,
                min: 1,
                max: u32::from(num),
                trail: Trail::asked(at)
                    .at("bound at", self.queue(id).init_at)
                    .help("pass an index below the number given to init_start_buf_handle"),
            });
        }
        if len == 0 {
            return Err(BufPoolError::BadLength {
                what: format!("a block of the {label}"),
                asked: 0,
                trail: Trail::asked(at),
            });
        }
        let bytes = align_up(len);
        let owner = self.owner(pool);
        let end = u64::from(addr) + u64::from(bytes);
        if addr < owner.start || end > owner.end() {
            return Err(BufPoolError::OutsidePool {
                pool: owner.name.clone(),
                addr: u64::from(addr),
                end,
                start: u64::from(owner.start),
                pool_end: owner.end(),
                trail: self.pool_holders(pool, Trail::asked(at)).help(format!(
                    "give the pool {} bytes in init_buf_pool, or make the block smaller",
                    end.saturating_sub(u64::from(owner.start))
                )),
            });
        }
        let lock = self.handle_lock(pool, &format!("the {label}"), index, at)?;
        let sync = self.plan_sync(&self.queue(id).shape, pool);
        self.write_block(id, block, index, addr, bytes, sync, lock, Placement::Handle, at);
        if self.queue(id).shape.depth.is_none() {
            let position = self.queue(id).position;
            self.block_mut(block).free_event = self.tbuf_free_event(position);
        }
        Ok(())
    }

    /// The cursor or count of a custom pool, set by hand.
    pub fn set_pool_cursor(&mut self, pool: OwnerId, addr: Option<u32>, used: Option<u8>, at: Place) {
        let owner = self.owner_mut(pool);
        owner.cursor = addr.unwrap_or(owner.cursor);
        owner.used = used.unwrap_or(owner.used);
        let (addr, count) = (owner.cursor, owner.used);
        self.emit(&Event::PoolCursor { owner: pool, addr, count }, at);
    }

    /// `Init` of a custom pool: to nothing, without waiting for anybody.
    pub fn empty_pool(&mut self, pool: OwnerId) {
        let owner = self.owner_mut(pool);
        (owner.start, owner.cursor, owner.len, owner.used) = (0, 0, 0, 0);
        owner.init_at = None;
    }

    /// Whether the pool has a range to carve from.
    pub fn check_pool(&self, pool: OwnerId, at: Place) -> Result<()> {
        let owner = self.owner(pool);
        if owner.init_at.is_some() {
            return Ok(());
        }
        let why = match owner.ended {
            Some(_) => "its reset emptied it",
            None if owner.epoch > 0 => "the TPipe was reset since",
            None => "init_buf_pool was not called",
        };
        Err(BufPoolError::PoolNotInitialised {
            pool: owner.name.clone(),
            why,
            trail: Trail::asked(at)
                .maybe_at("reset at", owner.ended_at().or(self.owner(OwnerId::PIPE).ended_at()))
                .help("call TPipe::init_buf_pool before carving"),
        })
    }

    pub fn check_pool_support(&self, at: Place) -> Result<()> {
        if self.spec.has_pools {
            return Ok(());
        }
        Err(BufPoolError::NotOnChip {
            chip: self.chip,
            what: "buffer pools".to_owned(),
            trail: Trail::asked(at).help("use TPipe::init_buffer on this chip"),
        })
    }

    /// `index` must be below what the pool declares.
    pub fn check_index(&self, pool: OwnerId, index: u32, at: Place) -> Result<()> {
        let owner = self.owner(pool);
        if index < owner.size {
            return Ok(());
        }
        Err(BufPoolError::HandleOutOfRange {
            pool: owner.name.clone(),
            index,
            limit: owner.size,
            trail: Trail::asked(at).help(format!("declare bufid_size = {} or more", index + 1)),
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
            trail: Trail::asked(at).help("bind and write with handles of one and the same pool"),
        }
    }

    fn check_records(&self, pool: OwnerId, what: &str, num: u32, at: Place) -> Result<()> {
        let owner = self.owner(pool);
        let free = owner.size.saturating_sub(u32::from(owner.used));
        if num <= free {
            return Ok(());
        }
        Err(self.records_exhausted(pool, free, what, num, at))
    }

    fn records_exhausted(&self, pool: OwnerId, free: u32, what: &str, num: u32, at: Place) -> BufPoolError {
        let owner = self.owner(pool);
        BufPoolError::PoolIdsExhausted {
            pool: owner.name.clone(),
            position: owner.position,
            what: what.to_owned(),
            asked: num,
            free,
            limit: owner.size,
            trail: self
                .block_holders(pool, Trail::asked(at))
                .help(format!("declare {} blocks", owner.size - free + num)),
        }
    }

    fn check_memory(&self, pool: OwnerId, shape: &Shape, site: Site, at: Place) -> Result<()> {
        let owner = self.owner(pool);
        if owner.hardware == site.hardware {
            return Ok(());
        }
        Err(BufPoolError::WrongMemory {
            pool: owner.name.clone(),
            position: owner.position,
            memory: owner.hardware,
            what: format!("the {}", shape.label(site.position)),
            other: site.hardware,
            trail: Trail::asked(at).maybe_at("pool from", owner.init_at).help(format!(
                "carve it from a pool at a position of {}",
                site.hardware
            )),
        })
    }

    /// Records of its parent that a nested pool takes. A sharing pool takes none, but has to find
    /// as many as it declares.
    fn child_records(
        &self,
        shape: PoolShape,
        parent: OwnerId,
        shares: Option<OwnerId>,
        at: Place,
    ) -> Result<u8> {
        if self.spec.child_blocks == ChildBlocks::Own {
            return Ok(0);
        }
        let num = u32::from(shape.size);
        let what = || format!("pool `{}` ({num} blocks declared)", shape.name);
        match shares {
            Some(other) if num <= self.owner(other).size => Ok(0),
            Some(other) => Err(self.records_exhausted(other, self.owner(other).size, &what(), num, at)),
            None if parent == OwnerId::PIPE => Ok(0),
            None => self.check_records(parent, &what(), num, at).map(|()| shape.size),
        }
    }

    /// Gives a pool its records in the store, the first time or when it declares more than before.
    fn own(&mut self, slot: Option<OwnerId>, shape: PoolShape, hardware: Hardware, used: u8) -> OwnerId {
        if let Some(id) = slot {
            return id;
        }
        let size = u32::from(shape.size);
        let base = self.blocks.len() as u32;
        self.blocks.extend((0..size).map(|_| Block { hardware, ..Block::EMPTY }));
        self.owners.push(Owner {
            kind: if shape.custom { OwnerKind::Custom } else { OwnerKind::TBufPool },
            name: shape.name.to_owned(),
            position: shape.position,
            hardware,
            base,
            size,
            used,
            ..Owner::pipe()
        });
        OwnerId(self.owners.len() as u16 - 1)
    }

    fn range_of_memory(&self, shape: PoolShape, memory: Hardware, len: u32, at: Place) -> Result<PoolRange> {
        let start = self.cursors[memory as usize];
        let limit = self.memory_limit(memory);
        match alloc::place(start, limit, 1, len) {
            Some(placed) => Ok(PoolRange { start, len: placed.stride }),
            None => Err(self.memory_full(memory, &format!("pool `{}`", shape.name), alloc::total(1, len), limit, at)),
        }
    }

    fn range_of_pool(&self, shape: PoolShape, memory: Hardware, parent: OwnerId, len: u32, at: Place) -> Result<PoolRange> {
        self.check_parent(shape, memory, parent, at)?;
        let owner = self.owner(parent);
        let limit = u32::try_from(owner.end()).unwrap_or(u32::MAX);
        match alloc::place(owner.cursor, limit, 1, len) {
            Some(placed) => Ok(PoolRange { start: owner.cursor, len: placed.stride }),
            None => Err(self.pool_overflow(parent, &format!("pool `{}`", shape.name), alloc::total(1, len), at)),
        }
    }

    /// A sharing pool gets the other pool's start and its whole length, whatever it asked for.
    fn shared_range(&self, shape: PoolShape, memory: Hardware, other: OwnerId, len: u32, at: Place) -> Result<PoolRange> {
        let owner = self.owner(other);
        if owner.init_at.is_some() && owner.hardware != memory {
            return self.check_parent(shape, memory, other, at).map(|()| PoolRange { start: 0, len: 0 });
        }
        if owner.init_at.is_none() && owner.len > 0 {
            // The pipe took the range back, though the pool does not know it.
            self.check_pool(other, at)?;
        }
        if len > owner.len || owner.init_at.is_none() {
            return Err(BufPoolError::SharedTooShort {
                pool: shape.name.to_owned(),
                other: owner.name.clone(),
                asked: len,
                limit: if owner.init_at.is_some() { owner.len } else { 0 },
                trail: Trail::asked(at)
                    .maybe_at("other pool from", owner.init_at)
                    .maybe_at("reset at", owner.ended_at())
                    .help("initialise the longest pool first and share it with the shorter ones"),
            });
        }
        Ok(PoolRange { start: owner.start, len: owner.len })
    }

    fn check_parent(&self, shape: PoolShape, memory: Hardware, parent: OwnerId, at: Place) -> Result<()> {
        self.check_pool(parent, at)?;
        let owner = self.owner(parent);
        if owner.hardware == memory {
            return Ok(());
        }
        Err(BufPoolError::WrongMemory {
            pool: owner.name.clone(),
            position: owner.position,
            memory: owner.hardware,
            what: format!("pool `{}` ({})", shape.name, shape.position),
            other: memory,
            trail: Trail::asked(at)
                .maybe_at("pool from", owner.init_at)
                .help("share and nest pools within one memory"),
        })
    }

    fn take_range(&mut self, memory: Hardware, parent: OwnerId, range: PoolRange) {
        let end = range.start + range.len;
        if Owner::id_is_pipe(parent) {
            self.advance(memory, end);
        } else {
            self.owner_mut(parent).cursor = end;
        }
    }

    /// The free event that `InitBufHandle` writes into the record of a TBuf: that of a queue from
    /// its position to itself, which only UB has.
    fn tbuf_free_event(&self, position: TPosition) -> Option<HardEvent> {
        self.spec.route(position, position, false).and_then(|route| route.free)
    }

    pub fn pool_overflow(&self, pool: OwnerId, what: &str, asked: u64, at: Place) -> BufPoolError {
        let owner = self.owner(pool);
        let free = owner.end().saturating_sub(u64::from(owner.cursor));
        let needed = u64::from(owner.cursor) + asked - u64::from(owner.start);
        BufPoolError::PoolOverflow {
            pool: owner.name.clone(),
            position: owner.position,
            what: what.to_owned(),
            asked,
            free,
            limit: u64::from(owner.len),
            trail: self
                .pool_holders(pool, Trail::asked(at))
                .help(format!("give the pool {needed} bytes in init_buf_pool, or use fewer or smaller blocks")),
        }
    }
}

fn owner_block(owner: &Owner) -> BlockId {
    owner.block(owner.used)
}

/// Range of a pool.
#[derive(Clone, Copy, Debug)]
struct PoolRange {
    start: u32,
    len: u32,
}

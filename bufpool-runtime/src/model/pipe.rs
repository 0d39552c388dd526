//! `TPipe::InitBuffer`: blocks of the pipe itself, for queues and TBufs.

use std::collections::VecDeque;

use crate::error::{BufPoolError, Result, Trail};
use crate::event::HardEvent;
use crate::model::alloc::{self, Placed, align_up};
use crate::model::block::{Block, BlockId, BlockState, BlockSync, OwnerId, QueueId};
use crate::model::lock_ids::BlockLocks;
use crate::model::queue::{Queue, Shape, Way};
use crate::model::stream::{Event, Placement};
use crate::model::State;
use crate::place::Place;
use crate::position::{Hardware, TPosition};

/// A queue or TBuf resolved for this chip: where its blocks go and what orders them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site {
    pub position: TPosition,
    pub hardware: Hardware,
    pub way: Option<Way>,
    pub free_event: Option<HardEvent>,
}

impl State {
    /// Memory and events of a queue or TBuf on this chip.
    pub fn site(&self, shape: &Shape, at: Place) -> Result<Site> {
        if shape.depth.is_none() {
            return Ok(Site {
                position: shape.dst,
                hardware: self.spec.hardware(shape.dst),
                way: None,
                free_event: None,
            });
        }
        let position = self.spec.queue_position(shape.src, shape.dst);
        let hardware = self.spec.hardware(position);
        let route = self.spec.route(shape.src, shape.dst, shape.nd2nz);
        match route {
            Some(route) if hardware != Hardware::GM => Ok(Site {
                position,
                hardware,
                way: self.way(shape.src, shape.dst, shape.nd2nz),
                free_event: route.free,
            }),
            _ => Err(BufPoolError::NoRoute {
                chip: self.chip,
                src: shape.src,
                dst: shape.dst,
                trail: Trail::asked(at),
            }),
        }
    }

    /// `InitBuffer(que, num, len)`: `num` blocks end to end at the cursor of the memory.
    pub fn init_queue(&mut self, slot: Option<QueueId>, shape: Shape, num: u32, len: u32, at: Place) -> Result<QueueId> {
        self.check_live(at)?;
        let site = self.site(&shape, at)?;
        let what = sized(&shape, site, num, len);
        self.check_count(&shape, site, num, self.spec.pipe_blocks, at)?;
        self.check_len(&shape, site, len, at)?;
        self.check_pipe_blocks(&what, num, at)?;
        let tscm = site.position == TPosition::TSCM;
        let placed = self.place_in_memory(site.hardware, tscm, &what, num, len, at)?;
        let locks = self.take_sync(&shape, site, num, at)?;
        if tscm {
            self.tscm = placed.cursor;
        } else {
            self.advance(site.hardware, placed.cursor);
        }
        let addrs = (0..num).map(|i| (placed.first + i * placed.stride, placed.stride));
        Ok(self.bind_pipe_blocks(slot, shape, site, locks, addrs.collect(), Placement::Cursor, at))
    }

    /// `InitBuffer(que, (addr, len), ...)`: blocks at given addresses, cursor untouched.
    pub fn init_queue_at(&mut self, slot: Option<QueueId>, shape: Shape, blocks: &[(u32, u32)], at: Place) -> Result<QueueId> {
        self.check_live(at)?;
        let site = self.site(&shape, at)?;
        let num = u32::try_from(blocks.len()).unwrap_or(u32::MAX);
        self.check_count(&shape, site, num, self.spec.pipe_blocks, at)?;
        let what = format!("the {}", shape.label(site.position));
        self.check_pipe_blocks(&what, num, at)?;
        let limit = self.spec.capacity(site.hardware);
        let mut addrs = Vec::with_capacity(blocks.len());
        for &(addr, len) in blocks {
            self.check_len(&shape, site, len, at)?;
            let end = u64::from(addr) + u64::from(align_up(len));
            if end > u64::from(limit) {
                return Err(BufPoolError::OutsideMemory {
                    memory: site.hardware,
                    addr: u64::from(addr),
                    end,
                    limit: u64::from(limit),
                    trail: Trail::asked(at),
                });
            }
            addrs.push((addr, align_up(len)));
        }
        let locks = self.take_sync(&shape, site, num, at)?;
        Ok(self.bind_pipe_blocks(slot, shape, site, locks, addrs, Placement::Address, at))
    }

    /// `InitBuffer(tbuf, len)`: one block at the cursor.
    pub fn init_tbuf(&mut self, slot: Option<QueueId>, shape: Shape, len: u32, at: Place) -> Result<QueueId> {
        self.init_queue(slot, shape, 1, len, at)
    }

    fn place_in_memory(
        &self,
        memory: Hardware,
        tscm: bool,
        what: &str,
        num: u32,
        len: u32,
        at: Place,
    ) -> Result<Placed> {
        let cursor = self.cursors[memory as usize];
        let stride = self.spec.tscm_stride(self.kind);
        let limit = self.memory_limit(memory);
        let placed = if tscm {
            alloc::place_down(self.tscm, cursor, num, len, stride)
        } else {
            alloc::place(cursor, limit, num, len)
        };
        placed.ok_or_else(|| {
            let taken = alloc::total(num, len) * if tscm { u64::from(stride) } else { 1 };
            self.memory_full(memory, what, taken, limit, at)
        })
    }

    /// Where the memory ends for the cursor: L1 ends where TSCM begins.
    pub fn memory_limit(&self, memory: Hardware) -> u32 {
        match memory {
            Hardware::L1 => self.spec.capacity(memory).min(self.tscm),
            _ => self.spec.capacity(memory),
        }
    }

    pub fn advance(&mut self, memory: Hardware, cursor: u32) {
        let m = memory as usize;
        self.cursors[m] = cursor;
        self.high_water[m] = self.high_water[m].max(cursor);
    }

    fn check_pipe_blocks(&self, what: &str, num: u32, at: Place) -> Result<()> {
        let used = u32::from(self.owner(OwnerId::PIPE).used);
        let limit = self.spec.pipe_blocks;
        let free = limit.saturating_sub(used);
        if num <= free {
            return Ok(());
        }
        Err(BufPoolError::TooManyBlocks {
            what: what.to_owned(),
            asked: num,
            free,
            limit,
            trail: self
                .block_holders(OwnerId::PIPE, Trail::asked(at))
                .help("use fewer blocks per queue, or a pool: its blocks do not count here"),
        })
    }

    pub fn check_count(&self, shape: &Shape, site: Site, num: u32, max: u32, at: Place) -> Result<()> {
        let max = if shape.depth.is_none() { 1 } else { max };
        if (1..=max).contains(&num) {
            return Ok(());
        }
        Err(BufPoolError::BadBlockCount {
            what: format!("the {}", shape.label(site.position)),
            asked: num,
            min: 1,
            max,
            trail: Trail::asked(at).help(if max == 1 {
                "a TBuf has one block: pass 1"
            } else {
                "pass a number of blocks, not of bytes; 2 is double buffering"
            }),
        })
    }

    pub fn check_len(&self, shape: &Shape, site: Site, len: u32, at: Place) -> Result<()> {
        if len > 0 {
            return Ok(());
        }
        Err(BufPoolError::BadLength {
            what: format!("a block of the {}", shape.label(site.position)),
            asked: u64::from(len),
            trail: Trail::asked(at).help("pass the bytes of one block, at least 1; they are rounded up to 32"),
        })
    }

    /// Makes sure of what the blocks need to be ordered: lock ids, or both ids for depth 0.
    fn take_sync(&mut self, shape: &Shape, site: Site, num: u32, at: Place) -> Result<BlockLocks> {
        if self.plan_sync(shape, OwnerId::PIPE) == BlockSync::HeldFlags {
            let enque_event = site.way.map(|way| way.event);
            for event in [enque_event, site.free_event].into_iter().flatten() {
                if self.events.free_count(event) < num {
                    return Err(self.ids_exhausted(event, at));
                }
            }
        }
        self.take_pipe_locks(shape, site, num, at)
    }

    #[allow(clippy::too_many_arguments, reason = "one row of facts for one place")]
    fn bind_pipe_blocks(
        &mut self,
        slot: Option<QueueId>,
        shape: Shape,
        site: Site,
        locks: BlockLocks,
        addrs: Vec<(u32, u32)>,
        placement: Placement,
        at: Place,
    ) -> QueueId {
        let pipe = self.owner(OwnerId::PIPE);
        let first = pipe.block(pipe.used);
        let num = addrs.len() as u8;
        let len = addrs.first().map_or(0, |&(_, len)| len);
        let sync = self.plan_sync(&shape, OwnerId::PIPE);
        let id = self.bind(slot, shape, site, OwnerId::PIPE, first, num, len, at);
        for (index, (addr, len)) in (0..num).zip(addrs) {
            let block = BlockId(first.0 + u32::from(index));
            let lock = locks.of_block(index);
            self.write_block(id, block, index, addr, len, sync, lock, placement, at);
        }
        self.owner_mut(OwnerId::PIPE).used += num;
        id
    }

    /// Makes a queue or TBuf stand on `num` records from `first`.
    #[allow(clippy::too_many_arguments, reason = "one row of facts for one place")]
    pub fn bind(
        &mut self,
        slot: Option<QueueId>,
        shape: Shape,
        site: Site,
        owner: OwnerId,
        first: BlockId,
        num: u8,
        len: u32,
        at: Place,
    ) -> QueueId {
        let epoch = self.owner(owner).epoch;
        let depth = shape.depth;
        let queue = Queue {
            position: site.position,
            hardware: site.hardware,
            owner,
            epoch,
            first,
            num,
            len,
            cursor: 0,
            out: 0,
            fifo: VecDeque::with_capacity(depth.unwrap_or(0).min(64) as usize),
            way: site.way,
            free_event: site.free_event,
            init_at: at,
            shape,
        };
        let mut rebound_from = None;
        let id = match slot {
            Some(id) => {
                let old = self.queue(id);
                if self.owner(old.owner).epoch == old.epoch {
                    rebound_from = Some(old.init_at);
                }
                *self.queue_mut(id) = queue;
                id
            }
            None => {
                self.queues.push(queue);
                QueueId(self.queues.len() as u32 - 1)
            }
        };
        if self.is_heard() {
            let name = self.queue(id).label();
            let position = site.position;
            self.emit(
                &Event::Bound { queue: id, name: &name, position, depth, owner, first, num, rebound_from },
                at,
            );
        }
        id
    }

    /// Writes one record: FREE, at an address, without ids (depth 0: with both).
    #[allow(clippy::too_many_arguments, reason = "one row of facts for one place")]
    pub fn write_block(
        &mut self,
        id: QueueId,
        block: BlockId,
        index: u8,
        addr: u32,
        len: u32,
        sync: BlockSync,
        lock: Option<u8>,
        placement: Placement,
        at: Place,
    ) {
        let queue = self.queue(id);
        let (owner, hardware, epoch) = (queue.owner, queue.hardware, queue.epoch);
        let (enque_event, free_event) = (queue.way.map(|way| way.event), queue.free_event);
        let before = self.block(block).state;
        let handle = self.handle(block, owner);
        *self.block_mut(block) = Block {
            hardware,
            addr,
            len,
            size: len,
            state: BlockState::Free,
            free_event,
            sync,
            lock,
            written: Some(epoch),
            queue: Some(id),
            init_at: Some(at),
            ..Block::EMPTY
        };
        self.emit(
            &Event::BlockInit { block, handle, queue: id, hardware, addr, len, placement, index, before },
            at,
        );
        if sync == BlockSync::HeldFlags {
            let enque_id = enque_event.and_then(|event| self.events.reserve(event, at));
            let free_id = free_event.and_then(|event| self.events.reserve(event, at));
            let record = self.block_mut(block);
            (record.enque_id, record.free_id) = (enque_id, free_id);
            if let (Some(event), Some(id)) = (free_event, free_id) {
                self.set(event, id, crate::model::stream::FlagUser::Block(block), at);
            }
        }
    }

    pub fn memory_full(&self, memory: Hardware, what: &str, asked: u64, limit: u32, at: Place) -> BufPoolError {
        let cursor = u64::from(self.cursors[memory as usize]);
        let free = u64::from(limit).saturating_sub(cursor);
        let trail = self.byte_holders(memory, Trail::asked(at));
        let whole = u64::from(self.spec.capacity(memory));
        BufPoolError::MemoryFull {
            memory,
            what: what.to_owned(),
            asked,
            free,
            limit: u64::from(limit),
            trail: trail.help(if asked > whole {
                format!("{memory} of {} has {whole} bytes: split the work into smaller tiles", self.chip)
            } else {
                format!("make the blocks smaller by {} bytes in all, or use fewer", asked - free)
            }),
        }
    }
}

/// "the VECIN queue (2 x 98304)".
pub(crate) fn sized(shape: &Shape, site: Site, num: u32, len: u32) -> String {
    format!("the {} ({num} x {})", shape.label(site.position), align_up(len))
}

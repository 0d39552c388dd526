//! `TPipe::InitBuffer`: blocks of the pipe itself, for queues and TBufs.

use crate::error::{BufPoolError, Result, Trail};
use crate::model::State;
use crate::model::alloc::{self, Placed, align_up};
use crate::model::bind::{NewBlock, Records};
use crate::model::block::{BlockSync, OwnerId, QueueId};
use crate::model::lock_ids::BlockLocks;
use crate::model::queue::Shape;
use crate::model::site::{Site, sized};
use crate::model::stream::Placement;
use crate::place::Place;
use crate::position::{Hardware, TPosition};

impl State {
    /// `InitBuffer(que, num, len)`: `num` blocks end to end at the cursor of the memory.
    pub fn init_queue(
        &mut self,
        slot: Option<QueueId>,
        shape: Shape,
        num: u32,
        len: u32,
        at: Place,
    ) -> Result<QueueId> {
        self.check_live(at)?;
        let site = self.site(&shape, at)?;
        let what = sized(&shape, site, num, len);
        site.check_count(&shape, num, self.spec.pipe_blocks, at)?;
        site.check_len(&shape, len, at)?;
        self.check_pipe_blocks(&what, num, at)?;
        let tscm = site.position == TPosition::TSCM;
        let placed = self.place_in_memory(site.hardware, tscm, &what, num, len, at)?;
        let locks = self.take_sync(&shape, site, num, at)?;
        if tscm {
            self.tscm = placed.cursor;
        } else {
            self.advance(site.hardware, placed.cursor);
        }
        let blocks = (0..num).map(|i| (placed.first + i * placed.stride, placed.stride));
        let blocks = self.new_blocks(&shape, locks, Placement::Cursor, blocks);
        Ok(self.bind_pipe_blocks(slot, shape, site, &blocks, at))
    }

    /// `InitBuffer(que, (addr, len), ...)`: blocks at given addresses, cursor untouched.
    pub fn init_queue_at(
        &mut self,
        slot: Option<QueueId>,
        shape: Shape,
        blocks: &[(u32, u32)],
        at: Place,
    ) -> Result<QueueId> {
        self.check_live(at)?;
        let site = self.site(&shape, at)?;
        let num = u32::try_from(blocks.len()).unwrap_or(u32::MAX);
        site.check_count(&shape, num, self.spec.pipe_blocks, at)?;
        let what = format!("the {}", shape.label(site.position));
        self.check_pipe_blocks(&what, num, at)?;
        let limit = self.spec.capacity(site.hardware);
        for &(addr, len) in blocks {
            site.check_len(&shape, len, at)?;
            let end = u64::from(addr) + u64::from(align_up(len));
            if end > u64::from(limit) {
                return Err(BufPoolError::OutsideMemory {
                    memory: site.hardware,
                    addr: u64::from(addr),
                    end,
                    limit: u64::from(limit),
                    trail: Trail::asked(at)
                        .help(format!("keep address + length within {limit} bytes")),
                });
            }
        }
        let locks = self.take_sync(&shape, site, num, at)?;
        let blocks = blocks.iter().map(|&(addr, len)| (addr, align_up(len)));
        let blocks = self.new_blocks(&shape, locks, Placement::Address, blocks);
        Ok(self.bind_pipe_blocks(slot, shape, site, &blocks, at))
    }

    /// `InitBuffer(tbuf, len)`: one block at the cursor.
    pub fn init_tbuf(
        &mut self,
        slot: Option<QueueId>,
        shape: Shape,
        len: u32,
        at: Place,
    ) -> Result<QueueId> {
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

    /// Makes sure of what the blocks need to be ordered: lock ids, or both ids for depth 0.
    fn take_sync(&mut self, shape: &Shape, site: Site, num: u32, at: Place) -> Result<BlockLocks> {
        if self.plan_sync(shape, OwnerId::PIPE) == BlockSync::HeldFlags {
            let enque_event = site.way.map(|way| way.event);
            for event in [enque_event, site.free_event].into_iter().flatten() {
                if self.events.free_count(event) < num {
                    return Err(self.ids_exhausted(event, num, at));
                }
            }
        }
        self.take_pipe_locks(shape, site, num, at)
    }

    fn new_blocks(
        &self,
        shape: &Shape,
        locks: BlockLocks,
        placement: Placement,
        blocks: impl Iterator<Item = (u32, u32)>,
    ) -> Vec<NewBlock> {
        let sync = self.plan_sync(shape, OwnerId::PIPE);
        (0..)
            .zip(blocks)
            .map(|(index, (addr, len))| {
                let lock = locks.of_block(index);
                NewBlock { index, addr, len, sync, lock, placement }
            })
            .collect()
    }

    /// Takes the next records of the pipe for a queue or TBuf.
    fn bind_pipe_blocks(
        &mut self,
        slot: Option<QueueId>,
        shape: Shape,
        site: Site,
        blocks: &[NewBlock],
        at: Place,
    ) -> QueueId {
        self.make_pipe_records();
        let pipe = self.owner(OwnerId::PIPE);
        let records = Records {
            owner: OwnerId::PIPE,
            first: pipe.block(pipe.used),
            num: blocks.len() as u8,
            len: blocks.first().map_or(0, |block| block.len),
        };
        let id = self.bind(slot, shape, site, records, at);
        for block in blocks {
            self.write_block(id, records.block(block.index), *block, at);
        }
        self.owner_mut(OwnerId::PIPE).used += records.num;
        id
    }

    pub fn memory_full(
        &self,
        memory: Hardware,
        what: &str,
        asked: u64,
        limit: u32,
        at: Place,
    ) -> BufPoolError {
        let cursor = u64::from(self.cursors[memory as usize]);
        let free = u64::from(limit).saturating_sub(cursor);
        let mut trail = self.byte_holders(memory, Trail::asked(at));
        let tscm = self.queues_of(OwnerId::PIPE).any(|queue| queue.position == TPosition::TSCM);
        if tscm && self.spec.tscm_stride(self.kind) > 1 {
            trail = trail.note("a TSCM block takes its bytes twice, once for each vector core");
        }
        let whole = u64::from(self.spec.capacity(memory));
        let lost = self.lost.iter().filter(|lost| lost.memory == memory);
        let lost: u64 = lost.map(|lost| u64::from(lost.end - lost.start)).sum();
        BufPoolError::MemoryFull {
            memory,
            what: what.to_owned(),
            asked,
            free,
            limit: u64::from(limit),
            trail: trail.help(if asked > whole {
                format!(
                    "{memory} of {} has {whole} bytes: split the work into smaller tiles",
                    self.chip
                )
            } else if asked <= free + lost {
                format!(
                    "TPipe::reset gives back {lost} bytes that were lost by resets of pools: call it \
                     between phases, or keep the pool and share its bytes"
                )
            } else {
                format!("make the blocks smaller by {} bytes in all, or use fewer", asked - free)
            }),
        }
    }
}

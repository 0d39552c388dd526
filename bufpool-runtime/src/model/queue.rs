//! Queues: allocate, enqueue, dequeue, free.
//!
//! Each operation finds its block, does the one step that can fail, and only then changes state.
//! How the pipes are ordered is not known here: `sync` does it, by the block's kind.

use std::collections::VecDeque;

use crate::error::{BufPoolError, Result, Trail};
use crate::event::HardEvent;
use crate::model::State;
use crate::model::block::{BlockId, BlockState, OwnerId, QueueId, TBufHandle};
use crate::model::stream::Event;
use crate::place::Place;
use crate::position::{Hardware, TPosition};

/// What a queue or TBuf is by its type, and how the user named it.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    pub name: Option<&'static str>,
    /// Ends of the route; the same position twice for a TBuf.
    pub src: TPosition,
    pub dst: TPosition,
    /// None for a TBuf.
    pub depth: Option<u32>,
    pub nd2nz: bool,
}

/// A queue or TBuf that was bound to records.
#[derive(Debug)]
pub(crate) struct Queue {
    pub shape: Shape,
    /// Position of its tensors.
    pub position: TPosition,
    pub hardware: Hardware,
    pub owner: OwnerId,
    pub epoch: u32,
    pub first: BlockId,
    pub num: u8,
    /// Bytes of each block (of a TBuf: of its one block), as bound.
    pub len: u32,
    /// Next block to try.
    pub cursor: u8,
    /// Tensors out; the layer counts in a u8 and lets it wrap.
    pub out: u8,
    pub fifo: VecDeque<Entry>,
    /// None for a TBuf.
    pub way: Option<Way>,
    pub free_event: Option<HardEvent>,
    pub init_at: Place,
    /// The user's queue is gone; its blocks are still there.
    pub dropped: bool,
}

/// The way of a tensor through a queue: the queue's own, or the one that the user names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Way {
    /// The event of its enqueue.
    pub event: HardEvent,
    /// Memories at its ends.
    pub src: Hardware,
    pub dst: Hardware,
    /// Whether the user named it.
    pub named: bool,
}

/// A tensor in the queue.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub block: BlockId,
    /// The event that its enqueue set.
    pub event: HardEvent,
    pub at: Place,
}

impl Queue {
    pub fn depth(&self) -> u32 {
        self.shape.depth.unwrap_or(0)
    }

    fn is_in_place(&self) -> bool {
        self.shape.depth == Some(0)
    }

    pub fn holds(&self, block: BlockId) -> bool {
        (self.first.0..self.first.0 + u32::from(self.num)).contains(&block.0)
    }

    pub fn blocks(&self) -> impl Iterator<Item = BlockId> + use<> {
        (self.first.0..self.first.0 + u32::from(self.num)).map(BlockId)
    }

    pub fn own_way(&self) -> Way {
        self.way.unwrap_or_else(|| panic!("bufpool bug: a queue was bound without a way"))
    }
}

impl State {
    /// The queue, if its memory is still there.
    #[inline]
    pub fn live_queue(&self, id: QueueId, at: Place) -> Result<&Queue> {
        let queue = self.queue(id);
        if self.owner(queue.owner).epoch == queue.epoch {
            Ok(queue)
        } else {
            Err(self.stale(format!("the {}", queue.label()), queue.owner, queue.epoch, at))
        }
    }

    /// `AllocTensor`: the next free block, round robin from the cursor.
    pub fn alloc(&mut self, id: QueueId, at: Place) -> Result<BlockId> {
        let queue = self.live_queue(id, at)?;
        let num = u32::from(queue.num);
        let (first, cursor) = (queue.first.0, u32::from(queue.cursor));
        let found = (0..num)
            .map(|step| (cursor + step) % num)
            .find(|&index| self.blocks[(first + index) as usize].state == BlockState::Free);
        let Some(index) = found else {
            return Err(self.no_free_block(id, at));
        };
        let block = BlockId(first + index);
        self.check_written(id, block, at)?;
        self.sync_alloc(id, block, at)?;
        let record = self.block_mut(block);
        record.state = BlockState::Occupied;
        record.state_at = Some(at);
        let queue = self.queue_mut(id);
        queue.cursor = ((index + 1) % num) as u8;
        if !queue.is_in_place() {
            queue.out = queue.out.wrapping_add(1);
        }
        self.emit(&Event::Alloc { queue: id, block }, at);
        Ok(block)
    }

    /// `EnQue`. `pos`: the user's positions, if given.
    pub fn enque(
        &mut self,
        id: QueueId,
        handle: TBufHandle,
        pos: Option<(TPosition, TPosition)>,
        at: Place,
    ) -> Result<()> {
        let block = self.block_of_queue(id, handle, "enque", at)?;
        let state = self.block(block).state;
        if !matches!(state, BlockState::Occupied | BlockState::Deque) {
            return Err(self.wrong_state("enque", "OCCUPIED or DEQUE", block, at));
        }
        let queue = self.queue(id);
        if !queue.is_in_place() && queue.fifo.len() as u32 >= queue.depth() {
            return Err(self.queue_full(id, at));
        }
        let way = self.way_for(id, pos, at)?;
        self.sync_enque(block, way, at)?;
        let record = self.block_mut(block);
        record.state = BlockState::Enque;
        record.state_at = Some(at);
        let queue = self.queue_mut(id);
        if !queue.is_in_place() {
            queue.fifo.push_back(Entry { block, event: way.event, at });
        }
        self.emit(&Event::Enque { queue: id, block, pos }, at);
        Ok(())
    }

    /// `DeQue` of the head of the queue.
    pub fn deque(
        &mut self,
        id: QueueId,
        pos: Option<(TPosition, TPosition)>,
        at: Place,
    ) -> Result<BlockId> {
        let queue = self.live_queue(id, at)?;
        let Some(&entry) = queue.fifo.front() else {
            return Err(self.queue_empty(id, at));
        };
        let block = entry.block;
        if self.block(block).state != BlockState::Enque {
            return Err(self.wrong_state("deque", "ENQUE", block, at));
        }
        let way = self.way_for(id, pos, at)?;
        self.sync_deque(id, block, way, Some(entry), at)?;
        let record = self.block_mut(block);
        record.state = BlockState::Deque;
        record.state_at = Some(at);
        self.queue_mut(id).fifo.pop_front();
        self.emit(&Event::Deque { queue: id, block }, at);
        Ok(block)
    }

    /// `DeQue` of a depth 0 queue: waits for the tensor's own block.
    pub fn deque_in_place(
        &mut self,
        id: QueueId,
        handle: TBufHandle,
        at: Place,
    ) -> Result<BlockId> {
        let block = self.block_of_queue(id, handle, "deque", at)?;
        let ordinary = self.in_place_is_ordinary();
        // Where it is not, nobody looks at the state: a block that was not enqueued hangs in the wait.
        if ordinary && self.block(block).state != BlockState::Enque {
            return Err(self.wrong_state("deque", "ENQUE", block, at));
        }
        let way = self.queue(id).own_way();
        self.sync_deque(id, block, way, None, at)?;
        if ordinary {
            self.block_mut(block).state = BlockState::Deque;
        }
        self.block_mut(block).state_at = Some(at);
        self.emit(&Event::Deque { queue: id, block }, at);
        Ok(block)
    }

    /// `FreeTensor`.
    pub fn free(&mut self, id: QueueId, handle: TBufHandle, at: Place) -> Result<()> {
        let block = self.block_of_queue(id, handle, "free", at)?;
        let before = self.block(block).state;
        if before == BlockState::Free {
            return Err(BufPoolError::DoubleFree {
                trail: Trail::asked(at)
                    .maybe_at("freed at", self.block(block).state_at)
                    .help("free each tensor once, after its last use"),
            });
        }
        self.sync_free(id, block, at)?;
        let record = self.block_mut(block);
        record.state = BlockState::Free;
        record.state_at = Some(at);
        // The ordinary way through counts on free, though an in-place allocation did not count.
        if !self.queue(id).is_in_place() || self.in_place_is_ordinary() {
            let queue = self.queue_mut(id);
            queue.out = queue.out.wrapping_sub(1);
        }
        self.emit(&Event::Free { queue: id, block, before }, at);
        Ok(())
    }

    /// `FreeAllEvent`: every pending free id is waited for and released.
    pub fn free_all_event(&mut self, id: QueueId, at: Place) -> Result<()> {
        let queue = self.live_queue(id, at)?;
        let blocks = queue.blocks();
        let pending = blocks.filter(|&block| self.is_enque_pending(block)).count() as u32;
        if pending > 0 {
            let head = self.queue(id).fifo.front().map(|entry| entry.at);
            return Err(BufPoolError::EnquePending {
                queue: format!("the {}", self.queue(id).label()),
                pending,
                trail: Trail::asked(at)
                    .maybe_at("enqueued at", head)
                    .help("deque and free the tensors first"),
            });
        }
        let range = self.queue(id).first.0 as usize..;
        let range = range.start..range.start + usize::from(self.queue(id).num);
        self.wait_for_frees(range, true, at)
    }

    /// `GetState` of a block of the queue.
    pub fn state_of(&self, id: QueueId, handle: TBufHandle, at: Place) -> Result<BlockState> {
        let block = self.block_of_queue(id, handle, "get_state", at)?;
        Ok(self.block(block).state)
    }

    /// The block of a handle, which must be one of this queue.
    #[inline]
    pub fn block_of_queue(
        &self,
        id: QueueId,
        handle: TBufHandle,
        op: &'static str,
        at: Place,
    ) -> Result<BlockId> {
        let queue = self.live_queue(id, at)?;
        let block = self.resolve(handle, at)?;
        if handle.owner == queue.owner && queue.holds(block) {
            Ok(block)
        } else {
            Err(self.wrong_queue(id, block, op, at))
        }
    }

    /// The way of an enqueue or dequeue: the queue's own, or that of the user's positions.
    #[inline]
    fn way_for(&self, id: QueueId, pos: Option<(TPosition, TPosition)>, at: Place) -> Result<Way> {
        let Some((src, dst)) = pos else {
            return Ok(self.queue(id).own_way());
        };
        let way = self.way(src, dst, false).map(|way| Way { named: true, ..way });
        way.ok_or_else(|| BufPoolError::NoRoute {
            chip: self.chip,
            src,
            dst,
            trail: Trail::asked(at).help("name the two ends of the tensor's way, not GM twice"),
        })
    }

    /// The way from one position to another, if the chip has one.
    pub fn way(&self, src: TPosition, dst: TPosition, nd2nz: bool) -> Option<Way> {
        let event = self.spec.route(src, dst, nd2nz)?.enque;
        Some(Way {
            event,
            src: self.spec.hardware(src),
            dst: self.spec.hardware(dst),
            named: false,
        })
    }

    fn check_written(&self, id: QueueId, block: BlockId, at: Place) -> Result<()> {
        let queue = self.queue(id);
        if self.block(block).written == Some(queue.epoch) {
            return Ok(());
        }
        Err(self.record_never_initialised(id, block, at))
    }
}

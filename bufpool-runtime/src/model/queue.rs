//! Queues: allocate, enqueue, dequeue, free.
//!
//! Each operation finds its block, does the one step that can fail, and only then changes state.
//! How the pipes are ordered is not known here: `sync` does it, by the block's kind.

use crate::error::{BufPoolError, Result, Trail};
use crate::event::HardEvent;
use crate::model::State;
use crate::model::block::{Block, BlockId, BlockState, OwnerId, QueueId, TBufHandle};
use crate::model::fifo::Fifo;
use crate::model::piece::{Home, Piece, Token};
use crate::model::stream::Event;
use crate::model::turn::Turn;
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
    /// Whether the owner's epoch is still this one.
    pub live: bool,
    /// Of a TBuf: a view was taken in this epoch, so its record is written.
    pub viewed: bool,
    pub first: BlockId,
    /// The first record as tensors and handles designate it.
    pub token: Token,
    pub home: Home,
    pub num: u8,
    /// Bytes of each block (of a TBuf: of its one block), as bound.
    pub len: u32,
    /// Next block to try.
    pub cursor: u8,
    /// Tensors out; the layer counts in a u8 and lets it wrap.
    pub out: u8,
    pub fifo: Fifo,
    /// None for a TBuf.
    pub way: Option<Way>,
    pub free_event: Option<HardEvent>,
    /// None if its blocks take no usual turn, or its memory is gone.
    pub turn: Option<Turn>,
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

impl Queue {
    pub fn depth(&self) -> u32 {
        self.shape.depth.unwrap_or(0)
    }

    fn is_in_place(&self) -> bool {
        self.shape.depth == Some(0)
    }

    /// Whether an enqueue of the block took an id of the event.
    pub fn carries(&self, block: BlockId, event: HardEvent) -> bool {
        if self.is_in_place() {
            return self.way.is_some_and(|way| way.event == event);
        }
        self.fifo.iter().any(|entry| entry.block == block && entry.event == event)
    }

    pub fn blocks(&self) -> impl Iterator<Item = BlockId> + use<> {
        (self.first.0..self.first.0 + u32::from(self.num)).map(BlockId)
    }

    #[inline]
    pub fn own_way(&self) -> Way {
        self.way.unwrap_or_else(|| panic!("bufpool bug: a queue was bound without a way"))
    }
}

impl State {
    /// The queue, if its memory is still there.
    #[inline]
    pub fn live_queue(&self, id: QueueId, at: Place) -> Result<&Queue> {
        let queue = self.queue(id);
        if queue.live { Ok(queue) } else { Err(self.stale_queue(id, at)) }
    }

    /// `AllocTensor`: the next free block, round robin from the cursor.
    #[inline]
    pub fn alloc(&mut self, id: QueueId, at: Place) -> Result<Piece> {
        match self.usual_alloc::<true>(id, at) {
            Some(piece) => Ok(piece),
            None => self.alloc_otherwise(id, at),
        }
    }

    #[inline(never)]
    fn alloc_otherwise(&mut self, id: QueueId, at: Place) -> Result<Piece> {
        let queue = self.live_queue(id, at)?;
        let Some(index) = self.next_free(queue) else {
            return Err(self.no_free_block(id, at));
        };
        let block = BlockId(queue.first.0 + u32::from(index));
        let next = if index + 1 == queue.num { 0 } else { index + 1 };
        self.check_written(id, block, at)?;
        self.sync_alloc(id, block, at)?;
        let record = self.block_mut(block);
        record.state = BlockState::Occupied;
        record.state_at = Some(at);
        record.begin_life();
        let life = record.life;
        let queue = self.queue_mut(id);
        queue.cursor = next;
        if !queue.is_in_place() {
            queue.out = queue.out.wrapping_add(1);
        }
        if self.is_heard() {
            self.emit(&Event::Alloc { queue: id, block, life }, at);
        }
        Ok(self.piece(id, self.handle(block, self.queue(id).owner), at))
    }

    /// What a tensor of a queue holds over all of the block of a live handle.
    pub fn piece(&self, id: QueueId, handle: TBufHandle, at: Place) -> Piece {
        let queue = self.queue(id);
        let block = self.owner(handle.owner).block(handle.index);
        let record = self.block(block);
        let home = Home::new(handle.owner, handle.index, queue.hardware, queue.position);
        // Before the first allocation too, it is no tensor of a TBuf.
        let home = home.in_life(record.life.max(1));
        Piece::new(record.addr, record.len, Token::new(block, handle.epoch), home, at)
    }

    /// Index of the next free block, round robin from the cursor. Looks at the two halves of the
    /// queue's records one after the other, which saves a division for each look.
    #[inline]
    fn next_free(&self, queue: &Queue) -> Option<u8> {
        let first = queue.first.0 as usize;
        let records = &self.blocks[first..first + usize::from(queue.num)];
        let (before, after) = records.split_at(usize::from(queue.cursor));
        let free = |record: &Block| record.state == BlockState::Free;
        match after.iter().position(free) {
            Some(step) => Some(queue.cursor + step as u8),
            None => before.iter().position(free).map(|index| index as u8),
        }
    }

    /// `EnQue`. `pos`: the user's positions, if given.
    #[inline]
    pub fn enque(
        &mut self,
        id: QueueId,
        token: Token,
        pos: Option<(TPosition, TPosition)>,
        at: Place,
    ) -> Result<()> {
        if pos.is_none() && self.usual_enque::<true>(id, token, at).is_some() {
            return Ok(());
        }
        self.enque_otherwise(id, token, pos, at)
    }

    #[inline(never)]
    fn enque_otherwise(
        &mut self,
        id: QueueId,
        token: Token,
        pos: Option<(TPosition, TPosition)>,
        at: Place,
    ) -> Result<()> {
        let block = self.block_of_queue(id, token, "enque", at)?;
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
            queue.fifo.push(block, way.event, at);
        }
        if self.is_heard() {
            self.emit(&Event::Enque { queue: id, block, pos }, at);
        }
        Ok(())
    }

    /// `DeQue` of the head of the queue.
    #[inline]
    pub fn deque(
        &mut self,
        id: QueueId,
        pos: Option<(TPosition, TPosition)>,
        at: Place,
    ) -> Result<Piece> {
        if pos.is_none()
            && let Some(piece) = self.usual_deque::<true>(id, at)
        {
            return Ok(piece);
        }
        self.deque_otherwise(id, pos, at)
    }

    #[inline(never)]
    fn deque_otherwise(
        &mut self,
        id: QueueId,
        pos: Option<(TPosition, TPosition)>,
        at: Place,
    ) -> Result<Piece> {
        let queue = self.live_queue(id, at)?;
        let Some(&entry) = queue.fifo.head() else {
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
        self.queue_mut(id).fifo.pop();
        if self.is_heard() {
            self.emit(&Event::Deque { queue: id, block }, at);
        }
        Ok(self.piece(id, self.handle(block, self.queue(id).owner), at))
    }

    /// `DeQue` of a depth 0 queue: waits for the tensor's own block.
    pub fn deque_in_place(&mut self, id: QueueId, token: Token, at: Place) -> Result<BlockId> {
        let block = self.block_of_queue(id, token, "deque", at)?;
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
        if self.is_heard() {
            self.emit(&Event::Deque { queue: id, block }, at);
        }
        Ok(block)
    }

    /// `FreeTensor`.
    #[inline]
    pub fn free(&mut self, id: QueueId, token: Token, at: Place) -> Result<()> {
        match self.usual_free::<true>(id, token, at) {
            Some(()) => Ok(()),
            None => self.free_otherwise(id, token, at),
        }
    }

    #[inline(never)]
    fn free_otherwise(&mut self, id: QueueId, token: Token, at: Place) -> Result<()> {
        let block = self.block_of_queue(id, token, "free", at)?;
        let before = self.block(block).state;
        if before == BlockState::Free {
            return Err(self.double_free(block, at));
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
        if self.is_heard() {
            self.emit(&Event::Free { queue: id, block, before }, at);
        }
        Ok(())
    }

    /// `FreeAllEvent`: every pending free id is waited for and released.
    pub fn free_all_event(&mut self, id: QueueId, at: Place) -> Result<()> {
        let queue = self.live_queue(id, at)?;
        let blocks = queue.blocks();
        let pending = blocks.filter(|&block| self.is_enque_pending(block)).count() as u32;
        if pending > 0 {
            let head = self.queue(id).fifo.head().map(|entry| entry.at);
            return Err(BufPoolError::EnquePending {
                queue: format!("the {}", self.queue(id).label()),
                pending,
                trail: Trail::asked(at)
                    .maybe_at("enqueued at", head)
                    .help("deque and free the tensors first"),
            });
        }
        let (first, num) = (self.queue(id).first.0 as usize, usize::from(self.queue(id).num));
        self.wait_for_frees(first..first + num, true, at)
    }

    /// `GetState` of a block of the queue.
    pub fn state_of(&self, id: QueueId, token: Token, at: Place) -> Result<BlockState> {
        let block = self.block_of_queue(id, token, "get_state", at)?;
        Ok(self.block(block).state)
    }

    /// The block of a token, which must be one of this queue.
    pub fn block_of_queue(
        &self,
        id: QueueId,
        token: Token,
        op: &'static str,
        at: Place,
    ) -> Result<BlockId> {
        match self.live_queue(id, at)?.block_of(token) {
            Some(block) => Ok(block),
            None => Err(self.not_of_queue(id, token, op, at)),
        }
    }

    /// The way of an enqueue or dequeue: the queue's own, or that of the user's positions.
    #[inline]
    fn way_for(&self, id: QueueId, pos: Option<(TPosition, TPosition)>, at: Place) -> Result<Way> {
        match pos {
            None => Ok(self.queue(id).own_way()),
            Some((src, dst)) => self.named_way(src, dst, at),
        }
    }

    #[inline(never)]
    fn named_way(&self, src: TPosition, dst: TPosition, at: Place) -> Result<Way> {
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

    #[inline]
    fn check_written(&self, id: QueueId, block: BlockId, at: Place) -> Result<()> {
        let queue = self.queue(id);
        if self.block(block).written == Some(queue.epoch) {
            return Ok(());
        }
        Err(self.record_never_initialised(id, block, at))
    }
}

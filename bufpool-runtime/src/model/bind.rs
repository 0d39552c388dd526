//! Making a queue or TBuf stand on block records, and writing the records.

use crate::event::HardEvent;
use crate::model::block::{Block, BlockId, BlockState, BlockSync, OwnerId, QueueId};
use crate::model::fifo::Fifo;
use crate::model::owner::Owner;
use crate::model::piece::{Home, Token};
use crate::model::queue::{Queue, Shape};
use crate::model::site::Site;
use crate::model::stream::{Event, FlagUser, Moved, Placement};
use crate::model::sync::barrier_of;
use crate::model::turn::Turn;
use crate::model::{PIPE_BLOCKS, State};
use crate::place::Place;

/// Consecutive records of one owner.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Records {
    pub owner: OwnerId,
    pub first: BlockId,
    pub num: u8,
    /// Bytes of each block.
    pub len: u32,
}

impl Records {
    pub fn block(&self, index: u8) -> BlockId {
        BlockId(self.first.0 + u32::from(index))
    }
}

/// What is written into a record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NewBlock {
    /// Index of the block within its queue.
    pub index: u8,
    pub addr: u32,
    pub len: u32,
    pub sync: BlockSync,
    pub lock: Option<u8>,
    pub placement: Placement,
}

impl State {
    /// Binds a queue or TBuf to records. `slot`: its number, if it was bound before.
    pub fn bind(
        &mut self,
        slot: Option<QueueId>,
        shape: Shape,
        site: Site,
        records: Records,
        at: Place,
    ) -> QueueId {
        let Records { owner, first, num, len } = records;
        let depth = shape.depth;
        let Owner { base, epoch, .. } = *self.owner(owner);
        let index = (first.0 - base) as u8;
        let queue = Queue {
            position: site.position,
            hardware: site.hardware,
            owner,
            epoch,
            live: true,
            viewed: false,
            first,
            token: Token::new(first, epoch),
            home: Home::new(owner, index, site.hardware, site.position),
            num,
            len,
            cursor: 0,
            out: 0,
            fifo: Fifo::default(),
            way: site.way,
            free_event: site.free_event,
            turn: self.turn(&shape, site),
            init_at: at,
            dropped: false,
            shape,
        };
        let rebound_from =
            slot.map(|id| self.queue(id)).filter(|old| old.live).map(|old| old.init_at);
        let id = if let Some(id) = slot.or_else(|| self.free_queues.pop()) {
            *self.queue_mut(id) = queue;
            id
        } else {
            self.queues.push(queue);
            QueueId(self.queues.len() as u32 - 1)
        };
        if self.is_heard() {
            let name = self.queue(id).label();
            let position = site.position;
            let new = slot.is_none();
            self.emit(
                &Event::Bound { queue: id, name: &name, position, depth, new, rebound_from },
                at,
            );
        }
        id
    }

    /// The pipe's records come into being with the first block or pool: most of what a new pipe
    /// would cost.
    pub fn make_pipe_records(&mut self) {
        if self.blocks.is_empty() {
            self.blocks = vec![Block::EMPTY; PIPE_BLOCKS as usize];
        }
    }

    /// Writes one record: FREE, at an address, without ids (depth 0: with both).
    #[inline]
    pub fn write_block(&mut self, id: QueueId, block: BlockId, new: NewBlock, at: Place) {
        let queue = self.queue(id);
        let (owner, hardware, epoch) = (queue.owner, queue.hardware, queue.epoch);
        let (enque_event, free_event) = (queue.way.map(|way| way.event), queue.free_event);
        let NewBlock { index, addr, len, sync, lock, placement } = new;
        let (before, life) = (self.block(block).state, self.block(block).life);
        let moved = if self.is_heard() { self.moved(id, block, &new) } else { None };
        let handle = self.handle(block, owner);
        let holds = sync == BlockSync::HeldFlags;
        let mut held = |event: Option<HardEvent>| self.events.reserve(event.filter(|_| holds)?, at);
        let (enque_id, free_id) = (held(enque_event), held(free_event));
        *self.block_mut(block) = Block {
            addr,
            len,
            size: len,
            state: BlockState::Free,
            life,
            enque_id,
            free_id,
            free_event,
            sync,
            lock,
            written: Some(epoch),
            queue: Some(id),
            ..Block::EMPTY
        };
        if self.is_heard() {
            self.emit(
                &Event::BlockInit {
                    block,
                    handle,
                    queue: id,
                    hardware,
                    addr,
                    len,
                    placement,
                    index,
                    before,
                    moved,
                },
                at,
            );
        }
        if let (Some(event), Some(id)) = (free_event, free_id) {
            self.set(event, id, FlagUser::Block(block), at);
        }
    }

    /// Who else stands on a record that is about to be written, and cannot go on with it. Two queues
    /// on the same bytes can: the state of the block says whose turn it is.
    fn moved(&self, id: QueueId, block: BlockId, new: &NewBlock) -> Option<Moved> {
        let record = self.block(block);
        if record.written != Some(self.queue(id).epoch) {
            return None;
        }
        let elsewhere = record.addr != new.addr || record.size > new.len;
        let (queue, other) = self.other_on(block, id)?;
        let ring = [other, self.queue(id)].iter().all(|queue| queue.shape.depth.is_some());
        let end = other.first.0 + u32::from(other.num) - self.owner(other.owner).base;
        (elsewhere || !ring).then_some(Moved { queue, end, elsewhere })
    }

    /// Another queue or TBuf of the user that stands on a record.
    pub fn other_on(&self, block: BlockId, but: QueueId) -> Option<(QueueId, &Queue)> {
        (0..).map(QueueId).zip(&self.queues).find(|&(id, queue)| {
            id != but && queue.live && !queue.dropped && queue.blocks().any(|own| own == block)
        })
    }

    /// The user's queue or TBuf is gone. Its blocks stay taken while their owner keeps them; after
    /// that its number can serve another one.
    pub fn drop_queue(&mut self, id: QueueId) {
        let queue = self.queue_mut(id);
        queue.dropped = true;
        if !queue.live {
            self.free_queues.push(id);
        }
    }

    /// Owners let go of their blocks: their queues are stale, and the numbers of those that are
    /// gone are free.
    pub fn end_queues(&mut self, of: impl Fn(OwnerId) -> bool) {
        for (index, queue) in self.queues.iter_mut().enumerate() {
            if queue.live && of(queue.owner) {
                (queue.live, queue.viewed, queue.turn) = (false, false, None);
                if queue.dropped {
                    self.free_queues.push(QueueId(index as u32));
                }
            }
        }
    }

    /// What the usual turn of the blocks needs, if they take one.
    fn turn(&self, shape: &Shape, site: Site) -> Option<Turn> {
        let depth = u8::try_from(shape.depth?).ok().filter(|&depth| depth > 0)?;
        let (enque, free) = (site.way?.event, site.free_event?);
        let flags = [enque, free].iter().all(|&event| barrier_of(event).is_none());
        let turn = Turn { enque: self.events.signal(enque), free: self.events.signal(free), depth };
        (flags && self.signals_free(shape)).then_some(turn)
    }
}

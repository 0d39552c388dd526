//! Snapshots of the state, for [`crate::inspect`].

use crate::inspect::{BlockView, BufferView, PipeView, PoolView, QueueView};
use crate::model::State;
use crate::model::block::{BlockId, BlockSync, OwnerId, QueueId};
use crate::position::Hardware;

impl State {
    pub fn view_queue(&self, id: QueueId) -> QueueView {
        let queue = self.queue(id);
        QueueView {
            blocks: u32::from(queue.num),
            used: queue.fifo.len() as u32,
            out: queue.out,
            cursor: queue.cursor,
            depth: queue.depth(),
            hardware: queue.hardware,
            position: queue.position,
            records: queue.blocks().map(|block| self.view_block(block, queue.owner)).collect(),
        }
    }

    pub fn view_buffer(&self, id: QueueId) -> BufferView {
        let queue = self.queue(id);
        BufferView {
            len: queue.len,
            position: queue.position,
            hardware: queue.hardware,
            record: self.view_block(queue.first, queue.owner),
        }
    }

    pub fn view_block(&self, block: BlockId, owner: OwnerId) -> BlockView {
        let record = self.block(block);
        BlockView {
            owner: owner.0,
            index: block.0 - self.owner(owner).base,
            addr: record.addr,
            len: record.len,
            state: record.state,
            enque_id: match record.sync {
                BlockSync::Flags => record.enque_id.or(record.lock),
                _ => record.enque_id,
            },
            free_id: record.free_id,
            free_event: record.free_event,
            lock: match record.sync {
                BlockSync::Flags => None,
                _ => record.lock,
            },
            user_tag: record.user_tag,
        }
    }

    pub fn view_pool(&self, id: OwnerId) -> PoolView {
        let owner = self.owner(id);
        PoolView {
            owner: id.0,
            start: owner.start,
            cursor: owner.cursor,
            len: owner.len,
            used: owner.used,
            size: owner.size,
        }
    }

    pub fn view_pipe(&self) -> PipeView {
        PipeView {
            blocks: u32::from(self.owner(OwnerId::PIPE).used),
            cursors: Hardware::ALL.map(|memory| (memory, self.cursors[memory as usize])),
            high_water: Hardware::ALL.map(|memory| (memory, self.high_water[memory as usize])),
            tscm: self.tscm,
            events: self.events.masks().collect(),
            peak_events: self.events.peaks().collect(),
            locks: self.locks.mask(),
            peak_locks: self.locks.peak(),
        }
    }
}

//! What the stream told of blocks, queues and pools: who owns which bytes, and in which step of
//! their life blocks are.

use super::clocks::Time;
use super::runs::Bytes;
use crate::model::block::{BlockId, OwnerId, QueueId};
use crate::model::stream::{Ended, Placement};
use crate::place::Place;
use crate::position::{Hardware, TPosition};

/// Step of a block's life, as the operations on it tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Free,
    Allocated,
    Enqueued,
    Dequeued,
    /// The block of a TBuf: no steps.
    Buffer,
}

/// A block record that was written.
#[derive(Clone, Debug)]
pub(super) struct BlockInfo {
    pub id: BlockId,
    pub owner: OwnerId,
    /// Index of the record within its owner.
    pub record: u8,
    /// The queue or TBuf that used it last.
    pub queue: QueueId,
    /// The queue that handed it out, which counts it. None if that was a fault already.
    pub counted_by: Option<QueueId>,
    pub hardware: Hardware,
    pub bytes: Bytes,
    pub placement: Placement,
    pub init_at: Place,
    /// When the record was written: older accesses of this id were of another block.
    pub born: Time,
    pub step: Step,
    /// Where the step changed last.
    pub step_at: Place,
    /// When: a queue operation orders the two pipes of its queue, and no others.
    pub step_time: Time,
    /// Since when the bytes belong to who has them now.
    pub handed: Time,
    pub handed_at: Place,
    /// The life that tensors of the block are of by now.
    pub life: u8,
    /// Of a TBuf: a view was taken.
    pub viewed: bool,
    /// The user named positions in this life: the steps are his own.
    pub own_steps: bool,
    /// Other blocks that share bytes with it.
    pub rivals: Vec<BlockId>,
}

impl BlockInfo {
    /// Whether somebody has a tensor of it.
    pub fn is_live(&self) -> bool {
        match self.step {
            Step::Free => false,
            Step::Buffer => self.viewed,
            Step::Allocated | Step::Enqueued | Step::Dequeued => true,
        }
    }

    /// When its bytes were handed out, when it last passed through its queue, and when it came to
    /// be: accesses on two sides of such a time are not alike.
    pub fn turning_points(&self) -> [Time; 3] {
        [self.handed, self.step_time, self.born]
    }
}

/// A queue or TBuf.
#[derive(Clone, Debug)]
pub(super) struct QueueInfo {
    /// As the user named it, or "VECIN queue".
    pub name: String,
    pub position: TPosition,
    pub is_buffer: bool,
    pub bound_at: Place,
    /// Records that `init_buf_handle` wrote since it was bound: block, index, place.
    pub written: Vec<(BlockId, u8, Place)>,
    /// Declared sharings that it takes part in.
    pub sharings: Vec<u32>,
}

/// A pool, or the pipe.
#[derive(Clone, Debug)]
pub(super) struct OwnerInfo {
    pub name: String,
    pub custom: bool,
    pub hardware: Hardware,
    pub bytes: Bytes,
    pub parent: OwnerId,
    pub init_at: Place,
    pub cursor: u32,
    /// Records in use by the last word of the user since the pool got its range.
    pub count: u8,
    /// Records that the pool declares.
    pub records: u32,
    /// Records whose flags the end of the pool waits for.
    pub awaited: u8,
    /// When and where `init` let go of its records last, without a wait for their flags.
    pub emptied: Option<(Time, Place)>,
    /// How the pool that it was carved from has ended first.
    pub orphaned: Option<Orphaned>,
}

/// The end of the pool that another one was carved from.
#[derive(Clone, Debug)]
pub(super) struct Orphaned {
    /// Its name: its number may be that of another pool later.
    pub parent: String,
    pub how: Ended,
    pub at: Place,
}

/// Two blocks found on the same bytes when the second was written. Sharing may still be declared
/// until one of them is used.
#[derive(Clone, Copy, Debug)]
pub(super) struct Doubt {
    pub first: BlockId,
    pub second: BlockId,
}

/// All of it.
#[derive(Default)]
pub(super) struct Table {
    blocks: Vec<Option<BlockInfo>>,
    queues: Vec<Option<QueueInfo>>,
    owners: Vec<Option<OwnerInfo>>,
    /// Blocks that exist, in the order they came.
    standing: Vec<BlockId>,
    pub doubts: Vec<Doubt>,
    /// Whether any pool lost the one that it was carved from.
    pub has_orphans: bool,
    sharings: u32,
}

impl Table {
    #[inline]
    pub fn block(&self, id: BlockId) -> Option<&BlockInfo> {
        self.blocks.get(id.0 as usize)?.as_ref()
    }

    #[inline]
    pub fn block_mut(&mut self, id: BlockId) -> Option<&mut BlockInfo> {
        self.blocks.get_mut(id.0 as usize)?.as_mut()
    }

    pub fn queue(&self, id: QueueId) -> Option<&QueueInfo> {
        self.queues.get(id.0 as usize)?.as_ref()
    }

    pub fn queue_mut(&mut self, id: QueueId) -> Option<&mut QueueInfo> {
        self.queues.get_mut(id.0 as usize)?.as_mut()
    }

    pub fn owner(&self, id: OwnerId) -> Option<&OwnerInfo> {
        self.owners.get(id.0 as usize)?.as_ref()
    }

    pub fn owner_mut(&mut self, id: OwnerId) -> Option<&mut OwnerInfo> {
        self.owners.get_mut(id.0 as usize)?.as_mut()
    }

    /// A block as it was at a time: none if its record was written again since.
    pub fn block_then(&self, id: Option<BlockId>, time: Time) -> Option<&BlockInfo> {
        self.block(id?).filter(|block| block.born <= time)
    }

    /// What the user calls a block: its queue or TBuf.
    pub fn name(&self, block: Option<BlockId>) -> String {
        block
            .and_then(|block| self.block(block))
            .and_then(|block| self.queue(block.queue))
            .map_or_else(|| "tensor at a fixed address".to_owned(), |queue| queue.name.clone())
    }

    pub fn standing(&self) -> impl Iterator<Item = &BlockInfo> {
        self.standing.iter().filter_map(|&id| self.block(id))
    }

    /// Blocks of a memory.
    pub fn blocks_of(&self, hardware: Hardware) -> impl Iterator<Item = &BlockInfo> {
        self.standing().filter(move |block| block.hardware == hardware)
    }

    /// A queue is bound. What was declared of it holds on if it was bound before.
    pub fn put_queue(&mut self, id: QueueId, queue: QueueInfo) {
        let slot = slot(&mut self.queues, id.0 as usize);
        let sharings = slot.take().map(|old| old.sharings);
        *slot = Some(QueueInfo { sharings: sharings.unwrap_or_default(), ..queue });
    }

    pub fn remove_queue(&mut self, id: QueueId) {
        *slot(&mut self.queues, id.0 as usize) = None;
    }

    pub fn put_owner(&mut self, id: OwnerId, owner: OwnerInfo) {
        *slot(&mut self.owners, id.0 as usize) = Some(owner);
    }

    /// A pool was reset, or is gone: those carved out of it stand on bytes that are no longer theirs.
    pub fn orphan(&mut self, above: OwnerId, how: Ended, at: Place) {
        let Some(parent) = self.owner(above).map(|pool| pool.name.clone()) else { return };
        let orphaned = Orphaned { parent, how, at };
        for below in (0..self.owners.len() as u32).map(OwnerId) {
            if self.is_above(above, below)
                && let Some(owner) = self.owner_mut(below)
            {
                owner.orphaned.get_or_insert_with(|| orphaned.clone());
                self.has_orphans = true;
            }
        }
    }

    /// A pool is gone, and its number may be that of another one later: those carved out of it stand
    /// on the bytes of the one above.
    pub fn remove_owner(&mut self, id: OwnerId) {
        let Some(above) = self.owner(id).map(|pool| pool.parent) else { return };
        for owner in self.owners.iter_mut().flatten().filter(|owner| owner.parent == id) {
            owner.parent = above;
        }
    }

    /// Adds a block; those that share bytes with it become its rivals, and it theirs.
    pub fn put_block(&mut self, mut block: BlockInfo) {
        self.remove_block(block.id);
        for other in self.standing.clone() {
            if let Some(other) = self.block_mut(other)
                && other.hardware == block.hardware
                && other.bytes.meets(block.bytes)
            {
                other.rivals.push(block.id);
                block.rivals.push(other.id);
            }
        }
        self.standing.push(block.id);
        let id = block.id.0 as usize;
        *slot(&mut self.blocks, id) = Some(block);
    }

    /// Removes a block, and it from its rivals.
    pub fn remove_block(&mut self, id: BlockId) {
        let Some(old) = self.blocks.get_mut(id.0 as usize).and_then(Option::take) else { return };
        for rival in old.rivals {
            if let Some(rival) = self.block_mut(rival) {
                rival.rivals.retain(|&other| other != id);
            }
        }
        self.standing.retain(|&other| other != id);
        self.doubts.retain(|doubt| doubt.first != id && doubt.second != id);
    }

    /// The user says that these queues and TBufs share bytes on purpose.
    pub fn declare_sharing(&mut self, queues: &[QueueId]) {
        let known = |table: &Table, group: u32| {
            queues
                .iter()
                .all(|&queue| table.queue(queue).is_some_and(|q| q.sharings.contains(&group)))
        };
        if (0..self.sharings).any(|group| known(self, group)) {
            return;
        }
        let group = self.sharings;
        self.sharings += 1;
        for &queue in queues {
            if let Some(queue) = self.queue_mut(queue) {
                queue.sharings.push(group);
            }
        }
    }

    /// Whether sharing between the users of two blocks was declared.
    pub fn is_declared(&self, a: &BlockInfo, b: &BlockInfo) -> bool {
        if a.queue == b.queue {
            return false;
        }
        match (self.queue(a.queue), self.queue(b.queue)) {
            (Some(a), Some(b)) => a.sharings.iter().any(|group| b.sharings.contains(group)),
            _ => false,
        }
    }

    /// Whether two pools stand on the same bytes and neither was carved out of the other.
    pub fn pools_share(&self, a: OwnerId, b: OwnerId) -> bool {
        let (Some(first), Some(second)) = (self.owner(a), self.owner(b)) else { return false };
        a != b
            && first.hardware == second.hardware
            && first.bytes.meets(second.bytes)
            && !self.is_above(a, b)
            && !self.is_above(b, a)
    }

    fn is_above(&self, above: OwnerId, below: OwnerId) -> bool {
        let parent =
            |id: &OwnerId| self.owner(*id).map(|owner| owner.parent).filter(|parent| parent != id);
        // A pool may be given bytes by one inside of it: no more steps than there are pools.
        let above_it = std::iter::successors(Some(below), parent).skip(1);
        above_it.take(self.owners.len()).any(|id| id == above)
    }
}

fn slot<T>(slots: &mut Vec<Option<T>>, index: usize) -> &mut Option<T> {
    if slots.len() <= index {
        slots.resize_with(index + 1, || None);
    }
    &mut slots[index]
}

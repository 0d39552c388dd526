//! Who holds what: the lines of a message that list the holders of bytes and of records.

use crate::error::Trail;
use crate::model::State;
use crate::model::block::OwnerId;
use crate::model::owner::{LostRange, Owner, OwnerKind};
use crate::model::queue::Queue;
use crate::place::Place;
use crate::position::{Hardware, TPosition};

/// An amount, where it was taken, and what has it.
type Holder = (u64, Place, String);

/// Most holders that one message lists.
const MOST: usize = 12;

impl State {
    /// Queues and TBufs of an owner that are still there.
    pub fn queues_of(&self, owner: OwnerId) -> impl Iterator<Item = &Queue> {
        let epoch = self.owner(owner).epoch;
        self.queues.iter().filter(move |queue| queue.owner == owner && queue.epoch == epoch)
    }

    /// Pools that have a range of the memory, in the order of their making.
    pub fn pools_in(&self, memory: Hardware) -> impl Iterator<Item = OwnerId> {
        self.owners()
            .skip(1)
            .filter(move |(_, owner)| owner.hardware == memory && owner.init_at.is_some())
            .map(|(id, _)| id)
    }

    /// Bytes of a memory by holder: blocks of the pipe, and pools.
    pub fn byte_holders(&self, memory: Hardware, trail: Trail) -> Trail {
        let stride = u64::from(self.spec.tscm_stride(self.kind));
        let times = |queue: &Queue| if queue.position == TPosition::TSCM { stride } else { 1 };
        let queues =
            self.queues_of(OwnerId::PIPE).filter(|queue| queue.hardware == memory).map(|queue| {
                (queue_bytes(queue) * times(queue), queue.init_at, queue.label_with_size())
            });
        // Pools in pools have bytes of these, and those that share have another one's.
        let pools = self.pools_in(memory).filter_map(|id| {
            let owner = self.owner(id);
            let at = owner.init_at.filter(|_| owner.parent.0 == OwnerId::PIPE && !owner.shares)?;
            Some((u64::from(owner.len), at, owner.label()))
        });
        let lost = self.lost_in(memory).map(|lost| {
            (
                u64::from(lost.end - lost.start),
                lost.at,
                format!("lost by the reset of pool `{}`", lost.pool),
            )
        });
        list(trail, queues.chain(pools).chain(lost), "held by")
    }

    /// Ranges that were lost in resets, and that no pool has.
    pub fn lost_in(&self, memory: Hardware) -> impl Iterator<Item = &LostRange> {
        self.lost.iter().filter(move |lost| {
            let mut pools = self.pools_in(memory).map(|id| self.owner(id));
            let has = |pool: &Owner| pool.start <= lost.start && u64::from(lost.end) <= pool.end();
            lost.memory == memory && !pools.any(has)
        })
    }

    /// Pools that got bytes of this one, and still have them.
    fn children_of(&self, pool: OwnerId) -> impl Iterator<Item = &Owner> {
        let parent = (pool, self.owner(pool).epoch);
        self.pools
            .iter()
            .filter(move |owner| owner.parent == parent && !owner.shares && owner.init_at.is_some())
    }

    /// Bytes of a pool by holder: those of the records that were written, and pools inside.
    pub fn pool_holders(&self, pool: OwnerId, trail: Trail) -> Trail {
        let owner = self.owner(pool);
        let queues = self
            .queues_of(pool)
            .map(|queue| (self.written_bytes(queue), queue.init_at, queue.label_with_size()))
            .filter(|&(bytes, ..)| bytes > 0);
        let pools = self
            .children_of(pool)
            .filter_map(|child| Some((u64::from(child.len), child.init_at?, child.label())));
        let holders: Vec<Holder> = queues.chain(pools).collect();
        let used = u64::from(owner.cursor.saturating_sub(owner.start));
        let gone = self.gone(pool, used, &holders, "bytes");
        list(trail.maybe_at("pool from", owner.init_at), holders.into_iter(), "held by")
            .maybe_note(gone)
    }

    fn written_bytes(&self, queue: &Queue) -> u64 {
        let records = queue.blocks().map(|block| self.block(block));
        let written = records.filter(|record| record.written == Some(queue.epoch));
        written.map(|record| u64::from(record.size)).sum()
    }

    /// Block records of an owner by holder.
    pub fn block_holders(&self, owner: OwnerId, trail: Trail) -> Trail {
        let queues = self
            .queues_of(owner)
            .map(|queue| (u64::from(queue.num), queue.init_at, queue.label_with_size()));
        let pools = self
            .children_of(owner)
            .filter(|child| child.taken > 0)
            .filter_map(|child| Some((u64::from(child.taken), child.init_at?, child.label())));
        let holders: Vec<Holder> = queues.chain(pools).collect();
        let gone = self.gone(owner, u64::from(self.owner(owner).used), &holders, "records");
        list(trail, holders.into_iter(), "held by").maybe_note(gone)
    }

    /// What a `TBufPool` handed out to pools that no longer have it: nothing gives that back.
    fn gone(&self, pool: OwnerId, used: u64, holders: &[Holder], what: &str) -> Option<String> {
        let held: u64 = holders.iter().map(|(amount, ..)| amount).sum();
        let gone = used.saturating_sub(held);
        let counted = self.owner(pool).kind == OwnerKind::TBufPool && gone > 0;
        counted.then(|| {
            format!("{gone} more {what} went to pools inside that were reset or initialised again")
        })
    }

    /// Whether anybody has records of the owner.
    pub fn has_block_holders(&self, owner: OwnerId) -> bool {
        self.queues_of(owner).next().is_some()
            || self.children_of(owner).any(|child| child.taken > 0)
    }

    /// Lock ids of the core by holder. What a pool took stays taken when it is initialised again.
    pub fn lock_holders(&self, trail: Trail) -> Trail {
        let queues = self
            .queues_of(OwnerId::PIPE)
            .filter(|queue| queue.blocks().any(|block| self.block(block).lock.is_some()))
            .map(|queue| (u64::from(queue.num), queue.init_at, queue.label_with_size()));
        let pools = self.pools.iter().filter(|pool| pool.locks_taken > 0).filter_map(|owner| {
            Some((u64::from(owner.locks_taken), owner.init_at?, owner.label()))
        });
        list(trail, queues.chain(pools), "held by")
    }
}

pub(crate) fn queue_bytes(queue: &Queue) -> u64 {
    u64::from(queue.num) * u64::from(queue.len)
}

fn list(mut trail: Trail, holders: impl Iterator<Item = Holder>, held: &str) -> Trail {
    let mut more = 0;
    for (n, (amount, at, what)) in holders.enumerate() {
        if n < MOST {
            trail = trail.holder(format!("{amount} {held}"), Some(at), &what);
        } else {
            more += 1;
        }
    }
    if more > 0 { trail.note(format!("and {more} more")) } else { trail }
}

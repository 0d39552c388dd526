//! Pools: where they get their bytes and their records.

use crate::chip::ChildBlocks;
use crate::error::{BufPoolError, Result, Trail};
use crate::model::State;
use crate::model::alloc;
use crate::model::block::{Block, OwnerId};
use crate::model::owner::{Owner, OwnerKind, OwnerName};
use crate::model::stream::{Ended, Event};
use crate::place::Place;
use crate::position::{Hardware, TPosition};

/// What a pool is by its type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PoolShape {
    pub name: OwnerName,
    pub position: TPosition,
    pub size: u8,
    pub custom: bool,
}

/// Where a pool gets its bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PoolSource {
    /// The pipe, or the pool around it.
    pub parent: OwnerId,
    /// Bytes asked for.
    pub len: u32,
    /// The pool whose range it gets.
    pub shares: Option<OwnerId>,
}

impl State {
    /// `InitBufPool`. `slot` and `used`: the pool's number if it has one here already, and its count
    /// of records.
    pub fn init_pool(
        &mut self,
        slot: Option<OwnerId>,
        shape: PoolShape,
        used: u8,
        source: PoolSource,
        at: Place,
    ) -> Result<OwnerId> {
        let PoolSource { parent, len, shares } = source;
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
        let parent_epoch = self.owner(parent).epoch;
        let owner = self.owner_mut(id);
        (owner.start, owner.cursor, owner.len) = (range.start, range.start, range.len);
        owner.init_at = Some(at);
        owner.parent = (parent, parent_epoch);
        (owner.shares, owner.taken) = (shares.is_some(), records);
        (owner.ended, owner.emptied) = (None, false);
        owner.locks = locks;
        owner.locks_taken += locks_taken;
        if self.is_heard() {
            let (name, custom) = (shape.name.get(), shape.custom);
            let (records, count) = (self.owner(id).size, self.owner(id).used);
            let PoolRange { start, len: given } = range;
            self.emit(
                &Event::PoolInit {
                    owner: id,
                    name,
                    custom,
                    hardware,
                    start,
                    len: given,
                    parent,
                    shares,
                    asked: len,
                    records,
                    count,
                },
                at,
            );
        }
        Ok(id)
    }

    /// Whether the pool has a range to carve from.
    #[inline]
    pub fn check_pool(&self, pool: OwnerId, at: Place) -> Result<()> {
        if self.owner(pool).init_at.is_some() {
            Ok(())
        } else {
            Err(self.not_initialised(pool, at))
        }
    }

    #[cold]
    fn not_initialised(&self, pool: OwnerId, at: Place) -> BufPoolError {
        let owner = self.owner(pool);
        // A pool that went with the one around it starts again at the pipe.
        let (parent, epoch) = owner.parent;
        let parent = Some(self.owner(parent)).filter(|pool| {
            pool.kind != OwnerKind::Pipe && pool.epoch == epoch && pool.init_at.is_some()
        });
        let how = if owner.shares { "init_buf_pool_shared" } else { "init_buf_pool" };
        let call = match parent {
            Some(parent) => format!("{how} of {}", parent.label()),
            None => format!("TPipe::{how}"),
        };
        let (why, label, at_end) = if owner.emptied {
            ("its init emptied it", "", None)
        } else if let Some((how, at)) = owner.ended {
            match how {
                Ended::PoolDropped => ("it was destroyed", "destroyed at", at),
                _ => ("its reset emptied it", "reset at", at),
            }
        } else {
            match self.owner(OwnerId::PIPE).ended {
                Some((Ended::PipeInit, at)) => {
                    ("the TPipe was initialised again since", "initialised again at", at)
                }
                Some((Ended::Destroyed, at)) => {
                    ("the TPipe was destroyed since", "destroyed at", at)
                }
                ended => ("the TPipe was reset since", "reset at", ended.and_then(|(_, at)| at)),
            }
        };
        BufPoolError::PoolNotInitialised {
            pool: owner.name.to_string(),
            why,
            trail: Trail::asked(at)
                .maybe_at(label, at_end)
                .help(format!("call {call} before carving")),
        }
    }

    #[inline]
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
            Some(other) => {
                Err(self.records_exhausted(other, self.owner(other).size, &what(), num, at))
            }
            None if parent == OwnerId::PIPE => Ok(0),
            None => self.check_records(parent, &what(), num, at).map(|()| shape.size),
        }
    }

    /// Gives a pool its records in the store: those of a pool that is gone, or new ones.
    fn own(
        &mut self,
        slot: Option<OwnerId>,
        shape: PoolShape,
        hardware: Hardware,
        used: u8,
    ) -> OwnerId {
        if let Some(id) = slot {
            return id;
        }
        let size = u32::from(shape.size);
        self.make_pipe_records();
        let mut owner = Owner {
            kind: if shape.custom { OwnerKind::Custom } else { OwnerKind::TBufPool },
            name: shape.name,
            position: shape.position,
            hardware,
            base: self.blocks.len() as u32,
            size,
            used,
            ..Owner::pipe()
        };
        let gone = self.free_owners.iter().position(|&id| self.owner(id).size == size);
        if let Some(gone) = gone {
            let id = self.free_owners.swap_remove(gone);
            let gone = self.owner(id);
            (owner.base, owner.epoch, owner.since) = (gone.base, gone.epoch, gone.epoch);
            let base = owner.base as usize;
            self.blocks[base..base + usize::from(shape.size)].fill(Block::EMPTY);
            *self.owner_mut(id) = owner;
            return id;
        }
        self.blocks.resize(self.blocks.len() + usize::from(shape.size), Block::EMPTY);
        self.pools.push(owner);
        OwnerId(self.pools.len() as u32)
    }

    /// The user's pool is gone: what was carved from it is stale, and its records can serve
    /// another pool.
    pub fn free_owner(&mut self, id: OwnerId) {
        self.end_queues(|owner| owner == id);
        let owner = self.owner_mut(id);
        owner.epoch += 1;
        owner.init_at = None;
        owner.dropped = true;
        self.free_owners.push(id);
    }

    fn range_of_memory(
        &self,
        shape: PoolShape,
        memory: Hardware,
        len: u32,
        at: Place,
    ) -> Result<PoolRange> {
        let start = self.cursors[memory as usize];
        let limit = self.memory_limit(memory);
        match alloc::place(start, limit, 1, len) {
            Some(placed) => Ok(PoolRange { start, len: placed.stride }),
            None => Err(self.memory_full(
                memory,
                &format!("pool `{}`", shape.name),
                alloc::total(1, len),
                limit,
                at,
            )),
        }
    }

    fn range_of_pool(
        &self,
        shape: PoolShape,
        memory: Hardware,
        parent: OwnerId,
        len: u32,
        at: Place,
    ) -> Result<PoolRange> {
        self.check_parent(shape, memory, parent, at)?;
        let owner = self.owner(parent);
        let limit = u32::try_from(owner.end()).unwrap_or(u32::MAX);
        match alloc::place(owner.cursor, limit, 1, len) {
            Some(placed) => Ok(PoolRange { start: owner.cursor, len: placed.stride }),
            None => Err(self.pool_overflow(
                parent,
                &format!("pool `{}`", shape.name),
                alloc::total(1, len),
                at,
            )),
        }
    }

    /// A sharing pool gets the other pool's start and its whole length, whatever it asked for.
    fn shared_range(
        &self,
        shape: PoolShape,
        memory: Hardware,
        other: OwnerId,
        len: u32,
        at: Place,
    ) -> Result<PoolRange> {
        self.check_parent(shape, memory, other, at)?;
        let owner = self.owner(other);
        if len > owner.len {
            return Err(BufPoolError::SharedTooShort {
                pool: shape.name.to_string(),
                other: owner.name.to_string(),
                asked: len,
                limit: owner.len,
                trail: Trail::asked(at)
                    .maybe_at("other pool from", owner.init_at)
                    .help("initialise the longest pool first and share it with the shorter ones"),
            });
        }
        Ok(PoolRange { start: owner.start, len: owner.len })
    }

    fn check_parent(
        &self,
        shape: PoolShape,
        memory: Hardware,
        parent: OwnerId,
        at: Place,
    ) -> Result<()> {
        self.check_pool(parent, at)?;
        let owner = self.owner(parent);
        if owner.hardware == memory {
            return Ok(());
        }
        Err(BufPoolError::WrongMemory {
            pool: owner.name.to_string(),
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
}

/// Range of a pool.
#[derive(Clone, Copy, Debug)]
struct PoolRange {
    start: u32,
    len: u32,
}

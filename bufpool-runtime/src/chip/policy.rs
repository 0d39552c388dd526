//! How buffer layers differ: small policies, and the ids that they use.

use crate::event::HardEvent;

/// How queues order the pipes that share a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SyncPolicy {
    /// Flags: an id is held from enqueue to dequeue and from free to the next allocation.
    Flags,
    /// Lock ids on the vector core, one per block; flags on the cube core.
    Locks,
}

/// What `Reset` of a pool leaves behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PoolReset {
    /// Waits for the pending free ids; start, cursor and length become 0, and the ids of the pool's
    /// blocks stay reserved.
    Empties,
    /// The cursor goes back to the start; start and length stay. UB pools let the pipes finish,
    /// L1 pools wait for the pending free ids and hand over from MTE1 to MTE2.
    Rewinds,
}

/// What the end of a `TBufPool`'s life does. A custom pool is always reset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PoolDrop {
    /// As `Reset`.
    Resets,
    /// Nothing: nobody is waited for.
    Leaves,
}

/// Whose block records the blocks of a nested pool count against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChildBlocks {
    /// Their own: a child takes bytes of its parent and nothing else.
    Own,
    /// The parent's too: a child takes as many records as it declares. A sharing pool may not
    /// declare more than the pool that it shares with.
    OfParent,
}

/// What a chip does with `bf16`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Bf16 {
    /// It does not know the type.
    Unknown,
    /// Copies, casts and duplicates.
    Moved,
    /// Calculates too.
    Calculated,
}

/// One row of the route table: the events of a queue from one memory to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Route {
    pub enque: HardEvent,
    /// None where the hardware has no event for the way back (UB to L0C).
    pub free: Option<HardEvent>,
}

/// The ways in which positions map to memories and routes to events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    /// One core does cube and vector work; C1 and CO2 are in UB, C2 in L0C (1001, 2002).
    Joined,
    /// Separate cube and vector cores (2201, 3510).
    Split,
    /// One core with the memories of the split family; CO2 is in UB (3002).
    JoinedWithBias,
}

/// Ids 0 to 2 of `M_MTE1` that `TPipe::init` takes on a cube core and gives back on destroy.
pub(crate) const CUBE_RESERVED_IDS: u8 = 3;

/// Lock ids 28 to 31 are kept for the system.
pub(crate) const LOCK_IDS: u8 = 28;

/// The lock id over which `TPipe::reset` lets MTE3 wait for V.
pub(crate) const PIPE_RESET_LOCK: u8 = 0;

/// The lock id over which the reset of an L1 pool lets MTE2 wait for MTE1.
pub(crate) const POOL_RESET_LOCK: u8 = 31;

/// Ids by which vector and cube core tell each other of TSCM blocks: from this one down to 0.
pub(crate) const FIRST_CROSS_ID: u8 = 11;

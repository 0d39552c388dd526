//! The seven products and what differs between them, as data and small policies.
//!
//! This is the only place that knows one chip from another. The model asks a [`ChipSpec`] for a
//! capacity, a route or a policy and acts on the answer, so a new chip is a new table here.

use std::fmt;

use crate::event::{HardEvent, Pipe};
use crate::position::{Hardware, TPosition};

/// A product, chosen at run time. The default is [`Chip::AtlasA2`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Chip {
    /// Atlas 350, Ascend 950PR and 950DT (arch 3510).
    Ascend950,
    /// Atlas A3 training and inference series (arch 2201).
    AtlasA3,
    /// Atlas A2 training and inference series (arch 2201).
    #[default]
    AtlasA2,
    /// Atlas 200I/500 A2 inference (arch 3002): queues and buffers, no pools.
    Atlas200I500A2,
    /// Atlas inference series, AI Core (arch 2002).
    AtlasInferenceAiCore,
    /// Atlas inference series, Vector Core (arch 2002): has no `TPipe`.
    AtlasInferenceVectorCore,
    /// Atlas training series (arch 1001).
    AtlasTraining,
}

/// Which core of the chip a kernel runs on. Only chips with separate cores tell them apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CoreKind {
    /// The vector core.
    #[default]
    AIV,
    /// The cube core.
    AIC,
}

impl fmt::Display for CoreKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            CoreKind::AIV => "AIV",
            CoreKind::AIC => "AIC",
        })
    }
}

impl Chip {
    /// All products, newest first.
    pub const ALL: [Chip; 7] = [
        Chip::Ascend950,
        Chip::AtlasA3,
        Chip::AtlasA2,
        Chip::Atlas200I500A2,
        Chip::AtlasInferenceAiCore,
        Chip::AtlasInferenceVectorCore,
        Chip::AtlasTraining,
    ];

    /// What this chip has and how its buffer layer behaves.
    #[must_use]
    pub const fn spec(self) -> &'static ChipSpec {
        match self {
            Chip::Ascend950 => &ASCEND_950,
            Chip::AtlasA3 => &ATLAS_A3,
            Chip::AtlasA2 => &ATLAS_A2,
            Chip::Atlas200I500A2 => &ATLAS_200I_500_A2,
            Chip::AtlasInferenceAiCore => &ATLAS_INFERENCE_AI_CORE,
            Chip::AtlasInferenceVectorCore => &ATLAS_INFERENCE_VECTOR_CORE,
            Chip::AtlasTraining => &ATLAS_TRAINING,
        }
    }
}

impl fmt::Display for Chip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.spec().name)
    }
}

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
    /// Start, cursor and length become 0; the ids of the pool's blocks stay reserved.
    Empties,
    /// The cursor goes back to the start; start and length stay.
    Rewinds,
}

/// One row of the route table: the events of a queue from one memory to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Route {
    pub enque: HardEvent,
    /// None where the hardware has no event for the way back (UB to L0C).
    pub free: Option<HardEvent>,
}

/// The figures and policies of one chip.
#[derive(Debug)]
pub struct ChipSpec {
    /// The name of the [`Chip`] constant.
    pub name: &'static str,
    /// The product series as the vendor calls it.
    pub product: &'static str,
    /// Architecture number of the vendor's headers.
    pub arch: u16,
    /// Event ids per [`HardEvent`].
    pub event_ids: u8,
    /// Whether the product has `TPipe` at all.
    pub has_tpipe: bool,
    /// Whether the product has `TBufPool` and custom pools.
    pub has_pools: bool,
    /// Usable UB by the documents, in bytes; less than the limit on some chips.
    pub documented_ub: u32,
    /// Whether vector work after vector work on the same data needs a barrier.
    pub v_needs_barrier: bool,
    capacity: [u32; Hardware::COUNT],
    /// Where TSCM starts, growing down.
    pub(crate) tscm_top: u32,
    pub(crate) sync: SyncPolicy,
    pub(crate) pool_reset: PoolReset,
    family: Family,
}

/// The two ways in which positions map to memories and routes to events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Family {
    /// One core does cube and vector work; C1 and CO2 are in UB, C2 in L0C (1001, 2002).
    Joined,
    /// Separate cube and vector cores (2201, 3510).
    Split,
    /// One core with the memories of the split family; CO2 is in UB (3002).
    JoinedWithBias,
}

/// Ids 0 to 2 of M_MTE1 that `TPipe::init` takes on a cube core and gives back on destroy.
pub(crate) const CUBE_RESERVED_IDS: u8 = 3;

/// Lock ids 28 to 31 are kept for the system.
pub(crate) const LOCK_IDS: u8 = 28;

const KIB: u32 = 1024;

const fn capacities(ub: u32, l1: u32, l0c: u32, bt: u32, fixbuf: u32) -> [u32; Hardware::COUNT] {
    // In the order of `Hardware`: GM has no limit here, its tensors know their own length.
    [0, ub, l1, 64 * KIB, 64 * KIB, l0c, bt, fixbuf]
}

static ASCEND_950: ChipSpec = ChipSpec {
    name: "Ascend950",
    product: "Atlas 350, Ascend 950PR/950DT",
    arch: 3510,
    event_ids: 8,
    has_tpipe: true,
    has_pools: true,
    documented_ub: 253_952,
    v_needs_barrier: false,
    capacity: capacities(256 * KIB, 512 * KIB, 256 * KIB, 4 * KIB, 16 * KIB),
    tscm_top: 512 * KIB,
    sync: SyncPolicy::Locks,
    pool_reset: PoolReset::Rewinds,
    family: Family::Split,
};

const ARCH_2201: ChipSpec = ChipSpec {
    name: "AtlasA2",
    product: "Atlas A2 training/inference",
    arch: 2201,
    event_ids: 8,
    has_tpipe: true,
    has_pools: true,
    documented_ub: 196_352,
    v_needs_barrier: true,
    capacity: capacities(192 * KIB, 512 * KIB, 128 * KIB, KIB, 7 * KIB),
    // The last 128 bytes of L1 are the system's.
    tscm_top: 512 * KIB - 128,
    sync: SyncPolicy::Flags,
    pool_reset: PoolReset::Empties,
    family: Family::Split,
};

static ATLAS_A2: ChipSpec = ARCH_2201;

static ATLAS_A3: ChipSpec = ChipSpec {
    name: "AtlasA3",
    product: "Atlas A3 training/inference",
    ..ARCH_2201
};

static ATLAS_200I_500_A2: ChipSpec = ChipSpec {
    name: "Atlas200I500A2",
    product: "Atlas 200I/500 A2 inference",
    arch: 3002,
    event_ids: 8,
    has_tpipe: true,
    has_pools: false,
    documented_ub: 253_952,
    v_needs_barrier: true,
    capacity: capacities(256 * KIB, 1024 * KIB, 128 * KIB, KIB, 7 * KIB),
    tscm_top: 1024 * KIB,
    sync: SyncPolicy::Flags,
    pool_reset: PoolReset::Empties,
    family: Family::JoinedWithBias,
};

const ARCH_2002: ChipSpec = ChipSpec {
    name: "AtlasInferenceAiCore",
    product: "Atlas inference, AI Core",
    arch: 2002,
    event_ids: 8,
    has_tpipe: true,
    has_pools: true,
    documented_ub: 262_144,
    v_needs_barrier: true,
    capacity: capacities(256 * KIB, 1024 * KIB, 256 * KIB, 0, 0),
    tscm_top: 1024 * KIB,
    sync: SyncPolicy::Flags,
    pool_reset: PoolReset::Empties,
    family: Family::Joined,
};

static ATLAS_INFERENCE_AI_CORE: ChipSpec = ARCH_2002;

static ATLAS_INFERENCE_VECTOR_CORE: ChipSpec = ChipSpec {
    name: "AtlasInferenceVectorCore",
    product: "Atlas inference, Vector Core",
    has_tpipe: false,
    has_pools: false,
    ..ARCH_2002
};

static ATLAS_TRAINING: ChipSpec = ChipSpec {
    name: "AtlasTraining",
    product: "Atlas training",
    arch: 1001,
    event_ids: 4,
    ..ARCH_2002
};

impl ChipSpec {
    /// Capacity of a memory in bytes: where an allocation becomes an error. 0 for GM.
    #[must_use]
    pub const fn capacity(&self, hardware: Hardware) -> u32 {
        self.capacity[hardware as usize]
    }

    /// The memory behind a position (`GetPhyType`).
    #[must_use]
    pub const fn hardware(&self, position: TPosition) -> Hardware {
        use TPosition as P;
        let joined = matches!(self.family, Family::Joined);
        match position {
            P::GM => Hardware::GM,
            P::A1 | P::B1 | P::TSCM | P::SPM => Hardware::L1,
            P::A2 => Hardware::L0A,
            P::B2 => Hardware::L0B,
            P::CO1 => Hardware::L0C,
            P::C1 if joined => Hardware::UB,
            P::C1 => Hardware::L1,
            P::C2 if joined => Hardware::L0C,
            P::C2 => Hardware::BT,
            P::CO2 if matches!(self.family, Family::Split) => Hardware::GM,
            P::CO2 | P::VECIN | P::VECOUT | P::VECCALC | P::C2PIPE2LOCAL => Hardware::UB,
            P::C2PIPE2GM if joined => Hardware::UB,
            P::C2PIPE2GM => Hardware::FIXBUF,
        }
    }

    /// The position that a queue between two positions stands at (`GetPosition`): the
    /// destination, unless that lies outside the core.
    #[must_use]
    pub const fn queue_position(&self, src: TPosition, dst: TPosition) -> TPosition {
        use TPosition as P;
        match (src, dst) {
            (_, P::GM) | (P::CO1, P::CO2) => src,
            (P::CO2, P::CO2) => dst,
            (_, P::CO2) if !matches!(self.family, Family::Joined) => src,
            _ => dst,
        }
    }

    /// The events of a queue from one position to another (`GetQueEvt`); none if the chip has
    /// no such way.
    pub(crate) fn route(&self, src: TPosition, dst: TPosition, nd2nz: bool) -> Option<Route> {
        use HardEvent as E;
        use Hardware::{BT, FIXBUF, GM, L0A, L0B, L0C, L1, UB};
        let route = |enque, free| Some(Route { enque, free: Some(free) });
        let joined = self.family == Family::Joined;
        match (self.hardware(src), self.hardware(dst)) {
            (GM, UB) => route(E::MTE2_V, E::V_MTE2),
            // The joined cores convert nd to nz on the way from UB.
            (GM, L1) if nd2nz && joined => route(E::MTE3_MTE1, E::MTE1_MTE3),
            (GM, L1) => route(E::MTE2_MTE1, E::MTE1_MTE2),
            (GM, L0A | L0B) => route(E::MTE2_M, E::M_MTE2),
            (UB, GM) => route(E::V_MTE3, E::MTE3_V),
            (UB, UB) => route(E::MTE2_MTE3, E::MTE3_MTE2),
            (UB, L1) => route(E::MTE3_MTE1, E::MTE1_MTE3),
            (UB, L0C) => Some(Route { enque: E::V_V, free: None }),
            (L1, UB) => route(E::MTE1_V, E::V_MTE1),
            (L1, L0A | L0B) => route(E::MTE1_M, E::M_MTE1),
            (L1, BT) if !joined => route(E::MTE1_M, E::M_MTE1),
            (L1, FIXBUF) if !joined => route(E::MTE1_FIX, E::FIX_MTE1),
            (L0A | L0B, L0C) => route(E::M_V, E::V_M),
            (L0C, GM) if !joined => route(E::M_FIX, E::FIX_M),
            (L0C, UB) if joined => route(E::M_V, E::V_M),
            (L0C, UB) if self.family == Family::JoinedWithBias => route(E::M_FIX, E::FIX_M),
            _ => None,
        }
    }

    /// Whether the chip has separate cube and vector cores.
    #[must_use]
    pub const fn has_split_cores(&self) -> bool {
        matches!(self.family, Family::Split)
    }

    /// Whether a core of this kind has the pipe.
    #[must_use]
    pub const fn has_pipe(&self, kind: CoreKind, pipe: Pipe) -> bool {
        match (self.family, kind) {
            (Family::Joined, _) => !matches!(pipe, Pipe::FIX),
            (Family::JoinedWithBias, _) => true,
            (Family::Split, CoreKind::AIV) => {
                matches!(pipe, Pipe::S | Pipe::V | Pipe::MTE2 | Pipe::MTE3)
            }
            (Family::Split, CoreKind::AIC) => match pipe {
                Pipe::V => false,
                // The 3510 moves L1 data out through the fix pipe.
                Pipe::MTE3 => self.arch == 2201,
                _ => true,
            },
        }
    }

    /// Whether a core of this kind issues the set of an event.
    pub(crate) const fn issues_set(&self, kind: CoreKind, event: HardEvent) -> bool {
        // Seen on the real layer: the vector core of 2201 sets these two, and never waits for them.
        let quirk = self.arch == 2201
            && matches!(kind, CoreKind::AIV)
            && matches!(event, HardEvent::MTE3_MTE1 | HardEvent::MTE1_MTE3);
        quirk || self.issues_wait(kind, event)
    }

    /// Whether a core of this kind issues the wait for an event.
    pub(crate) const fn issues_wait(&self, kind: CoreKind, event: HardEvent) -> bool {
        self.has_pipe(kind, event.src()) && self.has_pipe(kind, event.dst())
    }

    /// Whether `TPipe::init` takes ids of M_MTE1 on this core.
    pub(crate) const fn reserves_cube_ids(&self, kind: CoreKind) -> bool {
        match self.family {
            Family::Joined => false,
            Family::JoinedWithBias => true,
            Family::Split => matches!(kind, CoreKind::AIC),
        }
    }

    /// Bytes of L1 that one byte of TSCM takes: each of the two vector cores has its own copy.
    pub(crate) const fn tscm_stride(&self, kind: CoreKind) -> u32 {
        if self.has_split_cores() && matches!(kind, CoreKind::AIV) { 2 } else { 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_queue_stands_at_its_destination_unless_that_is_outside_the_core() {
        let a2 = Chip::AtlasA2.spec();
        assert_eq!(a2.queue_position(TPosition::GM, TPosition::VECIN), TPosition::VECIN);
        assert_eq!(a2.queue_position(TPosition::VECOUT, TPosition::GM), TPosition::VECOUT);
        assert_eq!(a2.queue_position(TPosition::VECIN, TPosition::CO2), TPosition::VECIN);
        let training = Chip::AtlasTraining.spec();
        assert_eq!(training.queue_position(TPosition::VECIN, TPosition::CO2), TPosition::CO2);
    }

    #[test]
    fn routes_that_a_chip_lacks_are_none() {
        let a2 = Chip::AtlasA2.spec();
        assert_eq!(a2.route(TPosition::CO2, TPosition::GM, false), None);
        let training = Chip::AtlasTraining.spec();
        assert_eq!(
            training.route(TPosition::C1, TPosition::C2, false),
            Some(Route { enque: HardEvent::V_V, free: None })
        );
    }
}

//! The seven products and what differs between them, as data and small policies.
//!
//! This is the only place that knows one chip from another. The model asks a [`ChipSpec`] for a
//! capacity, a route or a policy and acts on the answer, so a new chip is a new table here.
//!
//! ```text
//! chip       Chip, ChipSpec and what it answers
//!  ├ in_pool   which blocks no pool can have
//!  ├ policy    how buffer layers differ
//!  └ products  the table of each product
//! ```

mod in_pool;
mod policy;
mod products;

use std::fmt;

use crate::event::{HardEvent, Pipe};
use crate::position::Hardware::{self, GM, L1, UB};
use crate::position::TPosition;

pub(crate) use in_pool::check_in_pool;
pub(crate) use policy::{
    Bf16, CUBE_RESERVED_IDS, ChildBlocks, FIRST_CROSS_ID, LOCK_IDS, PIPE_RESET_LOCK,
    POOL_RESET_LOCK, PoolDrop, PoolReset, Route, SyncPolicy,
};

use policy::Family;
use products::{
    ASCEND_950, ATLAS_200I_500_A2, ATLAS_A2, ATLAS_A3, ATLAS_INFERENCE_AI_CORE,
    ATLAS_INFERENCE_VECTOR_CORE, ATLAS_TRAINING,
};

/// A product, chosen at run time. The default is [`Chip::AtlasA2`].
///
/// ```
/// use bufpool_runtime::prelude::*;
/// let without_pools: Vec<Chip> = Chip::ALL.into_iter().filter(|chip| !chip.spec().has_pools).collect();
/// assert_eq!(without_pools, [Chip::Atlas200I500A2, Chip::AtlasInferenceVectorCore]);
/// ```
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
///
/// ```
/// use bufpool_runtime::prelude::*;
/// let spec = Chip::AtlasA2.spec();
/// assert!(spec.has_split_cores() && spec.has_pipe(CoreKind::AIC, Pipe::M));
/// assert!(!spec.has_pipe(CoreKind::AIV, Pipe::M));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CoreKind {
    /// The vector core.
    #[default]
    AIV,
    /// The cube core.
    AIC,
}

impl CoreKind {
    pub(crate) const fn other(self) -> Self {
        match self {
            CoreKind::AIV => CoreKind::AIC,
            CoreKind::AIC => CoreKind::AIV,
        }
    }
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

/// The figures and policies of one chip.
///
/// ```
/// use bufpool_runtime::prelude::*;
/// let spec = Chip::AtlasTraining.spec();
/// assert_eq!((spec.arch, spec.event_ids), (1001, 4));
/// assert_eq!(spec.capacity(Hardware::L1), 1024 * 1024);
/// ```
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools, reason = "what a chip has or lacks")]
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
    /// Whether `init_spm_buffer_l1` is there: the core writes L1 from UB and reads it back.
    pub has_spm_in_l1: bool,
    /// Usable UB by the documents, in bytes; less than the limit on some chips.
    pub documented_ub: u32,
    /// Whether vector work after vector work on the same data needs a barrier.
    pub v_needs_barrier: bool,
    capacity: [u32; Hardware::COUNT],
    /// Where TSCM starts, growing down.
    pub(crate) tscm_top: u32,
    /// Most blocks of a `TPipe` over all its `init_buffer` calls.
    pub(crate) pipe_blocks: u32,
    /// Bytes of L1 that one byte of TSCM takes, on a vector core and on a cube core: each of two
    /// vector cores may have its own copy.
    tscm_stride: [u32; 2],
    pub(crate) sync: SyncPolicy,
    pub(crate) pool_reset: PoolReset,
    pub(crate) pool_drop: PoolDrop,
    pub(crate) child_blocks: ChildBlocks,
    /// Ways of data that not all chips have, with the pipe that moves it.
    rare_paths: &'static [(Hardware, Hardware, Pipe)],
    /// Whether copies of any number of bytes are there (`DataCopyPad`).
    pub(crate) copies_any_length: bool,
    pub(crate) bf16: Bf16,
    /// Whether cube cores have MTE3; elsewhere L1 data leaves through the fix pipe.
    cube_has_mte3: bool,
    /// Whether vector cores issue the sets between MTE3 and MTE1, though they never wait for them.
    vector_sets_l1_events: bool,
    family: Family,
}

impl ChipSpec {
    /// Capacity of a memory in bytes: where an allocation becomes an error. 0 for GM.
    #[must_use]
    pub const fn capacity(&self, hardware: Hardware) -> u32 {
        self.capacity[hardware as usize]
    }

    /// The memory behind a position (`GetPhyType`).
    #[must_use]
    #[allow(clippy::match_same_arms, reason = "a table, in the order of the positions")]
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
        use Hardware::{BT, FIXBUF, L0A, L0B, L0C};
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

    /// The pipe that moves data from one memory to another, where not all chips have the way.
    pub(crate) fn rare_path(&self, src: Hardware, dst: Hardware) -> Option<Pipe> {
        let found = self.rare_paths.iter().find(|&&(from, to, _)| (from, to) == (src, dst));
        found.map(|&(_, _, pipe)| pipe)
    }

    const fn has_rare_path(&self, src: Hardware, dst: Hardware) -> bool {
        let mut index = 0;
        while index < self.rare_paths.len() {
            let (from, to, _) = self.rare_paths[index];
            if from as u8 == src as u8 && to as u8 == dst as u8 {
                return true;
            }
            index += 1;
        }
        false
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
                Pipe::MTE3 => self.cube_has_mte3,
                _ => true,
            },
        }
    }

    /// Whether copies of a core's pipe reach a memory. Of separate cores, those between global
    /// memory and the core stay with the core's own: UB on a vector core, the others on a cube core.
    pub(crate) const fn reaches(&self, kind: CoreKind, pipe: Pipe, memory: Hardware) -> bool {
        let lacks = match (kind, pipe, memory) {
            (CoreKind::AIV, Pipe::MTE3, L1) => !self.has_rare_path(UB, L1),
            (CoreKind::AIV, Pipe::MTE2, L1) | (CoreKind::AIC, Pipe::MTE2 | Pipe::MTE3, UB) => true,
            _ => false,
        };
        self.has_pipe(kind, pipe) && !(self.has_split_cores() && lacks)
    }

    /// Whether a core of this kind issues the set of an event.
    pub(crate) const fn issues_set(&self, kind: CoreKind, event: HardEvent) -> bool {
        let l1_event = matches!(event, HardEvent::MTE3_MTE1 | HardEvent::MTE1_MTE3);
        let sets_alone = self.vector_sets_l1_events && matches!(kind, CoreKind::AIV) && l1_event;
        sets_alone || self.issues_wait(kind, event)
    }

    /// Whether a core of this kind issues the wait for an event.
    pub(crate) const fn issues_wait(&self, kind: CoreKind, event: HardEvent) -> bool {
        self.has_pipe(kind, event.src()) && self.has_pipe(kind, event.dst())
    }

    /// Whether `TPipe::init` takes ids of `M_MTE1` on this core.
    pub(crate) const fn reserves_cube_ids(&self, kind: CoreKind) -> bool {
        match self.family {
            Family::Joined => false,
            Family::JoinedWithBias => true,
            Family::Split => matches!(kind, CoreKind::AIC),
        }
    }

    /// Bytes of L1 that one byte of TSCM takes.
    pub(crate) const fn tscm_stride(&self, kind: CoreKind) -> u32 {
        self.tscm_stride[kind as usize]
    }

    /// The two pipes that pass the lock id of a block on its way from one memory to another
    /// (`GetPipe`). Ways that no pipe moves data on are locked by S.
    pub(crate) const fn lock_pipes(src: Hardware, dst: Hardware) -> (Pipe, Pipe) {
        use Hardware::{GM, L0A, L0B, L0C, L1, UB};
        match (src, dst) {
            (GM, UB) => (Pipe::MTE2, Pipe::V),
            (GM, L1) => (Pipe::MTE2, Pipe::MTE1),
            (UB, GM) => (Pipe::V, Pipe::MTE3),
            (UB, UB) => (Pipe::MTE2, Pipe::MTE3),
            (UB, L1) => (Pipe::MTE3, Pipe::MTE1),
            (L1, L0A | L0B) => (Pipe::MTE1, Pipe::M),
            (L0C, _) => (Pipe::M, Pipe::FIX),
            _ => (Pipe::S, Pipe::S),
        }
    }

    /// Whether a barrier of the pipe does anything: V needs none on some chips.
    pub(crate) const fn has_barrier(&self, pipe: Pipe) -> bool {
        self.v_needs_barrier || !matches!(pipe, Pipe::V)
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

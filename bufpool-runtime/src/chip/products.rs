//! The seven products: their figures and policies.

use super::ChipSpec;
use super::policy::{Bf16, ChildBlocks, Family, PoolDrop, PoolReset, SyncPolicy};
use crate::event::Pipe;
use crate::position::Hardware::{self, GM, L1, UB};

const KIB: u32 = 1024;

const fn capacities(ub: u32, l1: u32, l0c: u32, bt: u32, fixbuf: u32) -> [u32; Hardware::COUNT] {
    // In the order of `Hardware`: GM has no limit here, its tensors know their own length.
    [0, ub, l1, 64 * KIB, 64 * KIB, l0c, bt, fixbuf]
}

pub(super) static ASCEND_950: ChipSpec = ChipSpec {
    name: "Ascend950",
    product: "Atlas 350, Ascend 950PR/950DT",
    arch: 3510,
    event_ids: 8,
    has_tpipe: true,
    has_pools: true,
    has_spm_in_l1: false,
    documented_ub: 253_952,
    v_needs_barrier: false,
    capacity: capacities(256 * KIB, 512 * KIB, 256 * KIB, 4 * KIB, 16 * KIB),
    tscm_top: 512 * KIB,
    pipe_blocks: 63,
    tscm_stride: [2, 2],
    sync: SyncPolicy::Locks,
    pool_reset: PoolReset::Rewinds,
    pool_drop: PoolDrop::Leaves,
    child_blocks: ChildBlocks::OfParent,
    rare_paths: &[(UB, L1, Pipe::MTE3), (L1, UB, Pipe::MTE1)],
    copies_any_length: true,
    bf16: Bf16::Calculated,
    cube_has_mte3: false,
    vector_sets_l1_events: false,
    family: Family::Split,
};

const ARCH_2201: ChipSpec = ChipSpec {
    name: "AtlasA2",
    product: "Atlas A2 training/inference",
    arch: 2201,
    event_ids: 8,
    has_tpipe: true,
    has_pools: true,
    has_spm_in_l1: false,
    documented_ub: 196_352,
    v_needs_barrier: true,
    capacity: capacities(192 * KIB, 512 * KIB, 128 * KIB, KIB, 7 * KIB),
    // The last 128 bytes of L1 are the system's.
    tscm_top: 512 * KIB - 128,
    pipe_blocks: 64,
    tscm_stride: [2, 1],
    sync: SyncPolicy::Flags,
    pool_reset: PoolReset::Empties,
    pool_drop: PoolDrop::Resets,
    child_blocks: ChildBlocks::Own,
    rare_paths: &[(L1, GM, Pipe::MTE3)],
    copies_any_length: true,
    bf16: Bf16::Moved,
    cube_has_mte3: true,
    vector_sets_l1_events: true,
    family: Family::Split,
};

pub(super) static ATLAS_A2: ChipSpec = ARCH_2201;

pub(super) static ATLAS_A3: ChipSpec =
    ChipSpec { name: "AtlasA3", product: "Atlas A3 training/inference", ..ARCH_2201 };

pub(super) static ATLAS_200I_500_A2: ChipSpec = ChipSpec {
    name: "Atlas200I500A2",
    product: "Atlas 200I/500 A2 inference",
    arch: 3002,
    event_ids: 8,
    has_tpipe: true,
    has_pools: false,
    has_spm_in_l1: false,
    documented_ub: 253_952,
    v_needs_barrier: true,
    capacity: capacities(256 * KIB, 1024 * KIB, 128 * KIB, KIB, 7 * KIB),
    tscm_top: 1024 * KIB,
    pipe_blocks: 64,
    tscm_stride: [1, 1],
    sync: SyncPolicy::Flags,
    pool_reset: PoolReset::Empties,
    pool_drop: PoolDrop::Resets,
    child_blocks: ChildBlocks::Own,
    rare_paths: &[],
    copies_any_length: true,
    bf16: Bf16::Moved,
    cube_has_mte3: true,
    vector_sets_l1_events: false,
    family: Family::JoinedWithBias,
};

const ARCH_2002: ChipSpec = ChipSpec {
    name: "AtlasInferenceAiCore",
    product: "Atlas inference, AI Core",
    arch: 2002,
    event_ids: 8,
    has_tpipe: true,
    has_pools: true,
    has_spm_in_l1: true,
    documented_ub: 262_144,
    v_needs_barrier: true,
    capacity: capacities(256 * KIB, 1024 * KIB, 256 * KIB, 0, 0),
    tscm_top: 1024 * KIB,
    pipe_blocks: 64,
    tscm_stride: [1, 1],
    sync: SyncPolicy::Flags,
    pool_reset: PoolReset::Empties,
    pool_drop: PoolDrop::Resets,
    child_blocks: ChildBlocks::Own,
    rare_paths: &[(UB, L1, Pipe::MTE3)],
    copies_any_length: false,
    bf16: Bf16::Unknown,
    cube_has_mte3: true,
    vector_sets_l1_events: false,
    family: Family::Joined,
};

pub(super) static ATLAS_INFERENCE_AI_CORE: ChipSpec = ARCH_2002;

pub(super) static ATLAS_INFERENCE_VECTOR_CORE: ChipSpec = ChipSpec {
    name: "AtlasInferenceVectorCore",
    product: "Atlas inference, Vector Core",
    has_tpipe: false,
    has_pools: false,
    ..ARCH_2002
};

pub(super) static ATLAS_TRAINING: ChipSpec = ChipSpec {
    name: "AtlasTraining",
    product: "Atlas training",
    arch: 1001,
    event_ids: 4,
    ..ARCH_2002
};

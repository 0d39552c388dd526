//! The one error type of the runtime.
//!
//! A message says what was asked, what there is, whose limit it is, who holds what is missing and
//! where that was taken; its last line says what to change. After an error every observable
//! state is as before the call.

use thiserror::Error;

use crate::chip::{Chip, CoreKind};
use crate::error_data::DataError;
use crate::event::{EventId, HardEvent};
use crate::model::block::BlockState;
use crate::place::Place;
use crate::position::{Hardware, TPosition};
pub use crate::trail::Trail;
pub(crate) use crate::trail::TrailLine;

/// Result of every fallible call of the runtime.
pub type Result<T, E = BufPoolError> = std::result::Result<T, E>;

/// What cannot work on the device.
///
/// ```
/// use bufpool_runtime::prelude::*;
/// # fn main() -> Result<()> {
/// let pipe = TPipe::new(Chip::AtlasA2)?;
/// let error = pipe.init_buffer(&mut TQue::<VECIN, 1>::new(), 2, 100_000).unwrap_err();
/// assert!(matches!(error, BufPoolError::MemoryFull { asked: 200_000, free: 196_608, .. }));
/// let text = error.to_string();
/// assert!(text.starts_with("UB cannot hold the VECIN queue (2 x 100000): 200000 bytes asked"));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Error, PartialEq)]
#[non_exhaustive]
pub enum BufPoolError {
    /// A second `TPipe` while one lives on this core.
    #[error("a TPipe lives on this core already{trail}")]
    PipeLive {
        /// Places and help.
        trail: Trail,
    },
    /// The chip does not have what was asked for.
    #[error("{chip} has no {what}{trail}")]
    NotOnChip {
        /// The chip.
        chip: Chip,
        /// What it lacks.
        what: String,
        /// Places and help.
        trail: Trail,
    },
    /// The pipe was destroyed.
    #[error("the TPipe was destroyed{trail}")]
    PipeDestroyed {
        /// Places and help.
        trail: Trail,
    },
    /// A call into the runtime from inside the closure of an instruction.
    #[error("the core is busy with an instruction{trail}")]
    InsideInstruction {
        /// Places and help.
        trail: Trail,
    },
    /// A number of blocks that no queue can have.
    #[error("{what} cannot have {asked} blocks: {}{trail}", range(*min, *max))]
    BadBlockCount {
        /// What was to get the blocks.
        what: String,
        /// Blocks asked for.
        asked: u32,
        /// Least number of blocks.
        min: u32,
        /// Most blocks.
        max: u32,
        /// Places and help.
        trail: Trail,
    },
    /// The index of a block that the queue does not have.
    #[error("{what} has no block {index}: it has {num}, counted from 0{trail}")]
    BadBlockIndex {
        /// The queue or TBuf.
        what: String,
        /// Index asked for, counted from 0.
        index: u32,
        /// Blocks that the queue has.
        num: u32,
        /// Places and help.
        trail: Trail,
    },
    /// A length of zero, or one that does not fit 32 bits.
    #[error("{what} cannot be {asked} bytes long{trail}")]
    BadLength {
        /// What was to get the length.
        what: String,
        /// Bytes asked for.
        asked: u64,
        /// Places and help.
        trail: Trail,
    },
    /// More than 64 blocks over all `init_buffer` calls of the pipe.
    #[error("the TPipe cannot hold {what}: {asked} blocks asked, {free} of {limit} free{trail}")]
    TooManyBlocks {
        /// What was to get the blocks.
        what: String,
        /// Blocks asked for.
        asked: u32,
        /// Blocks left.
        free: u32,
        /// Blocks of the pipe.
        limit: u32,
        /// Places and help.
        trail: Trail,
    },
    /// A memory is full.
    #[error("{memory} cannot hold {what}: {asked} bytes asked, {free} of {limit} free{trail}")]
    MemoryFull {
        /// The memory.
        memory: Hardware,
        /// What was to get the bytes.
        what: String,
        /// Bytes asked for, after rounding up to 32 per block.
        asked: u64,
        /// Bytes left.
        free: u64,
        /// Bytes of the memory.
        limit: u64,
        /// Holders and help.
        trail: Trail,
    },
    /// Two positions that no queue connects on this chip.
    #[error("no queue goes from {src} to {dst} on {chip}{trail}")]
    NoRoute {
        /// The chip.
        chip: Chip,
        /// Where the data would come from.
        src: TPosition,
        /// Where it would go.
        dst: TPosition,
        /// Places and help.
        trail: Trail,
    },
    /// pool-overflow: the blocks end beyond the pool.
    #[error(
        "pool `{pool}` ({position}) cannot hold {what}: {asked} bytes asked, {free} of {limit} free{trail}"
    )]
    PoolOverflow {
        /// Name of the pool's type.
        pool: String,
        /// Position of the pool.
        position: TPosition,
        /// What was to get the bytes.
        what: String,
        /// Bytes asked for, after rounding.
        asked: u64,
        /// Bytes left.
        free: u64,
        /// Bytes of the pool.
        limit: u64,
        /// The ledger and help.
        trail: Trail,
    },
    /// pool-ids-exhausted: more blocks than the pool declares.
    #[error(
        "pool `{pool}` ({position}) has no block records left for {what}: {asked} asked, {free} of {limit} free{trail}"
    )]
    PoolIdsExhausted {
        /// Name of the pool's type.
        pool: String,
        /// Position of the pool.
        position: TPosition,
        /// What was to get the blocks.
        what: String,
        /// Blocks asked for.
        asked: u32,
        /// Blocks left.
        free: u32,
        /// Blocks that the pool declares.
        limit: u32,
        /// Holders and help.
        trail: Trail,
    },
    /// A queue, TBuf or pool of another memory than the pool's.
    #[error("pool `{pool}` manages {memory} ({position}), {what} is in {other}{trail}")]
    WrongMemory {
        /// Name of the pool's type.
        pool: String,
        /// Position of the pool.
        position: TPosition,
        /// Memory of the pool.
        memory: Hardware,
        /// What does not fit.
        what: String,
        /// Its memory.
        other: Hardware,
        /// Places and help.
        trail: Trail,
    },
    /// More bytes than the pool that is to be shared has.
    #[error(
        "pool `{pool}` cannot share `{other}`: {asked} bytes asked, `{other}` has {limit}{trail}"
    )]
    SharedTooShort {
        /// Name of the new pool's type.
        pool: String,
        /// Name of the other pool's type.
        other: String,
        /// Bytes asked for.
        asked: u32,
        /// Bytes of the other pool.
        limit: u32,
        /// Places and help.
        trail: Trail,
    },
    /// pool-not-initialised: used before `init_buf_pool`, or after a reset that emptied it.
    #[error("pool `{pool}` is not initialised: {why}{trail}")]
    PoolNotInitialised {
        /// Name of the pool's type.
        pool: String,
        /// What emptied it, or that nothing filled it.
        why: &'static str,
        /// Places and help.
        trail: Trail,
    },
    /// handle-out-of-range: a record that the pool does not have.
    #[error("pool `{pool}` has no block {index}: it declares {limit} blocks, 0 to {}{trail}", limit - 1)]
    HandleOutOfRange {
        /// Name of the pool's type.
        pool: String,
        /// Index asked for.
        index: u32,
        /// Blocks that the pool declares.
        limit: u32,
        /// Places and help.
        trail: Trail,
    },
    /// outside-pool: an address range that is not inside the pool.
    #[error("[{addr}, {end}) is not inside pool `{pool}`, which has [{start}, {pool_end}){trail}")]
    OutsidePool {
        /// Name of the pool's type.
        pool: String,
        /// Start of the block.
        addr: u64,
        /// End of the block.
        end: u64,
        /// Start of the pool.
        start: u64,
        /// End of the pool.
        pool_end: u64,
        /// The ledger and help.
        trail: Trail,
    },
    /// A handle of another pool than the one it was used with, or of the pipe.
    #[error("{what} belongs to {owner}, not to {expected}{trail}")]
    ForeignHandle {
        /// What was given.
        what: String,
        /// Its owner.
        owner: String,
        /// The owner that was asked for.
        expected: String,
        /// Places and help.
        trail: Trail,
    },
    /// handle-never-initialised: the queue is bound to a record that was not written.
    #[error("block {index} of {queue} was never written by init_buf_handle{trail}")]
    RecordNeverInitialised {
        /// The queue or TBuf.
        queue: String,
        /// Index of the block within the queue.
        index: u32,
        /// Places and help.
        trail: Trail,
    },
    /// A depth 0 queue in a pool: its ids would be missing.
    #[error(
        "a queue of depth 0 cannot live in a pool: its event ids are only taken by TPipe::init_buffer{trail}"
    )]
    DepthZeroInPool {
        /// Places and help.
        trail: Trail,
    },
    /// stale-after-reset: used after the pipe or pool that owns it was reset.
    #[error("{what} is gone: {owner} was {how}{trail}")]
    Stale {
        /// The queue, TBuf, tensor or handle.
        what: String,
        /// The pipe or pool.
        owner: String,
        /// "reset", "initialised again", "destroyed" or "dropped".
        how: &'static str,
        /// Places and help.
        trail: Trail,
    },
    /// no-init-buffer: a queue or TBuf without memory.
    #[error("{what} has no memory yet{trail}")]
    NoInitBuffer {
        /// The queue or TBuf.
        what: String,
        /// Places and help.
        trail: Trail,
    },
    /// A queue, TBuf or pool of another `TPipe`.
    #[error("{what} belongs to another TPipe{trail}")]
    OtherPipe {
        /// The queue, TBuf, tensor or pool.
        what: String,
        /// Places and help.
        trail: Trail,
    },
    /// `alloc_tensor` with no free block: the device spins for ever.
    #[error(
        "{queue} has no free block: all {blocks} are out, the device would wait for ever{trail}"
    )]
    NoFreeBlock {
        /// The queue.
        queue: String,
        /// Blocks of the queue.
        blocks: u32,
        /// Who holds each block, and help.
        trail: Trail,
    },
    /// `enque` on a full queue.
    #[error("{queue} is full: its depth is {depth}{trail}")]
    QueueFull {
        /// The queue.
        queue: String,
        /// Its depth.
        depth: u32,
        /// Who is in the queue, and help.
        trail: Trail,
    },
    /// `deque` on an empty queue: the device would wait for ever.
    #[error("{queue} is empty: deque would wait for ever{trail}")]
    QueueEmpty {
        /// The queue.
        queue: String,
        /// Places and help.
        trail: Trail,
    },
    /// wrong-queue: a tensor or handle of another queue.
    #[error("{what} does not belong to {queue}{trail}")]
    WrongQueue {
        /// The tensor or handle.
        what: String,
        /// The queue it was given to.
        queue: String,
        /// Places and help.
        trail: Trail,
    },
    /// A block in a state that the operation does not take.
    #[error("{op} needs a block that is {needed}, this one is {found}{trail}")]
    WrongState {
        /// The operation.
        op: &'static str,
        /// States that it takes.
        needed: &'static str,
        /// The block's state.
        found: BlockState,
        /// Places and help.
        trail: Trail,
    },
    /// double-free: the block is FREE already.
    #[error("the block is free already{trail}")]
    DoubleFree {
        /// Places and help.
        trail: Trail,
    },
    /// `deque` with other positions than the `enque`.
    #[error(
        "the head of {queue} was enqueued for {enqueued}, deque waits for {asked}: a flag that was never set{trail}"
    )]
    PositionsDiffer {
        /// The queue.
        queue: String,
        /// Event that the enqueue set.
        enqueued: HardEvent,
        /// Event that the dequeue would wait for.
        asked: HardEvent,
        /// Places and help.
        trail: Trail,
    },
    /// `free_all_event` while a tensor is in the queue.
    #[error("free_all_event needs an empty queue: {pending} of {queue} not dequeued{trail}")]
    EnquePending {
        /// The queue.
        queue: String,
        /// Number of tensors enqueued.
        pending: u32,
        /// Places and help.
        trail: Trail,
    },
    /// Fewer ids of an event are left than are asked for.
    #[error("too few ids of {event}: {asked} asked, {free} of {limit} free{trail}")]
    EventIdsExhausted {
        /// The event.
        event: HardEvent,
        /// Ids asked for.
        asked: u32,
        /// Ids left.
        free: u32,
        /// Ids per event on this chip.
        limit: u32,
        /// Who holds each id, and help.
        trail: Trail,
    },
    /// An id that the chip does not have.
    #[error("{event} has no id {id} on {chip}: ids are 0 to {}{trail}", limit - 1)]
    EventIdOutOfRange {
        /// The chip.
        chip: Chip,
        /// The event.
        event: HardEvent,
        /// The id asked for.
        id: EventId,
        /// Ids per event on this chip.
        limit: u8,
        /// Places and help.
        trail: Trail,
    },
    /// An id released that nobody reserved.
    #[error("id {id} of {event} is not reserved{trail}")]
    EventIdNotReserved {
        /// The event.
        event: HardEvent,
        /// The id.
        id: EventId,
        /// Places and help.
        trail: Trail,
    },
    /// unmatched-wait: a wait that no set can satisfy.
    #[error("{who} waits for flag {event} {id}, which is not set: it would wait for ever{trail}")]
    WaitNeverSet {
        /// Who waits.
        who: String,
        /// The event.
        event: HardEvent,
        /// The id.
        id: EventId,
        /// Places and help.
        trail: Trail,
    },
    /// mixed-free-events: a block waits for the free event of one queue, and a queue of another
    /// free event used the record last.
    #[error(
        "{who} waits for flag {event} {id}, which is not set: {other} frees the same record with {other_event}{trail}"
    )]
    MixedFreeEvents {
        /// Who waits.
        who: String,
        /// The event.
        event: HardEvent,
        /// The id.
        id: EventId,
        /// A queue on the same record.
        other: String,
        /// Its free event.
        other_event: HardEvent,
        /// Places and help.
        trail: Trail,
    },
    /// A pipe that this core does not have, or that takes no barrier.
    #[error("pipe {pipe} of {chip} ({kind}) {why}{trail}")]
    NoSuchPipe {
        /// The chip.
        chip: Chip,
        /// The kind of core.
        kind: CoreKind,
        /// The pipe.
        pipe: crate::event::Pipe,
        /// What is wrong with it.
        why: &'static str,
        /// Places and help.
        trail: Trail,
    },
    /// No lock id is left (Ascend950).
    #[error("no lock id is left for {what}: {asked} asked, {free} of {limit} free{trail}")]
    LockIdsExhausted {
        /// What was to get the ids.
        what: String,
        /// Lock ids asked for.
        asked: u32,
        /// Lock ids left.
        free: u32,
        /// Lock ids there are: of the core, or of the pool.
        limit: u32,
        /// Places and help.
        trail: Trail,
    },
    /// An operation that passes a lock id, on a block without one.
    #[error("{what} has no lock id on this {kind} core{trail}")]
    NoLockId {
        /// The block.
        what: String,
        /// The core.
        kind: CoreKind,
        /// Places and help.
        trail: Trail,
    },
    /// The reset of a pool that the chip cannot reset.
    #[error(
        "pool `{pool}` in {memory} cannot be reset on {chip} once it has handed out blocks{trail}"
    )]
    NoReset {
        /// The chip.
        chip: Chip,
        /// The pool.
        pool: String,
        /// Its memory.
        memory: Hardware,
        /// Places and help.
        trail: Trail,
    },
    /// A view of a TBuf that does not start on 32 bytes, or whose length is not a multiple of 32.
    #[error("{what} of {asked} bytes is not a multiple of 32{trail}")]
    ViewMisaligned {
        /// "offset" or "length", and of what.
        what: String,
        /// The bytes given.
        asked: u64,
        /// Places and help.
        trail: Trail,
    },
    /// A view past the end of its tensor or TBuf.
    #[error("[{start}, {end}) ends {} bytes past {what} of {limit} bytes{trail}", end.saturating_sub(*limit))]
    ViewOutOfBounds {
        /// The tensor or TBuf.
        what: String,
        /// Start of the view, in bytes.
        start: u64,
        /// End of the view, in bytes.
        end: u64,
        /// Bytes there are.
        limit: u64,
        /// Places and help.
        trail: Trail,
    },
    /// A tensor without a block where one is needed.
    #[error("the tensor at a fixed address has no block{trail}")]
    NoBlock {
        /// Places and help.
        trail: Trail,
    },
    /// Bytes outside a physical memory.
    #[error("[{addr}, {end}) ends past {memory}, which has {limit} bytes{trail}")]
    OutsideMemory {
        /// The memory.
        memory: Hardware,
        /// Start of the range.
        addr: u64,
        /// End of the range.
        end: u64,
        /// Bytes of the memory.
        limit: u64,
        /// Places and help.
        trail: Trail,
    },
    /// A finding of the checks, where the pipe was built with
    /// [`OnFinding::Error`](crate::OnFinding::Error). The call has taken effect.
    #[error("{0}")]
    Finding(Box<crate::report::Finding>),
    /// An error of an operation on data.
    #[error(transparent)]
    Data(#[from] DataError),
}

fn range(min: u32, max: u32) -> String {
    if min == max { format!("it has {min}") } else { format!("{min} to {max}") }
}

impl BufPoolError {
    pub(crate) fn view_out_of_bounds(
        start: usize,
        end: usize,
        limit: usize,
        asked: Place,
        made: Place,
    ) -> Self {
        BufPoolError::ViewOutOfBounds {
            what: "the tensor".to_owned(),
            start: start as u64,
            end: end as u64,
            limit: limit as u64,
            trail: Trail::asked(asked)
                .at("tensor from", made)
                .help(format!("keep offset + length within {limit} bytes")),
        }
    }
}

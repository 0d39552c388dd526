//! The stream of what happened. The model emits it and does not know who listens; the order
//! checks, the memory checks and traces are listeners, and learn all they know from here.

use crate::event::{EventId, HardEvent, Pipe};
use crate::model::block::{BlockId, BlockState, OwnerId, QueueId, TBufHandle};
use crate::place::Place;
use crate::position::{Hardware, TPosition};

/// Bytes of a memory that an instruction reads or writes. `pub` only because the sealed trait of
/// tensors gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub hardware: Hardware,
    pub position: TPosition,
    /// Offset from the start of the memory.
    pub addr: u32,
    /// Bytes accessed.
    pub bytes: u32,
    /// Size of one element, in bytes.
    pub element: u32,
    /// The block that the tensor came from; none for a tensor at a fixed address.
    pub block: Option<BlockId>,
    /// The owner of the block, and its epoch when the tensor was taken: tells a stale tensor.
    pub origin: Option<(OwnerId, u32)>,
    /// The life of the block that the tensor is of; 0 if it is of none: the tensor of a TBuf, or at a
    /// fixed address.
    pub life: u8,
    /// The tensor's own range: an access past it is out of bounds.
    pub tensor_addr: u32,
    pub tensor_bytes: u32,
    /// Where the tensor was taken.
    pub tensor_at: Place,
}

/// Bytes of global memory that an instruction reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GlobalSpan {
    /// Which buffer, unique in the process.
    pub buffer: u64,
    /// Offset from the start of the buffer.
    pub offset: u64,
    pub bytes: u64,
    /// Bytes of one element.
    pub element: u32,
    pub atomic: bool,
}

/// One instruction: what it is, which pipe runs it, which bytes it touches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Instr<'a> {
    pub name: &'static str,
    pub pipe: Pipe,
    pub reads: &'a [Span],
    pub writes: &'a [Span],
    pub global_reads: &'a [GlobalSpan],
    pub global_writes: &'a [GlobalSpan],
}

impl Instr<'_> {
    /// One that touches nothing yet.
    pub const fn new(name: &'static str, pipe: Pipe) -> Self {
        Instr { name, pipe, reads: &[], writes: &[], global_reads: &[], global_writes: &[] }
    }
}

/// How a block came to its address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Placement {
    /// At the cursor of the pipe or of a TBufPool.
    Cursor,
    /// At an address that the user gave to `init_buffer`.
    Address,
    /// Written by `init_buf_handle` of a custom pool.
    Handle,
}

/// A queue or TBuf that stands on a record that was written for another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Moved {
    pub queue: QueueId,
    /// Its own records end here, by their index in the pool.
    pub end: u32,
    /// The record has other bytes than before. If not, one of the two is a TBuf, which no state of the
    /// block keeps from the bytes of the other.
    pub elsewhere: bool,
}

/// Why a pipe or pool let go of its blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// `reset` of a pool.
    PoolReset,
    /// `destroy` of a pool, or its drop. A drop has no place of its own: it is told at the place
    /// where the pool was initialised.
    PoolDropped,
    /// `TPipe::reset`.
    PipeReset,
    /// `TPipe::init` of a live pipe.
    PipeInit,
    /// `TPipe::destroy` or the drop of the pipe.
    Destroyed,
}

/// What happened. A variant is emitted once the model has made the change that it tells of.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Event<'a> {
    /// The source pipe sets a flag, after all its earlier work.
    SetFlag { event: HardEvent, id: EventId, by: FlagUser },
    /// The destination pipe waits for a flag and clears it.
    WaitFlag { event: HardEvent, id: EventId },
    /// A pipe (none: all pipes) completes its earlier work first.
    Barrier { pipe: Option<Pipe> },
    /// A reset let these pipes finish, each by a barrier of its own: what they do from now on comes
    /// after all that any of them did before.
    PipesFinished { pipes: &'a [Pipe] },
    /// A pipe takes (and `Release`: gives back) a lock id. Mode 0 before the work, 1 after it.
    GetBuf { pipe: Pipe, lock: u8, mode: u8 },
    /// See `GetBuf`.
    RlsBuf { pipe: Pipe, lock: u8, mode: u8 },
    /// The user did something with an event id.
    Id { event: HardEvent, id: EventId, how: IdUse },
    /// An instruction was issued.
    Instr(Instr<'a>),

    /// A queue (or TBuf, depth none) was bound to block records.
    Bound {
        queue: QueueId,
        /// As the user named it, or "VECIN queue", "VECCALC TBuf".
        name: &'a str,
        position: TPosition,
        depth: Option<u32>,
        /// The user's queue is a new one. Its number may have been that of one that is gone.
        new: bool,
        /// It was bound already and lost its old blocks.
        rebound_from: Option<Place>,
    },
    /// A record was written: the block exists from now on, FREE.
    BlockInit {
        block: BlockId,
        handle: TBufHandle,
        queue: QueueId,
        hardware: Hardware,
        addr: u32,
        len: u32,
        placement: Placement,
        /// Index of the block within its queue, as given to `init_buf_handle`.
        index: u8,
        /// State of the record before it was written.
        before: BlockState,
        /// Who stood on the record at other bytes, and stands on these now.
        moved: Option<Moved>,
    },
    /// A queue handed a block out. `life`: tells its tensors from those of earlier allocations.
    Alloc { queue: QueueId, block: BlockId, life: u8 },
    /// A block went into its queue. `pos`: the user positions, if given.
    Enque { queue: QueueId, block: BlockId, pos: Option<(TPosition, TPosition)> },
    /// A block came out of its queue.
    Deque { queue: QueueId, block: BlockId },
    /// A block was freed.
    Free { queue: QueueId, block: BlockId, before: BlockState },
    /// A view of a TBuf was taken.
    Get { queue: QueueId, block: BlockId },

    /// A pool got its range. `shares`: the pool whose range it took.
    PoolInit {
        owner: OwnerId,
        /// Name of the pool's type.
        name: &'a str,
        custom: bool,
        hardware: Hardware,
        start: u32,
        len: u32,
        parent: OwnerId,
        shares: Option<OwnerId>,
        /// Bytes asked for; a sharing pool gets the other pool's whole length.
        asked: u32,
        /// Block records that the pool declares, and those it counts as used already.
        records: u32,
        count: u8,
    },
    /// The cursor or the count of a custom pool was set by hand.
    PoolCursor { owner: OwnerId, addr: u32, count: u8 },
    /// `init` of a custom pool: cursor, count and range 0, and nobody was waited for. Its blocks are
    /// still there.
    PoolEmptied { owner: OwnerId },
    /// All blocks of an owner are gone. `ids_lost`: ids still reserved for them.
    Ended { owner: OwnerId, how: Ended, ids_lost: u32 },
    /// The user says that these queues or TBufs share bytes on purpose.
    SharingDeclared { queues: &'a [QueueId] },
}

/// One of the four steps of a block on its queue's own way: two events in one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TurnStep {
    pub queue: QueueId,
    pub block: BlockId,
    pub operation: Operation,
    /// The flag that is waited for or set before the step; none where this core does not.
    pub flag: Option<(HardEvent, EventId)>,
}

/// The operation that takes a block one step on.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Operation {
    Alloc { life: u8 },
    Enque,
    Deque,
    Free { before: BlockState },
}

impl Operation {
    /// Whether it waits for its flag; the others set theirs.
    #[inline]
    pub fn waits(self) -> bool {
        matches!(self, Operation::Alloc { .. } | Operation::Deque)
    }
}

impl TurnStep {
    /// The flag and the step, in their order.
    fn events(self) -> (Option<Event<'static>>, Event<'static>) {
        let TurnStep { queue, block, operation, flag } = self;
        let flag = flag.map(|(event, id)| {
            if operation.waits() {
                Event::WaitFlag { event, id }
            } else {
                Event::SetFlag { event, id, by: FlagUser::Block(block) }
            }
        });
        let step = match operation {
            Operation::Alloc { life } => Event::Alloc { queue, block, life },
            Operation::Enque => Event::Enque { queue, block, pos: None },
            Operation::Deque => Event::Deque { queue, block },
            Operation::Free { before } => Event::Free { queue, block, before },
        };
        (flag, step)
    }
}

/// On whose behalf a flag is set or waited for. The event of a wait does not tell: whoever waits, the
/// flag is cleared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FlagUser {
    /// `set_flag` or `wait_flag` by the user.
    User,
    /// A queue operation on a block.
    Block(BlockId),
    /// Init, reset or destroy of the pipe, or reset of a pool.
    Layer,
}

/// What was done with an event id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IdUse {
    /// Reserved.
    Alloc,
    /// Given back by who had it.
    Release,
    /// Released by the user, though a block has it since the place.
    Seize(BlockId, Place),
    /// Looked at, and left free.
    Fetch,
}

/// Somebody who wants to know what happened.
pub(crate) trait Listener {
    /// Called in program order; see [`Event`].
    fn on(&mut self, event: &Event<'_>, at: Place);

    /// The two events of a step, in one call.
    fn on_turn(&mut self, turn: &TurnStep, at: Place) {
        let (flag, step) = turn.events();
        if let Some(flag) = flag {
            self.on(&flag, at);
        }
        self.on(&step, at);
    }

    /// Whether it may ever refuse. Asked once: saves the question after each operation.
    fn may_refuse(&self) -> bool {
        false
    }

    /// A finding that the user asked to have as an error of the call that made it.
    fn take_refusal(&mut self) -> Option<crate::error::BufPoolError> {
        None
    }

    /// What a listener that checks has found; the next call gives what came since.
    fn report(&mut self) -> Option<crate::report::Report> {
        None
    }
}

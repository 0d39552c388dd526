//! The checks by name: the one table of ids, the vendor's codes and one line on each.

use std::fmt;

macro_rules! checks {
    ($($name:ident, $id:literal, $npuchk:expr, $about:literal;)*) => {
        /// A check, by its stable kebab-case id.
        ///
        /// Some are found while the kernel runs and come out of the [`Report`](super::Report);
        /// what cannot work on the device is a [`BufPoolError`](crate::error::BufPoolError) of
        /// the call instead, whose [`check`](crate::error::BufPoolError::check) is the id.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum CheckId {
            $(#[doc = concat!("`", $id, "`: ", $about, ".")] $name),*
        }

        impl CheckId {
            /// All checks, in the order of the documents.
            pub const ALL: &[CheckId] = &[$(CheckId::$name),*];

            /// The stable id, in kebab case.
            #[must_use]
            pub const fn id(self) -> &'static str {
                match self { $(CheckId::$name => $id),* }
            }

            /// The vendor's code for the same fault, where there is one.
            #[must_use]
            pub const fn npuchk(self) -> Option<&'static str> {
                match self { $(CheckId::$name => $npuchk),* }
            }

            /// What the check is about, in one line.
            #[must_use]
            pub const fn about(self) -> &'static str {
                match self { $(CheckId::$name => $about),* }
            }
        }
    };
}

checks! {
    ReadUnallocated, "read-unallocated", Some("ErrorRead1"), "a read of bytes that no live tensor or TBuf owns";
    ReadUninitialised, "read-uninitialised", Some("ErrorRead2"), "a read of bytes never written since the block was handed out";
    ReadOutOfBounds, "read-out-of-bounds", Some("ErrorRead3"), "a read past the end of the tensor";
    ReadMisaligned, "read-misaligned", Some("ErrorRead4"), "a read that does not start on the memory's alignment";
    WriteUnallocated, "write-unallocated", Some("ErrorWrite1"), "a write to bytes that no live tensor or TBuf owns";
    WriteOutOfBounds, "write-out-of-bounds", Some("ErrorWrite2"), "a write past the end of the tensor";
    OverwriteUnread, "overwrite-unread", Some("ErrorWrite3"), "a write whose bytes are all written again before any was read";
    WriteMisaligned, "write-misaligned", Some("ErrorWrite4"), "a write that does not start on the memory's alignment";
    Leak, "leak", Some("ErrorLeak"), "a block that is not FREE at the end";
    DoubleFree, "double-free", Some("ErrorFree"), "a free of a block that is FREE already";
    Overlap, "overlap", None, "two live tensors of different blocks share bytes, and one of them was written";
    GmConflict, "gm-conflict", None, "two cores write the same bytes of global memory";

    WriteRace, "write-race", Some("ErrorSync1"), "a write not ordered after an earlier read or write of the same bytes";
    ReadRace, "read-race", Some("ErrorSync2"), "a read not ordered after an earlier write of the same bytes";
    UnmatchedSet, "unmatched-set", Some("ErrorSync3"), "a flag that is set and never waited for";
    UnmatchedWait, "unmatched-wait", Some("ErrorSync3"), "a wait for a flag that is never set";
    DuplicateSet, "duplicate-set", Some("ErrorSync4"), "a flag set again before its wait";
    FetchedIdInFlight, "fetched-id-in-flight", None, "a fetched id whose flag is set and not waited for yet";
    ScalarUnordered, "scalar-unordered", None, "scalar access to a tensor that only enque and deque ordered";

    NoInitBuffer, "no-init-buffer", Some("ErrorBuffer0"), "a queue or TBuf used before init_buffer";
    WrongQueue, "wrong-queue", Some("ErrorBuffer1"), "a tensor given to a queue that it does not belong to";
    WrongState, "wrong-state", Some("ErrorBuffer2"), "a tensor that is not in the step that its position asks for";
    BadMemory, "bad-memory", Some("ErrorBuffer3"), "a tensor whose range is not inside any block";
    PoolNotInitialised, "pool-not-initialised", Some("ErrorBuffer4"), "a pool used before init_buf_pool, or after a reset that emptied it";
    QueueRebound, "queue-rebound", None, "a queue initialised while it is bound already";
    OverDocumentedUb, "over-documented-ub", None, "blocks above the documented usable size of UB";

    PoolOverflow, "pool-overflow", None, "blocks that end beyond the pool";
    PoolIdsExhausted, "pool-ids-exhausted", None, "more blocks than the pool declares";
    HandleOutOfRange, "handle-out-of-range", None, "a handle past the records of the pool";
    HandleInitialisedTwice, "handle-initialised-twice", None, "init_buf_handle on a record written for this queue already, or for another user that goes on with it: at other bytes, or one of the two a TBuf";
    HandleNeverInitialised, "handle-never-initialised", None, "a queue bound to a record that init_buf_handle never wrote";
    OutsidePool, "outside-pool", None, "init_buf_handle with an address range outside the pool";
    CursorNotAdvanced, "cursor-not-advanced", None, "two blocks of a custom pool on the same bytes with no declared sharing";
    CursorBehind, "cursor-behind", None, "a cursor or count set to less than is handed out already";
    LiveBlockReinitialised, "live-block-reinitialised", None, "init_buf_handle on a record whose block is out";
    StaleAfterReset, "stale-after-reset", None, "a tensor, queue or handle used after the reset of its pool";
    SharingPoolLive, "sharing-pool-live", None, "a buffer used while the pool that shares its bytes has unordered buffers";
    PoolLongerThanAsked, "pool-longer-than-asked", None, "a sharing pool gets the other pool's whole length";
    IdsLostByReset, "ids-lost-by-reset", None, "event ids that a pool reset does not give back";
    MixedFreeEvents, "mixed-free-events", None, "queues of different free events on the same record";
    DiffersByChip, "differs-by-chip", None, "the run differs on another chip that supports the same API";

    NoFreeBlock, "no-free-block", None, "an allocation from a queue whose blocks are all out: it waits for ever";
    QueueFull, "queue-full", None, "an enque on a queue that holds as many tensors as it is deep";
    QueueEmpty, "queue-empty", None, "a deque of an empty queue: it waits for ever";
    PositionsDiffer, "positions-differ", None, "a deque with other positions than its enque: it waits for ever";
    EnquePending, "enque-pending", None, "free_all_event while a tensor is in the queue";
    EventIdsExhausted, "event-ids-exhausted", None, "no id of an event is left";
    EventIdOutOfRange, "event-id-out-of-range", None, "an event id that the chip does not have";
    EventIdNotReserved, "event-id-not-reserved", None, "the release of an id that nobody reserved, or that a block holds";
    LockIdsExhausted, "lock-ids-exhausted", None, "no lock id is left";
    NoLockId, "no-lock-id", None, "an operation that passes a lock id, on a block without one";

    MemoryFull, "memory-full", None, "more bytes than a memory has left";
    TooManyBlocks, "too-many-blocks", None, "more blocks than a TPipe has";
    OutsideMemory, "outside-memory", None, "bytes outside a physical memory";
    BadBlockCount, "bad-block-count", None, "a number of blocks that no queue or TBuf can have, or the index of one that it does not have";
    BadLength, "bad-length", None, "a length of zero, or one that does not fit 32 bits";
    ViewMisaligned, "view-misaligned", None, "a view of a TBuf that is not on 32 bytes";
    ViewOutOfBounds, "view-out-of-bounds", None, "a view past the end of its tensor or TBuf";
    NoBlock, "no-block", None, "a tensor at a fixed address where a block is needed";

    WrongMemory, "wrong-memory", None, "a queue, TBuf or pool of another memory than the pool's";
    SharedTooShort, "shared-too-short", None, "a pool that is to share one with fewer bytes";
    ForeignHandle, "foreign-handle", None, "a handle of another pool than it was used with";
    DepthZeroInPool, "depth-zero-in-pool", None, "a queue of depth 0 in a pool";
    NoReset, "no-reset", None, "the reset of a pool that the chip cannot reset";

    PipeLive, "pipe-live", None, "a second TPipe on a core";
    PipeDestroyed, "pipe-destroyed", None, "a call on a destroyed TPipe";
    OtherPipe, "other-pipe", None, "a queue, TBuf or pool of another TPipe";
    InsideInstruction, "inside-instruction", None, "a call into the runtime from inside the closure of an instruction";
    NotOnChip, "not-on-chip", None, "something that the chip does not have";
    NoRoute, "no-route", None, "two positions that no queue connects on this chip";
    NoSuchPipe, "no-such-pipe", None, "a pipe that the core does not have, or that takes no barrier";

    CopyLength, "copy-length", None, "a copy of bytes that are not whole blocks of 32";
    CopyParameter, "copy-parameter", None, "a parameter of a copy in blocks that its field cannot hold";
    NoPath, "no-path", None, "a copy between memories that the chip, or this kind of core, does not connect";
    NotInMemory, "not-in-memory", None, "an operation on a memory that its pipe does not reach";
    ElementMisaligned, "element-misaligned", None, "a tensor that does not start on a multiple of its element's size";
    TooLong, "too-long", None, "more elements than any memory of a core holds";
    PartialRepeat, "partial-repeat", None, "a count that does not fill whole repeats of 256 bytes where it must";
    OverwritesSource, "overwrites-source", None, "a cast that writes over elements of its source before it has read them";
    UnsupportedOperation, "unsupported-operation", None, "an operation, type or mode that the chip does not have";
    NoOperand, "no-operand", None, "an instruction with no tensor of a core";
    DifferentCores, "different-cores", None, "an instruction on tensors of two cores";
    GlobalOutOfBounds, "global-out-of-bounds", None, "elements past the end of a global tensor";
    ReversedRange, "reversed-range", None, "a slice that ends before it starts";
    GlobalTooLarge, "global-too-large", None, "more global memory than can be had";
    Bug, "bufpool-bug", None, "a fault of bufpool itself";
}

impl fmt::Display for CheckId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

//! The checks by name: the one table of ids, the vendor's codes and one line on each.

use std::fmt;

macro_rules! checks {
    ($($name:ident, $id:literal, $npuchk:expr, $about:literal;)*) => {
        /// A check, by its stable kebab-case id.
        ///
        /// Some are found while the kernel runs and come out of the [`Report`](super::Report);
        /// what cannot work on the device is a [`BufPoolError`](crate::error::BufPoolError) of
        /// the call instead.
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
    HandleInitialisedTwice, "handle-initialised-twice", None, "init_buf_handle on a record already written for this queue";
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
}

impl fmt::Display for CheckId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

//! Block records: what the layer knows of each piece of memory that it handed out.

use std::fmt;

use crate::event::{EventId, HardEvent};
use crate::place::Place;

/// State of a block (`TBufState`).
///
/// ```
/// use bufpool_runtime::prelude::*;
/// # fn main() -> Result<()> {
/// let pipe = TPipe::new(Chip::AtlasA2)?;
/// let mut que = TQue::<VECIN, 1>::new();
/// pipe.init_buffer(&mut que, 1, 64)?;
/// let handle = que.alloc_buffer()?;
/// assert_eq!(que.get_state(handle)?, BlockState::Occupied);
/// que.enque_handle(handle)?;
/// assert_eq!(que.get_state(handle)?.name(), "ENQUE");
/// # Ok(())
/// # }
/// ```
#[doc(alias = "TBufState")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BlockState {
    /// Nobody holds it.
    Free,
    /// Handed out by `alloc_tensor`.
    Occupied,
    /// In the queue, between `enque` and `deque`.
    Enque,
    /// Taken out of the queue by `deque`.
    Deque,
}

impl BlockState {
    /// The name as the vendor writes it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            BlockState::Free => "FREE",
            BlockState::Occupied => "OCCUPIED",
            BlockState::Enque => "ENQUE",
            BlockState::Deque => "DEQUE",
        }
    }
}

impl fmt::Display for BlockState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Who owns block records: the pipe (0) or a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OwnerId(pub u32);

impl OwnerId {
    pub const PIPE: OwnerId = OwnerId(0);
}

/// A queue or TBuf. The number serves another one when it and its blocks are gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct QueueId(pub u32);

/// Index of a block record in the store, over all owners.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockId(pub u32);

/// Designates a block record (`TBufHandle`). Copy: what tensors prove at compile time is
/// checked at run time for handles.
///
/// ```
/// use bufpool_runtime::prelude::*;
/// # fn main() -> Result<()> {
/// let pipe = TPipe::new(Chip::AtlasA2)?;
/// let mut que = TQue::<VECIN, 1>::new();
/// pipe.init_buffer(&mut que, 1, 64)?;
/// let handle: TBufHandle = que.alloc_buffer()?;
/// que.free_buffer(handle)?;
/// assert!(matches!(que.free_buffer(handle), Err(BufPoolError::DoubleFree { .. })));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct TBufHandle {
    /// Which core of the process: owners are counted per core.
    pub(crate) core: u32,
    pub(crate) owner: OwnerId,
    pub(crate) index: u8,
    /// The owner's count of resets when the handle was made: tells a stale handle.
    pub(crate) epoch: u32,
}

impl TBufHandle {
    /// Index of the record within its pool, or within the pipe.
    #[must_use]
    pub fn index(self) -> u8 {
        self.index
    }

    /// Who owns the record: 0 is the pipe, pools have numbers from 1, which serve again when a pool is gone.
    #[must_use]
    pub fn owner(self) -> u32 {
        self.owner.0
    }

    /// Whether the record belongs to the pipe itself and not to a pool.
    #[must_use]
    pub fn is_pipe_block(self) -> bool {
        self.owner == OwnerId::PIPE
    }
}

impl fmt::Debug for TBufHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_pipe_block() {
            write!(f, "TBufHandle(pipe block {})", self.index)
        } else {
            write!(f, "TBufHandle(pool {} block {})", self.owner.0, self.index)
        }
    }
}

/// How operations on a block are ordered between the pipes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BlockSync {
    /// Ids taken when needed, one for the way in and one for the way back.
    Flags,
    /// Both ids held for the life of the block (depth 0).
    HeldFlags,
    /// The block's lock id passes from pipe to pipe.
    Lock,
    /// The core sees neither flags nor locks of this block.
    Silent,
}

/// A block record.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub addr: u32,
    /// `dataLen`: `TBuf::get` shortens it to the view it returned.
    pub len: u32,
    /// Bytes that the block has, whatever views were taken.
    pub size: u32,
    pub state: BlockState,
    pub enque_id: Option<EventId>,
    pub free_id: Option<EventId>,
    pub free_event: Option<HardEvent>,
    pub user_tag: i32,
    /// Counts allocations, with 1 after 255: tells a tensor of one from a tensor of the next. The usual
    /// way counts only where somebody listens.
    pub life: u8,
    pub sync: BlockSync,
    /// Lock id (Ascend950). It lies over the enqueue id: on a core that goes by flags it is there
    /// until the first enqueue.
    pub lock: Option<u8>,
    /// The owner's epoch in which the record was written last; none if never.
    pub written: Option<u32>,
    /// The queue or TBuf that the record was written for last.
    pub queue: Option<QueueId>,
    /// Where the state changed last.
    pub state_at: Option<Place>,
}

impl Block {
    /// It is handed out anew.
    #[inline]
    pub fn begin_life(&mut self) {
        self.life = self.life.checked_add(1).unwrap_or(1);
    }

    pub const EMPTY: Block = Block {
        addr: 0,
        len: 0,
        size: 0,
        state: BlockState::Free,
        enque_id: None,
        free_id: None,
        free_event: None,
        user_tag: -1,
        life: 0,
        sync: BlockSync::Silent,
        lock: None,
        written: None,
        queue: None,
        state_at: None,
    };
}

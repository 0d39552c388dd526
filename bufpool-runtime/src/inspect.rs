//! What the layer sees: snapshots of queues, TBufs, pools and the pipe, for tests, for people who
//! teach, and to compare with the real layer. Lengths and addresses are bytes; addresses count
//! from the start of the physical memory.
//!
//! ```
//! use bufpool_runtime::prelude::*;
//! # fn main() -> Result<()> {
//! let pipe = TPipe::new(Chip::AtlasA2)?;
//! let mut que = TQue::<VECIN, 1>::new();
//! let mut buf = TBuf::<VECCALC>::new();
//! let mut pool = TBufPool::<VECCALC>::new();
//! pipe.init_buffer(&mut que, 2, 64)?;
//! pipe.init_tbuf(&mut buf, 64)?;
//! pipe.init_buf_pool(&mut pool, 1024)?;
//! let x = que.alloc_tensor::<f32>()?;
//!
//! let queue = que.inspect().expect("it has memory");
//! assert_eq!((queue.blocks, queue.out, queue.cursor), (2, 1, 1));
//! assert_eq!(queue.records[0].state, BlockState::Occupied);
//! assert_eq!(buf.inspect().expect("it has memory").record.addr, 128);
//! assert_eq!(pool.inspect().start, 192);
//! assert_eq!(pipe.inspect().blocks, 3);
//! # Ok(())
//! # }
//! ```

pub use crate::model::block::BlockState;

use crate::event::{EventId, HardEvent};
use crate::position::{Hardware, TPosition};

/// A block record (`TBufType`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockView {
    /// Who owns the record: 0 is the pipe, pools count from 1 by their first `init_buf_pool`.
    pub owner: u32,
    /// Index of the record within its owner.
    pub index: u32,
    /// Address in the memory.
    pub addr: u32,
    /// `dataLen`, in bytes.
    pub len: u32,
    /// State.
    pub state: BlockState,
    /// Id held from enqueue to dequeue. On a cube core of Ascend950, blocks of a `TBufPool` show a
    /// lock id here until they are enqueued: the layer keeps both in one place.
    pub enque_id: Option<EventId>,
    /// Id held from free to the next allocation.
    pub free_id: Option<EventId>,
    /// The event that the next allocation waits for.
    pub free_event: Option<HardEvent>,
    /// Lock id (Ascend950).
    pub lock: Option<u8>,
    /// The user's tag, -1 at first.
    pub user_tag: i32,
}

/// A queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueueView {
    /// Number of blocks.
    pub blocks: u32,
    /// Tensors enqueued and not dequeued.
    pub used: u32,
    /// Tensors out; the layer counts modulo 256.
    pub out: u8,
    /// Next block to try.
    pub cursor: u8,
    /// Most tensors that can be enqueued.
    pub depth: u32,
    /// Memory of the blocks.
    pub hardware: Hardware,
    /// Position of the tensors.
    pub position: TPosition,
    /// Its block records.
    pub records: Vec<BlockView>,
}

/// A TBuf.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BufferView {
    /// Bytes of the buffer.
    pub len: u32,
    /// Its position.
    pub position: TPosition,
    /// Its memory.
    pub hardware: Hardware,
    /// Its block record.
    pub record: BlockView,
}

/// A pool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PoolView {
    /// Its number as the owner of blocks; 0 before its first `init_buf_pool`.
    pub owner: u32,
    /// First byte.
    pub start: u32,
    /// Where the next block may start.
    pub cursor: u32,
    /// Bytes.
    pub len: u32,
    /// Records used.
    pub used: u8,
    /// Records declared.
    pub size: u32,
}

/// The pipe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PipeView {
    /// Block records used, of 64.
    pub blocks: u32,
    /// Bytes handed out from the start of each memory.
    pub cursors: [(Hardware, u32); Hardware::COUNT],
    /// Most bytes handed out at one time.
    pub high_water: [(Hardware, u32); Hardware::COUNT],
    /// Where TSCM begins; it ends at the top of L1.
    pub tscm: u32,
    /// Reserved ids as a mask per event.
    pub events: Vec<(HardEvent, u8)>,
    /// Most ids reserved at one time per event.
    pub peak_events: Vec<(HardEvent, u8)>,
    /// Lock ids taken, as a mask (Ascend950).
    pub locks: u32,
    /// Most lock ids taken at one time.
    pub peak_locks: u32,
}

impl PipeView {
    pub(crate) fn empty() -> Self {
        PipeView {
            blocks: 0,
            cursors: Hardware::ALL.map(|memory| (memory, 0)),
            high_water: Hardware::ALL.map(|memory| (memory, 0)),
            tscm: 0,
            events: Vec::new(),
            peak_events: Vec::new(),
            locks: 0,
            peak_locks: 0,
        }
    }
}

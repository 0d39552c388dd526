//! The ledger of a memory: who holds which bytes, as rows and as a map for a terminal.
//!
//! ```text
//! UB of AtlasA2: 196608 of 196608 bytes handed out, 0 free
//!
//!           0 ..   196608   pool `MyBufPool` (VECCALC), 3 of 16 blocks      src/main.rs:31:10
//!   a       0 ..    32768     VECIN queue `x` block 0, OCCUPIED             src/main.rs:35:10
//!   ...
//!   |aaaaaaaaaabbbbbbbbbbcccccccccccccccccccc....................|
//! ```

use std::fmt;

use crate::chip::Chip;
use crate::model::State;
use crate::model::block::{BlockId, OwnerId};
use crate::place::Place;
use crate::position::Hardware;

/// Columns of the map.
const COLUMNS: u32 = 64;

/// Who holds which bytes of a memory.
///
/// ```
/// use bufpool_runtime::prelude::*;
/// # fn main() -> Result<()> {
/// let pipe = TPipe::new(Chip::AtlasA2)?;
/// let mut x = TQue::<VECIN, 1>::new().named("x");
/// pipe.init_buffer(&mut x, 2, 1024)?;
/// let ledger = pipe.ledger(Hardware::UB);
/// assert_eq!((ledger.used, ledger.rows.len()), (2048, 2));
/// assert!(ledger.to_string().contains("VECIN queue `x` block 1, FREE"));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ledger {
    /// The chip.
    pub chip: Chip,
    /// The memory.
    pub memory: Hardware,
    /// Bytes of the memory.
    pub capacity: u32,
    /// Bytes handed out by the pipe, from the start of the memory.
    pub used: u32,
    /// Pools, and below each its blocks; blocks of the pipe itself.
    pub rows: Vec<LedgerRow>,
}

/// One holder of bytes.
///
/// ```
/// use bufpool_runtime::prelude::*;
/// # fn main() -> Result<()> {
/// let pipe = TPipe::new(Chip::AtlasA2)?;
/// let mut buf = TBuf::<VECCALC>::new();
/// pipe.init_tbuf(&mut buf, 100)?;
/// let row = &pipe.ledger(Hardware::UB).rows[0];
/// assert_eq!((row.start, row.end, row.what.as_str()), (0, 128, "VECCALC TBuf"));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LedgerRow {
    /// First byte.
    pub start: u32,
    /// Byte after the last.
    pub end: u32,
    /// The pool, or the block with its queue and state; of a ring, all queues on its record.
    pub what: String,
    /// Where it was made.
    pub at: Option<Place>,
    /// Whether it is a pool, which holds bytes for its blocks.
    pub is_pool: bool,
    /// Pools around it; of pools that share their bytes, one.
    pub level: u32,
}

impl Ledger {
    pub(crate) fn of(state: &State, memory: Hardware) -> Self {
        let mut rows = Vec::new();
        push_blocks(state, OwnerId::PIPE, memory, 0, &mut rows);
        let mut pools: Vec<OwnerId> = state.pools_in(memory).collect();
        pools.sort_by_key(|&id| (state.owner(id).start, std::cmp::Reverse(state.owner(id).len)));
        for id in pools {
            let owner = state.owner(id);
            let end = owner.end() as u32;
            // A pool with the same bytes shares them: it stands beside this one, not around it.
            let mut around: Vec<(u32, u32)> = rows
                .iter()
                .filter(|row| row.is_pool && row.start <= owner.start && end <= row.end)
                .map(|row| (row.start, row.end))
                .filter(|&range| range != (owner.start, end))
                .collect();
            around.dedup();
            let level = around.len() as u32;
            rows.push(LedgerRow {
                start: owner.start,
                end,
                what: format!(
                    "{} ({}), {} of {} blocks",
                    owner.label(),
                    owner.position,
                    owner.used,
                    owner.size
                ),
                at: owner.init_at,
                is_pool: true,
                level,
            });
            push_blocks(state, id, memory, level + 1, &mut rows);
        }
        rows.extend(state.lost_in(memory).map(|lost| LedgerRow {
            start: lost.start,
            end: lost.end,
            what: format!("lost by the reset of pool `{}`", lost.pool),
            at: Some(lost.at),
            is_pool: false,
            level: 0,
        }));
        Ledger {
            chip: state.chip,
            memory,
            capacity: state.spec.capacity(memory),
            used: state.cursors[memory as usize],
            rows,
        }
    }

    /// Bytes of the memory that are not handed out.
    #[must_use]
    pub fn free(&self) -> u32 {
        self.capacity - self.used
    }

    /// One character for each part of the memory: the letter of the block there, `-` for bytes of a
    /// pool that no block has, `.` for free bytes, `*` where blocks lie over each other.
    #[must_use]
    pub fn map(&self) -> String {
        let cell = self.capacity.div_ceil(COLUMNS).max(1);
        let letters: Vec<(char, &LedgerRow)> = self.lettered().collect();
        (0..self.capacity.div_ceil(cell))
            .map(|column| {
                let (start, end) = (column * cell, (column + 1) * cell);
                let here = |row: &LedgerRow| row.start < end && start < row.end;
                let mut blocks = letters.iter().filter(|(_, row)| here(row));
                match (blocks.next(), blocks.next()) {
                    // Two neighbours may meet inside one column: only an overlap is worth a star.
                    (Some((_, one)), Some((_, two))) if overlap(one, two) => '*',
                    (Some((letter, _)), _) => *letter,
                    _ if self.rows.iter().any(|row| row.is_pool && here(row)) => '-',
                    _ => '.',
                }
            })
            .collect()
    }

    /// The blocks with their letters: a to z, then A to Z, then `#`.
    fn lettered(&self) -> impl Iterator<Item = (char, &LedgerRow)> {
        let letters = ('a'..='z').chain('A'..='Z').chain(std::iter::repeat('#'));
        letters.zip(self.rows.iter().filter(|row| !row.is_pool))
    }
}

fn overlap(one: &LedgerRow, two: &LedgerRow) -> bool {
    one.start < two.end && two.start < one.end
}

fn push_blocks(
    state: &State,
    owner: OwnerId,
    memory: Hardware,
    level: u32,
    rows: &mut Vec<LedgerRow>,
) {
    let first = rows.len();
    let mut records: Vec<BlockId> = Vec::new();
    for queue in state.queues_of(owner).filter(|queue| queue.hardware == memory) {
        for (index, id) in queue.blocks().enumerate() {
            let block = state.block(id);
            if block.written != Some(queue.epoch) {
                continue;
            }
            let mut what = queue.label();
            if queue.shape.depth.is_some() {
                what = format!("{what} block {index}, {}", block.state);
            }
            // Queues on the same record, a ring, hold one block, not two on the same bytes.
            if let Some(known) = records.iter().position(|&record| record == id) {
                rows[first + known].what.extend(["; ", &what]);
                continue;
            }
            records.push(id);
            rows.push(LedgerRow {
                start: block.addr,
                end: block.addr + block.size,
                what,
                at: Some(queue.init_at),
                is_pool: false,
                level,
            });
        }
    }
    rows[first..].sort_by_key(|row| (row.start, row.end));
}

impl fmt::Display for Ledger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} of {}: {} of {} bytes handed out, {} free",
            self.memory,
            self.chip,
            self.used,
            self.capacity,
            self.free()
        )?;
        let indent = |row: &LedgerRow| 2 * row.level as usize;
        let width = self.rows.iter().map(|row| row.what.len() + indent(row)).max().unwrap_or(0);
        let mut letters = self.lettered().map(|(letter, _)| letter);
        for row in &self.rows {
            let letter = if row.is_pool { ' ' } else { letters.next().unwrap_or('#') };
            let what = format!("{:indent$}{}", "", row.what, indent = indent(row));
            write!(f, "  {letter} {:>7} .. {:>7}   {what:width$}", row.start, row.end)?;
            match row.at {
                Some(at) => writeln!(f, "   {at}")?,
                None => writeln!(f)?,
            }
        }
        writeln!(f, "  |{}|", self.map())?;
        let cell = self.capacity.div_ceil(COLUMNS).max(1);
        write!(
            f,
            "   one character is {cell} bytes; - pool bytes without a block, . free, * blocks over each other"
        )
    }
}

//! Owners of block records: the pipe, and each pool.

use std::fmt;

use crate::model::block::{BlockId, OwnerId};
use crate::model::locks::LockRange;
use crate::model::stream::Ended;
use crate::place::Place;
use crate::position::{Hardware, TPosition};

/// What kind of owner it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OwnerKind {
    Pipe,
    /// `TBufPool`: the layer places the blocks.
    TBufPool,
    /// A struct with the attribute: the user places the blocks.
    Custom,
}

/// What messages call an owner. The name of a type is cut out of its path when somebody reads it,
/// not each time that a pool is initialised.
#[derive(Clone, Copy, Debug)]
pub(crate) enum OwnerName {
    Given(&'static str),
    OfType(fn() -> &'static str),
}

impl OwnerName {
    pub fn get(self) -> &'static str {
        match self {
            OwnerName::Given(name) => name,
            OwnerName::OfType(name) => name(),
        }
    }
}

impl fmt::Display for OwnerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.get())
    }
}

/// The pipe or a pool, with the records it owns.
///
/// ```text
/// records  base .. base + used .......... base + size
/// memory   start .. cursor .............. start + len
/// ```
#[derive(Debug)]
pub(crate) struct Owner {
    pub kind: OwnerKind,
    pub name: OwnerName,
    pub position: TPosition,
    pub hardware: Hardware,
    /// First record in the store.
    pub base: u32,
    /// Records declared.
    pub size: u32,
    pub start: u32,
    pub cursor: u32,
    pub len: u32,
    /// Records used so far; a u8 on the device.
    pub used: u8,
    /// Counts resets: whatever carries an older number is stale.
    pub epoch: u32,
    /// Who its bytes come from: the pipe, or a pool around it; and the epoch of that.
    pub parent: (OwnerId, u32),
    /// It has the bytes of another pool, and took none of its parent.
    pub shares: bool,
    /// Records of its parent that it took.
    pub taken: u8,
    /// Where it was initialised; none before, and after a reset that emptied it.
    pub init_at: Option<Place>,
    /// How its blocks went last, and where; a drop has no place.
    pub ended: Option<(Ended, Option<Place>)>,
    /// `Init` of a custom pool took its range.
    pub emptied: bool,
    /// The user's pipe or pool is gone, without a place in the user's source.
    pub dropped: bool,
    /// The epoch at which it became this pool: what is older was made from another one.
    pub since: u32,
    /// Lock ids that the pool has left for its blocks.
    pub locks: LockRange,
    /// Lock ids of the core that its initialisations took.
    pub locks_taken: u32,
}

impl Owner {
    pub fn pipe() -> Self {
        Owner {
            kind: OwnerKind::Pipe,
            name: OwnerName::Given("TPipe"),
            position: TPosition::GM,
            hardware: Hardware::GM,
            base: 0,
            size: super::PIPE_BLOCKS,
            start: 0,
            cursor: 0,
            len: 0,
            used: 0,
            epoch: 0,
            parent: (OwnerId::PIPE, 0),
            shares: false,
            taken: 0,
            init_at: None,
            ended: None,
            emptied: false,
            dropped: false,
            since: 0,
            locks: LockRange::EMPTY,
            locks_taken: 0,
        }
    }

    #[inline]
    pub fn block(&self, index: u8) -> BlockId {
        BlockId(self.base + u32::from(index))
    }

    /// Store indices of the records used so far.
    pub fn used_records(&self) -> std::ops::Range<usize> {
        let base = self.base as usize;
        base..base + (u32::from(self.used).min(self.size)) as usize
    }

    pub fn end(&self) -> u64 {
        u64::from(self.start) + u64::from(self.len)
    }

    pub fn ended_at(&self) -> Option<Place> {
        self.ended.and_then(|(_, at)| at)
    }

    /// For messages.
    pub fn label(&self) -> String {
        match self.kind {
            OwnerKind::Pipe => "the TPipe".to_owned(),
            _ => format!("pool `{}`", self.name),
        }
    }

    pub fn id_is_pipe(id: OwnerId) -> bool {
        id == OwnerId::PIPE
    }
}

/// Bytes that the reset of a pool left to nobody.
#[derive(Debug)]
pub(crate) struct LostRange {
    pub memory: Hardware,
    pub start: u32,
    pub end: u32,
    /// Name of the pool.
    pub pool: OwnerName,
    /// Where it was reset.
    pub at: Place,
}

/// The help for a pool whose records are all free, and counted as used.
pub(crate) const COUNT_GOES_ON: &str = "the count of records goes on over init_buf_pool and TPipe::reset: \
     reset the pool before these, or take a new one";

/// What to write for a pool to have so many blocks.
pub(crate) fn declare_help(kind: OwnerKind, position: TPosition, blocks: u32) -> String {
    let most = u32::from(u8::MAX);
    match kind {
        _ if blocks > most => format!("use a second pool: a pool declares {most} blocks at most"),
        OwnerKind::Custom => format!("declare bufid_size = {blocks} or more"),
        OwnerKind::TBufPool | OwnerKind::Pipe => {
            format!("declare {blocks} blocks: TBufPool::<{position}, {blocks}>")
        }
    }
}

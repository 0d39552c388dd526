//! Lock ids (Ascend950): one mask for the core, ranges of it handed to blocks and pools, and the
//! separate ids of TSCM blocks that a vector core fills.
//!
//! ```text
//! id    0 ............................. 27   28 .. 30    31
//!       blocks of the pipe, and pools,       reserved    reset of L1 pools
//!       lowest first, until the pipe resets
//! ```

use crate::chip::{FIRST_CROSS_ID, LOCK_IDS};

/// Who has which lock ids.
pub(crate) struct LockTable {
    taken: u32,
    peak: u32,
    /// Next id for a TSCM block that a vector core fills; they go down. None once 0 is taken.
    cross: Option<u8>,
}

impl Default for LockTable {
    fn default() -> Self {
        LockTable { taken: 0, peak: 0, cross: Some(FIRST_CROSS_ID) }
    }
}

impl LockTable {
    /// Takes the lowest `num` free ids; none if fewer are left. Ids are only ever taken in order
    /// and given back all at once, so the free ones are contiguous.
    pub fn take(&mut self, num: u32) -> Option<LockRange> {
        if num > self.free() {
            return None;
        }
        let first = self.taken.trailing_ones();
        self.taken |= ((1 << num) - 1) << first;
        self.peak = self.peak.max(self.taken.count_ones());
        Some(LockRange { first: first as u8, num: num as u8 })
    }

    /// Takes `num` ids of TSCM blocks and gives the first; the others follow downwards.
    pub fn take_cross(&mut self, num: u32) -> Option<u8> {
        let first = self.cross?;
        let last = u32::from(first).checked_sub(num.checked_sub(1)?)?;
        self.cross = (last as u8).checked_sub(1);
        Some(first)
    }

    /// Ids of TSCM blocks that are left.
    pub fn free_cross(&self) -> u32 {
        self.cross.map_or(0, |next| u32::from(next) + 1)
    }

    pub fn free(&self) -> u32 {
        u32::from(LOCK_IDS) - self.taken.count_ones()
    }

    /// As new. The peak stays.
    pub fn release_all(&mut self) {
        *self = LockTable { peak: self.peak, ..LockTable::default() };
    }

    pub fn mask(&self) -> u32 {
        self.taken
    }

    pub fn peak(&self) -> u32 {
        self.peak
    }
}

/// Lock ids in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LockRange {
    pub first: u8,
    pub num: u8,
}

impl LockRange {
    pub const EMPTY: LockRange = LockRange { first: 0, num: 0 };

    /// The id at `index`.
    pub fn get(self, index: u8) -> Option<u8> {
        (index < self.num).then(|| self.first + index)
    }

    /// Without its first `num` ids; none if it has fewer.
    pub fn without(self, num: u32) -> Option<LockRange> {
        let left = u32::from(self.num).checked_sub(num)?;
        Some(LockRange { first: self.first + num as u8, num: left as u8 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_taken_from_below_until_28_are_out() {
        let mut locks = LockTable::default();
        assert_eq!(locks.take(4), Some(LockRange { first: 0, num: 4 }));
        assert_eq!(locks.take(16), Some(LockRange { first: 4, num: 16 }));
        assert_eq!((locks.free(), locks.take(9)), (8, None));
        assert_eq!(locks.take(8), Some(LockRange { first: 20, num: 8 }));
        assert_eq!((locks.take(1), locks.mask()), (None, (1 << 28) - 1));
        locks.release_all();
        assert_eq!((locks.mask(), locks.peak()), (0, 28));
    }

    #[test]
    fn ids_of_tscm_blocks_go_down_to_0() {
        let mut locks = LockTable::default();
        assert_eq!(locks.take_cross(2), Some(11));
        assert_eq!(locks.take_cross(9), Some(9));
        assert_eq!((locks.free_cross(), locks.take_cross(2)), (1, None));
        assert_eq!(locks.take_cross(1), Some(0));
        assert_eq!((locks.free_cross(), locks.take_cross(1)), (0, None));
    }

    #[test]
    fn a_pool_shares_what_is_left_of_a_range() {
        let range = LockRange { first: 4, num: 4 };
        let left = range.without(3);
        assert_eq!(left, Some(LockRange { first: 7, num: 1 }));
        assert_eq!((range.get(3), range.get(4), range.without(5)), (Some(7), None, None));
    }
}

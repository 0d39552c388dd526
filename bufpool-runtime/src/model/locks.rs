//! Lock ids (Ascend950): one mask for the core, ranges of it handed to pools.

use crate::chip::LOCK_IDS;

#[derive(Default)]
pub(crate) struct LockTable {
    taken: u32,
    peak: u32,
}

impl LockTable {
    /// Takes the lowest `num` free ids and returns the first; none if fewer are left. Ids are only
    /// ever taken in order and given back all at once, so the free ones are contiguous.
    pub fn take(&mut self, num: u32) -> Option<u8> {
        if num > self.free() {
            return None;
        }
        let first = self.taken.trailing_ones();
        self.taken |= ((1 << num) - 1) << first;
        self.peak = self.peak.max(self.taken.count_ones());
        Some(first as u8)
    }

    pub fn free(&self) -> u32 {
        u32::from(LOCK_IDS) - self.taken.count_ones()
    }

    pub fn release_all(&mut self) {
        self.taken = 0;
    }

    pub fn mask(&self) -> u32 {
        self.taken
    }

    pub fn peak(&self) -> u32 {
        self.peak
    }
}

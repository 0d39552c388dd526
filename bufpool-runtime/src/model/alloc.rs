//! Placement: pure arithmetic over one memory or pool, without state of its own.
//!
//! ```text
//! memory   0 ............ cursor ...................... limit
//! pool     start ........ cursor ...................... start + len
//!          | handed out   |  free: limit - cursor       |
//! TSCM     0 ... L1 cursor ............ tscm ......... tscm_top   (grows down)
//! ```

/// Bytes of a block: every length is rounded up to this.
pub(crate) const ONE_BLOCK: u32 = 32;

/// `bytes` rounded up to a multiple of 32, the unit of every length in the layer. Saturates
/// near `u32::MAX`, where no memory reaches.
#[must_use]
pub const fn align_up(bytes: u32) -> u32 {
    match bytes.checked_next_multiple_of(ONE_BLOCK) {
        Some(aligned) => aligned,
        None => u32::MAX - (ONE_BLOCK - 1),
    }
}

/// Bytes of `num` blocks of `len` bytes, each rounded up.
pub(crate) const fn total(num: u32, len: u32) -> u64 {
    num as u64 * (len as u64).next_multiple_of(ONE_BLOCK as u64)
}

/// Where `num` blocks of `len` bytes go, end to end from `cursor`; none if they end beyond
/// `limit`.
pub(crate) fn place(cursor: u32, limit: u32, num: u32, len: u32) -> Option<Placed> {
    let end = u64::from(cursor) + total(num, len);
    (end <= u64::from(limit)).then(|| Placed {
        first: cursor,
        stride: align_up(len),
        cursor: end as u32,
    })
}

/// Where `num` blocks of `len` bytes of TSCM go: below `tscm`, each byte taking `stride` bytes of
/// L1; none if they meet `floor`, the cursor of L1.
pub(crate) fn place_down(tscm: u32, floor: u32, num: u32, len: u32, stride: u32) -> Option<Placed> {
    let taken = total(num, len) * u64::from(stride);
    let first = u64::from(tscm).checked_sub(taken)?;
    (first >= u64::from(floor)).then(|| Placed {
        first: first as u32,
        stride: align_up(len),
        cursor: first as u32,
    })
}

/// Addresses of blocks, and the cursor behind them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Placed {
    pub first: u32,
    pub stride: u32,
    pub cursor: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_rounded_up_to_32() {
        assert_eq!([1, 31, 32, 33, 100].map(align_up), [32, 32, 32, 64, 128]);
        assert_eq!(align_up(u32::MAX), u32::MAX - 31);
    }

    #[test]
    fn blocks_may_end_exactly_at_the_limit() {
        assert_eq!(place(0, 128, 2, 64), Some(Placed { first: 0, stride: 64, cursor: 128 }));
        assert_eq!(place(64, 128, 1, 65), None);
        assert_eq!(place(0, 196_608, 64, u32::MAX), None);
    }

    #[test]
    fn tscm_grows_down_and_counts_both_copies() {
        let placed = place_down(524_160, 0, 1, 1000, 2);
        assert_eq!(placed, Some(Placed { first: 522_112, stride: 1024, cursor: 522_112 }));
        assert_eq!(place_down(524_160, 262_144, 1, 262_144, 2), None);
    }
}

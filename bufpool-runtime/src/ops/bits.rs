//! Bits for comparisons: bit 0 of byte 0 is the first element's.

use crate::ops::element::Element;
use crate::ops::lanes::Lanes;

/// Elements at a time.
const BLOCK: usize = 256;

/// Bit `i` of `dst` says whether `holds(a[i], b[i])`.
#[inline]
pub(super) fn compare_bits<T: Lanes>(
    dst: &mut [u8],
    a: &[T],
    b: &[T],
    holds: impl Fn(T::Wide, T::Wide) -> bool,
) {
    let mut dst = dst.iter_mut();
    // Blocks are multiples of 8 elements, so that no byte is split between two of them.
    T::widened([a, b], |[a, b]| {
        let mut truth = [0u8; BLOCK];
        for (a, b) in a.chunks(BLOCK).zip(b.chunks(BLOCK)) {
            let truth = &mut truth[..a.len().next_multiple_of(8)];
            for ((truth, a), b) in truth.iter_mut().zip(a).zip(b) {
                *truth = u8::from(holds(*a, *b));
            }
            truth[a.len()..].fill(0);
            // The bytes come last: a zip that ends takes one more of what comes first.
            for (truth, byte) in truth.as_chunks::<8>().0.iter().zip(&mut dst) {
                *byte = pack(*truth);
            }
        }
    });
}

/// Eight bytes of 0 or 1 to eight bits, the first one lowest: the product moves each to a place of
/// its own in the highest byte.
#[inline]
fn pack(truth: [u8; 8]) -> u8 {
    let [.., highest] = u64::from_le_bytes(truth).wrapping_mul(0x0102_0408_1020_4080).to_le_bytes();
    highest
}

/// `dst[i]` is `a[i]` where bit `i` of `mask` is set, else `b[i]`.
#[inline]
pub(super) fn select_bits<T: Element>(dst: &mut [T], mask: &[u8], a: &[T], b: &[T]) {
    const BITS: [u8; 8] = [1, 2, 4, 8, 16, 32, 64, 128];
    let (whole_dst, rest_dst) = dst.as_chunks_mut::<8>();
    let (whole_a, rest_a) = a.as_chunks::<8>();
    let (whole_b, rest_b) = b.as_chunks::<8>();
    for (((dst, a), b), mask) in whole_dst.iter_mut().zip(whole_a).zip(whole_b).zip(mask) {
        for i in 0..8 {
            dst[i] = if mask & BITS[i] == 0 { b[i] } else { a[i] };
        }
    }
    if let Some(mask) = mask.get(whole_a.len()) {
        for (((dst, a), b), bit) in rest_dst.iter_mut().zip(rest_a).zip(rest_b).zip(BITS) {
            *dst = if mask & bit == 0 { *b } else { *a };
        }
    }
}

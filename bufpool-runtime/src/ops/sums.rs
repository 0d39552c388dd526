//! From many elements to one.
//!
//! A sum is a tree of neighbours. The vector unit takes it repeat by repeat of 256 bytes and then
//! sums the sums of the repeats; as a repeat is a power of two of elements, that is one tree over
//! all of them:
//!
//! ```text
//! x0   x1   x2   x3   x4   x5   x6   x7   ..
//!  └─+─┘     └─+─┘     └─+─┘     └─+─┘
//!    └────+────┘         └────+────┘
//!         └─────────+─────────┘
//! ```
//!
//! All sums are `f32`; the result is rounded to the element's type once.

use crate::ops::lanes::Lanes;

/// Elements whose sums are taken at a time.
const BLOCK: usize = 256;

/// The sum of all elements; 0 of none.
#[inline]
pub(super) fn sum<T: Lanes<Wide = f32>>(src: &[T]) -> f32 {
    let mut sums = Vec::with_capacity(src.len().div_ceil(4));
    T::widened([src], |[block]| two_levels(block, &mut sums));
    while sums.len() > 1 {
        let mut next = Vec::with_capacity(sums.len().div_ceil(4));
        two_levels(&sums, &mut next);
        sums = next;
    }
    sums.first().copied().unwrap_or_default()
}

/// Two levels of the tree: the sums of four neighbours each. At the end, one without a neighbour
/// waits for the next level.
fn two_levels(x: &[f32], sums: &mut Vec<f32>) {
    let (blocks, rest) = x.as_chunks::<BLOCK>();
    let (mut once, mut twice) = ([0.0; BLOCK / 2], [0.0; BLOCK / 4]);
    for block in blocks {
        level(block, &mut once);
        level(&once, &mut twice);
        sums.extend_from_slice(&twice);
    }
    let (fours, rest) = rest.as_chunks::<4>();
    sums.extend(fours.iter().map(|[a, b, c, d]| (a + b) + (c + d)));
    match *rest {
        [a] => sums.push(a),
        [a, b] => sums.push(a + b),
        [a, b, c] => sums.push((a + b) + c),
        _ => {}
    }
}

/// One level of the tree, of a length that the compiler knows: it takes several pairs at a time.
#[inline]
fn level(x: &[f32], sums: &mut [f32]) {
    for (sum, [a, b]) in sums.iter_mut().zip(x.as_chunks::<2>().0) {
        *sum = a + b;
    }
}

/// The best of all elements; 0 of none, not a number if one of them is not.
///
/// Which one it is does not depend on the order, so several are followed at a time.
#[inline]
pub(super) fn extreme<T: Lanes<Wide = f32>>(
    src: &[T],
    is_better: impl Fn(f32, f32) -> bool,
) -> f32 {
    const LANES: usize = 16;
    let Some(first) = src.first() else { return 0.0 };
    let mut best = [first.widen(); LANES];
    // Kept apart: what is not a number is better than nothing, and nothing is better than it.
    let mut is_nan = [false; LANES];
    let follow = |chunk: &[f32], best: &mut [f32], is_nan: &mut [bool]| {
        for ((x, best), is_nan) in chunk.iter().zip(best).zip(is_nan) {
            *best = if is_better(*x, *best) { *x } else { *best };
            *is_nan |= x.is_nan();
        }
    };
    T::widened([src], |[block]| {
        let (whole, rest) = block.as_chunks::<LANES>();
        for chunk in whole {
            follow(chunk, &mut best, &mut is_nan);
        }
        follow(rest, &mut best, &mut is_nan);
    });
    if is_nan.contains(&true) {
        return f32::NAN;
    }
    best.into_iter().reduce(|a, b| if is_better(b, a) { b } else { a }).unwrap_or_default()
}

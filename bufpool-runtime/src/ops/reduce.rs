//! From many elements to one.
//!
//! A sum is taken as the vector unit takes it, repeat by repeat of 256 bytes, in each by a tree of
//! neighbours; the sums of the repeats are summed in the same way:
//!
//! ```text
//! x0   x1   x2   x3   x4   x5   x6   x7   ..
//!  └─+─┘     └─+─┘     └─+─┘     └─+─┘
//!    └────+────┘         └────+────┘
//!         └─────────+─────────┘
//! ```
//!
//! All sums are `f32`; the result is rounded to `f16` once.

use crate::error::Result;
use crate::error_data::Call;
use crate::ops::compare::REPEAT_BYTES;
use crate::ops::element::{elements, elements_mut};
use crate::ops::number::Number;
use crate::ops::support::Float;
use crate::ops::vector::{Arg, instr};
use crate::tensor::Tensor;

macro_rules! reductions {
    ($($(#[$doc:meta])* $name:ident $vendor:literal $kernel:path;)*) => {$(
        $(#[$doc])*
        ///
        /// Pipe V. `count` in elements, not 0; all tensors in UB. One element of `dst` is written,
        /// and of `work` one element for each 256 bytes of `src`, rounded up to 32 bytes. What
        /// `work` holds afterwards is not modelled: here it stays as it was.
        ///
        /// # Errors
        /// A tensor is not in UB, of another core, or not on a multiple of its element's size; the
        /// bytes end past UB.
        #[doc(alias = $vendor)]
        #[track_caller]
        pub fn $name<T: Float>(
            dst: &impl Tensor<T>,
            src: &impl Tensor<T>,
            work: &impl Tensor<T>,
            count: usize,
        ) -> Result<()> {
            reduce(Call::here(stringify!($name)), dst, src, work, count, $kernel)
        }
    )*};
}

reductions! {
    /// `dst[0]` becomes the sum of the first `count` elements of `src` (`ReduceSum`).
    ///
    /// The order of the additions differs from chip to chip; this is the documented tree of
    /// neighbours, with one rounding to `f16` at the end.
    reduce_sum "ReduceSum" sum;
    /// `dst[0]` becomes the greatest of the first `count` elements of `src` (`ReduceMax` without
    /// index); not a number if one of them is not.
    reduce_max "ReduceMax" greatest;
    /// `dst[0]` becomes the smallest of the first `count` elements of `src` (`ReduceMin` without
    /// index); not a number if one of them is not.
    reduce_min "ReduceMin" smallest;
}

fn reduce<T: Float>(
    call: Call,
    dst: &impl Tensor<T>,
    src: &impl Tensor<T>,
    work: &impl Tensor<T>,
    count: usize,
    kernel: impl FnOnce(&[T]) -> f32,
) -> Result<()> {
    let per_block = 32 / size_of::<T>();
    let work_count = count.div_ceil(per_repeat::<T>()).next_multiple_of(per_block);
    let dst = Arg::in_ub(call, dst, count.min(1))?;
    let src = Arg::in_ub(call, src, count)?;
    let work = Arg::in_ub(call, work, work_count)?;
    dst.same_core(call, &src)?;
    dst.same_core(call, &work)?;
    let (reads, writes) = ([src.span], [dst.span, work.span]);
    dst.core.issue(&instr(call, &reads, &writes), call.at, |memories| {
        let result = T::narrow(kernel(elements(memories.bytes(&src.span)?)?));
        elements_mut(memories.bytes_mut(&dst.span)?)?.fill(result);
        Ok(())
    })
}

const fn per_repeat<T>() -> usize {
    REPEAT_BYTES / size_of::<T>()
}

fn sum<T: Float>(src: &[T]) -> f32 {
    let per_repeat = per_repeat::<T>();
    let mut sums = Vec::with_capacity(src.len().div_ceil(per_repeat));
    T::widened([src], |[block]| sums.extend(block.chunks(per_repeat).map(tree)));
    while sums.len() > 1 {
        sums = sums.chunks(per_repeat).map(tree).collect();
    }
    sums.first().copied().unwrap_or_default()
}

/// The sum of one repeat. Halves of a tree of neighbours are such trees.
fn tree(repeat: &[f32]) -> f32 {
    match repeat.split_first_chunk::<64>() {
        Some((first, [])) => tree_of_64(first),
        Some((first, rest)) if rest.len() == 64 => tree_of_64(first) + tree(rest),
        _ => tree_of_any(repeat),
    }
}

fn tree_of_64(repeat: &[f32; 64]) -> f32 {
    fn pairs<const N: usize, const HALF: usize>(x: &[f32; N]) -> [f32; HALF] {
        std::array::from_fn(|i| x[2 * i] + x[2 * i + 1])
    }
    let sums: [f32; 32] = pairs(repeat);
    let sums: [f32; 16] = pairs(&sums);
    let sums: [f32; 8] = pairs(&sums);
    let [a, b, c, d] = pairs(&sums);
    (a + b) + (c + d)
}

/// A last one without a neighbour waits for the next level.
fn tree_of_any(repeat: &[f32]) -> f32 {
    let mut sums = repeat.to_vec();
    while sums.len() > 1 {
        sums = sums
            .chunks(2)
            .map(|pair| pair.iter().copied().reduce(|a, b| a + b).unwrap_or_default())
            .collect();
    }
    sums.first().copied().unwrap_or_default()
}

fn greatest<T: Float>(src: &[T]) -> f32 {
    extreme(src, Number::greater)
}

fn smallest<T: Float>(src: &[T]) -> f32 {
    extreme(src, Number::smaller)
}

/// Which of the elements it is does not depend on the order, so several are followed at a time.
fn extreme<T: Float>(src: &[T], better: impl Fn(f32, f32) -> f32) -> f32 {
    const LANES: usize = 16;
    let Some(first) = src.first() else { return 0.0 };
    let mut best = [first.widen(); LANES];
    T::widened([src], |[block]| {
        let (whole, rest) = block.as_chunks::<LANES>();
        for chunk in whole {
            for (best, x) in best.iter_mut().zip(chunk) {
                *best = better(*best, *x);
            }
        }
        for (best, x) in best.iter_mut().zip(rest) {
            *best = better(*best, *x);
        }
    });
    best.into_iter().fold(first.widen(), better)
}

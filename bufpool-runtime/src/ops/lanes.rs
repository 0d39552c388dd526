//! How slices of each type are calculated with.
//!
//! `f16` and `bf16` are widened to `f32` a block at a time, calculated there, and rounded back once
//! (`half` uses the host's conversion instructions for whole slices). The `f32` results of `+`,
//! `-`, `*`, `/` and square root have more than twice the digits of `f16` and `bf16` plus two, so
//! rounding twice gives what rounding once gives. `f32` and integers are calculated in place; the
//! loops run over slices of equal length, which the compiler turns into vector instructions.

use half::slice::HalfFloatSliceExt;

use crate::ops::element::{Element, bf16, f16};

/// Elements that are widened at a time: small enough for the first cache, a multiple of the
/// elements of a repeat (128 of `f16`).
const BLOCK: usize = 256;

/// An element type that vector operations calculate with.
pub trait Lanes: Element {
    /// The type that it is calculated in.
    type Wide: Copy + Default + PartialOrd + Send + Sync + 'static;

    /// One element in the type that it is calculated in.
    fn widen(self) -> Self::Wide;

    /// One element back, rounded.
    fn narrow(wide: Self::Wide) -> Self;

    /// `dst[i] = f(a[i])`. The slices have the same length.
    fn map(dst: &mut [Self], a: &[Self], f: impl Fn(Self::Wide) -> Self::Wide);

    /// `dst[i] = f(a[i], b[i])`. The slices have the same length.
    fn map2(
        dst: &mut [Self],
        a: &[Self],
        b: &[Self],
        f: impl Fn(Self::Wide, Self::Wide) -> Self::Wide,
    );

    /// Gives the elements in the type that they are calculated in, in order, in blocks that are
    /// multiples of 256 elements but for the last. The sources have the same length.
    fn widened<const N: usize>(sources: [&[Self]; N], f: impl FnMut([&[Self::Wide]; N]));
}

macro_rules! calculated_in_place {
    ($($type:ident)*) => {$(
        impl Lanes for $type {
            type Wide = $type;

            #[inline]
            fn widen(self) -> $type {
                self
            }

            #[inline]
            fn narrow(wide: $type) -> $type {
                wide
            }

            #[inline]
            fn map(dst: &mut [Self], a: &[Self], f: impl Fn($type) -> $type) {
                for (d, a) in dst.iter_mut().zip(a) {
                    *d = f(*a);
                }
            }

            #[inline]
            fn map2(dst: &mut [Self], a: &[Self], b: &[Self], f: impl Fn($type, $type) -> $type) {
                for ((d, a), b) in dst.iter_mut().zip(a).zip(b) {
                    *d = f(*a, *b);
                }
            }

            #[inline]
            fn widened<const N: usize>(sources: [&[Self]; N], mut f: impl FnMut([&[$type]; N])) {
                f(sources);
            }
        }
    )*};
}

macro_rules! calculated_in_f32 {
    ($($type:ident)*) => {$(
        impl Lanes for $type {
            type Wide = f32;

            #[inline]
            fn widen(self) -> f32 {
                self.to_f32()
            }

            #[inline]
            fn narrow(wide: f32) -> $type {
                $type::from_f32(wide)
            }

            #[inline]
            fn map(dst: &mut [Self], a: &[Self], f: impl Fn(f32) -> f32) {
                let mut wide = [0.0; BLOCK];
                for (d, a) in dst.chunks_mut(BLOCK).zip(a.chunks(BLOCK)) {
                    let wide = &mut wide[..a.len()];
                    a.convert_to_f32_slice(wide);
                    for x in &mut *wide {
                        *x = f(*x);
                    }
                    d.convert_from_f32_slice(wide);
                }
            }

            #[inline]
            fn map2(dst: &mut [Self], a: &[Self], b: &[Self], f: impl Fn(f32, f32) -> f32) {
                let (mut wide_a, mut wide_b) = ([0.0; BLOCK], [0.0; BLOCK]);
                let blocks = dst.chunks_mut(BLOCK).zip(a.chunks(BLOCK)).zip(b.chunks(BLOCK));
                for ((d, a), b) in blocks {
                    let (wide_a, wide_b) = (&mut wide_a[..a.len()], &mut wide_b[..b.len()]);
                    a.convert_to_f32_slice(wide_a);
                    b.convert_to_f32_slice(wide_b);
                    for (a, b) in wide_a.iter_mut().zip(&*wide_b) {
                        *a = f(*a, *b);
                    }
                    d.convert_from_f32_slice(wide_a);
                }
            }

            #[inline]
            fn widened<const N: usize>(sources: [&[Self]; N], mut f: impl FnMut([&[f32]; N])) {
                let mut wide = [[0.0; BLOCK]; N];
                let len = sources.iter().map(|source| source.len()).min().unwrap_or(0);
                for start in (0..len).step_by(BLOCK) {
                    let size = BLOCK.min(len - start);
                    for (wide, source) in wide.iter_mut().zip(sources) {
                        source[start..start + size].convert_to_f32_slice(&mut wide[..size]);
                    }
                    f(wide.each_ref().map(|wide| &wide[..size]));
                }
            }
        }
    )*};
}

calculated_in_place!(f32 i8 i16 i32);
calculated_in_f32!(f16 bf16);

#[cfg(test)]
mod tests {
    use super::*;

    /// Lengths around the block.
    const LENGTHS: [usize; 8] = [0, 1, 7, 255, 256, 257, 512, 1000];

    /// Bit for bit; any NaN is as good as another.
    fn same(a: f16, b: f16) -> bool {
        a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
    }

    #[test]
    fn blocks_give_what_one_element_at_a_time_gives() {
        for len in LENGTHS {
            let a: Vec<f16> = (0..).step_by(37).take(len).map(f16::from_bits).collect();
            let b: Vec<f16> = (30_000..).step_by(11).take(len).map(f16::from_bits).collect();
            let mut out = vec![f16::ZERO; len];
            f16::map2(&mut out, &a, &b, |a, b| a * b);
            for i in 0..len {
                assert!(same(out[i], a[i] * b[i]), "{i} of {len}");
            }
            f16::map(&mut out, &a, |a| -a);
            for i in 0..len {
                assert!(same(out[i], -a[i]), "{i} of {len}");
            }
        }
    }

    #[test]
    fn widened_blocks_cover_all_elements_in_order() {
        for len in LENGTHS {
            let a: Vec<bf16> = (0..).take(len).map(bf16::from_bits).collect();
            let mut seen = Vec::new();
            bf16::widened([&a], |[block]| {
                assert!(seen.len() % 256 == 0);
                seen.extend_from_slice(block);
            });
            let expected: Vec<f32> = a.iter().map(|a| a.to_f32()).collect();
            assert_eq!(seen, expected);
        }
    }
}

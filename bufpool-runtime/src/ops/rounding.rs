//! Rounding in every mode of a cast.
//!
//! The host rounds to nearest with ties to even. The other modes start from that: `back` is the
//! nearest value seen as the wide type again, and tells whether digits were lost and on which
//! side of the true value it lies. Floats of one sign are ordered as their bits, so the neighbour
//! towards zero is one less.
//!
//! The loops have no branches, so that the compiler takes several elements at a time.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::float_cmp,
    reason = "what is lost, and whether, is the subject"
)]

use half::slice::HalfFloatSliceExt;

use crate::ops::cast::RoundMode;
use crate::ops::element::{bf16, f16};

/// Elements that are looked at again at a time.
const BLOCK: usize = 256;

/// A float of 16 bits.
pub(super) trait Half: Copy {
    fn bits(self) -> u16;
    fn of_bits(bits: u16) -> Self;
    fn value(self) -> f32;
}

macro_rules! halves {
    ($($type:ident)*) => {$(
        impl Half for $type {
            #[inline]
            fn bits(self) -> u16 {
                self.to_bits()
            }
            #[inline]
            fn of_bits(bits: u16) -> Self {
                $type::from_bits(bits)
            }
            #[inline]
            fn value(self) -> f32 {
                self.to_f32()
            }
        }
    )*};
}

halves!(f16 bf16);

/// How the nearest value lies to the true one. The flags are 0 or 1, to be calculated with.
#[derive(Clone, Copy)]
struct Seen {
    /// Bits of the nearest value.
    nearest: u32,
    /// It is not the true value.
    lost: u32,
    /// It is further from zero than the true value.
    beyond: u32,
    /// The true value is below zero.
    negative: u32,
}

impl Seen {
    #[inline]
    fn trunc(self) -> u32 {
        self.nearest - self.beyond
    }

    #[inline]
    fn odd(self) -> u32 {
        self.trunc() | self.lost
    }

    #[inline]
    fn floor(self) -> u32 {
        self.trunc() + (self.lost & self.negative)
    }

    #[inline]
    fn ceil(self) -> u32 {
        self.trunc() + (self.lost & !self.negative)
    }

    /// Only a tie that went to the even neighbour towards zero differs from the nearest.
    #[inline]
    fn round(self, is_tie: impl FnOnce(u32) -> bool) -> u32 {
        let towards_zero = self.lost == 1 && self.beyond == 0;
        if towards_zero && is_tie(self.nearest + 1) { self.nearest + 1 } else { self.nearest }
    }
}

/// `dst[i] = src[i]`, rounded.
pub(super) fn half_from_f32<H: Half>(dst: &mut [H], src: &[f32], mode: RoundMode)
where
    [H]: HalfFloatSliceExt,
{
    dst.convert_from_f32_slice(src);
    match mode {
        RoundMode::CAST_NONE | RoundMode::CAST_RINT => {}
        RoundMode::CAST_FLOOR => refine(dst, src, |seen, _, _| seen.floor()),
        RoundMode::CAST_CEIL => refine(dst, src, |seen, _, _| seen.ceil()),
        RoundMode::CAST_TRUNC => refine(dst, src, |seen, _, _| seen.trunc()),
        RoundMode::CAST_ODD => refine(dst, src, |seen, _, _| seen.odd()),
        RoundMode::CAST_ROUND => refine(dst, src, |seen, src, back| {
            seen.round(|away| (src - back).abs() == (H::of_bits(away as u16).value() - src).abs())
        }),
    }
}

/// Corrects the nearest values in `dst` by what they came from.
#[inline]
fn refine<H: Half>(dst: &mut [H], src: &[f32], bits: impl Fn(Seen, f32, f32) -> u32)
where
    [H]: HalfFloatSliceExt,
{
    let mut back = [0.0; BLOCK];
    for (dst, src) in dst.chunks_mut(BLOCK).zip(src.chunks(BLOCK)) {
        let back = &mut back[..src.len()];
        dst.convert_to_f32_slice(back);
        for ((dst, src), back) in dst.iter_mut().zip(src).zip(back) {
            let seen = Seen {
                nearest: dst.bits().into(),
                // What is not a number lost nothing, though it is unequal.
                lost: u32::from(*back != *src) & u32::from(!src.is_nan()),
                beyond: u32::from(back.abs() > src.abs()),
                negative: u32::from(*src < 0.0),
            };
            *dst = H::of_bits(bits(seen, *src, *back) as u16);
        }
    }
}

/// A number of `f64` as `f32`, rounded. Rounded to odd, it can be rounded once more to a half float
/// as if it had been rounded once.
#[inline]
pub(super) fn nearest_f32(wide: f64, mode: RoundMode) -> f32 {
    let nearest = wide as f32;
    let back = f64::from(nearest);
    let seen = Seen {
        nearest: nearest.to_bits(),
        // What is not a number lost nothing, though it is unequal.
        lost: u32::from(back != wide) & u32::from(!wide.is_nan()),
        beyond: u32::from(back.abs() > wide.abs()),
        negative: u32::from(wide < 0.0),
    };
    f32::from_bits(match mode {
        RoundMode::CAST_NONE | RoundMode::CAST_RINT => seen.nearest,
        RoundMode::CAST_FLOOR => seen.floor(),
        RoundMode::CAST_CEIL => seen.ceil(),
        RoundMode::CAST_TRUNC => seen.trunc(),
        RoundMode::CAST_ODD => seen.odd(),
        RoundMode::CAST_ROUND => {
            seen.round(|away| (wide - back).abs() == (f64::from(f32::from_bits(away)) - wide).abs())
        }
    })
}

/// An integer as `f64`, rounded to odd where it has too many digits: what is rounded once more to
/// `f32` is then as if it had been rounded once.
#[inline]
pub(super) fn f64_from_i64(x: i64) -> f64 {
    let nearest = x as f64;
    let back = nearest as i128;
    if back == i128::from(x) {
        return nearest;
    }
    let beyond = back.unsigned_abs() > x.unsigned_abs().into();
    f64::from_bits((nearest.to_bits() - u64::from(beyond)) | 1)
}

/// `dst[i] = f(src[i])`, with each source rounded to a whole number first.
#[inline]
pub(super) fn whole<D>(dst: &mut [D], src: &[f32], mode: RoundMode, f: impl Fn(f32) -> D) {
    #[inline]
    fn each<D>(dst: &mut [D], src: &[f32], f: impl Fn(f32) -> D) {
        for (d, s) in dst.iter_mut().zip(src) {
            *d = f(*s);
        }
    }
    match mode {
        RoundMode::CAST_NONE | RoundMode::CAST_RINT => each(dst, src, |x| f(rint(x))),
        RoundMode::CAST_FLOOR => each(dst, src, |x| f(floor(x))),
        RoundMode::CAST_CEIL => each(dst, src, |x| f(ceil(x))),
        RoundMode::CAST_ROUND => each(dst, src, |x| f(round(x))),
        RoundMode::CAST_TRUNC | RoundMode::CAST_ODD => each(dst, src, |x| f(trunc(x))),
    }
}

/// From here on `f32` holds whole numbers only.
const WHOLE: f32 = 8_388_608.0; // 2^23

// As the functions of `f32` of these names, which call the host's mathematical library for each
// element where the host has no instruction for it.

#[inline]
fn rint(x: f32) -> f32 {
    let near = (x.abs() + WHOLE) - WHOLE;
    if x.abs() < WHOLE { near.copysign(x) } else { x }
}

#[inline]
fn floor(x: f32) -> f32 {
    let near = rint(x);
    if near > x { near - 1.0 } else { near }
}

#[inline]
fn ceil(x: f32) -> f32 {
    let near = rint(x);
    if near < x { (near + 1.0).copysign(x) } else { near }
}

#[inline]
fn trunc(x: f32) -> f32 {
    let near = rint(x);
    if near.abs() > x.abs() { (near.abs() - 1.0).copysign(x) } else { near }
}

#[inline]
fn round(x: f32) -> f32 {
    let towards_zero = trunc(x);
    let is_half = x.abs() - towards_zero.abs() >= 0.5;
    if is_half { (towards_zero.abs() + 1.0).copysign(x) } else { towards_zero }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_those_of_the_standard_library() {
        let all = (0..u32::MAX).step_by(997).map(f32::from_bits);
        let halves = (-2000i16..2000).map(|x| f32::from(x) / 4.0);
        for x in all.chain(halves).chain([WHOLE, WHOLE - 0.5, -WHOLE + 0.5]) {
            let check = |name, found: f32, expected: f32| {
                let same =
                    found.to_bits() == expected.to_bits() || expected.is_nan() && found.is_nan();
                assert!(same, "{name} of {x:e}: {found:e}, expected {expected:e}");
            };
            check("rint", rint(x), x.round_ties_even());
            check("floor", floor(x), x.floor());
            check("ceil", ceil(x), x.ceil());
            check("trunc", trunc(x), x.trunc());
            check("round", round(x), x.round());
        }
    }

    #[test]
    fn odd_keeps_what_fits_and_marks_what_does_not() {
        let odd = |x| nearest_f32(x, RoundMode::CAST_ODD);
        assert_eq!(odd(1.5), 1.5);
        assert_eq!(odd(1.0 + 1e-9), 1.0f32.next_up());
        assert_eq!(odd(2.0 - 1e-9), 2.0f32.next_down());
        assert_eq!(odd(-2.0 + 1e-9), -2.0f32.next_down());
        assert_eq!(odd(1e300), f32::MAX);
        assert_eq!(odd(f64::INFINITY), f32::INFINITY);
        assert!(odd(f64::NAN).is_nan());
    }

    #[test]
    fn large_integers_are_rounded_to_odd() {
        assert_eq!(f64_from_i64(-3), -3.0);
        assert_eq!(f64_from_i64(i64::MIN), -9_223_372_036_854_775_808.0);
        // 2^53 + 1 lies between two of f64, the odd one of which is above it.
        assert_eq!(f64_from_i64((1 << 53) + 1), 9_007_199_254_740_992.0_f64.next_up());
        assert_eq!(f64_from_i64((1 << 54) - 1), 18_014_398_509_481_984.0_f64.next_down());
        assert_eq!(f64_from_i64(-(1 << 54) + 1), -18_014_398_509_481_984.0_f64.next_down().abs());
    }
}

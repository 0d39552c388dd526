//! Rounding in every mode of a cast.
//!
//! The host rounds to nearest with ties to even. The other modes start from that: `back` is the
//! nearest value seen as the wide type again, and tells whether digits were lost and on which
//! side of the true value it lies. Floats of one sign are ordered as their bits, so the neighbour
//! towards zero is one less.

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
    fn value(self) -> f64;
}

macro_rules! halves {
    ($($type:ident)*) => {$(
        impl Half for $type {
            fn bits(self) -> u16 {
                self.to_bits()
            }
            fn of_bits(bits: u16) -> Self {
                $type::from_bits(bits)
            }
            fn value(self) -> f64 {
                self.to_f64()
            }
        }
    )*};
}

halves!(f16 bf16);

/// `dst[i] = src[i]`, rounded.
pub(super) fn half_from_f32<H: Half>(dst: &mut [H], src: &[f32], mode: RoundMode)
where
    [H]: HalfFloatSliceExt,
{
    dst.convert_from_f32_slice(src);
    if matches!(mode, RoundMode::CAST_NONE | RoundMode::CAST_RINT) {
        return;
    }
    let mut back = [0.0; BLOCK];
    for (dst, src) in dst.chunks_mut(BLOCK).zip(src.chunks(BLOCK)) {
        let back = &mut back[..src.len()];
        dst.convert_to_f32_slice(back);
        for ((dst, src), back) in dst.iter_mut().zip(src).zip(back) {
            let nearest = u32::from(dst.bits());
            let value = |bits: u32| H::of_bits(bits as u16).value();
            let bits = adjust(nearest, f64::from(*src), f64::from(*back), mode, value);
            *dst = H::of_bits(bits as u16);
        }
    }
}

/// A number of `f64` as `f32`, rounded.
pub(super) fn nearest_f32(wide: f64, mode: RoundMode) -> f32 {
    let nearest = wide as f32;
    if matches!(mode, RoundMode::CAST_NONE | RoundMode::CAST_RINT) {
        return nearest;
    }
    let value = |bits| f64::from(f32::from_bits(bits));
    f32::from_bits(adjust(nearest.to_bits(), wide, f64::from(nearest), mode, value))
}

/// An integer as `f64`, rounded to odd where it has too many digits: what is rounded once more to
/// `f32` is then as if it had been rounded once.
pub(super) fn f64_from_i64(x: i64) -> f64 {
    let nearest = x as f64;
    let back = nearest as i128;
    if back == i128::from(x) {
        return nearest;
    }
    let towards_zero = nearest.to_bits() - u64::from(back.unsigned_abs() > x.unsigned_abs().into());
    f64::from_bits(towards_zero | 1)
}

/// The bits of `wide` in a narrow type, from those of the nearest value `back`.
fn adjust(nearest: u32, wide: f64, back: f64, mode: RoundMode, value: impl Fn(u32) -> f64) -> u32 {
    // `!=` also lets what is not a number through as it is: it is unequal, so ask for it.
    if back == wide || wide.is_nan() {
        return nearest;
    }
    let beyond = back.abs() > wide.abs();
    let towards_zero = nearest - u32::from(beyond);
    let away = towards_zero + 1;
    match mode {
        RoundMode::CAST_NONE | RoundMode::CAST_RINT => nearest,
        RoundMode::CAST_ODD => towards_zero | 1,
        RoundMode::CAST_FLOOR if wide < 0.0 => away,
        RoundMode::CAST_CEIL if wide > 0.0 => away,
        RoundMode::CAST_TRUNC | RoundMode::CAST_FLOOR | RoundMode::CAST_CEIL => towards_zero,
        // Only a tie that went to the even neighbour towards zero differs from the nearest.
        RoundMode::CAST_ROUND => {
            let is_tie = !beyond && (wide - back).abs() == (value(away) - wide).abs();
            if is_tie { away } else { nearest }
        }
    }
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
        RoundMode::CAST_NONE | RoundMode::CAST_RINT => each(dst, src, |x| f(x.round_ties_even())),
        RoundMode::CAST_FLOOR => each(dst, src, |x| f(x.floor())),
        RoundMode::CAST_CEIL => each(dst, src, |x| f(x.ceil())),
        RoundMode::CAST_ROUND => each(dst, src, |x| f(x.round())),
        RoundMode::CAST_TRUNC | RoundMode::CAST_ODD => each(dst, src, |x| f(x.trunc())),
    }
}

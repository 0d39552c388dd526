//! `exp` and `ln`, the same on every host.
//!
//! Both are calculated in `f64` with an error far below the last digit of `f32`, so that what is
//! left to do is one rounding to the element's type. They have no branches and call nothing, which
//! lets the compiler work on several elements at a time.

use std::f64::consts::{LN_2, LOG2_E};

/// Adding it leaves the nearest whole number in the low bits of the sum, for numbers below 2^51.
const ROUNDER: f64 = 6_755_399_441_055_744.0; // 1.5 * 2^52
/// Digits of a `f64` without the exponent.
const MANTISSA: u32 = 52;
/// What the exponent bits of 1.0 hold.
const BIAS: u64 = 1023;

/// `ln 2` in two parts: products of the first with whole numbers below 2^20 are exact.
const LN_2_HIGH: f64 = f64::from_bits(LN_2.to_bits() & !0xF_FFFF);
const LN_2_LOW: f64 = 7.440_617_110_012_397e-11;

/// e to the power of `x`, to about 12 digits.
///
/// `x = k ln 2 + r` with `k` whole and `r` at most half of `ln 2`, so `exp x = 2^k exp r`. Of
/// `r / 4` the series needs few terms, and `exp r = exp(r / 4)^4`.
#[inline]
pub(super) fn exp(x: f32) -> f64 {
    // 1 / (n! 4^n), n from 0 to 7
    const SERIES: [[f64; 4]; 2] = [
        [1.0, 1.0 / 4.0, 1.0 / 32.0, 1.0 / 384.0],
        [1.0 / 6_144.0, 1.0 / 122_880.0, 1.0 / 2_949_120.0, 1.0 / 82_575_360.0],
    ];

    // Beyond these the result is infinite or 0 in f32. What is not a number stays that.
    let x = f64::from(x.clamp(-110.0, 90.0));
    let shifted = x * LOG2_E + ROUNDER;
    let k = shifted - ROUNDER;
    let r = (x - k * LN_2_HIGH) - k * LN_2_LOW;

    let root = polynomial(r, SERIES);
    let square = root * root;
    square * square * f64::from_bits(shifted.to_bits().wrapping_add(BIAS) << MANTISSA)
}

/// The sum of `c x^n` over all coefficients, four at a time: few steps wait for others.
#[inline]
fn polynomial<const FOURS: usize>(x: f64, coefficients: [[f64; 4]; FOURS]) -> f64 {
    let square = x * x;
    let fours = coefficients.map(|c| (c[0] + c[1] * x) + (c[2] + c[3] * x) * square);
    let fourth = square * square;
    fours.into_iter().rev().reduce(|higher, four| four + higher * fourth).unwrap_or_default()
}

/// The natural logarithm of `x`, to about 13 digits.
///
/// `x = 2^k m` with `m` between the roots of 1/2 and of 2, so `ln x = k ln 2 + ln m`. With
/// `s = (m - 1) / (m + 1)`, `ln m = 2 (s + s^3/3 + s^5/5 + ..)`.
#[inline]
pub(super) fn ln(x: f32) -> f64 {
    /// The root of 1/2.
    const LOWEST: u64 = std::f64::consts::FRAC_1_SQRT_2.to_bits();
    /// 2^52: its low bits count ones.
    const COUNTER: f64 = 4_503_599_627_370_496.0;
    // 1, 1/3, 1/5, .. 1/15
    const SERIES: [[f64; 4]; 2] =
        [[1.0, 1.0 / 3.0, 1.0 / 5.0, 1.0 / 7.0], [1.0 / 9.0, 1.0 / 11.0, 1.0 / 13.0, 1.0 / 15.0]];

    let wide = f64::from(x);
    // The exponent of this is k + BIAS, its mantissa says how far m is above the lowest.
    let split = wide.to_bits().wrapping_add((BIAS << MANTISSA) - LOWEST);
    let k = f64::from_bits(split >> MANTISSA | COUNTER.to_bits()) - (COUNTER + 1023.0);
    let m = f64::from_bits((split & ((1 << MANTISSA) - 1)) + LOWEST);

    let s = (m - 1.0) / (m + 1.0);
    let square = s * s;

    // Added to what came out, so that numbers without a logarithm take no branch.
    let other = if x == 0.0 { f64::NEG_INFINITY } else { f64::NAN };
    let beyond = if x == f32::INFINITY { f64::INFINITY } else { 0.0 };
    let correction = if x > 0.0 { beyond } else { other };
    k * LN_2 + 2.0 * s * polynomial(square, SERIES) + correction
}

#[cfg(test)]
mod tests {
    use super::*;

    /// f32 of all magnitudes and signs.
    fn samples() -> impl Iterator<Item = f32> {
        (0..u32::MAX).step_by(20_011).map(f32::from_bits)
    }

    #[track_caller]
    fn assert_close(found: f64, exact: f64, digits: f64, x: f32) {
        let same = found.to_bits() == exact.to_bits() || (found.is_nan() && exact.is_nan());
        assert!(same || ((found - exact) / exact).abs() < digits, "{x}: {found}, expected {exact}");
    }

    #[test]
    fn the_parts_of_ln_2_make_it_up() {
        assert_eq!((LN_2_HIGH + LN_2_LOW).to_bits(), LN_2.to_bits());
        // The product with the greatest k keeps all digits.
        assert_eq!((LN_2_HIGH * 159.0 / 159.0).to_bits(), LN_2_HIGH.to_bits());
    }

    #[test]
    fn exp_is_close_where_f32_has_a_result() {
        for x in samples().filter(|x| x.is_nan() || (-110.0..=90.0).contains(x)) {
            assert_close(exp(x), f64::from(x).exp(), 1e-12, x);
        }
    }

    #[test]
    fn exp_beyond_that_is_infinite_or_nothing_in_f32() {
        for x in [90.0, 1e10, f32::MAX, f32::INFINITY] {
            assert!(exp(x) > f64::from(f32::MAX) * 1.01);
            assert!(exp(-x * 1.25) < f64::from(f32::from_bits(1)) * 0.49);
        }
    }

    #[test]
    fn ln_is_close_everywhere() {
        for x in samples().chain([0.0, -0.0, 1.0, f32::INFINITY, f32::NEG_INFINITY]) {
            assert_close(ln(x), f64::from(x).ln(), 1e-13, x);
        }
    }
}

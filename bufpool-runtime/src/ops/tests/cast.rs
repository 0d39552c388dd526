//! Every pair and every mode, against the definition of the mode.

use super::{Desk, all_f16, assert_same};
use crate::chip::{Chip, CoreKind};
use crate::ops::element::{Element, bf16, f16};
use crate::ops::{CastTo, RoundMode, cast};

use RoundMode::*;

const ALL: [RoundMode; 7] =
    [CAST_NONE, CAST_RINT, CAST_FLOOR, CAST_CEIL, CAST_ROUND, CAST_TRUNC, CAST_ODD];

/// `values` cast tile by tile.
fn run<S: CastTo<D>, D: Element>(values: &[S], mode: RoundMode) -> Vec<D> {
    let desk = Desk::a2();
    let mut results = Vec::new();
    for tile in values.chunks(8000) {
        let src = desk.put(0, tile);
        let dst = desk.ub::<D>(65536, tile.len());
        cast(&dst, &src, mode, tile.len()).unwrap();
        results.extend(desk.get(&dst));
    }
    results
}

/// The whole number that a mode makes of `x`.
fn whole(x: f64, mode: RoundMode) -> f64 {
    match mode {
        CAST_NONE | CAST_RINT => x.round_ties_even(),
        CAST_FLOOR => x.floor(),
        CAST_CEIL => x.ceil(),
        CAST_ROUND => x.round(),
        CAST_TRUNC => x.trunc(),
        CAST_ODD if x == x.trunc() => x,
        CAST_ODD => {
            let towards_zero = x.trunc();
            if towards_zero % 2.0 == 0.0 { towards_zero + x.signum() } else { towards_zero }
        }
    }
}

/// `x` as a float with `digits` binary digits, exponents from `least` on and none above `largest`.
fn float(x: f64, mode: RoundMode, digits: i32, least: i32, largest: f64) -> f64 {
    if x == 0.0 || !x.is_finite() {
        return x;
    }
    let exponent = exponent(x).max(least);
    let step = f64::powi(2.0, exponent - digits + 1);
    let value = (whole(x / step, mode) * step).copysign(x);
    if value.abs() <= largest {
        return value;
    }
    // Between the largest number and infinity: those that round towards zero stay at the former.
    let stays = match mode {
        CAST_FLOOR => x > 0.0,
        CAST_CEIL => x < 0.0,
        CAST_TRUNC | CAST_ODD => true,
        CAST_NONE | CAST_RINT | CAST_ROUND => false,
    };
    if stays { largest.copysign(x) } else { f64::INFINITY.copysign(x) }
}

fn exponent(x: f64) -> i32 {
    ((x.to_bits() >> 52) & 0x7FF) as i32 - 1023
}

/// Floats of every size, and those around every f16 and around what lies between two of them.
fn floats() -> Vec<f32> {
    let mut values: Vec<f32> = (0..u32::MAX).step_by(400_009).map(f32::from_bits).collect();
    for bits in (0..0x7C00u16).step_by(7) {
        let (here, next) = (f16::from_bits(bits).to_f32(), f16::from_bits(bits + 1).to_f32());
        let middle = f32::midpoint(here, next);
        for x in [here, here.next_up(), middle.next_down(), middle, middle.next_up()] {
            values.extend([x, -x]);
        }
    }
    values.extend([65504.0, 65519.0, 65520.0, 65536.0, 1e30, -65519.0, -65520.0, -1e30]);
    values
}

#[test]
fn f32_to_f16_in_every_mode() {
    let values = floats();
    for mode in ALL {
        let found: Vec<f16> = run(&values, mode);
        let expected: Vec<f16> = values
            .iter()
            .map(|x| f16::from_f64(float(f64::from(*x), mode, 11, -14, 65504.0)))
            .collect();
        assert_same(&found, &expected, mode.name());
    }
}

#[test]
fn f32_to_bf16_in_every_mode() {
    let values = floats();
    let largest = bf16::MAX.to_f64();
    for mode in ALL.into_iter().filter(|mode| *mode != CAST_ODD) {
        let found: Vec<bf16> = run(&values, mode);
        let expected: Vec<bf16> = values
            .iter()
            .map(|x| bf16::from_f64(float(f64::from(*x), mode, 8, -126, largest)))
            .collect();
        assert_same(&found, &expected, mode.name());
    }
}

#[test]
fn floats_to_integers_stop_at_the_ends() {
    let values = floats();
    for mode in [CAST_RINT, CAST_FLOOR, CAST_CEIL, CAST_ROUND, CAST_TRUNC] {
        let each = |f: fn(f64) -> i64| -> Vec<i64> {
            values.iter().map(|x| f(whole(f64::from(*x), mode))).collect()
        };
        assert_eq!(run::<f32, i64>(&values, mode), each(|x| x as i64), "{mode:?}");
        let i32s: Vec<i64> = run::<f32, i32>(&values, mode).into_iter().map(i64::from).collect();
        assert_eq!(i32s, each(|x| i64::from(x as i32)), "{mode:?}");
        let i16s: Vec<i64> = run::<f32, i16>(&values, mode).into_iter().map(i64::from).collect();
        assert_eq!(i16s, each(|x| i64::from(x as i16)), "{mode:?}");
    }
    assert_eq!(
        run::<f32, i32>(&[f32::NAN, 2.5, -2.5, 3e9, -3e9], CAST_NONE),
        [0, 2, -2, i32::MAX, i32::MIN]
    );
}

#[test]
fn halves_to_integers() {
    let values = all_f16();
    for mode in [CAST_NONE, CAST_RINT, CAST_FLOOR, CAST_CEIL, CAST_ROUND, CAST_TRUNC] {
        let each = |f: fn(f64) -> i32| -> Vec<i32> {
            values.iter().map(|x| f(whole(x.to_f64(), mode))).collect()
        };
        assert_eq!(run::<f16, i32>(&values, mode), each(|x| x as i32), "{mode:?}");
        let i16s: Vec<i32> = run::<f16, i16>(&values, mode).into_iter().map(i32::from).collect();
        assert_eq!(i16s, each(|x| i32::from(x as i16)), "{mode:?}");
        let i8s: Vec<i32> = run::<f16, i8>(&values, mode).into_iter().map(i32::from).collect();
        assert_eq!(i8s, each(|x| i32::from(x as i8)), "{mode:?}");
        let u8s: Vec<i32> = run::<f16, u8>(&values, mode).into_iter().map(i32::from).collect();
        assert_eq!(u8s, each(|x| i32::from(x as u8)), "{mode:?}");
    }
    let values: Vec<bf16> = (0..=u16::MAX).map(bf16::from_bits).collect();
    let expected: Vec<i32> = values.iter().map(|x| whole(x.to_f64(), CAST_FLOOR) as i32).collect();
    assert_eq!(run::<bf16, i32>(&values, CAST_FLOOR), expected);
}

#[test]
fn f32_to_whole_f32() {
    let values = [0.5, 1.5, -0.5, -1.5, 2.4, -0.0, f32::INFINITY, f32::NAN, 1e20];
    let check = |mode, expected: [f32; 9]| assert_same(&run(&values, mode), &expected, "whole");
    let (inf, nan) = (f32::INFINITY, f32::NAN);
    check(CAST_RINT, [0.0, 2.0, -0.0, -2.0, 2.0, -0.0, inf, nan, 1e20]);
    check(CAST_ROUND, [1.0, 2.0, -1.0, -2.0, 2.0, -0.0, inf, nan, 1e20]);
    check(CAST_FLOOR, [0.0, 1.0, -1.0, -2.0, 2.0, -0.0, inf, nan, 1e20]);
    check(CAST_CEIL, [1.0, 2.0, -0.0, -1.0, 3.0, -0.0, inf, nan, 1e20]);
    check(CAST_TRUNC, [0.0, 1.0, -0.0, -1.0, 2.0, -0.0, inf, nan, 1e20]);
}

#[test]
fn integers_to_floats_in_every_mode() {
    let small: Vec<i16> = (i16::MIN..=i16::MAX).collect();
    let middle: Vec<i32> =
        (i32::MIN..i32::MAX).step_by(50_021).chain(16_777_210..16_777_230).collect();
    let mut large: Vec<i64> =
        (i64::MIN..i64::MAX).step_by(1 << 48).map(|x| x - (x >> 13)).collect();
    for shift in 24..62 {
        // Ties, and their neighbours far behind the last digit.
        for low in [0, 1, -1] {
            large.extend([
                (3 << (shift - 1)) + low,
                -(5 << (shift - 2)) + low,
                (1 << shift) + (1 << (shift - 24)) + low,
            ]);
        }
    }
    for mode in [CAST_NONE, CAST_RINT, CAST_FLOOR, CAST_CEIL, CAST_ROUND, CAST_TRUNC] {
        let expected: Vec<f16> = small
            .iter()
            .map(|x| f16::from_f64(float(f64::from(*x), mode, 11, -14, 65504.0)))
            .collect();
        assert_same(&run::<i16, f16>(&small, mode), &expected, mode.name());
        let f32_max = f64::from(f32::MAX);
        let expected: Vec<f32> =
            middle.iter().map(|x| float(f64::from(*x), mode, 24, -126, f32_max) as f32).collect();
        assert_same(&run::<i32, f32>(&middle, mode), &expected, mode.name());
        let expected: Vec<f32> = large.iter().map(|x| f32_from(*x, mode)).collect();
        assert_same(&run::<i64, f32>(&large, mode), &expected, mode.name());
    }
}

/// By integer arithmetic alone.
fn f32_from(x: i64, mode: RoundMode) -> f32 {
    let magnitude = i128::from(x.unsigned_abs());
    let lost = (128 - magnitude.leading_zeros()).saturating_sub(24);
    let (step, rest) = (1i128 << lost, magnitude & ((1 << lost) - 1));
    let towards_zero = magnitude - rest;
    let up = match mode {
        CAST_FLOOR => x < 0 && rest > 0,
        CAST_CEIL => x > 0 && rest > 0,
        CAST_TRUNC | CAST_ODD => false,
        CAST_ROUND => 2 * rest >= step && rest > 0,
        CAST_NONE | CAST_RINT => {
            2 * rest > step || (2 * rest == step && rest > 0 && (towards_zero >> lost) & 1 == 1)
        }
    };
    let magnitude = (towards_zero + if up { step } else { 0 }) as f32;
    if x < 0 { -magnitude } else { magnitude }
}

#[test]
fn casts_that_lose_nothing() {
    let values = all_f16();
    let expected: Vec<f32> = values.iter().map(|x| x.to_f32()).collect();
    assert_same(&run(&values, CAST_NONE), &expected, "f16 to f32");
    let values: Vec<bf16> = (0..=u16::MAX).map(bf16::from_bits).collect();
    let expected: Vec<f32> = values.iter().map(|x| x.to_f32()).collect();
    assert_same(&run(&values, CAST_NONE), &expected, "bf16 to f32");
    let values: Vec<i8> = (i8::MIN..=i8::MAX).collect();
    let expected: Vec<f16> = values.iter().map(|x| f16::from(*x)).collect();
    assert_same(&run(&values, CAST_NONE), &expected, "i8 to f16");
    let values: Vec<u8> = (0..=u8::MAX).collect();
    let expected: Vec<f16> = values.iter().map(|x| f16::from(*x)).collect();
    assert_same(&run(&values, CAST_NONE), &expected, "u8 to f16");
    assert_same(&run::<i16, f32>(&[i16::MIN, 7], CAST_NONE), &[-32768.0, 7.0], "i16 to f32");
    assert_same(&run::<i32, i64>(&[i32::MIN, 7], CAST_NONE), &[-2_147_483_648, 7], "i32 to i64");
}

#[test]
fn larger_integers_stop_at_the_ends_of_smaller_ones() {
    let narrow: Vec<i16> = run(&[40_000, -40_000, 32_767, -1], CAST_NONE);
    assert_eq!(narrow, [i16::MAX, i16::MIN, i16::MAX, -1]);
    let narrow: Vec<i32> = run(&[1i64 << 40, -(1i64 << 40), 5], CAST_NONE);
    assert_eq!(narrow, [i32::MAX, i32::MIN, 5]);
}

#[test]
fn in_place_towards_smaller_types() {
    let desk = Desk::a2();
    let src = desk.put(0, &[1.0f32, 2.0, 3.0, 4.0]);
    let dst = desk.ub::<f16>(0, 4);
    cast(&dst, &src, CAST_NONE, 4).unwrap();
    assert_eq!(desk.get(&dst), [1.0, 2.0, 3.0, 4.0].map(f16::from_f32));
}

#[test]
fn in_place_towards_larger_types_overwrites_the_source() {
    let desk = Desk::a2();
    let values = [1.0, 2.0, 3.0, 4.0].map(f16::from_f32);
    let src = desk.put(64, &values);
    let message = cast(&desk.ub::<f32>(64, 4), &src, CAST_NONE, 4).unwrap_err().to_string();
    assert!(
        message.starts_with(
            "cast of f16 to f32 overwrites its source before reading it: \
             it reads [64, 72) and writes [64, 80) of UB"
        ),
        "{message}"
    );
    assert!(desk.issued().is_empty());
    assert_eq!(desk.get(&src), values);
    // So does a start in the middle of the source, and one a little before it.
    assert!(cast(&desk.ub::<f32>(68, 4), &src, CAST_NONE, 4).is_err());
    assert!(cast(&desk.ub::<f32>(60, 4), &src, CAST_NONE, 4).is_err());
    // Not so with the source at the end of the destination, apart from it, or of one element.
    for dst in [56, 72, 128] {
        let src = desk.put(64, &values);
        let dst = desk.ub::<f32>(dst, 4);
        cast(&dst, &src, CAST_NONE, 4).unwrap();
        assert_eq!(desk.get(&dst), [1.0, 2.0, 3.0, 4.0]);
    }
    let src = desk.put(64, &values);
    cast(&desk.ub::<f32>(64, 1), &src, CAST_NONE, 1).unwrap();
}

#[test]
fn a_smaller_destination_that_starts_later_overwrites_too() {
    let desk = Desk::a2();
    let src = desk.put(0, &[1.0f32; 8]);
    assert!(cast(&desk.ub::<f16>(4, 8), &src, CAST_NONE, 8).is_err());
    cast(&desk.ub::<f16>(2, 8), &src, CAST_NONE, 8).unwrap();
    cast(&desk.ub::<f16>(32, 8), &src, CAST_NONE, 8).unwrap();
}

#[test]
fn the_fix_of_a_mode_is_named() {
    let desk = Desk::a2();
    let src = desk.put(0, &[f16::ONE; 8]);
    let message = cast(&desk.ub::<f32>(64, 8), &src, CAST_FLOOR, 8).unwrap_err().to_string();
    assert!(message.starts_with("cast of f16 to f32 does not take CAST_FLOOR"), "{message}");
    assert!(message.contains("help: use CAST_NONE"), "{message}");
    let message = cast(&desk.ub::<i32>(64, 8), &src, CAST_ODD, 8).unwrap_err().to_string();
    assert!(message.contains("help: use CAST_NONE, CAST_RINT, CAST_FLOOR"), "{message}");
}

#[test]
fn bf16_is_cast_on_the_chips_that_have_it() {
    for (chip, has) in [
        (Chip::AtlasTraining, false),
        (Chip::AtlasInferenceAiCore, false),
        (Chip::AtlasA2, true),
        (Chip::AtlasA3, true),
        (Chip::Ascend950, true),
    ] {
        let desk = Desk::new(chip, CoreKind::AIV);
        let src = desk.put(0, &[bf16::ONE; 8]);
        let result = cast(&desk.ub::<f32>(64, 8), &src, CAST_NONE, 8);
        assert_eq!(result.is_ok(), has, "{chip}");
    }
}

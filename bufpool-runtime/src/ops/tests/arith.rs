//! Arithmetic against element by element references: all values of f16, and corners.

use super::{Desk, all_f16, assert_same, rounded};
use crate::chip::{Chip, CoreKind};
use crate::ops::element::{Element, bf16, f16};
use crate::ops::{
    Arithmetic, abs, add, adds, div, duplicate, exp, ln, max, maxs, min, mins, mul, muls, relu,
    sqrt, sub,
};
use crate::tensor::LocalTensor;

type Unary<T> = fn(&LocalTensor<T>, &LocalTensor<T>, usize) -> crate::error::Result<()>;
type Binary<T> =
    fn(&LocalTensor<T>, &LocalTensor<T>, &LocalTensor<T>, usize) -> crate::error::Result<()>;

/// The results of a unary operation, tile by tile.
fn unary<T: Element>(run: Unary<T>, values: &[T]) -> Vec<T> {
    let desk = Desk::a2();
    let mut results = Vec::new();
    for tile in values.chunks(8192) {
        let x = desk.put(0, tile);
        let z = desk.ub(65536, tile.len());
        run(&z, &x, tile.len()).unwrap();
        results.extend(desk.get(&z));
    }
    results
}

fn binary<T: Element>(run: Binary<T>, a: &[T], b: &[T]) -> Vec<T> {
    binary_on(Chip::AtlasA2, run, a, b)
}

fn binary_on<T: Element>(chip: Chip, run: Binary<T>, a: &[T], b: &[T]) -> Vec<T> {
    let desk = Desk::new(chip, CoreKind::AIV);
    let (a, b) = (desk.put(0, a), desk.put(65536, b));
    let z = desk.ub(131_072, a.len());
    run(&z, &a, &b, a.len()).unwrap();
    desk.get(&z)
}

#[test]
fn unary_operations_on_every_f16() {
    let values = all_f16();
    let each =
        |f: fn(f64) -> f64| -> Vec<f16> { values.iter().map(|x| rounded(f(x.to_f64()))).collect() };
    assert_same(&unary(|z, x, n| abs(z, x, n), &values), &each(f64::abs), "abs");
    assert_same(&unary(|z, x, n| sqrt(z, x, n), &values), &each(f64::sqrt), "sqrt");
    assert_same(&unary(|z, x, n| exp(z, x, n), &values), &each(f64::exp), "exp");
    assert_same(&unary(|z, x, n| ln(z, x, n), &values), &each(f64::ln), "ln");
    let positive = |x: f64| if x >= 0.0 || x.is_nan() { x } else { 0.0 };
    assert_same(&unary(|z, x, n| relu(z, x, n), &values), &each(positive), "relu");
}

#[test]
fn binary_operations_on_pairs_of_f16() {
    // Every value meets 8 others, subnormals and large ones among them.
    let a: Vec<f16> = all_f16();
    for step in [0u16, 1, 0x03FF, 0x1234, 0x7BFF, 0x8000, 0xABCD, 0xFC00] {
        let b: Vec<f16> = a
            .iter()
            .map(|a| f16::from_bits(a.to_bits().wrapping_mul(7).wrapping_add(step)))
            .collect();
        for (a, b) in a.chunks(16384).zip(b.chunks(16384)) {
            let each = |f: fn(f64, f64) -> f64| -> Vec<f16> {
                a.iter().zip(b).map(|(a, b)| rounded(f(a.to_f64(), b.to_f64()))).collect()
            };
            assert_same(&binary(|z, a, b, n| add(z, a, b, n), a, b), &each(|a, b| a + b), "add");
            assert_same(&binary(|z, a, b, n| sub(z, a, b, n), a, b), &each(|a, b| a - b), "sub");
            assert_same(&binary(|z, a, b, n| mul(z, a, b, n), a, b), &each(|a, b| a * b), "mul");
            // The quotient in f64 has enough digits to be rounded again to f16.
            assert_same(&binary(|z, a, b, n| div(z, a, b, n), a, b), &each(|a, b| a / b), "div");
        }
    }
}

#[test]
fn f32_is_rounded_once_and_keeps_its_corners() {
    let tiny = f32::from_bits(1);
    let a = [0.0, -0.0, tiny, f32::MAX, f32::INFINITY, f32::NAN, 1.0, 16_777_216.0];
    let b = [-0.0, -0.0, tiny, f32::MAX, f32::NEG_INFINITY, 1.0, f32::EPSILON / 2.0, 1.0];
    let sums = [0.0, -0.0, f32::from_bits(2), f32::INFINITY, f32::NAN, f32::NAN, 1.0, 16_777_216.0];
    assert_same(&binary(|z, a, b, n| add(z, a, b, n), &a, &b), &sums, "add");
    let roots = [0.0, -0.0, tiny.sqrt(), f32::MAX.sqrt(), f32::INFINITY, f32::NAN, 1.0, 4096.0];
    assert_same(&unary(|z, x, n| sqrt(z, x, n), &a), &roots, "sqrt");
}

#[test]
fn exp_and_ln_of_f32_are_within_one_unit_in_the_last_place() {
    fn check(run: Unary<f32>, exact: fn(f64) -> f64, values: &[f32]) {
        for (x, found) in values.iter().zip(unary(run, values)) {
            let exact = exact(f64::from(*x));
            let nearest = exact as f32;
            if nearest.is_finite() {
                let unit = f64::from(f32::from_bits(nearest.to_bits() + 1)) - f64::from(nearest);
                let off = (f64::from(found) - exact).abs();
                assert!(off <= unit.abs(), "{x}: {found}, expected {exact}");
            } else {
                assert_same(&[found], &[nearest], "not finite");
            }
        }
    }
    let values: Vec<f32> = (0..u32::MAX).step_by(65_521).map(f32::from_bits).collect();
    check(|z, x, n| exp(z, x, n), f64::exp, &values);
    check(|z, x, n| ln(z, x, n), f64::ln, &values);
    let corners =
        [0.0, -0.0, 1.0, -1.0, 88.72, 88.73, -103.9, -104.0, f32::INFINITY, f32::NEG_INFINITY];
    check(|z, x, n| exp(z, x, n), f64::exp, &corners);
    check(|z, x, n| ln(z, x, n), f64::ln, &corners);
}

#[test]
fn what_is_not_a_number_stays_so_in_max_and_min() {
    fn check<T: Arithmetic>(one: T, two: T, nan: T) {
        let (a, b) = ([one, two, nan, one, nan], [two, one, one, nan, nan]);
        assert_same(
            &binary(|z, a, b, n| max(z, a, b, n), &a, &b),
            &[two, two, nan, nan, nan],
            "max",
        );
        assert_same(
            &binary(|z, a, b, n| min(z, a, b, n), &a, &b),
            &[one, one, nan, nan, nan],
            "min",
        );
    }
    check(1.0, 2.0, f32::NAN);
    check(f16::ONE, f16::from_f32(2.0), f16::NAN);
}

#[test]
fn integers_wrap_around() {
    let (a, b) = ([i16::MAX, i16::MIN, 300, -5], [1, -1, 300, 7]);
    let check = |run: Binary<i16>, expected: [i16; 4]| assert_eq!(binary(run, &a, &b), expected);
    check(|z, a, b, n| add(z, a, b, n), [i16::MIN, i16::MAX, 600, 2]);
    check(|z, a, b, n| sub(z, a, b, n), [32766, -32767, 0, -12]);
    check(|z, a, b, n| mul(z, a, b, n), [i16::MAX, i16::MIN, 24464, -35]);
    check(|z, a, b, n| max(z, a, b, n), [i16::MAX, -1, 300, 7]);
    check(|z, a, b, n| min(z, a, b, n), [1, i16::MIN, 300, -5]);
    let (a, b) = ([i32::MAX, 65536], [1, 65536]);
    assert_eq!(binary(|z, a, b, n| add(z, a, b, n), &a, &b), [i32::MIN, 131_072]);
    assert_eq!(binary(|z, a, b, n| mul(z, a, b, n), &a, &b), [i32::MAX, 0]);
    assert_eq!(unary(|z, x, n| relu(z, x, n), &[-3, 0, 4, i32::MIN]), [0, 0, 4, 0]);
}

#[test]
fn scalar_forms() {
    assert_eq!(unary(|z, x, n| adds(z, x, 5, n), &[1i32, -7, i32::MAX]), [6, -2, i32::MIN + 4]);
    assert_eq!(unary(|z, x, n| muls(z, x, -2, n), &[1i16, 20_000]), [-2, 25_536]);
    assert_eq!(unary(|z, x, n| maxs(z, x, 0.5, n), &[0.25f32, 1.0]), [0.5, 1.0]);
    assert_eq!(unary(|z, x, n| mins(z, x, 0.5, n), &[0.25f32, 1.0]), [0.25, 0.5]);
}

#[test]
fn in_place_and_over_the_sources() {
    let values: Vec<f32> = (0..1000u16).map(f32::from).collect();
    let desk = Desk::a2();
    let x = desk.put(0, &values);
    add(&x, &x, &x, 1000).unwrap();
    let doubled: Vec<f32> = values.iter().map(|x| x * 2.0).collect();
    assert_eq!(desk.get(&x), doubled);
    // Shifted by one element: the sources are read first.
    let x = desk.put(0, &values);
    let z = desk.ub::<f32>(4, 999);
    let shifted = x.slice(1..1000).unwrap();
    mul(&z, &x, &shifted, 999).unwrap();
    let products: Vec<f32> = values.windows(2).map(|pair| pair[0] * pair[1]).collect();
    assert_eq!(desk.get(&z), products);
}

#[test]
fn lengths_around_the_block_leave_the_neighbours_alone() {
    fn check<T: Arithmetic>(one: T, two: T) {
        for count in [1, 2, 31, 255, 256, 257, 511, 513] {
            let desk = Desk::a2();
            let x = desk.put(0, &[one; 600]);
            let z = desk.put(8192, &[one; 600]);
            add(&z, &x, &x, count).unwrap();
            let result = desk.get(&z);
            assert_eq!(result[..count], vec![two; count], "{count}");
            assert_eq!(result[count..], vec![one; 600 - count], "{count}");
        }
    }
    check(1.0f32, 2.0);
    check(f16::ONE, f16::from_f32(2.0));
}

#[test]
fn a_count_past_the_tensor_works_on_what_follows() {
    let desk = Desk::a2();
    let x = desk.put(0, &[1.0f32; 16]);
    let short = desk.ub::<f32>(0, 8);
    let z = desk.ub::<f32>(1024, 8);
    adds(&z, &short, 1.0, 16).unwrap();
    assert_eq!(desk.get(&desk.ub::<f32>(1024, 16)), [2.0; 16]);
    let issued = desk.issued();
    assert_eq!((issued[0].reads[0], issued[0].writes[0]), ((0, 64), (1024, 64)));
    drop(x);
}

#[test]
fn of_no_elements_nothing_is_touched() {
    let desk = Desk::a2();
    let (x, z) = (desk.put(0, &[1.0f32; 8]), desk.put(32, &[3.0f32; 8]));
    add(&z, &x, &x, 0).unwrap();
    duplicate(&z, 9.0, 0).unwrap();
    assert_eq!(desk.get(&z), [3.0; 8]);
    assert!(desk.issued().iter().all(|issued| issued.reads.is_empty() && issued.writes.is_empty()));
}

#[test]
fn duplicate_takes_16_and_32_bits() {
    let desk = Desk::a2();
    let z = desk.put(0, &[0u32; 8]);
    duplicate(&z, 0xDEAD_BEEF, 7).unwrap();
    assert_eq!(
        desk.get(&z),
        [
            0xDEAD_BEEF,
            0xDEAD_BEEF,
            0xDEAD_BEEF,
            0xDEAD_BEEF,
            0xDEAD_BEEF,
            0xDEAD_BEEF,
            0xDEAD_BEEF,
            0
        ]
    );
    let z = desk.put(0, &[bf16::ZERO; 3]);
    duplicate(&z, bf16::ONE, 2).unwrap();
    assert_eq!(desk.get(&z), [bf16::ONE, bf16::ONE, bf16::ZERO]);
}

#[test]
fn bf16_is_calculated_with_on_ascend950() {
    let a: Vec<bf16> = (0..16384).map(|i: u16| bf16::from_bits(i.wrapping_mul(41))).collect();
    let b: Vec<bf16> = (0..16384).map(|i: u16| bf16::from_bits(i.wrapping_mul(113))).collect();
    let found = binary_on(Chip::Ascend950, |z, a, b, n| add(z, a, b, n), &a, &b);
    let expected: Vec<bf16> =
        a.iter().zip(&b).map(|(a, b)| bf16::from_f64(a.to_f64() + b.to_f64())).collect();
    assert_same(&found, &expected, "add");
}

//! Comparing into bits and choosing by bits.

use super::{Desk, all_f16, assert_same};
use crate::ops::element::f16;
use crate::ops::{CmpMode, compare, select, select_scalar};

const MODES: [CmpMode; 6] =
    [CmpMode::LT, CmpMode::GT, CmpMode::EQ, CmpMode::LE, CmpMode::GE, CmpMode::NE];

fn holds(mode: CmpMode, a: f32, b: f32) -> bool {
    match mode {
        CmpMode::LT => a < b,
        CmpMode::GT => a > b,
        CmpMode::EQ => a == b,
        CmpMode::LE => a <= b,
        CmpMode::GE => a >= b,
        CmpMode::NE => a != b,
    }
}

#[test]
fn every_mode_on_many_pairs() {
    let all = all_f16();
    let a = &all[..];
    let b: Vec<f16> = all.iter().map(|x| f16::from_bits(x.to_bits() ^ 0x8101)).collect();
    for mode in MODES {
        for (a, b) in a.chunks(8192).zip(b.chunks(8192)) {
            let desk = Desk::a2();
            let bits = desk.put(0, &[0xAAu8; 1024]);
            compare(&bits, &desk.put(16384, a), &desk.put(65536, b), mode, 8192).unwrap();
            let bits = desk.get(&bits);
            for (i, (a, b)) in a.iter().zip(b).enumerate() {
                let expected = holds(mode, a.to_f32(), b.to_f32());
                assert_eq!(bits[i / 8] >> (i % 8) & 1 == 1, expected, "{a:?} {mode:?} {b:?}");
            }
        }
    }
}

#[test]
fn f32_and_i32_into_the_bytes_that_they_need() {
    let desk = Desk::a2();
    let a: Vec<f32> = (0..128u8).map(f32::from).collect();
    let (a, b) = (desk.put(0, &a), desk.put(1024, &[64.0f32; 128]));
    let bits = desk.put(2048, &[0x55u8; 20]);
    compare(&bits, &a, &b, CmpMode::GE, 128).unwrap();
    let expected = [vec![0; 8], vec![0xFF; 8], vec![0x55; 4]].concat();
    assert_eq!(desk.get(&bits), expected);
    assert_eq!(desk.issued()[0].writes, [(2048, 16)]);

    let (a, b) = (desk.put(0, &[3i32; 64]), desk.put(1024, &[3i32; 64]));
    compare(&bits, &a, &b, CmpMode::EQ, 64).unwrap();
    assert_eq!(desk.get(&bits)[..8], [0xFF; 8]);
}

#[test]
fn what_compare_does_not_take() {
    let desk = Desk::a2();
    let (x, bits) = (desk.ub::<i32>(0, 64), desk.ub::<u8>(1024, 32));
    let message = compare(&bits, &x, &x, CmpMode::LT, 64).unwrap_err().to_string();
    assert!(message.starts_with("compare of i32 does not take CmpMode::LT"), "{message}");
    let x = desk.ub::<f16>(0, 256);
    let message = compare(&bits, &x, &x, CmpMode::LT, 100).unwrap_err().to_string();
    let expected = "compare of 100 f16: 200 bytes are not a multiple of 256";
    assert_eq!(message.lines().next(), Some(expected));
    assert!(message.contains("help: use 128 elements and ignore the last ones"), "{message}");
}

#[test]
fn select_takes_bits_from_low_to_high() {
    for count in [1, 7, 8, 9, 64, 100, 300] {
        let desk = Desk::a2();
        let a: Vec<f32> = (0..300u16).map(f32::from).collect();
        let b: Vec<f32> = a.iter().map(|x| -x).collect();
        let mask: Vec<u8> = (0..38u8).map(|i| i.wrapping_mul(37) ^ 0x96).collect();
        let (a, b) = (desk.put(0, &a), desk.put(4096, &b));
        let (mask_tensor, z) = (desk.put(8192, &mask), desk.put(16384, &[0.5f32; 300]));
        let bit = |i: usize| mask[i / 8] >> (i % 8) & 1 == 1;
        let (a_values, b_values) = (desk.get(&a), desk.get(&b));

        select(&z, &mask_tensor, &a, &b, count).unwrap();
        let expected: Vec<f32> = (0..300)
            .map(|i| match (i < count, bit(i)) {
                (false, _) => 0.5,
                (true, true) => a_values[i],
                (true, false) => b_values[i],
            })
            .collect();
        assert_same(&desk.get(&z), &expected, "select");
        assert_eq!(desk.issued()[0].reads[0], (8192, count.div_ceil(8) as u32));

        select_scalar(&z, &mask_tensor, &a, 9.0, count).unwrap();
        let expected: Vec<f32> = (0..300)
            .map(|i| {
                if i >= count {
                    0.5
                } else if bit(i) {
                    a_values[i]
                } else {
                    9.0
                }
            })
            .collect();
        assert_same(&desk.get(&z), &expected, "select_scalar");
    }
}

#[test]
fn the_bits_of_compare_are_those_of_select() {
    let desk = Desk::a2();
    let a: Vec<f16> = (0..128u8).map(|i| f16::from(i % 50)).collect();
    let b: Vec<f16> = (0..128u8).map(|i| f16::from(i % 31)).collect();
    let greater: Vec<f16> = a.iter().zip(&b).map(|(a, b)| if a > b { *a } else { *b }).collect();
    let (a, b, bits) = (desk.put(0, &a), desk.put(512, &b), desk.ub::<u8>(1024, 16));
    compare(&bits, &a, &b, CmpMode::GT, 128).unwrap();
    // In place, as kernels do.
    select(&a, &bits, &a, &b, 128).unwrap();
    assert_same(&desk.get(&a), &greater, "max by hand");
}

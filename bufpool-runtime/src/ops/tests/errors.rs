//! The messages, as a user reads them.

use super::Desk;
use crate::chip::{Chip, CoreKind};
use crate::error::BufPoolError;
use crate::error_data::DataError;
use crate::global::GlobalTensor;
use crate::ops::element::{bf16, f16};
use crate::ops::{
    CmpMode, RoundMode, abs, add, cast, compare, data_copy, data_copy_n, duplicate, exp,
    reduce_sum, select, select_scalar,
};
use crate::position::TPosition;

/// A message with the places of this file replaced by `HERE`.
fn text(error: &BufPoolError) -> String {
    let file = file!().replace('\\', "/");
    error
        .to_string()
        .lines()
        .map(|line| match line.find(&file) {
            Some(at) => format!("{}HERE", &line[..at]),
            None => line.to_owned(),
        })
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn a_copy_of_30_bytes() {
    let desk = Desk::a2();
    let source = GlobalTensor::<f16>::zeros(15);
    let error = data_copy(&desk.ub(0, 16), &source).unwrap_err();
    assert_eq!(
        text(&error),
        "data_copy of 30 bytes: 30 is not a multiple of 32, the device would copy 0
    asked at: HERE
        help: use data_copy_pad for any number of bytes"
    );
    assert!(matches!(error, BufPoolError::Data(DataError::CopyLength { bytes: 30, .. })));
    let error = data_copy_n(&desk.ub(0, 64), &GlobalTensor::<f16>::zeros(64), 50).unwrap_err();
    assert!(text(&error).starts_with(
        "data_copy_n of 100 bytes: 100 is not a multiple of 32, the device would copy 96"
    ));
    assert!(desk.issued().is_empty());

    let desk = Desk::new(Chip::AtlasTraining, CoreKind::AIV);
    let error = data_copy(&desk.ub(0, 16), &source).unwrap_err();
    assert!(text(&error).ends_with("help: copy 32 bytes: AtlasTraining has no data_copy_pad"));
}

#[test]
fn a_tensor_off_its_element() {
    let desk = Desk::a2();
    let bytes = desk.ub::<u8>(0, 64);
    let odd = bytes.slice(13..21).unwrap();
    let error = exp(&odd.reinterpret::<f16>(), &odd.reinterpret::<f16>(), 4).unwrap_err();
    assert_eq!(
        text(&error),
        "exp cannot take elements of 2 bytes at address 13, which is not a multiple of 2
       asked at: HERE
    tensor from: HERE
           help: start the tensor on a multiple of 32 bytes, 32 for example"
    );
    // Off 32 bytes but on an element: a check reports it, the operation works.
    let twelve = desk.ub::<f32>(12, 4);
    add(&twelve, &twelve, &twelve, 4).unwrap();
}

#[test]
fn a_vector_operation_outside_ub() {
    let desk = Desk::new(Chip::Atlas200I500A2, CoreKind::AIV);
    let l1 = desk.at::<f16>(TPosition::A1, 0, 64);
    let error = add(&l1, &l1, &l1, 64).unwrap_err();
    assert_eq!(
        text(&error),
        "add works on UB, this tensor is in L1 (A1)
       asked at: HERE
    tensor from: HERE
           help: use a tensor in UB, or `issue` for an instruction of another pipe"
    );
}

#[test]
fn tensors_of_two_cores() {
    let (one, other) = (Desk::a2(), Desk::a2());
    let error = add(&one.ub::<f32>(0, 8), &one.ub(0, 8), &other.ub(0, 8), 8).unwrap_err();
    assert_eq!(
        text(&error),
        "the tensors of add belong to different cores
           asked at: HERE
    one tensor from: HERE
       another from: HERE
               help: take all tensors from queues and TBufs of one TPipe"
    );
    assert!(data_copy(&one.ub::<f32>(0, 8), &other.ub(0, 8)).is_err());
}

#[test]
fn a_type_that_the_chip_does_not_calculate_with() {
    let desk = Desk::a2();
    let x = desk.ub::<bf16>(0, 16);
    assert_eq!(
        text(&add(&x, &x, &x, 16).unwrap_err()),
        "add does not take bf16 on AtlasA2
    asked at: HERE
        help: cast to f32, calculate, and cast back"
    );
    duplicate(&x, bf16::ONE, 16).unwrap();
    let desk = Desk::new(Chip::AtlasTraining, CoreKind::AIV);
    assert_eq!(
        text(&duplicate(&desk.ub(0, 16), bf16::ONE, 16).unwrap_err()),
        "duplicate does not take bf16 on AtlasTraining
    asked at: HERE
        help: use f16 or f32 on this chip"
    );
}

#[test]
fn more_than_a_global_tensor_has() {
    let desk = Desk::a2();
    let target = GlobalTensor::<f32>::zeros(8);
    assert_eq!(
        text(&data_copy(&target, &desk.ub(0, 16)).unwrap_err()),
        "data_copy of [0, 16) elements: the global tensor has 8
    asked at: HERE
        help: keep the end within 8 elements"
    );
}

#[test]
fn counts_beyond_every_memory_are_errors() {
    let desk = Desk::a2();
    let x = desk.ub::<f32>(0, 8);
    let gm = GlobalTensor::<f32>::zeros(8);
    for count in [196_608 / 4 + 1, (1 << 30) - 1] {
        let error = add(&x, &x, &x, count).unwrap_err();
        assert!(matches!(error, BufPoolError::OutsideMemory { .. }), "{error}");
        assert!(data_copy_n(&gm, &x, count).is_err());
    }
    // More bytes than 32 bits tell: said as it was asked, and not cut.
    let bits = desk.ub::<u8>(0, 32);
    for count in [1 << 30, 1 << 40, usize::MAX] {
        for (op, error) in [
            ("add", add(&x, &x, &x, count)),
            ("abs", abs(&x, &x, count)),
            ("duplicate", duplicate(&x, 0.0, count)),
            ("cast", cast(&x, &desk.ub::<f16>(32, 8), RoundMode::CAST_NONE, count)),
            ("compare", compare(&bits, &x, &x, CmpMode::LT, count)),
            ("select", select(&x, &bits, &x, &x, count)),
            ("select_scalar", select_scalar(&x, &bits, &x, 0.0, count)),
            ("reduce_sum", reduce_sum(&x, &x, &x, count)),
            ("data_copy_n", data_copy_n(&gm, &x, count)),
        ] {
            let expected =
                format!("{op} of {count} elements: more bytes than any memory of a core has");
            assert_eq!(error.unwrap_err().to_string().lines().next(), Some(expected.as_str()));
        }
    }
    assert!(desk.issued().is_empty());
}

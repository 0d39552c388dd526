//! Single elements, and instructions of the user's own.

use super::Desk;
use crate::chip::{Chip, CoreKind};
use crate::error::BufPoolError;
use crate::event::Pipe;
use crate::global::GlobalTensor;
use crate::ops::element::{bf16, f16};
use crate::ops::{add, issue};
use crate::position::TPosition;

#[test]
fn single_elements_of_every_size() {
    let desk = Desk::a2();
    let x = desk.put(0, &[1u8, 2, 3, 4, 5, 6, 7, 8]);
    x.set_value(1, 0xFF).unwrap();
    assert_eq!(x.get_value(1).unwrap(), 0xFF);
    assert_eq!(x.reinterpret::<u16>().get_value(0).unwrap(), 0xFF01);
    assert_eq!(x.reinterpret::<u64>().get_value(0).unwrap(), 0x0807_0605_0403_FF01);
    assert_eq!(x.slice(4..8).unwrap().reinterpret::<i32>().get_value(0).unwrap(), 0x0807_0605);
    let x = desk.put(64, &[bf16::ONE; 4]);
    x.slice(2..4).unwrap().set_value(1, bf16::ZERO).unwrap();
    assert_eq!(desk.get(&x), [bf16::ONE, bf16::ONE, bf16::ONE, bf16::ZERO]);
    let issued = desk.issued();
    assert_eq!((issued[0].name, issued[0].pipe), ("set_value", Pipe::S));
    assert_eq!((&issued[0].writes[..], &issued[0].reads[..]), (&[(1, 1)][..], &[][..]));
    assert_eq!((issued[1].name, &issued[1].reads[..]), ("get_value", &[(1, 1)][..]));
    assert_eq!(issued.last().unwrap().writes, [(70, 2)]);
}

#[test]
fn an_element_past_the_tensor_is_what_lies_there() {
    let desk = Desk::a2();
    let x = desk.put(0, &[1.0f32, 2.0, 3.0, 4.0]);
    let short = desk.ub::<f32>(0, 2);
    assert_eq!(short.get_value(3).unwrap(), 4.0);
    for index in [196_608 / 4, 1 << 31, 1 << 32, usize::MAX] {
        let error = short.get_value(index).unwrap_err();
        assert!(matches!(error, BufPoolError::OutsideMemory { .. }), "{error}");
        assert!(short.set_value(index, 1.0).is_err());
    }
    drop(x);
}

#[test]
fn the_scalar_unit_reaches_ub_only() {
    let desk = Desk::new(Chip::AtlasA2, CoreKind::AIC);
    let message = desk.at::<f16>(TPosition::A1, 0, 16).get_value(0).unwrap_err().to_string();
    assert!(message.starts_with("get_value works on UB, this tensor is in L1 (A1)"), "{message}");
}

#[test]
fn a_matrix_product_by_hand() {
    let desk = Desk::new(Chip::AtlasA2, CoreKind::AIC);
    let a = desk.at::<f16>(TPosition::A2, 0, 4);
    let b = desk.at::<f16>(TPosition::B2, 0, 4);
    let c = desk.at::<f32>(TPosition::CO1, 0, 4);
    let gm = GlobalTensor::from_vec([1.0, 2.0, 3.0, 4.0].map(f16::from_f32).to_vec());
    issue("LoadData", Pipe::MTE1, (&gm,), (&a, &b), |(gm,), (a, b)| {
        a.copy_from_slice(gm);
        b.copy_from_slice(gm);
    })
    .unwrap();
    let trace = issue("Mmad", Pipe::M, (&a, &b), (&c,), |(a, b), (c,)| {
        for (i, c) in c.iter_mut().enumerate() {
            let (row, column) = (i / 2 * 2, i % 2);
            *c = (0..2).map(|k| a[row + k].to_f32() * b[k * 2 + column].to_f32()).sum();
        }
        c[0] + c[3]
    })
    .unwrap();
    assert_eq!(trace, 29.0);
    let out = GlobalTensor::<f32>::zeros(4);
    issue("Fixpipe", Pipe::FIX, (&c,), (&out,), |(c,), (out,)| out.copy_from_slice(c)).unwrap();
    assert_eq!(out.to_vec(), [7.0, 10.0, 15.0, 22.0]);
    let issued = desk.issued();
    assert_eq!((issued[1].name, issued[1].pipe), ("Mmad", Pipe::M));
    assert_eq!(issued[1].reads, [(0, 8), (0, 8)]);
    assert_eq!(issued[1].writes, [(0, 16)]);
    assert_eq!(issued[2].global_writes, [(0, 16, false)]);
}

#[test]
fn overlapping_operands_read_first_and_the_later_write_stays() {
    let desk = Desk::a2();
    let x = desk.put(0, &[1i32, 2, 3, 4]);
    let (low, high) = (x.slice(0..3).unwrap(), x.slice(1..4).unwrap());
    issue("Odd", Pipe::V, (&x,), (&low, &high), |(x,), (low, high)| {
        assert_eq!((x, &*low, &*high), (&[1, 2, 3, 4][..], &[1, 2, 3][..], &[2, 3, 4][..]));
        low.fill(10);
        high.fill(20);
    })
    .unwrap();
    assert_eq!(desk.get(&x), [10, 20, 20, 20]);
}

#[test]
fn what_cannot_be_issued() {
    let desk = Desk::a2();
    let x = desk.ub::<f32>(0, 8);
    let gm = GlobalTensor::<f32>::zeros(8);
    let message = issue("Odd", Pipe::MTE2, (&gm,), (), |_, ()| ()).unwrap_err().to_string();
    assert!(message.starts_with("Odd has no local tensor to read or write"), "{message}");
    let other = Desk::a2();
    let error = issue("Odd", Pipe::V, (&x,), (&other.ub::<f32>(0, 8),), |_, _| ()).unwrap_err();
    assert!(error.to_string().starts_with("the tensors of Odd belong to different cores"));
    // A call from within, and a pipe that the core does not have.
    let inner = issue("Odd", Pipe::V, (&x,), (), |_, ()| add(&x, &x, &x, 8)).unwrap();
    assert!(matches!(inner, Err(BufPoolError::InsideInstruction { .. })));
    assert!(issue("Odd", Pipe::M, (&x,), (), |_, ()| ()).is_err());
}

//! Copies of any number of bytes.

use super::Desk;
use crate::chip::{Chip, CoreKind};
use crate::event::Pipe;
use crate::global::GlobalTensor;
use crate::ops::element::f16;
use crate::ops::{DataCopyPad, Padding, data_copy_pad, data_copy_pad_with};
use crate::position::TPosition;

#[test]
fn thirty_bytes_there_and_back() {
    let desk = Desk::a2();
    let source = GlobalTensor::from_vec((1..=15).collect::<Vec<i16>>());
    let x = desk.put(0, &[99i16; 32]);
    data_copy_pad(&x, &source, &DataCopyPad::bytes(30)).unwrap();
    // The 16th element counts as written, and is what it was.
    let expected: Vec<i16> = (1..=15).chain([99; 17]).collect();
    assert_eq!(desk.get(&x), expected);
    let target = GlobalTensor::from_vec(vec![7i16; 17]);
    data_copy_pad(&target.slice(1..17).unwrap(), &x, &DataCopyPad::bytes(30)).unwrap();
    let expected: Vec<i16> = [7].into_iter().chain(1..=15).chain([7]).collect();
    assert_eq!(target.to_vec(), expected);
    let issued = desk.issued();
    assert_eq!((issued[0].pipe, &*issued[0].writes), (Pipe::MTE2, &[(0, 32)][..]));
    assert_eq!(issued[0].global_reads, [(0, 30, false)]);
    assert_eq!((issued[1].pipe, &*issued[1].reads), (Pipe::MTE3, &[(0, 30)][..]));
    assert_eq!(issued[1].global_writes, [(2, 30, false)]);
}

#[test]
fn rows_with_gaps() {
    let desk = Desk::a2();
    // Rows of 3 of 5 columns, each row in UB on 32 bytes with 32 bytes between rows.
    let source = GlobalTensor::from_vec((0..20).collect::<Vec<i32>>());
    let x = desk.put(0, &[-1i32; 64]);
    let rows = DataCopyPad { block_count: 4, block_len: 12, src_stride: 8, dst_stride: 1 };
    data_copy_pad(&x, &source, &rows).unwrap();
    let found = desk.get(&x);
    for (row, first) in found.chunks(16).zip([0, 5, 10, 15]) {
        assert_eq!(row[..4], [first, first + 1, first + 2, -1]);
    }
    let issued = desk.issued().remove(0);
    assert_eq!(issued.writes, [(0, 32), (64, 32), (128, 32), (192, 32)]);
    assert_eq!(issued.global_reads[3], (60, 12, false));

    // And back into columns 1 to 3 of another matrix.
    let target = GlobalTensor::<i32>::zeros(20);
    let back = DataCopyPad { src_stride: 1, dst_stride: 8, ..rows };
    data_copy_pad(&target.slice(1..20).unwrap(), &x, &back).unwrap();
    let expected: Vec<i32> = (0..4).flat_map(|r| [0, r * 5, r * 5 + 1, r * 5 + 2, 0]).collect();
    assert_eq!(target.to_vec(), expected);
}

#[test]
fn padding_goes_around_each_block() {
    let desk = Desk::a2();
    let source = GlobalTensor::from_vec(vec![f16::ONE; 26]);
    let x = desk.put(0, &[f16::ZERO; 32]);
    let two = f16::from_f32(2.0);
    let padding = Padding { left_padding: 1, right_padding: 2, value: two };
    let rows = DataCopyPad { block_count: 2, block_len: 26, ..DataCopyPad::default() };
    data_copy_pad_with(&x, &source, &rows, &padding).unwrap();
    let mut row = [f16::ONE; 16];
    (row[0], row[14], row[15]) = (two, two, two);
    assert_eq!(desk.get(&x), [row, row].concat());
    // The last row ends where the source does.
    assert_eq!(desk.issued()[0].global_reads, [(0, 52, false)]);
}

#[test]
fn nothing_moves_of_no_blocks_or_no_bytes() {
    let desk = Desk::a2();
    let source = GlobalTensor::from_vec(vec![1u8; 64]);
    let x = desk.put(0, &[0u8; 64]);
    data_copy_pad(&x, &source, &DataCopyPad::bytes(0)).unwrap();
    data_copy_pad(&x, &source, &DataCopyPad { block_count: 0, ..DataCopyPad::bytes(8) }).unwrap();
    assert_eq!(desk.get(&x), [0; 64]);
    assert!(desk.issued().iter().all(|issued| issued.writes.is_empty()));
}

#[test]
fn what_the_fields_cannot_hold_is_an_error() {
    let desk = Desk::a2();
    let source = GlobalTensor::from_vec(vec![1u32; 64]);
    let x = desk.ub::<u32>(0, 64);
    let message = |shape: DataCopyPad, left, right| {
        let padding = Padding { left_padding: left, right_padding: right, value: 0 };
        let error = data_copy_pad_with(&x, &source, &shape, &padding).unwrap_err();
        error.to_string().lines().next().unwrap_or_default().to_owned()
    };
    let of = DataCopyPad::bytes;
    assert_eq!(
        message(DataCopyPad { block_count: 4096, ..of(4) }, 0, 0),
        "data_copy_pad_with cannot have block_count 4096: 0 to 4095"
    );
    assert_eq!(
        message(of(2_097_152), 0, 0),
        "data_copy_pad_with cannot have block_len (bytes) 2097152: 0 to 2097151"
    );
    assert_eq!(
        message(of(4), 9, 0),
        "data_copy_pad_with cannot have left_padding (elements) 9: 0 to 8"
    );
    assert_eq!(
        message(of(4), 0, 9),
        "data_copy_pad_with cannot have right_padding (elements) 9: 0 to 8"
    );
    assert_eq!(
        message(of(260), 0, 0),
        "data_copy_pad_with of [0, 65) elements: the global tensor has 64"
    );
    // Strides that lead past UB.
    let far = DataCopyPad { block_count: 2, block_len: 4, src_stride: 0, dst_stride: u32::MAX };
    assert!(data_copy_pad(&x, &source, &far).is_err());
    let far = DataCopyPad { dst_stride: 10_000, ..far };
    assert!(data_copy_pad(&x, &source, &far).is_err());
    assert!(desk.issued().is_empty());
}

#[test]
fn only_ub_and_only_the_chips_that_have_it() {
    let source = GlobalTensor::from_vec(vec![1u32; 64]);
    for (chip, has) in [
        (Chip::AtlasTraining, false),
        (Chip::AtlasInferenceAiCore, false),
        (Chip::Atlas200I500A2, true),
        (Chip::AtlasA3, true),
        (Chip::Ascend950, true),
    ] {
        let desk = Desk::new(chip, CoreKind::AIV);
        let result = data_copy_pad(&desk.ub::<u32>(0, 64), &source, &DataCopyPad::bytes(4));
        match result {
            Ok(()) => assert!(has, "{chip}"),
            Err(error) => {
                assert!(!has, "{chip}");
                assert!(error.to_string().starts_with(&format!("{chip} has no data_copy_pad")));
            }
        }
    }
    let desk = Desk::new(Chip::AtlasA2, CoreKind::AIC);
    let l1 = desk.at::<u32>(TPosition::A1, 0, 64);
    let message = data_copy_pad(&l1, &source, &DataCopyPad::bytes(4)).unwrap_err().to_string();
    assert!(
        message.starts_with("data_copy_pad works on UB, this tensor is in L1 (A1)"),
        "{message}"
    );
}

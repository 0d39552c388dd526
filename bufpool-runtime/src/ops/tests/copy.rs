//! Copies in one piece and in blocks: what they move, on which pipe, and what they touch.

use super::{Desk, Issued};
use crate::chip::{Chip, CoreKind};
use crate::event::Pipe;
use crate::global::GlobalTensor;
use crate::ops::element::f16;
use crate::ops::{
    DataCopyBlocks, data_copy, data_copy_atomic_add, data_copy_blocks, data_copy_n,
    data_copy_pad_atomic_add,
};
use crate::position::TPosition;

fn counted(len: u16) -> Vec<u16> {
    (0..len).collect()
}

#[test]
fn there_and_back() {
    let desk = Desk::a2();
    let source = GlobalTensor::from_vec(counted(4096));
    let target = GlobalTensor::<u16>::zeros(4096);
    let x = desk.ub::<u16>(512, 1024);
    let y = desk.ub::<u16>(8192, 1024);
    data_copy(&x, &source.slice(1024..2048).unwrap()).unwrap();
    data_copy(&y, &x).unwrap();
    data_copy(&target.slice(2048..3072).unwrap(), &y).unwrap();
    let mut expected = vec![0; 4096];
    expected[2048..3072].copy_from_slice(&counted(4096)[1024..2048]);
    assert_eq!(target.to_vec(), expected);
    let copy = Issued {
        name: "data_copy",
        pipe: Pipe::MTE2,
        reads: vec![],
        writes: vec![(512, 2048)],
        global_reads: vec![(2048, 2048, false)],
        global_writes: vec![],
    };
    assert_eq!(
        desk.issued(),
        [
            copy.clone(),
            Issued {
                pipe: Pipe::V,
                reads: vec![(512, 2048)],
                writes: vec![(8192, 2048)],
                global_reads: vec![],
                ..copy.clone()
            },
            Issued {
                pipe: Pipe::MTE3,
                reads: vec![(8192, 2048)],
                writes: vec![],
                global_reads: vec![],
                global_writes: vec![(4096, 2048, false)],
                ..copy
            },
        ]
    );
}

#[test]
fn a_count_and_views_take_a_part() {
    let desk = Desk::a2();
    let source = GlobalTensor::from_vec(counted(64));
    let x = desk.put(0, &[9u16; 64]);
    data_copy_n(&x.slice(16..48).unwrap(), &source, 16).unwrap();
    let mut expected = [9; 64];
    expected[16..32].copy_from_slice(&counted(16));
    assert_eq!(desk.get(&x), expected);
    // A tail of no elements is no error and touches nothing.
    data_copy_n(&x, &source, 0).unwrap();
    let issued = desk.issued();
    assert!(issued[1].writes.is_empty() && issued[1].global_reads.is_empty());
}

#[test]
fn a_source_longer_than_the_local_tensor_writes_on() {
    let desk = Desk::a2();
    let source = GlobalTensor::from_vec(counted(32));
    data_copy(&desk.ub::<u16>(0, 16), &source).unwrap();
    assert_eq!(desk.get(&desk.ub::<u16>(0, 32)), counted(32));
    assert_eq!(desk.issued()[0].writes, [(0, 64)]);
}

#[test]
fn tiles_across_pages_of_global_memory() {
    let desk = Desk::a2();
    let values: Vec<u32> = (0..70_000).collect();
    let source = GlobalTensor::from_slice(&values);
    let target = GlobalTensor::<u32>::zeros(70_000);
    let x = desk.ub::<u32>(0, 20_000);
    for start in [0, 10_000, 20_000, 30_000, 40_000, 50_000] {
        let range = start..start + 20_000;
        data_copy(&x, &source.slice(range.clone()).unwrap()).unwrap();
        data_copy(&target.slice(range).unwrap(), &x).unwrap();
    }
    assert_eq!(target.to_vec(), values);
}

#[test]
fn paths_are_those_of_the_chip() {
    use TPosition::{A1, CO1, VECIN};
    let gm = GlobalTensor::<f16>::zeros(64);
    let pipe = |chip, kind, dst: TPosition, src: TPosition| {
        let desk = Desk::new(chip, kind);
        let result = match (dst, src) {
            (TPosition::GM, src) => data_copy(&gm, &desk.at::<f16>(src, 0, 64)),
            (dst, TPosition::GM) => data_copy(&desk.at::<f16>(dst, 0, 64), &gm),
            (dst, src) => data_copy(&desk.at::<f16>(dst, 1024, 64), &desk.at::<f16>(src, 0, 64)),
        };
        result.map(|()| desk.issued()[0].pipe).map_err(|error| error.to_string())
    };
    let (aiv, aic) = (CoreKind::AIV, CoreKind::AIC);
    assert_eq!(pipe(Chip::AtlasA2, aic, A1, TPosition::GM), Ok(Pipe::MTE2));
    assert_eq!(pipe(Chip::AtlasA2, aic, TPosition::GM, A1), Ok(Pipe::MTE3));
    assert_eq!(pipe(Chip::AtlasTraining, aiv, A1, VECIN), Ok(Pipe::MTE3));
    assert_eq!(pipe(Chip::AtlasInferenceAiCore, aiv, A1, VECIN), Ok(Pipe::MTE3));
    assert_eq!(pipe(Chip::Ascend950, aiv, A1, VECIN), Ok(Pipe::MTE3));
    assert_eq!(pipe(Chip::Ascend950, aic, VECIN, A1), Ok(Pipe::MTE1));
    for (chip, dst, src, from, to) in [
        (Chip::AtlasA2, A1, VECIN, "UB", "L1"),
        (Chip::Atlas200I500A2, A1, VECIN, "UB", "L1"),
        (Chip::AtlasA2, VECIN, A1, "L1", "UB"),
        (Chip::AtlasTraining, TPosition::GM, A1, "L1", "GM"),
        (Chip::AtlasA2, TPosition::GM, CO1, "L0C", "GM"),
        (Chip::AtlasA2, CO1, TPosition::GM, "GM", "L0C"),
    ] {
        let message = pipe(chip, aiv, dst, src).unwrap_err();
        let expected = format!("data_copy does not go from {from} to {to} on {chip}");
        assert_eq!(message.lines().next(), Some(expected.as_str()));
    }
}

#[test]
fn separate_cores_reach_their_own_memories() {
    use TPosition::{A1, C1, TSCM, VECIN};
    let (aiv, aic) = (CoreKind::AIV, CoreKind::AIC);
    let gm = GlobalTensor::<f16>::zeros(64);
    let both = |chip, kind, position| {
        let desk = Desk::new(chip, kind);
        let local = desk.at::<f16>(position, 0, 64);
        let shape = DataCopyBlocks { block_count: 2, block_len: 1, ..Default::default() };
        [
            data_copy(&local, &gm),
            data_copy(&gm, &local),
            data_copy_blocks(&local, &gm, &shape),
            data_copy_blocks(&gm, &local, &shape),
        ]
    };
    for (kind, position, from, other) in
        [(aiv, A1, "L1", "AIC"), (aiv, C1, "L1", "AIC"), (aic, VECIN, "UB", "AIV")]
    {
        let results = both(Chip::AtlasA2, kind, position);
        for (result, (op, src, dst)) in results.into_iter().zip([
            ("data_copy", "GM", from),
            ("data_copy", from, "GM"),
            ("data_copy_blocks", "GM", from),
            ("data_copy_blocks", from, "GM"),
        ]) {
            let message = result.unwrap_err().to_string();
            let expected =
                format!("{op} does not go from {src} to {dst} on an {kind} core of AtlasA2");
            assert_eq!(message.lines().next(), Some(expected.as_str()));
            assert!(message.contains(&format!("core_kind(CoreKind::{other})")), "{message}");
        }
        assert!(both(Chip::Ascend950, kind, position)[0].is_err());
    }
    assert!(both(Chip::AtlasA2, aic, C1).iter().all(Result::is_ok));
    assert!(both(Chip::AtlasA2, aiv, VECIN).iter().all(Result::is_ok));
    // A vector core has the cube core fill its TSCM.
    assert!(both(Chip::AtlasA2, aiv, TSCM)[0].is_ok());
    // One core has it all.
    for position in [A1, VECIN] {
        assert!(both(Chip::Atlas200I500A2, aiv, position)[0].is_ok());
    }
    let desk = Desk::new(Chip::AtlasA2, aic);
    let added = data_copy_atomic_add(&gm, &desk.at::<f16>(VECIN, 0, 64)).unwrap_err().to_string();
    assert!(added.starts_with("data_copy_atomic_add does not go from UB to GM"), "{added}");
}

#[test]
fn blocks_with_gaps_on_both_sides() {
    let desk = Desk::a2();
    // 3 blocks of 2 x 32 bytes, every third unit of the source, with a unit between them in UB.
    let source = GlobalTensor::from_vec(counted(16 * 9));
    let x = desk.put(0, &[0xFFFFu16; 16 * 8]);
    let shape = DataCopyBlocks { block_count: 3, block_len: 2, src_stride: 1, dst_stride: 1 };
    data_copy_blocks(&x, &source, &shape).unwrap();
    let units: Vec<u16> = desk.get(&x).chunks(16).map(|unit| unit[0]).collect();
    assert_eq!(units, [0, 16, 0xFFFF, 48, 64, 0xFFFF, 96, 112]);
    let issued = desk.issued().remove(0);
    assert_eq!(issued.pipe, Pipe::MTE2);
    assert_eq!(issued.writes, [(0, 64), (96, 64), (192, 64)]);
    assert_eq!(issued.global_reads, [(0, 64, false), (96, 64, false), (192, 64, false)]);

    // Gathered within UB, then scattered to global memory.
    let y = desk.ub::<u16>(1024, 16 * 6);
    data_copy_blocks(&y, &x, &DataCopyBlocks { dst_stride: 0, ..shape }).unwrap();
    let target = GlobalTensor::<u16>::zeros(16 * 9);
    data_copy_blocks(&target, &y, &DataCopyBlocks { src_stride: 0, ..shape }).unwrap();
    let units: Vec<u16> = target.to_vec().chunks(16).map(|unit| unit[1]).collect();
    assert_eq!(units, [1, 17, 0, 49, 65, 0, 97, 113, 0]);
    let issued = desk.issued();
    assert_eq!((issued[0].pipe, issued[1].pipe), (Pipe::V, Pipe::MTE3));
    // Without gaps, the blocks are one range.
    assert_eq!(issued[0].writes, [(1024, 192)]);
    assert_eq!(issued[1].reads, [(1024, 192)]);
}

#[test]
fn overlapping_copies_in_ub_read_first() {
    let desk = Desk::a2();
    let x = desk.put(0, &counted(64));
    data_copy(&desk.ub::<u16>(32, 48), &x.slice(0..48).unwrap()).unwrap();
    let expected: Vec<u16> = (0..16).chain(0..48).collect();
    assert_eq!(desk.get(&x), expected);
}

#[test]
fn atomic_adds_sum_up() {
    let desk = Desk::a2();
    let sums = GlobalTensor::from_vec(vec![f16::ONE; 64]);
    let x = desk.put(0, &[f16::from_f32(0.5); 32]);
    data_copy_atomic_add(&sums.slice(16..48).unwrap(), &x).unwrap();
    data_copy_atomic_add(&sums.slice(16..48).unwrap(), &x).unwrap();
    let one = f16::ONE;
    let two = f16::from_f32(2.0);
    assert_eq!(sums.to_vec(), [[one; 16], [two; 16], [two; 16], [one; 16]].concat());
    let issued = desk.issued().remove(0);
    assert_eq!((issued.pipe, issued.reads), (Pipe::MTE3, vec![(0, 64)]));
    assert_eq!(issued.global_writes, [(32, 64, true)]);
}

#[test]
fn atomic_adds_of_any_length_and_of_integers_that_wrap() {
    let desk = Desk::a2();
    let sums = GlobalTensor::from_vec(vec![i8::MAX; 5]);
    let x = desk.put(3, &[1i8, 0, -1]);
    assert!(data_copy_atomic_add(&sums, &x).is_err());
    data_copy_pad_atomic_add(&sums.slice(1..5).unwrap(), &x).unwrap();
    assert_eq!(sums.to_vec(), [127, -128, 127, 126, 127]);
    // f32 of a local tensor that starts off an element: bytes are bytes.
    let sums = GlobalTensor::<f32>::zeros(2);
    let bytes = desk.put(1, &[1.5f32, 2.5].map(f32::to_le_bytes).concat());
    data_copy_pad_atomic_add(&sums, &bytes.reinterpret::<f32>()).unwrap();
    assert_eq!(sums.to_vec(), [1.5, 2.5]);
}

#[test]
fn many_cores_add_into_one_place() {
    let sums = GlobalTensor::<i32>::zeros(1000);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let desk = Desk::a2();
                let x = desk.put(0, &[1i32; 1000]);
                for _ in 0..50 {
                    data_copy_atomic_add(&sums, &x).unwrap();
                }
            });
        }
    });
    assert_eq!(sums.to_vec(), [200; 1000]);
}

//! From many to one.

use super::{Desk, all_f16, assert_same, rounded};
use crate::event::Pipe;
use crate::ops::element::f16;
use crate::ops::{Float, reduce_max, reduce_min, reduce_sum};
use crate::tensor::LocalTensor;

const COUNTS: [usize; 12] = [1, 2, 3, 5, 63, 64, 65, 255, 256, 257, 1000, 8192];

type Reduction<T> =
    fn(&LocalTensor<T>, &LocalTensor<T>, &LocalTensor<T>, usize) -> crate::error::Result<()>;

fn run<T: Float>(reduce: Reduction<T>, values: &[T]) -> T {
    let desk = Desk::a2();
    let (src, dst, work) = (desk.put(1024, values), desk.ub(0, 8), desk.ub(131_072, 2048));
    reduce(&dst, &src, &work, values.len()).unwrap();
    desk.get(&dst)[0]
}

/// The tree of neighbours, by its definition.
fn tree(values: &[f32]) -> f32 {
    match values {
        [] => 0.0,
        [one] => *one,
        more => {
            let pairs: Vec<f32> = more
                .chunks(2)
                .map(|pair| pair.iter().copied().reduce(|a, b| a + b).unwrap())
                .collect();
            tree(&pairs)
        }
    }
}

#[test]
fn sums_are_a_tree_of_neighbours() {
    for count in COUNTS {
        let values: Vec<f32> =
            (0..count as u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 8) as f32 * 1e-3).collect();
        let found = run(|d, s, w, n| reduce_sum(d, s, w, n), &values);
        assert_eq!(found.to_bits(), tree(&values).to_bits(), "{count}");

        let halves: Vec<f16> = values.iter().map(|x| f16::from_f32(x * 1e-3)).collect();
        let wide: Vec<f32> = halves.iter().map(|x| x.to_f32()).collect();
        let found = run(|d, s, w, n| reduce_sum(d, s, w, n), &halves);
        assert_eq!(found, f16::from_f32(tree(&wide)), "{count}");
    }
}

#[test]
fn sums_of_halves_are_rounded_once() {
    // 2048 + 1 is 2048 in f16: one rounding at the end keeps the ones.
    let mut values = vec![f16::ONE; 100];
    values[0] = f16::from_f32(2048.0);
    assert_eq!(run(|d, s, w, n| reduce_sum(d, s, w, n), &values), rounded(2147.0));
    // Too large on the way, but not at the end.
    let large = f16::from_f32(60_000.0);
    let values = [large, large, -large, -large, f16::ONE];
    assert_eq!(run(|d, s, w, n| reduce_sum(d, s, w, n), &values), f16::ONE);
}

#[test]
fn the_greatest_and_the_smallest() {
    for count in COUNTS {
        let values: Vec<f32> =
            (0..count as u32).map(|i| i.wrapping_mul(2_654_435_761).cast_signed() as f32).collect();
        let greatest = values.iter().copied().fold(f32::MIN, f32::max);
        let smallest = values.iter().copied().fold(f32::MAX, f32::min);
        assert_eq!(run(|d, s, w, n| reduce_max(d, s, w, n), &values), greatest, "{count}");
        assert_eq!(run(|d, s, w, n| reduce_min(d, s, w, n), &values), smallest, "{count}");
    }
    let finite: Vec<f16> = all_f16().into_iter().filter(|x| x.is_finite()).take(20_000).collect();
    assert_eq!(run(|d, s, w, n| reduce_max(d, s, w, n), &finite).to_bits(), 20_000 - 1);
    let infinite = [f16::INFINITY, f16::NEG_INFINITY, f16::ONE];
    assert_eq!(run(|d, s, w, n| reduce_max(d, s, w, n), &infinite), f16::INFINITY);
    assert_eq!(run(|d, s, w, n| reduce_min(d, s, w, n), &infinite), f16::NEG_INFINITY);
}

#[test]
fn what_is_not_a_number_wins_wherever_it_stands() {
    for at in [0, 1, 15, 16, 17, 99] {
        let mut values = [1.0f32; 100];
        values[at] = f32::NAN;
        values[(at + 1) % 100] = f32::INFINITY;
        let found = [
            run(|d, s, w, n| reduce_max(d, s, w, n), &values),
            run(|d, s, w, n| reduce_min(d, s, w, n), &values),
            run(|d, s, w, n| reduce_sum(d, s, w, n), &values),
        ];
        assert_same(&found, &[f32::NAN; 3], "nan");
    }
}

#[test]
fn what_a_reduction_touches() {
    let desk = Desk::a2();
    let (src, dst, work) =
        (desk.ub::<f16>(1024, 4096), desk.put(0, &[f16::ONE; 4]), desk.ub(16384, 64));
    reduce_sum(&dst, &src, &work, 4096).unwrap();
    assert_eq!(desk.get(&dst), [f16::ZERO, f16::ONE, f16::ONE, f16::ONE]);
    let issued = desk.issued().remove(0);
    assert_eq!((issued.name, issued.pipe), ("reduce_sum", Pipe::V));
    assert_eq!(issued.reads, [(1024, 8192)]);
    assert_eq!(issued.writes, [(0, 2)]);
    // Of nothing, nothing.
    reduce_sum(&dst, &src, &work, 0).unwrap();
    assert!(desk.issued()[0].writes.is_empty());
    // In place.
    let src = desk.put(1024, &[f16::ONE; 64]);
    reduce_sum(&src, &src, &work, 64).unwrap();
    assert_eq!(desk.get(&src)[..2], [f16::from_f32(64.0), f16::ONE]);
}

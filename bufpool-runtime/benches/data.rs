//! Data through the layer: tile loops of add, and single operations.

#![allow(clippy::cast_precision_loss, reason = "small numbers as data")]

mod baseline;

use std::hint::black_box;

use baseline::tiles::{Add, Buffer, Tiles, exp_by_host, sum_by_neighbours, sum_in_lanes};
use bufpool_runtime::prelude::*;
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, criterion_group, criterion_main};
use half::slice::HalfFloatSliceExt;

/// 256 KiB of UB, so that tiles of 64 KiB fit.
const CHIP: Chip = Chip::AtlasInferenceAiCore;
/// Bytes of each global tensor.
const TOTAL: usize = 1 << 20;

/// Blocks of each queue: two, but of 64 KiB only one fits.
fn blocks(tile: usize) -> usize {
    if tile > 32 * 1024 { 1 } else { 2 }
}

/// The kernel: `z = x + y`, tile by tile.
struct Kernel<T> {
    /// Elements of a tile.
    tile: usize,
    x_que: TQue<VECIN, 1>,
    y_que: TQue<VECIN, 1>,
    z_que: TQue<VECOUT, 1>,
    x: GlobalTensor<T>,
    y: GlobalTensor<T>,
    z: GlobalTensor<T>,
}

impl<T: Add> Kernel<T> {
    fn new(pipe: &TPipe, tile: usize) -> Result<Self> {
        let len = TOTAL / size_of::<T>();
        let mut kernel = Kernel {
            tile: tile / size_of::<T>(),
            x_que: TQueBind::new(),
            y_que: TQueBind::new(),
            z_que: TQueBind::new(),
            x: GlobalTensor::from_vec((0..len).map(T::number).collect()),
            y: GlobalTensor::from_vec((0..len).map(T::number).collect()),
            z: GlobalTensor::zeros(len),
        };
        let (num, len) = (blocks(tile) as u32, tile as u32);
        pipe.init_buffer(&mut kernel.x_que, num, len)?;
        pipe.init_buffer(&mut kernel.y_que, num, len)?;
        pipe.init_buffer(&mut kernel.z_que, num, len)?;
        Ok(kernel)
    }

    fn run(&self) -> Result<()> {
        for start in (0..self.x.len()).step_by(self.tile) {
            let part = start..start + self.tile;
            let x = self.x_que.alloc_tensor::<T>()?;
            data_copy(&x, &self.x.slice(part.clone())?)?;
            self.x_que.enque(x)?;
            let y = self.y_que.alloc_tensor::<T>()?;
            data_copy(&y, &self.y.slice(part.clone())?)?;
            self.y_que.enque(y)?;

            let (x, y) = (self.x_que.deque::<T>()?, self.y_que.deque::<T>()?);
            let z = self.z_que.alloc_tensor::<T>()?;
            add(&z, &x, &y, self.tile)?;
            self.z_que.enque(z)?;
            self.x_que.free_tensor(x)?;
            self.y_que.free_tensor(y)?;

            let z = self.z_que.deque::<T>()?;
            data_copy(&self.z.slice(part)?, &z)?;
            self.z_que.free_tensor(z)?;
        }
        Ok(())
    }
}

fn tile_loop<T: Add>(c: &mut Criterion) {
    for tile in [8, 16, 32, 64].map(|kib| kib * 1024) {
        let mut group =
            baseline::group(c, format!("add {}, tiles of {} KiB", T::NAME, tile / 1024));
        group.bench_function("bare", |b| {
            let len = TOTAL / size_of::<T>();
            let numbers: Vec<T> = (0..len).map(T::number).collect();
            let (x, y) = (Buffer::global(&numbers), Buffer::global(&numbers));
            let mut z = Buffer::global(&numbers);
            let mut tiles = Tiles::new(tile / size_of::<T>(), blocks(tile));
            b.iter(|| {
                tiles.add(black_box(z.get_mut(len)), black_box(x.get(len)), black_box(y.get(len)));
            });
        });
        for (name, checks) in [("api", Checks::Api), ("full", Checks::Full)] {
            group.bench_function(name, |b| {
                let pipe = TPipe::builder(CHIP).checks(checks).build().expect("no other lives");
                let kernel = Kernel::<T>::new(&pipe, tile).expect("it fits");
                b.iter(|| black_box(&kernel).run().expect("the kernel is legal"));
                drop(kernel);
                let report = pipe.finish();
                assert!(report.is_clean(), "{report}");
            });
        }
    }
}

/// Bytes of the source of one operation.
const BYTES: usize = 16 * 1024;

/// One operation on tensors of a TBuf.
fn operation<D: Element, S: Element>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    source: &[S],
    op: impl Fn(&LocalTensor<D>, &LocalTensor<S>, &LocalTensor<D>) -> Result<()>,
) {
    for (name, checks) in [("api", Checks::Api), ("full", Checks::Full)] {
        group.bench_function(name, |b| {
            let pipe = TPipe::builder(CHIP).checks(checks).build().expect("no other lives");
            let (mut dst, mut src, mut work) = <[TBuf<VECCALC>; 3]>::default().into();
            for buf in [&mut dst, &mut src, &mut work] {
                pipe.init_tbuf(buf, 2 * BYTES as u32).expect("it fits");
            }
            let dst = dst.get::<D>().expect("it is there");
            let src = src.get::<S>().expect("it is there");
            let work = work.get::<D>().expect("it is there");
            let mut que = TQue::<VECIN, 1>::new();
            pipe.init_buffer(&mut que, 1, BYTES as u32).expect("it fits");
            let fill = || -> Result<()> {
                data_copy(&src, &GlobalTensor::from_slice(source))?;
                pipe.pipe_barrier_all()
            };
            fill().expect("the copy is legal");
            b.iter(|| op(&dst, black_box(&src), &work).expect("the operation is legal"));
            // Each round overwrites what nobody read: that is a finding, and not the subject.
            let _ = pipe.finish();
        });
    }
}

fn operations(c: &mut Criterion) {
    let singles: Vec<f32> = (0..BYTES / 4).map(|i| (i % 177) as f32 / 10.0 - 8.0).collect();
    let halves: Vec<f16> = (0..BYTES / 2).map(|i| f16::from_f32((i % 177) as f32)).collect();
    // In the places of the host where the tensors lie.
    let (local_singles, local_halves) = (Buffer::local_of(&singles), Buffer::local_of(&halves));
    let singles_there = || black_box(local_singles.get(singles.len()));
    let halves_there = || black_box(local_halves.get(halves.len()));
    let mut result = Buffer::local(singles.len());
    let result = result.get_mut(singles.len());

    let mut group = baseline::group(c, "exp f32, 16 KiB");
    group.bench_function("bare", |b| b.iter(|| exp_by_host(result, singles_there())));
    operation::<f32, f32>(&mut group, &singles, |z, x, _| exp(z, x, BYTES / 4));
    drop(group);

    let mut group = baseline::group(c, "cast f16 to f32, 16 KiB");
    let mut wide = Buffer::local(halves.len());
    group.bench_function("bare", |b| {
        let wide = wide.get_mut(halves.len());
        b.iter(|| halves_there().convert_to_f32_slice(black_box(&mut *wide)));
    });
    operation::<f32, f16>(&mut group, &halves, |z, x, _| {
        cast(z, x, RoundMode::CAST_NONE, BYTES / 2)
    });
    drop(group);

    let mut group = baseline::group(c, "cast f32 to f16, 16 KiB");
    let mut narrow = Buffer::local(singles.len());
    group.bench_function("bare", |b| {
        let narrow: &mut [f16] = narrow.get_mut(singles.len());
        b.iter(|| black_box(&mut *narrow).convert_from_f32_slice(singles_there()));
    });
    operation::<f16, f32>(&mut group, &singles, |z, x, _| {
        cast(z, x, RoundMode::CAST_RINT, BYTES / 4)
    });
    drop(group);

    let mut group = baseline::group(c, "reduce_sum f32, 16 KiB");
    group.bench_function("bare", |b| b.iter(|| black_box(sum_by_neighbours(singles_there()))));
    group.bench_function("lanes", |b| b.iter(|| black_box(sum_in_lanes(singles_there()))));
    operation::<f32, f32>(&mut group, &singles, |z, x, work| reduce_sum(z, x, work, BYTES / 4));
}

criterion_group! {
    name = benches;
    config = baseline::settings();
    targets = tile_loop::<f32>, tile_loop::<f16>, operations
}
criterion_main!(benches);

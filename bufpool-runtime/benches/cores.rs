//! Several cores on threads: `z = x + y` over 64 MiB a tensor.

mod baseline;

use std::num::NonZero;

use baseline::tiles::Add;
use bufpool_runtime::prelude::*;
use bufpool_runtime::{Launch, LaunchCore};
use criterion::{Criterion, criterion_group, criterion_main};

/// Bytes of each global tensor.
const TOTAL: usize = 64 << 20;
/// Bytes of a tile.
const TILE: usize = 32 * 1024;
const CORES: u32 = 8;

struct Data<T> {
    x: GlobalTensor<T>,
    y: GlobalTensor<T>,
    z: GlobalTensor<T>,
}

impl<T: Add> Data<T> {
    fn kernel(&self, core: &LaunchCore) -> Result<()> {
        let tile = TILE / size_of::<T>();
        let pipe = core.pipe()?;
        let (mut x_que, mut y_que) = (TQue::<VECIN, 1>::new(), TQue::<VECIN, 1>::new());
        let mut z_que = TQue::<VECOUT, 1>::new();
        pipe.init_buffer(&mut x_que, 2, TILE as u32)?;
        pipe.init_buffer(&mut y_que, 2, TILE as u32)?;
        pipe.init_buffer(&mut z_que, 2, TILE as u32)?;
        let share = core.share(self.x.len(), tile);
        for start in share.step_by(tile) {
            let part = start..start + tile;
            let x = x_que.alloc_tensor::<T>()?;
            data_copy(&x, &self.x.slice(part.clone())?)?;
            x_que.enque(x)?;
            let y = y_que.alloc_tensor::<T>()?;
            data_copy(&y, &self.y.slice(part.clone())?)?;
            y_que.enque(y)?;
            let (x, y) = (x_que.deque::<T>()?, y_que.deque::<T>()?);
            let z = z_que.alloc_tensor::<T>()?;
            add(&z, &x, &y, tile)?;
            z_que.enque(z)?;
            x_que.free_tensor(x)?;
            y_que.free_tensor(y)?;
            let z = z_que.deque::<T>()?;
            data_copy(&self.z.slice(part)?, &z)?;
            z_que.free_tensor(z)?;
        }
        Ok(())
    }
}

fn launches<T: Add>(c: &mut Criterion) {
    let mut group = c.benchmark_group(format!("launch of 8 cores, add {}", T::NAME));
    let len = TOTAL / size_of::<T>();
    let numbers: Vec<T> = (0..len).map(T::number).collect();
    let data = Data {
        x: GlobalTensor::from_slice(&numbers),
        y: GlobalTensor::from_vec(numbers),
        z: GlobalTensor::zeros(len),
    };
    for (name, threads) in [("one thread", 1), ("two threads", 2)] {
        let launch = Launch::new(Chip::AtlasInferenceAiCore)
            .checks(Checks::Api)
            .threads(NonZero::new(threads).expect("it is not 0"));
        group.bench_function(name, |b| {
            b.iter(|| launch.run(CORES, |core| data.kernel(core)).expect("the kernel is legal"));
        });
    }
}

criterion_group! {
    name = benches;
    config = baseline::settings().sample_size(30);
    targets = launches::<f32>, launches::<f16>
}
criterion_main!(benches);

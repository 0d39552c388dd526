//! Two pools over the same bytes, one after the other: z = x + y over 512 f16 elements.
//!
//! Both pools carve three queues of 65536 bytes. The second shares the range of the first, so the
//! same UB serves both halves of the work; a reset between them hands it over.

mod kernel_data;

use bufpool_runtime::prelude::*;
use kernel_data::{compare, read_f16};

const COUNT: usize = 512;
const HALF: usize = COUNT / 2;
const BYTES: u32 = 65536;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let x_gm = GlobalTensor::from_vec(read_f16("x_f16.bin", COUNT)?);
    let y_gm = GlobalTensor::from_vec(read_f16("y_f16.bin", COUNT)?);
    let z_gm = GlobalTensor::<f16>::zeros(COUNT);

    let pipe = TPipe::new(Chip::AtlasA2)?;
    let mut first = TBufPool::<VECCALC>::new().named("first");
    let mut second = TBufPool::<VECCALC>::new().named("second");
    pipe.init_buf_pool(&mut first, 3 * BYTES)?;
    pipe.init_buf_pool_shared(&mut second, 3 * BYTES, &first)?;

    add_half(&first, &x_gm, &y_gm, &z_gm, 0)?;
    println!("after the first half\n{}\n", pipe.ledger(Hardware::UB));
    // Without this reset the second pool would write what the first may still read.
    first.reset()?;
    add_half(&second, &x_gm, &y_gm, &z_gm, HALF)?;
    second.reset()?;

    compare(&z_gm.to_vec(), &read_f16("add_f16.bin", COUNT)?)?;
    println!("{COUNT} elements identical");
    Ok(())
}

/// Adds `HALF` elements from `start` on, with three queues of the pool.
fn add_half(
    pool: &TBufPool<VECCALC>,
    x_gm: &GlobalTensor<f16>,
    y_gm: &GlobalTensor<f16>,
    z_gm: &GlobalTensor<f16>,
    start: usize,
) -> Result<()> {
    let mut x_que = TQue::<VECIN, 1>::new().named("x");
    let mut y_que = TQue::<VECIN, 1>::new().named("y");
    let mut z_que = TQue::<VECOUT, 1>::new().named("z");
    pool.init_buffer(&mut x_que, 1, BYTES)?;
    pool.init_buffer(&mut y_que, 1, BYTES)?;
    pool.init_buffer(&mut z_que, 1, BYTES)?;
    let part = start..start + HALF;

    let x = x_que.alloc_tensor::<f16>()?;
    data_copy(&x, &x_gm.slice(part.clone())?)?;
    x_que.enque(x)?;
    let y = y_que.alloc_tensor::<f16>()?;
    data_copy(&y, &y_gm.slice(part.clone())?)?;
    y_que.enque(y)?;

    let (x, y) = (x_que.deque::<f16>()?, y_que.deque::<f16>()?);
    let z = z_que.alloc_tensor::<f16>()?;
    add(&z, &x, &y, HALF)?;
    x_que.free_tensor(x)?;
    y_que.free_tensor(y)?;
    z_que.enque(z)?;

    let z = z_que.deque::<f16>()?;
    data_copy(&z_gm.slice(part)?, &z.slice(0..HALF)?)?;
    z_que.free_tensor(z)
}

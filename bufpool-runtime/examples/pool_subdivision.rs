//! A pool with children: z = x + y over 16384 f16 elements in two halves.
//!
//! The parent of 4 x 32768 bytes keeps a queue for x of its own and gives the other half to two
//! children, which share it: the second half of the work carves y and z anew over the same bytes.

mod kernel_data;

use bufpool_runtime::prelude::*;
use kernel_data::{compare, read_f16};

const COUNT: usize = 16384;
const HALF: usize = COUNT / 2;
const BYTES: u32 = 32768;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let x_gm = GlobalTensor::from_vec(read_f16("x_f16.bin", COUNT)?);
    let y_gm = GlobalTensor::from_vec(read_f16("y_f16.bin", COUNT)?);
    let z_gm = GlobalTensor::<f16>::zeros(COUNT);

    let pipe = TPipe::new(Chip::AtlasA2)?;
    let mut parent = TBufPool::<VECCALC, 8>::new().named("parent");
    let mut first = TBufPool::<VECCALC, 2>::new().named("first");
    let mut second = TBufPool::<VECCALC, 2>::new().named("second");
    let mut x_que = TQue::<VECIN, 1>::new().named("x");
    pipe.init_buf_pool(&mut parent, 4 * BYTES)?;
    parent.init_buf_pool(&mut first, 2 * BYTES)?;
    parent.init_buffer(&mut x_que, 1, 2 * BYTES)?;
    parent.init_buf_pool_shared(&mut second, 2 * BYTES, &first)?;

    for (half, pool) in [&mut first, &mut second].into_iter().enumerate() {
        let part = half * HALF..(half + 1) * HALF;
        let mut y_que = TQue::<VECIN, 1>::new().named("y");
        let mut z_que = TQue::<VECOUT, 1>::new().named("z");
        pool.init_buffer(&mut y_que, 1, BYTES)?;
        pool.init_buffer(&mut z_que, 1, BYTES)?;
        println!("half {}\n{}\n", half + 1, pipe.ledger(Hardware::UB));

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
        z_que.free_tensor(z)?;
        pool.reset()?;
    }

    compare(&z_gm.to_vec(), &read_f16("add_f16.bin", COUNT)?)?;
    println!("{COUNT} elements identical");
    Ok(())
}

//! One small kernel with five faults, what the checks say of it, and the kernel put right.
//!
//! ```text
//! cargo run --example find_the_bug
//! ```
//!
//! The kernel scales a vector: z = x * y + bias, tile by tile, and notes the first result of each
//! tile. It gives the right numbers here, as it may on the device, on most days.

use bufpool_runtime::prelude::*;

const TILE: usize = 512;
const TILES: usize = 4;
const TILE_BYTES: u32 = 2 * TILE as u32;

fn main() -> Result<()> {
    let ones = || GlobalTensor::from_vec(vec![f16::from_f32(1.0); TILE * TILES]);
    let (x, y, z) = (ones(), ones(), ones());

    println!("The kernel as it was written:\n");
    let pipe = TPipe::builder(Chip::AtlasA2).checks(Checks::Full).build()?;
    faulty(&pipe, &x, &y, &z)?;
    println!("{}\n", pipe.finish());

    println!("The kernel put right:\n");
    let pipe = TPipe::builder(Chip::AtlasA2).checks(Checks::Full).build()?;
    right(&pipe, &x, &y, &z)?;
    println!("{}", pipe.finish());
    Ok(())
}

fn faulty(
    pipe: &TPipe,
    x_gm: &GlobalTensor<f16>,
    y_gm: &GlobalTensor<f16>,
    z_gm: &GlobalTensor<f16>,
) -> Result<()> {
    let mut x_que = TQue::<VECIN, 1>::new().named("x");
    let (mut y_buf, mut z_buf) =
        (TBuf::<VECIN>::new().named("y"), TBuf::<VECOUT>::new().named("z"));
    pipe.init_buffer(&mut x_que, 2, TILE_BYTES)?;
    pipe.init_tbuf(&mut y_buf, TILE_BYTES)?;
    pipe.init_tbuf(&mut z_buf, TILE_BYTES)?;
    let (y, z) = (y_buf.get::<f16>()?, z_buf.get::<f16>()?);

    // 1: the last 32 elements of y are never written.
    data_copy(&y, &y_gm.slice(0..TILE - 32)?)?;
    let mut firsts = Vec::new();
    for tile in 0..TILES {
        let range = tile * TILE..(tile + 1) * TILE;
        let x = x_que.alloc_tensor::<f16>()?;
        data_copy(&x, &x_gm.slice(range.clone())?)?;
        x_que.enque(x)?;
        let x = x_que.deque::<f16>()?;
        mul(&z, &x, &y, TILE)?;
        adds(&z, &z, f16::from_f32(0.5), TILE)?;
        // 2: the scalar unit does not wait for the vector unit.
        firsts.push(z.get_value(0)?);
        pipe.set_flag(HardEvent::V_MTE3, 0)?;
        pipe.wait_flag(HardEvent::V_MTE3, 0)?;
        // 3: the next tile does not wait for the copy out.
        data_copy(&z_gm.slice(range)?, &z)?;
        if tile + 1 < TILES {
            x_que.free_tensor(x)?;
        } else {
            // 4: the last tensor is never freed.
            let _ = x.addr();
        }
    }
    // 5: set, and waited for nowhere.
    pipe.set_flag(HardEvent::MTE3_V, 0)
}

fn right(
    pipe: &TPipe,
    x_gm: &GlobalTensor<f16>,
    y_gm: &GlobalTensor<f16>,
    z_gm: &GlobalTensor<f16>,
) -> Result<()> {
    let (mut x_que, mut z_que) =
        (TQue::<VECIN, 1>::new().named("x"), TQue::<VECOUT, 1>::new().named("z"));
    let mut y_buf = TBuf::<VECIN>::new().named("y");
    pipe.init_buffer(&mut x_que, 2, TILE_BYTES)?;
    pipe.init_tbuf(&mut y_buf, TILE_BYTES)?;
    pipe.init_buffer(&mut z_que, 2, TILE_BYTES)?;
    let y = y_buf.get::<f16>()?;

    data_copy(&y, &y_gm.slice(0..TILE)?)?;
    let to_scalar = pipe.alloc_event_id(HardEvent::V_S)?;
    let mut firsts = Vec::new();
    for tile in 0..TILES {
        let range = tile * TILE..(tile + 1) * TILE;
        let x = x_que.alloc_tensor::<f16>()?;
        data_copy(&x, &x_gm.slice(range.clone())?)?;
        x_que.enque(x)?;
        let (x, z) = (x_que.deque::<f16>()?, z_que.alloc_tensor::<f16>()?);
        mul(&z, &x, &y, TILE)?;
        adds(&z, &z, f16::from_f32(0.5), TILE)?;
        x_que.free_tensor(x)?;
        pipe.set_flag(HardEvent::V_S, to_scalar)?;
        pipe.wait_flag(HardEvent::V_S, to_scalar)?;
        firsts.push(z.get_value(0)?);
        z_que.enque(z)?;
        let z = z_que.deque::<f16>()?;
        data_copy(&z_gm.slice(range)?, &z)?;
        z_que.free_tensor(z)?;
    }
    pipe.release_event_id(HardEvent::V_S, to_scalar)
}

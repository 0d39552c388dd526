// A tensor of i32 added to one of f32.

use bufpool_runtime::prelude::*;

fn kernel(z: &LocalTensor<f32>, x: &LocalTensor<f32>, y: &LocalTensor<i32>) -> Result<()> {
    add(z, x, y, 8)?;
    Ok(())
}

fn main() {}

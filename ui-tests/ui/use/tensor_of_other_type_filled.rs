// A tensor of f32 filled with integers.

use bufpool_runtime::prelude::*;

fn kernel(z: &LocalTensor<f32>) -> Result<()> {
    duplicate::<i32>(z, 7, 8)?;
    Ok(())
}

fn main() {}

// `add` of two element types.

use bufpool_runtime::prelude::*;

fn kernel(z: &LocalTensor<f32>, x: &LocalTensor<f32>, y: &LocalTensor<f16>) -> Result<()> {
    add(z, x, y, 16)
}

fn main() {}

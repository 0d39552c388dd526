// data goes from one global tensor to another through a local one.

use bufpool_runtime::prelude::*;

fn kernel(a: &GlobalTensor<f32>, b: &GlobalTensor<f32>) -> Result<()> {
    data_copy(a, b)
}

fn main() {}

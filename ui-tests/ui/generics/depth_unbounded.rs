// A queue whose depth is a parameter: it may be 0.

use bufpool_runtime::prelude::*;

fn round<const N: usize>(que: &TQue<VECIN, N>) -> Result<()> {
    let x = que.alloc_tensor::<f32>()?;
    que.free_tensor(x)
}

fn main() {}

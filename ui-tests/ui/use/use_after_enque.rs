// A tensor used after it was enqueued.

use bufpool_runtime::prelude::*;

fn kernel(que: &TQue<VECIN, 1>) -> Result<()> {
    let x = que.alloc_tensor::<f32>()?;
    que.enque(x)?;
    adds(&x, &x, 1.0, 8)?;
    Ok(())
}

fn main() {}

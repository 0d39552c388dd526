// A tensor of f32 enqueued as one of i32.

use bufpool_runtime::prelude::*;

fn kernel(que: &TQue<VECIN, 1>) -> Result<()> {
    let x = que.alloc_tensor::<f32>()?;
    que.enque::<i32>(x)?;
    Ok(())
}

fn main() {}

// A tensor enqueued after it was freed.

use bufpool_runtime::prelude::*;

fn kernel(que: &TQue<VECOUT, 1>) -> Result<()> {
    let x = que.alloc_tensor::<f32>()?;
    que.free_tensor(x)?;
    que.enque(x)?;
    Ok(())
}

fn main() {}

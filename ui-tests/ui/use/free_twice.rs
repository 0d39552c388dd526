// A tensor freed twice.

use bufpool_runtime::prelude::*;

fn kernel(que: &TQue<VECIN, 1>) -> Result<()> {
    let x = que.deque::<f32>()?;
    que.free_tensor(x)?;
    que.free_tensor(x)?;
    Ok(())
}

fn main() {}

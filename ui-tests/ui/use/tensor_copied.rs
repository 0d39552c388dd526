// A tensor is one token: it cannot be cloned.

use bufpool_runtime::prelude::*;

fn kernel(que: &TQue<VECIN, 1>) -> Result<()> {
    let x = que.deque::<f32>()?;
    que.free_tensor(x.clone())?;
    que.free_tensor(x)?;
    Ok(())
}

fn main() {}

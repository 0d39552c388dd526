// A view of a tensor ends where the tensor does.

use bufpool_runtime::prelude::*;

fn kernel(que: &TQue<VECIN, 1>) -> Result<()> {
    let x = que.deque::<f32>()?;
    let view = x.slice(0..8)?;
    que.free_tensor(x)?;
    let _len = view.len();
    Ok(())
}

fn main() {}

// A tensor used after it was freed.

use bufpool_runtime::prelude::*;

fn kernel(que: &TQue<VECIN, 1>) -> Result<()> {
    let x = que.deque::<f32>()?;
    que.free_tensor(x)?;
    let _len = x.len();
    Ok(())
}

fn main() {}

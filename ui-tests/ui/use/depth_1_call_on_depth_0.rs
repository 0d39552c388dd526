// A call of queues on a queue of depth 0.

use bufpool_runtime::prelude::*;

fn kernel(que: &TQue<VECIN, 0>) -> Result<()> {
    let _x = que.alloc_tensor::<f32>()?;
    Ok(())
}

fn main() {}

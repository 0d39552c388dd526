// A tensor is a token, and cannot be cloned.

use bufpool_runtime::prelude::*;

fn kernel(que: &TQue<VECIN, 1>) -> Result<()> {
    let x = que.alloc_tensor::<f32>()?;
    que.free_tensor(x.clone())
}

fn main() {}

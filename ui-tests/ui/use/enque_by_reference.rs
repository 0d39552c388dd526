// `enque` takes the tensor, not a reference to it.

use bufpool_runtime::prelude::*;

fn kernel(que: &TQue<VECIN, 1>) -> Result<()> {
    let x = que.alloc_tensor::<f32>()?;
    que.enque(&x)
}

fn main() {}

// f64 is no element type.

use bufpool_runtime::prelude::*;

fn kernel(que: &TQue<VECIN, 1>) -> Result<()> {
    let x = que.alloc_tensor::<f64>()?;
    que.enque(x)
}

fn main() {}

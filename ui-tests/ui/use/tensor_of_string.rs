// A tensor has elements that the chip knows.

use bufpool_runtime::prelude::*;

fn kernel(que: &TQue<VECIN, 1>) -> Result<()> {
    let _x = que.alloc_tensor::<String>()?;
    Ok(())
}

fn main() {}

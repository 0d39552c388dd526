// An in-place call on a queue of depth 1.

use bufpool_runtime::prelude::*;

fn kernel(que: &TQue<VECIN, 1>) -> Result<()> {
    let _x = que.alloc_in_place::<f32>()?;
    Ok(())
}

fn main() {}

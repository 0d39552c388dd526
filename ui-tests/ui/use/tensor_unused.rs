// A tensor that is dropped at once is lost to its queue.

#![allow(dead_code)]
#![deny(unused_must_use)]

use bufpool_runtime::prelude::*;

fn kernel(que: &TQue<VECIN, 1>) -> Result<()> {
    que.alloc_tensor::<f32>()?;
    Ok(())
}

fn main() {}

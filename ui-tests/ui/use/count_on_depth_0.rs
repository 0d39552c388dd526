// A queue of depth 0 has no count.

use bufpool_runtime::prelude::*;

fn kernel(que: &TQue<VECIN, 0>) -> Result<()> {
    let _count = que.get_tensor_count_in_que()?;
    Ok(())
}

fn main() {}

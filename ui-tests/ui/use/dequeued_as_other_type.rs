// A tensor is dequeued as one type and kept as another.

use bufpool_runtime::prelude::*;

fn kernel(que: &TQue<VECIN, 1>) -> Result<()> {
    let x: LocalTensor<f16> = que.deque::<f32>()?;
    que.free_tensor(x)
}

fn main() {}

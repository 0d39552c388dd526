// A queue of any route from a pool: it may be one of another memory.

use bufpool_runtime::prelude::*;

fn double<S: Position, D: Position, const N: usize>(
    pool: &TBufPool<VECCALC>,
    que: &mut TQueBind<S, D, N>,
) -> Result<()> {
    pool.init_buffer(que, 2, 1024)
}

fn main() {}

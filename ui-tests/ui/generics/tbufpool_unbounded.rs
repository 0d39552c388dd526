// A TBufPool at a type parameter that may be any type.

use bufpool_runtime::prelude::*;

struct Holder<P> {
    pool: TBufPool<P>,
}

impl<P> Holder<P> {
    fn new() -> Self {
        Holder { pool: TBufPool::new() }
    }
}

fn main() {}

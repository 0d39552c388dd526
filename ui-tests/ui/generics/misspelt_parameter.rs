// A misspelt type parameter.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = Postion, bufid_size = 16)]
struct At<Position: PoolPosition> {
    at: core::marker::PhantomData<Position>,
}

fn main() {}

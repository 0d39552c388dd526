// A unit struct with the attribute has a field, so its name is no value any more.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 16)]
struct MyBufPool;

fn main() {
    let _pool = MyBufPool;
}

// A struct literal needs the state as well.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 16)]
struct MyBufPool {
    tiles: u32,
}

fn main() {
    let _pool = MyBufPool { tiles: 4 };
}

// A derive above the attribute does not see the field.

use bufpool_runtime::prelude::*;

#[derive(Default)]
#[extern_impl_bufpool(position = VECCALC, bufid_size = 16)]
struct MyBufPool {
    tiles: u32,
}

include!("../uses.rs");

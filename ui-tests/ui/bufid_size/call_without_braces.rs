// A call is an expression, and goes in braces.

use bufpool_runtime::prelude::*;

const fn blocks() -> u8 {
    4
}

#[extern_impl_bufpool(position = VECCALC, bufid_size = blocks())]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

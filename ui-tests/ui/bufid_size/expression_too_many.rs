// An expression above 255: found by the compiler at the argument.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = { 16 * 16 })]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

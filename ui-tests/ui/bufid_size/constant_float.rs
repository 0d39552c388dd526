// A constant of a type that counts nothing.

use bufpool_runtime::prelude::*;

const BLOCKS: f32 = 4.0;

#[extern_impl_bufpool(position = VECCALC, bufid_size = BLOCKS)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

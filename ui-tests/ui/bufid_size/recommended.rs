// 17 blocks are a warning at the literal, here denied.

#![deny(warnings)]

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 17)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

// `sate` is `state` misspelt: one error at the name.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 16, sate = other)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

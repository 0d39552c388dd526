// `bufidSize` is `bufid_size` misspelt: one error at the name.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufidSize = 16)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

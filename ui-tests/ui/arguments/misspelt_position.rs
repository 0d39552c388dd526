// `positon` is `position` misspelt: one error at the name, and position does not count as missing.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(positon = VECCALC, bufid_size = 16)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

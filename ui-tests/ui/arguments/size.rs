// `size` is another name of `bufid_size`: one error at the name.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, size = 16)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

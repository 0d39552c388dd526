// `=` and nothing after it, at the end: one error at the name.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size =)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

// Another spelling of a position: one error that gives the right one.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VEC_IN, bufid_size = 16)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

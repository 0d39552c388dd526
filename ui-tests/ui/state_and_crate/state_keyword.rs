// `state` takes a name that is no keyword.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 16, state = type)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

// A number in the place of a name.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = 3, bufid_size = 16)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

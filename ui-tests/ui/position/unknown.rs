// Nothing like a position: one error that lists the six.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = SOMEWHERE, bufid_size = 16)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

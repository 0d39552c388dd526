// `state` takes one name, not a path.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 16, state = self.state)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

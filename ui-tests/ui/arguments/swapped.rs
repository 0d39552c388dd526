// The two values are swapped: that is one mistake.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = 16, bufid_size = VECCALC)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

// Two arguments joined by `&&`.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC && bufid_size = 16)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

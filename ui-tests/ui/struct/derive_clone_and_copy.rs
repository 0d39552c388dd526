// A pool can neither be cloned nor copied; both come from one line.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 16)]
#[derive(Clone, Copy, Default)]
struct MyBufPool;

include!("../uses.rs");

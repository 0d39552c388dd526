// TSCM is in L1, but handed out by the pipe from the top.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = TSCM, bufid_size = 16)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

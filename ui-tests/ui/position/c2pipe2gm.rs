// C2PIPE2GM is in FIXBUF, where no pool can be.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = C2PIPE2GM, bufid_size = 16)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

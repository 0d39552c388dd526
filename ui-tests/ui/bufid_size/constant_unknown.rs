// A constant that does not exist: the compiler says so, once.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = BLOCKZ)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

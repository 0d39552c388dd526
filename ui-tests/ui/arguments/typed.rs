// A type between the name and the value, as in a declaration.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position: TPosition = VECCALC, bufid_size = 16)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

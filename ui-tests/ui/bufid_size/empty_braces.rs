// Braces with nothing in them.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = {})]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

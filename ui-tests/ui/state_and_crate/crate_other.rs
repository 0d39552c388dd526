// `crate` names a crate that is not the runtime: the compiler says so, once, at the path.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 16, crate = core)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

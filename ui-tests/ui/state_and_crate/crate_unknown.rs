// `crate` names a crate that does not exist: the compiler says so, once, at the path.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 16, crate = bufpool_runtim)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

// 2 errors: there is no such crate, and the compiler looks for it among macros and among modules.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 16, crate = bufpool_runtim)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

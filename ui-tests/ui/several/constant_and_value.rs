// 2 errors: one by the macro, one by the compiler.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = TSCM, bufid_size = { 2 * 0 })]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

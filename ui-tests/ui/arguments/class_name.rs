// The class of the C++ macro is not needed: one error that says to remove it.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(MyBufPool, position = VECCALC, bufid_size = 16)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

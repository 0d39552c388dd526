// The class of the C++ macro, with a name.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(class = MyBufPool, position = VECCALC, bufid_size = 16)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

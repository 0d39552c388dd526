// LCM is another name of VECCALC.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = LCM, bufid_size = 16)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

// SHM is another name of SPM.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = SHM, bufid_size = 16)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

// A dot between the enum and the name.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = TPosition.VECCALC, bufid_size = 16)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

// The suffix of another integer type.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 16u64)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

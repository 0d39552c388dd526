// More than any integer type can hold.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 999999999999999999999999999999999999999999)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

// 3 errors: one for each struct.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCLAC, bufid_size = 16)]
#[derive(Default)]
struct MyBufPool;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 0)]
#[derive(Default)]
struct Second;

#[extern_impl_bufpool(position = VECCALC)]
#[derive(Default)]
struct Third;

include!("../uses.rs");

// An argument that does not exist: one error at its name that lists the four.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 16, align = 32)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

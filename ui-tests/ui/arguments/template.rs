// The form of a C++ template.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(MyBufPool<VECCALC, 16>)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

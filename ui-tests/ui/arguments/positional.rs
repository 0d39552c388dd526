// The form of the C++ macro: one error that spells it out with names.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(MyBufPool, TPosition::VECCALC, 16)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

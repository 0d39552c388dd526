// The form of the C++ macro with a constant for the size: it is kept in the form shown.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(MyBufPool, TPosition::VECCALC, BLOCKS)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

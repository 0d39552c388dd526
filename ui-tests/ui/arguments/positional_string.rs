// The form of the C++ macro, with the position as a string.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool("VECCALC", 16)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

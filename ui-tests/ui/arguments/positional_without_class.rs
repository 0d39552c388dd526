// Values without names: one error that spells them out with names.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(VECCALC, 16)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

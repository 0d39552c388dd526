// `VECCLAC` is VECCALC misspelt: one error at the value that lists the six.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCLAC, bufid_size = 16)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

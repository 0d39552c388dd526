// `=` is missing: one error at the name that shows the form.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position VECCALC, bufid_size = 16)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

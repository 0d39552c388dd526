// A field is called `bufpool` already: one error at the field, with the way out.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 16)]
#[derive(Default)]
struct MyBufPool {
    bufpool: u32,
}

include!("../uses.rs");

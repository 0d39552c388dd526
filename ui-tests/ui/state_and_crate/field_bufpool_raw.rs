// `r#bufpool` and `bufpool` are the same name.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 16)]
#[derive(Default)]
struct MyBufPool {
    r#bufpool: u32,
}

include!("../uses.rs");

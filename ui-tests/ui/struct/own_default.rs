// A unit struct gets `Default`; one of its own is a second.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 16)]
struct MyBufPool;

impl Default for MyBufPool {
    fn default() -> Self {
        MyBufPool { bufpool: Default::default() }
    }
}

include!("../uses.rs");

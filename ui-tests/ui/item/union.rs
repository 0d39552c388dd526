// A union cannot be a pool: one error at the keyword.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 16)]
union MyBufPool {
    bits: u32,
}

impl Default for MyBufPool {
    fn default() -> Self {
        MyBufPool { bits: 0 }
    }
}

include!("../uses.rs");

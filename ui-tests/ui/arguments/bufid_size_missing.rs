// `bufid_size` is missing: one error at the attribute, the given position stays in the form shown.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECIN)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

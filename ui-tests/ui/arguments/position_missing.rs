// `position` is missing: one error at the attribute, the given size stays in the form shown.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(bufid_size = 8)]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

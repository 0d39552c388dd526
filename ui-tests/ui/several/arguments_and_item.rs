// 3 errors: two in the arguments, and one at the keyword.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = GM, bufid_size = 0)]
#[derive(Default)]
enum MyBufPool {
    #[default]
    Empty,
}

include!("../uses.rs");

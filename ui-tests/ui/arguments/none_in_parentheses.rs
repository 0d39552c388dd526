// Empty parentheses: one error at the attribute that shows the full form.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool()]
#[derive(Default)]
struct MyBufPool;

include!("../uses.rs");

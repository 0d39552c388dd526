// 2 errors: `derive(Default)` above the attribute does not see the field, and is a second `Default`
// of a unit struct. The compiler shows the derive in both.

use bufpool_runtime::prelude::*;

#[derive(Default)]
#[extern_impl_bufpool(position = VECCALC, bufid_size = 16)]
struct MyBufPool;

include!("../uses.rs");

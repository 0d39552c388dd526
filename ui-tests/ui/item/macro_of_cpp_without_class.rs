// The macro of Ascend C without the name of the class.

use bufpool_runtime::prelude::*;

#[derive(Default)]
struct MyBufPool;

EXTERN_IMPL_BUFPOOL!("VECCALC", 16);

include!("../uses.rs");

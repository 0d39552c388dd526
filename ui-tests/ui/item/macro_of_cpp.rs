// The macro of Ascend C.

use bufpool_runtime::prelude::*;

EXTERN_IMPL_BUFPOOL!(MyBufPool, TPosition::VECCALC, 16);

include!("../uses.rs");

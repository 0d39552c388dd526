// The type parameter of the position has no bound.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = P, bufid_size = 16)]
struct At<P>;

type MyBufPool = At<VECCALC>;

include!("../uses.rs");

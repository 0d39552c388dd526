// The type parameter of the position is bounded by the trait of all positions.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = P, bufid_size = 16)]
struct At<P: Position>;

type MyBufPool = At<VECCALC>;

include!("../uses.rs");

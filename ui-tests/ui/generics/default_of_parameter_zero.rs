// The default of the const parameter is 0.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = N)]
struct Blocks<const N: u8 = 0>;

type MyBufPool = Blocks<4>;

include!("../uses.rs");

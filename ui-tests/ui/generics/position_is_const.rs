// A const parameter in the place of the type parameter.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = N, bufid_size = 16)]
#[derive(Default)]
struct Blocks<const N: u8>;

type MyBufPool = Blocks<8>;

include!("../uses.rs");

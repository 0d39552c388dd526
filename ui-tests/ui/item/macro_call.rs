// The attribute, called like a macro.

use bufpool_runtime::prelude::*;

extern_impl_bufpool!(MyBufPool, VECCALC, 16);

fn main() {}

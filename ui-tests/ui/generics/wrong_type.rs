// A position of a queue in the place of a pool position.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = P, bufid_size = 16)]
struct At<P: PoolPosition>;

fn takes(_: &At<A2>) {}

fn main() {}

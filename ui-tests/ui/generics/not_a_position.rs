// A type that is no position at all.

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = P, bufid_size = 16)]
struct At<P: PoolPosition>;

fn takes(_: &At<u32>) {}

fn main() {}

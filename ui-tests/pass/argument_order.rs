// Arguments in any order, with a trailing comma, in any delimiters, on several lines.
#![deny(warnings)]

use bufpool_runtime::{AnyPool, extern_impl_bufpool};

#[extern_impl_bufpool(bufid_size = 16, position = VECCALC)]
struct Swapped;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 16,)]
struct Trailing;

#[extern_impl_bufpool[position = VECCALC, bufid_size = 16]]
struct Brackets;

#[extern_impl_bufpool {
    crate = bufpool_runtime,
    bufid_size = 16,
    state = inner,
    position = VECCALC,
}]
struct Lines;

fn main() {
    let sizes = [Swapped::BUFID_SIZE, Trailing::BUFID_SIZE, Brackets::BUFID_SIZE, Lines::BUFID_SIZE];
    assert_eq!(sizes, [16; 4]);
}

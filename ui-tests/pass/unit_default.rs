// A unit struct gets `Default`, with no bound on its parameters.
#![deny(warnings)]

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 16)]
struct Plain;

#[extern_impl_bufpool(position = P, bufid_size = N)]
struct At<P: PoolPosition, const N: u8 = 4>;

fn make<P: PoolPosition>() -> At<P> {
    At::default()
}

fn main() {
    assert_eq!(Plain::default().get_cur_buf_size(), 0);
    assert_eq!(make::<A1>().get_cur_addr(), 0);
}

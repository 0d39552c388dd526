// The state in a field of another name, next to a field that has the usual one.
#![deny(warnings)]

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 16, state = inner)]
#[derive(Debug, Default)]
struct MyBufPool {
    bufpool: u32,
}

fn main() {
    let pool = MyBufPool { bufpool: 7, inner: Default::default() };
    assert_eq!(pool.bufpool, 7);
    assert!(format!("{pool:?}").contains("inner"));
    assert_eq!(MyBufPool::default().get_cur_addr(), 0);
}

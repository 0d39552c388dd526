// Fields with conditions and attributes of their own.
#![deny(warnings)]

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 16)]
#[derive(Debug, Default)]
struct MyBufPool {
    #[cfg(any())]
    absent: NoSuchType,
    /// There.
    #[cfg(all())]
    present: u8,
    #[allow(dead_code, reason = "the subject: a field keeps its own attributes")]
    unread: u8,
    #[cfg(any())]
    last: NoSuchType,
}

fn main() {
    let pool = MyBufPool { present: 1, unread: 2, bufpool: Default::default() };
    assert_eq!(pool.present, 1);
    assert_eq!(MyBufPool::default().present, 0);
}

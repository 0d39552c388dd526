// Structs inside of functions, closures, constants and blocks.
#![deny(warnings, non_local_definitions)]

use bufpool_runtime::prelude::*;

const IN_CONSTANT: u8 = {
    #[extern_impl_bufpool(position = VECIN, bufid_size = 3)]
    struct MyBufPool;
    MyBufPool::BUFID_SIZE
};

fn in_function<T: std::fmt::Debug>(value: T) -> String {
    const BLOCKS: usize = 5;

    #[extern_impl_bufpool(position = VECIN, bufid_size = BLOCKS, crate = bufpool_runtime)]
    #[derive(Debug)]
    struct MyBufPool<P> {
        value: P,
    }

    let pool = MyBufPool { value, bufpool: Default::default() };
    assert_eq!(pool.get_cur_addr(), 0);
    format!("{:?}", pool.value)
}

fn main() {
    let in_closure = || {
        #[extern_impl_bufpool(position = A1, bufid_size = 7)]
        struct MyBufPool;
        MyBufPool::BUFID_SIZE
    };
    {
        #[extern_impl_bufpool(position = A1, bufid_size = 9)]
        struct MyBufPool;
        assert_eq!(MyBufPool::BUFID_SIZE, 9);
    }
    assert_eq!((IN_CONSTANT, in_closure()), (3, 7));
    assert_eq!(in_function('x'), "'x'");
}

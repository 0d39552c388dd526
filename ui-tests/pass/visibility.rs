// The members are as visible as the struct.
#![deny(warnings, private_interfaces, private_bounds)]

use bufpool_runtime::prelude::*;

mod outer {
    pub mod inner {
        use bufpool_runtime::prelude::*;

        #[extern_impl_bufpool(position = VECIN, bufid_size = 1)]
        pub struct Public;

        #[extern_impl_bufpool(position = VECIN, bufid_size = 2)]
        pub(crate) struct InCrate;

        #[extern_impl_bufpool(position = VECIN, bufid_size = 3)]
        pub(super) struct InSuper;

        #[extern_impl_bufpool(position = VECIN, bufid_size = 4)]
        pub(in crate::outer) struct InOuter;

        #[extern_impl_bufpool(position = VECIN, bufid_size = 5)]
        struct Private;

        pub fn private() -> u8 {
            let mut pool = Private::default();
            pool.set_cur_buf_size(5);
            pool.get_cur_buf_size()
        }
    }

    pub fn restricted() -> [u8; 2] {
        let (mut a, mut b) = (inner::InSuper::default(), inner::InOuter::default());
        a.set_cur_buf_size(3);
        b.set_cur_buf_size(4);
        [a.get_cur_buf_size(), b.get_cur_buf_size()]
    }
}

fn main() {
    assert_eq!(outer::inner::Public::default().get_cur_buf_size(), 0);
    assert_eq!(outer::inner::InCrate::default().get_cur_buf_size(), 0);
    assert_eq!((outer::inner::InCrate::BUFID_SIZE, outer::inner::Public::POSITION), (2, TPosition::VECIN));
    assert_eq!((outer::restricted(), outer::inner::private()), ([3, 4], 5));
}

// Other attributes of the struct, above and below, are kept and do their work.
#![deny(warnings)]

use bufpool_runtime::prelude::*;

/// A pool.
#[doc(alias = "Pool")]
#[extern_impl_bufpool(position = VECCALC, bufid_size = 16)]
#[repr(C)]
#[must_use]
#[non_exhaustive]
#[allow(non_camel_case_types)]
#[cfg_attr(all(), derive(Default))]
#[cfg_attr(any(), derive(Nothing))]
pub struct my_buf_pool;

#[cfg(any())]
#[extern_impl_bufpool(position = NOTHING, bufid_size = 0)]
struct Absent;

#[extern_impl_bufpool(position = NOTHING, bufid_size = 0)]
#[cfg(any())]
struct AbsentToo;

#[extern_impl_bufpool(position = A1, bufid_size = 2)]
#[deprecated(note = "use my_buf_pool")]
pub struct Old;

fn main() {
    let pool = my_buf_pool::default();
    assert_eq!(pool.get_cur_addr(), 0);
}

// Lower-case constants and unit structs of the user's, which a parameter of the same name would
// be compared with.

#![deny(warnings)]
#![allow(dead_code, non_upper_case_globals, non_camel_case_types)]

const index: u8 = 0;
const addr: u32 = 0;
const count: u8 = 0;
const bufpool: u8 = 0;
static blocks: u8 = 0;
struct state;

#[bufpool_runtime::extern_impl_bufpool(position = VECCALC, bufid_size = 16)]
struct MyBufPool;

#[bufpool_runtime::extern_impl_bufpool(position = A1, bufid_size = 16, crate = bufpool_runtime)]
struct AtPath;

/// Not positions, whatever they are called.
mod sizes {
    pub const C1: u8 = 8;
    pub const GM: u8 = 4;
}

#[bufpool_runtime::extern_impl_bufpool(position = C1, bufid_size = sizes::C1)]
struct NamedAsAPosition;

#[bufpool_runtime::extern_impl_bufpool(position = C1, bufid_size = { sizes::GM })]
struct NamedAsAPositionInBraces;

#[deprecated]
const OLD: u8 = 3;

#[allow(deprecated)]
#[bufpool_runtime::extern_impl_bufpool(position = C1, bufid_size = OLD)]
struct AllowsDeprecated;

fn main() {
    AtPath::default().set_cur_addr(32);
    let mut pool = MyBufPool::default();
    pool.set_cur_addr(32);
    pool.set_cur_buf_size(1);
    assert_eq!((pool.get_cur_addr(), pool.get_cur_buf_size()), (32, 1));
}

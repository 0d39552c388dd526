// Types, traits, modules and constants of the user that have the names of things in the output.
#![deny(warnings)]
#![allow(dead_code, non_upper_case_globals, non_camel_case_types)]

struct Result;
struct Option;
struct Vec;
struct TPosition;
struct PoolState;
struct Default;
struct VECCALC;
struct TBufHandle;
struct u8;
struct u32;
struct usize;
enum Some {}
trait BufPool {}
trait Position {}
mod core {}
mod std {}
mod bufpool_runtime {}

const blocks: isize = 4;
const size: isize = 4;
const BUFID_SIZE: isize = 5;
const POSITION: isize = 6;
const __private: isize = 7;

/// Methods that any value has, taken by value so that they are found first.
trait Everything: Sized {
    fn init(self) {}
    fn reset(self) {}
    fn buf_handle(self) {}
    fn cur_addr(self) {}
    fn set_cur_addr(self) {}
    fn expect(self) {}
}

impl<T> Everything for T {}

#[::bufpool_runtime::extern_impl_bufpool(position = VECCALC, bufid_size = 16)]
struct MyBufPool;

#[::bufpool_runtime::extern_impl_bufpool(position = TPosition::VECCALC, bufid_size = BUFID_SIZE)]
struct Constant;

#[::bufpool_runtime::extern_impl_bufpool(position = P, bufid_size = N)]
struct Generic<P: ::bufpool_runtime::PoolPosition, const N: isize>;

#[::bufpool_runtime::extern_impl_bufpool(position = A1, bufid_size = { blocks + 1 })]
struct Local;

/// By its full path: the name in scope is that of the user's trait.
fn size_of<P: ::bufpool_runtime::BufPool>() -> ::core::primitive::u8 {
    P::BUFID_SIZE
}

fn main() {
    let mut pool: MyBufPool = ::core::default::Default::default();
    MyBufPool::set_cur_addr(&mut pool, 64);
    assert!(MyBufPool::get_cur_addr(&pool) == 64);
    assert!(size_of::<Constant>() == 5 && size_of::<Local>() == 5);
    assert!(size_of::<Generic<::bufpool_runtime::position::A1, 9>>() == 9);
}

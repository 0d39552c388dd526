// Without any prelude: nothing that the attribute makes relies on a name in scope.
#![deny(warnings)]
#![no_implicit_prelude]

#[::bufpool_runtime::extern_impl_bufpool(position = VECCALC, bufid_size = 16)]
struct Unit;

#[::bufpool_runtime::extern_impl_bufpool(position = P, bufid_size = { N + 1 }, crate = ::bufpool_runtime)]
struct Generic<P: ::bufpool_runtime::PoolPosition, const N: usize>;

#[::bufpool_runtime::extern_impl_bufpool(position = C1, bufid_size = BLOCKS, state = inner)]
#[allow(deprecated)]
struct Named {
    bufpool: u8,
}

const BLOCKS: u8 = 200;

fn main() {
    let unit: Unit = ::core::default::Default::default();
    let named = Named { bufpool: 3, inner: ::core::default::Default::default() };
    let generic = <Generic<::bufpool_runtime::position::A1, 3> as ::core::default::Default>::default();
    ::core::assert!(unit.get_cur_addr() == named.get_cur_addr() && named.bufpool == 3);
    ::core::assert!(generic.get_cur_buf_size() == 0);
}

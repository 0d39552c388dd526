// Raw identifiers for the struct, its parameters, its fields and the state.
#![deny(warnings)]
#![allow(non_camel_case_types, non_upper_case_globals)]

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = r#VECIN, bufid_size = r#const::r#static, state = r#type)]
struct r#struct {
    r#match: u8,
}

#[extern_impl_bufpool(position = r#impl, bufid_size = r#mut)]
struct r#enum<r#impl: PoolPosition, const r#mut: u8>;

#[extern_impl_bufpool(position = r#P, bufid_size = r#N)]
struct RawOnlyInTheArguments<P: PoolPosition, const N: u8>;

#[extern_impl_bufpool(position = P, bufid_size = { N + 1 })]
struct RawOnlyInTheStruct<r#P: PoolPosition, const r#N: u8>;

mod r#const {
    #[allow(non_upper_case_globals)]
    pub const r#static: u8 = 3;
}

fn main() {
    let pool = r#struct { r#match: 1, r#type: Default::default() };
    assert_eq!((pool.r#match, pool.get_cur_addr(), r#struct::BUFID_SIZE), (1, 0, 3));
    assert_eq!(r#enum::<A1, 4>::default().get_cur_addr(), 0);
    assert_eq!(r#struct::POSITION, TPosition::VECIN);
    assert_eq!(RawOnlyInTheArguments::<A1, 4>::BUFID_SIZE, RawOnlyInTheStruct::<A1, 3>::BUFID_SIZE);
}

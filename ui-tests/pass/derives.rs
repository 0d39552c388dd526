// Derives below the attribute see the field.
#![deny(warnings)]

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 16)]
#[derive(Debug, Default)]
struct Unit;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 16)]
#[derive(::core::default::Default)]
#[derive(Debug)]
struct Named<T> {
    tiles: T,
}

#[derive(Debug)]
#[extern_impl_bufpool(position = VECCALC, bufid_size = 16)]
struct DebugAbove;

fn main() {
    assert!(format!("{:?}", Unit::default()).starts_with("Unit { bufpool: "));
    let named = Named::<u8>::default();
    assert!(format!("{named:?}").starts_with("Named { tiles: 0, bufpool: "));
    assert_eq!(named.tiles, 0);
    assert_eq!(format!("{:?}", DebugAbove::default()), "DebugAbove");
}

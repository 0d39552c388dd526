//! A pool in a module without any name in scope.

#![no_implicit_prelude]

/// Nobody uses it but the constant below.
#[::bufpool_runtime::extern_impl_bufpool(position = VECIN, bufid_size = 4)]
#[derive(::core::fmt::Debug)]
struct Pool;

/// So that the pool is no dead code.
const _: () = ::core::assert!(
    <Pool as ::bufpool_runtime::AnyPool>::BUFID_SIZE == 4,
    "the pool has as many blocks as it asked for"
);

//! Every form of the number of blocks.

use bufpool_runtime::prelude::*;

/// A constant of the type that it is converted to.
const BYTE: u8 = 4;

/// A constant of another.
const WIDE: u128 = 4;

/// From a constant of the right type.
#[extern_impl_bufpool(position = VECIN, bufid_size = BYTE)]
#[derive(Debug)]
#[non_exhaustive]
pub struct FromByte;

/// From a constant of another type.
#[extern_impl_bufpool(position = VECIN, bufid_size = WIDE)]
#[derive(Debug)]
#[non_exhaustive]
pub struct FromWide;

/// From an expression.
#[extern_impl_bufpool(position = VECIN, bufid_size = { BYTE.saturating_mul(2) })]
#[derive(Debug)]
#[non_exhaustive]
pub struct FromExpression;

/// From an associated constant.
#[extern_impl_bufpool(position = VECIN, bufid_size = Self::BLOCKS)]
#[derive(Debug)]
#[non_exhaustive]
pub struct FromSelf;

impl FromSelf {
    /// The number of blocks.
    const BLOCKS: usize = 4;
}

/// By a path to the runtime.
#[extern_impl_bufpool(position = VECIN, bufid_size = 4, crate = bufpool_runtime)]
#[derive(Debug)]
#[non_exhaustive]
pub struct AtPath;

/// With a warning silenced in the ordinary way.
#[extern_impl_bufpool(position = VECIN, bufid_size = 32)]
#[expect(deprecated, reason = "a test of more blocks than are recommended")]
#[derive(Debug)]
#[non_exhaustive]
pub struct Many;

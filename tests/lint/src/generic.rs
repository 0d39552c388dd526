//! Pools with parameters.

use bufpool_runtime::prelude::*;

/// A pool of any memory and any number of blocks.
#[extern_impl_bufpool(position = P, bufid_size = BLOCKS)]
#[derive(Debug)]
#[non_exhaustive]
pub struct At<P: PoolPosition, const BLOCKS: usize = 4>;

/// A pool that borrows what it is named by.
#[extern_impl_bufpool(position = A1, bufid_size = BLOCKS, state = inner)]
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Named<'name, const BLOCKS: u8> {
    /// The name.
    name: &'name str,
}

impl<'name, const BLOCKS: u8> Named<'name, BLOCKS> {
    /// The name.
    #[inline]
    #[must_use]
    pub const fn name(&self) -> &'name str {
        self.name
    }
}

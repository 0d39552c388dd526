//! Pools of a crate that has the runtime only through another crate, and says so with `crate`.

#![forbid(unsafe_code)]

use bufpool_test_vendor::npu;
use npu::extern_impl_bufpool;

/// By the path in full.
#[extern_impl_bufpool(position = VECCALC, bufid_size = 16, crate = bufpool_test_vendor::npu)]
#[derive(Debug)]
pub struct Full;

/// By a name that is imported.
#[extern_impl_bufpool(crate = npu, position = A1, bufid_size = { 2 + 2 })]
#[derive(Debug, Default)]
pub struct Imported {
    /// Length of a tile in bytes.
    pub len: u32,
}

/// By a module that re-exports everything.
#[extern_impl_bufpool(position = P, bufid_size = N, crate = ::bufpool_test_vendor::parts)]
#[derive(Debug)]
pub struct Glob<P: npu::PoolPosition, const N: usize>;

#[cfg(test)]
mod tests {
    use super::{Full, Glob, Imported};
    use bufpool_test_vendor::npu::prelude::*;

    #[test]
    fn all_work() -> Result<()> {
        let pipe = TPipe::new(Chip::AtlasA2)?;
        let (mut full, mut imported) = (Full::default(), Imported::default());
        let mut glob = Glob::<VECOUT, 8>::default();
        pipe.init_buf_pool(&mut full, 1024)?;
        pipe.init_buf_pool(&mut imported, 1024)?;
        pipe.init_buf_pool(&mut glob, 1024)?;
        assert!(full.get_buf_handle(15).is_ok());
        assert!(imported.get_buf_handle(4).is_err());
        assert!(glob.get_buf_handle(8).is_err());
        Ok(())
    }
}

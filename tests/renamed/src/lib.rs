//! The runtime under the name `npu_pools`. The attribute finds it without being told: here, in
//! unit tests, in integration tests and in the example of the documentation.
//!
//! ```
//! use npu_pools::prelude::*;
//!
//! #[extern_impl_bufpool(position = A1, bufid_size = 4)]
//! struct Tiles;
//!
//! # fn main() -> Result<()> {
//! let pipe = TPipe::new(Chip::AtlasA2)?;
//! pipe.init_buf_pool(&mut Tiles::default(), 1024)
//! # }
//! ```

#![forbid(unsafe_code)]

use npu_pools::extern_impl_bufpool;

/// A pool of a library.
#[extern_impl_bufpool(position = VECCALC, bufid_size = 16)]
#[derive(Debug)]
pub struct MyBufPool;

#[cfg(test)]
mod tests {
    use super::MyBufPool;

    #[npu_pools::extern_impl_bufpool(position = P, bufid_size = N)]
    struct At<P: npu_pools::PoolPosition, const N: u8>;

    #[test]
    fn same_trait() {
        fn size<P: npu_pools::BufPool>(_: &P) -> u8 {
            P::BUFID_SIZE
        }
        assert_eq!(size(&MyBufPool::default()), 16);
        assert_eq!(size(&At::<npu_pools::position::B1, 3>::default()), 3);
    }
}

// More than 16 blocks are a warning, which is silenced on the struct in the ordinary ways.
#![deny(warnings)]

use bufpool_runtime::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 17)]
#[allow(deprecated)]
struct Allowed;

#[expect(deprecated)]
#[extern_impl_bufpool(position = VECCALC, bufid_size = 255)]
#[derive(Debug, Default)]
struct Expected;

#[allow(deprecated)]
mod inner {
    #[super::extern_impl_bufpool(position = P, bufid_size = 64, state = inner)]
    #[derive(Debug)]
    pub struct Parameter<P: super::PoolPosition>;
}

/// The last that needs no silencing.
#[extern_impl_bufpool(position = VECCALC, bufid_size = 16)]
struct Sixteen;

fn main() -> Result<()> {
    let pipe = TPipe::new(Chip::AtlasA2)?;
    let mut pool = Expected::default();
    pipe.init_buf_pool(&mut pool, 8192)?;
    pool.get_buf_handle(254)?;
    let sizes = [Allowed::BUFID_SIZE, inner::Parameter::<A1>::BUFID_SIZE, Sixteen::BUFID_SIZE];
    assert_eq!(sizes, [17, 64, 16]);
    assert!(format!("{pool:?}").starts_with("Expected { bufpool: PoolState"));
    assert_eq!(inner::Parameter::<A1>::default().get_cur_addr(), 0);
    Ok(())
}

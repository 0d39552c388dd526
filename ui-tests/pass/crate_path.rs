// The runtime by another path.
#![deny(warnings)]

mod vendor {
    pub mod npu {
        pub use bufpool_runtime::*;
    }
    pub use bufpool_runtime as pools;
}

use vendor::npu::AnyPool;
use vendor::pools as renamed;

#[renamed::extern_impl_bufpool(position = VECCALC, bufid_size = 16, crate = renamed)]
struct Imported;

#[renamed::extern_impl_bufpool(position = VECCALC, bufid_size = 16, crate = crate::vendor::pools)]
struct FromCrate;

#[renamed::extern_impl_bufpool(position = VECCALC, bufid_size = 16, crate = self::vendor::pools)]
struct FromSelf;

#[renamed::extern_impl_bufpool(crate = ::bufpool_runtime, position = VECCALC, bufid_size = 16)]
struct Global;

fn main() {
    let sizes = [Imported::BUFID_SIZE, FromCrate::BUFID_SIZE, FromSelf::BUFID_SIZE, Global::BUFID_SIZE];
    assert_eq!(sizes, [16; 4]);
    assert_eq!(vendor::npu::TPosition::VECCALC, Imported::POSITION);
}

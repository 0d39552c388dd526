// Every spelling of a number of blocks.
#![deny(warnings)]

use bufpool_runtime::{AnyPool, extern_impl_bufpool};

const BYTE: u8 = 3;
const USIZE: usize = 3;
const SIGNED: i32 = 3;
const WIDE: u128 = 3;

mod sizes {
    pub const THREE: u16 = 3;
}

const fn three() -> usize {
    3
}

trait Sized4<T, U> {
    const BLOCKS: usize;
}

impl Sized4<u8, u16> for u32 {
    const BLOCKS: usize = 3;
}

struct Shape<const N: usize>;

impl<const N: usize> Shape<N> {
    const BLOCKS: usize = N;
}

macro_rules! pools {
    ($($name:ident: $size:tt;)*) => {
        $(
            #[extern_impl_bufpool(position = VECIN, bufid_size = $size)]
            struct $name;
            assert_eq!($name::BUFID_SIZE, 3);
            assert_eq!(<$name as bufpool_runtime::AnyPool>::BUFID_SIZE, 3);
        )*
    };
}

fn main() {
    pools! {
        S1: 3;
        S2: 3u8;
        S3: 3usize;
        S4: 0x03;
        S5: 0b0000_0011;
        S6: 0o3_usize;
        S7: BYTE;
        S8: USIZE;
        S9: SIGNED;
        S10: WIDE;
        S11: { 1 + 2 };
        S12: { let one = 1; one + 2 };
        S13: { three() };
        S14: { <u32 as Sized4<u8, u16>>::BLOCKS };
    }

    #[extern_impl_bufpool(position = VECIN, bufid_size = sizes::THREE)]
    struct Path;
    #[extern_impl_bufpool(position = VECIN, bufid_size = crate::sizes::THREE)]
    struct Crate;
    #[extern_impl_bufpool(position = VECIN, bufid_size = <u32 as Sized4<u8, u16>>::BLOCKS)]
    struct Qualified;
    #[extern_impl_bufpool(bufid_size = Shape::<{ 1 + 2 }>::BLOCKS, position = VECIN)]
    struct Turbofish;
    #[extern_impl_bufpool(position = VECIN, bufid_size = Self::BLOCKS)]
    struct Own;
    #[extern_impl_bufpool(position = VECIN, bufid_size = { Self::BLOCKS + 1 })]
    struct Borrowing<'a> {
        name: &'a str,
    }

    impl Own {
        const BLOCKS: u8 = 3;
    }

    impl Borrowing<'_> {
        const BLOCKS: usize = 2;
    }

    let sizes = [Path::BUFID_SIZE, Crate::BUFID_SIZE, Qualified::BUFID_SIZE, Turbofish::BUFID_SIZE];
    assert_eq!(sizes, [3; 4]);
    assert_eq!([Own::BUFID_SIZE, Borrowing::BUFID_SIZE], [3; 2]);
    let borrowing = Borrowing { name: "x", bufpool: Default::default() };
    assert_eq!(borrowing.name, "x");
}

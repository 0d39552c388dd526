// Each of the six positions, bare and in every spelling of a path. Nothing has to be imported.
#![deny(warnings)]

use bufpool_runtime::{AnyPool, extern_impl_bufpool};

macro_rules! pools {
    ($($name:ident: $($position:tt)::+, $last:ident;)*) => {
        $(
            #[extern_impl_bufpool(position = $($position)::+, bufid_size = 1)]
            struct $name;
            assert_eq!($name::POSITION, bufpool_runtime::TPosition::$last);
            assert_eq!(position_of::<$name>(), bufpool_runtime::TPosition::$last);
        )*
    };
}

fn position_of<P: bufpool_runtime::BufPool>() -> bufpool_runtime::TPosition {
    <P::Pos as bufpool_runtime::Position>::POSITION
}

fn main() {
    pools! {
        P1: VECIN, VECIN;
        P2: VECOUT, VECOUT;
        P3: VECCALC, VECCALC;
        P4: A1, A1;
        P5: B1, B1;
        P6: C1, C1;
        P7: TPosition::VECIN, VECIN;
        P8: bufpool_runtime::TPosition::B1, B1;
        P9: bufpool_runtime::position::C1, C1;
        P10: AscendC::TPosition::VECCALC, VECCALC;
    }

    #[extern_impl_bufpool(position = ::bufpool_runtime::TPosition::VECOUT, bufid_size = 1)]
    struct P11;
    assert_eq!(P11::POSITION, bufpool_runtime::TPosition::VECOUT);
}

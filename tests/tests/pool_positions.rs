//! Which buffers a pool takes by their type: those that are in UB or L1 on some chip.

use std::marker::PhantomData;

use bufpool_runtime::prelude::*;
use bufpool_runtime::{Hardware, InPool, PoolEnd, TPosition};

struct Queue<S, D>(PhantomData<(S, D)>);
struct Buffer<P>(PhantomData<P>);

/// What holds where the constants below do not: of constants with one name, the compiler takes
/// those of the type itself first, if their bounds are met.
trait Refused {
    const TAKEN: bool = false;
}
impl<S, D> Refused for Queue<S, D> {}
impl<P> Refused for Buffer<P> {}

impl<S: Position, D: PoolEnd<S>> Queue<S, D> {
    const TAKEN: bool = true;
}
impl<P: InPool> Buffer<P> {
    const TAKEN: bool = true;
}

fn on_some_chip(src: TPosition, dst: TPosition) -> bool {
    Chip::ALL.iter().any(|chip| {
        let spec = chip.spec();
        matches!(spec.hardware(spec.queue_position(src, dst)), Hardware::UB | Hardware::L1)
    })
}

macro_rules! check {
    ($($src:ident)*) => { check!(@ [$($src)*] $($src)*); };
    (@ $all:tt $($src:ident)*) => {
        $(
            assert_eq!(Buffer::<$src>::TAKEN, on_some_chip($src::POSITION, $src::POSITION), stringify!($src));
            check!(@@ $src $all);
        )*
    };
    (@@ $src:ident [$($dst:ident)*]) => {
        $(assert_eq!(
            Queue::<$src, $dst>::TAKEN,
            on_some_chip($src::POSITION, $dst::POSITION),
            concat!(stringify!($src), " to ", stringify!($dst)),
        );)*
    };
}

#[test]
fn types_agree_with_the_chips() {
    check!(GM A1 A2 B1 B2 C1 C2 CO1 CO2 VECIN VECOUT VECCALC SPM TSCM C2PIPE2GM C2PIPE2LOCAL);
}

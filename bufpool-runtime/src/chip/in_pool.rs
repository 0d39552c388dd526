//! Queues and TBufs that no pool can have, seen when a program is built.
//!
//! `TBufPool` says so in its signatures, by [`PoolEnd`](crate::PoolEnd) and
//! [`InPool`](crate::InPool). The signatures of a custom pool are its user's and have no such
//! bound, so the call in them that binds a queue to the pool's records looks.

use crate::chip::Chip;
use crate::position::{Hardware, TPosition};

/// Ends the build if a queue on this route is in UB or L1 on no chip. In which of the two it is, and
/// whether the pool is there too, is known when the program runs.
#[track_caller]
pub(crate) const fn check_in_pool(src: TPosition, dst: TPosition) {
    if !in_pool(src, dst) {
        refuse(Chip::ALL[0].spec().queue_position(src, dst));
    }
}

const fn in_pool(src: TPosition, dst: TPosition) -> bool {
    let mut chip = 0;
    while chip < Chip::ALL.len() {
        let spec = Chip::ALL[chip].spec();
        if matches!(spec.hardware(spec.queue_position(src, dst)), Hardware::UB | Hardware::L1) {
            return true;
        }
        chip += 1;
    }
    false
}

/// One message for each position, since a constant cannot format one.
macro_rules! refuse {
    ($position:ident: $($name:ident)*) => {
        match $position {
            $(TPosition::$name => panic!(concat!(
                "a queue or TBuf at ", stringify!($name), " cannot come from a pool: it is not in UB or L1 on any chip\n",
                "help: the pipe has the other memories: `pipe.init_buffer(&mut que, num, len)`, or `pipe.init_tbuf(&mut buf, len)`",
            )),)*
        }
    };
}

#[track_caller]
const fn refuse(position: TPosition) -> ! {
    refuse!(position: GM A1 A2 B1 B2 C1 C2 CO1 CO2 VECIN VECOUT VECCALC SPM TSCM C2PIPE2GM C2PIPE2LOCAL)
}

#[cfg(test)]
mod tests {
    use super::in_pool;
    use crate::position::TPosition::*;

    #[test]
    fn routes_that_leave_the_core_stand_where_they_come_from() {
        for (src, dst, expected) in [
            (GM, VECIN, true),
            (VECOUT, GM, true),
            (GM, A1, true),
            (A1, A2, false),
            (B1, B2, false),
            (C1, C2, false),
            (CO1, CO2, false),
            (CO2, GM, true),
            (CO1, GM, false),
            (B1, C2PIPE2GM, true),
        ] {
            assert_eq!(in_pool(src, dst), expected, "{src} to {dst}");
        }
    }
}

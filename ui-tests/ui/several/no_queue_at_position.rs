// 2 errors: there is no queue at VECCALC, for which the compiler asks at both ends of its route.

use bufpool_runtime::prelude::*;

fn kernel(_que: &TQue<VECCALC, 1>) {}

fn main() {}

// 2 errors: there is no queue at VECCALC, which the compiler says of the reference and of its target.

use bufpool_runtime::prelude::*;

fn kernel(_que: &TQue<VECCALC, 1>) {}

fn main() {}

// There is no queue at VECCALC.

use bufpool_runtime::prelude::*;

fn kernel(_que: &TQue<VECCALC, 1>) {}

fn main() {}

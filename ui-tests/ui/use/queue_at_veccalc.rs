// Scratch at VECCALC is a TBuf.

use bufpool_runtime::prelude::*;

struct Kernel {
    _scratch: TQue<VECCALC, 1>,
}

fn main() {}

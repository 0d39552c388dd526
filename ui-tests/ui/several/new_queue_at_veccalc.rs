// 2 errors: there is no queue at VECCALC, which the compiler says of the type and of the call.

use bufpool_runtime::prelude::*;

fn main() {
    let _scratch = TQue::<VECCALC, 1>::new();
}

// A TBufPool cannot live at CO1.

use bufpool_runtime::prelude::*;

fn main() {
    let _pool = TBufPool::<CO1>::new();
}

// A position as a value, where a type is needed.

use bufpool_runtime::prelude::*;

fn kernel(_que: &TQue<TPosition::VECIN, 1>) {}

fn main() {}

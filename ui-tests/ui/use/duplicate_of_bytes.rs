// An operation and an element type that it does not take.

use bufpool_runtime::prelude::*;

fn kernel(z: &LocalTensor<u8>) -> Result<()> {
    duplicate(z, 7, 8)?;
    Ok(())
}

fn main() {}

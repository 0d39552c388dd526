//! The data of the examples: raw little-endian f16 files, and the comparison bit for bit.

use std::error::Error;
use std::path::Path;

use bufpool_runtime::prelude::f16;

/// The first `count` elements of a file.
pub fn read_f16(name: &str, count: usize) -> Result<Vec<f16>, Box<dyn Error>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/kernels").join(name);
    let bytes = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let (pairs, _) = bytes.as_chunks::<2>();
    if pairs.len() < count {
        return Err(format!("{} has {} elements, not {count}", path.display(), pairs.len()).into());
    }
    Ok(pairs[..count].iter().map(|&pair| f16::from_le_bytes(pair)).collect())
}

/// Fails with the first element that differs; any NaN equals any other.
pub fn compare(found: &[f16], expected: &[f16]) -> Result<(), Box<dyn Error>> {
    let same = |a: f16, b: f16| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
    if found.len() != expected.len() {
        return Err(format!("{} elements, expected {}", found.len(), expected.len()).into());
    }
    match found.iter().zip(expected).position(|(&a, &b)| !same(a, b)) {
        None => Ok(()),
        Some(at) => Err(format!(
            "element {at} differs: found {} ({:#06x}), expected {} ({:#06x})",
            found[at],
            found[at].to_bits(),
            expected[at],
            expected[at].to_bits()
        )
        .into()),
    }
}

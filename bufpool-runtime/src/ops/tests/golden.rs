//! The operations against results that were calculated elsewhere.

use std::fs;
use std::path::Path;

use super::{Desk, assert_same};
use crate::error::Result;
use crate::ops::element::{Element, f16};
use crate::ops::{abs, add, adds, div, max, min, mul, muls, relu, sqrt, sub};
use crate::tensor::LocalTensor;

fn file<T: Element>(name: &str) -> Vec<T> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/kernels").join(name);
    let bytes = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut elements = vec![T::default(); bytes.len() / size_of::<T>()];
    T::as_bytes_mut(&mut elements).copy_from_slice(&bytes);
    elements
}

/// Runs one operation on `x.bin` and `y.bin` of a folder and compares with the file of the same
/// name.
fn check<T: Element>(
    folder: &str,
    name: &str,
    run: impl Fn(&LocalTensor<T>, &LocalTensor<T>, &LocalTensor<T>, usize) -> Result<()>,
) {
    let desk = Desk::a2();
    let (x, y) = (file::<T>(&format!("{folder}/x.bin")), file::<T>(&format!("{folder}/y.bin")));
    let x = desk.put(0, &x);
    let y = desk.put(16384, &y);
    let z = desk.ub(32768, x.len());
    run(&z, &x, &y, x.len()).unwrap();
    let name = format!("{folder}/{name}.bin");
    assert_same(&desk.get(&z), &file(&name), &name);
}

#[test]
fn the_sum_of_65536_halves_tile_by_tile() {
    let desk = Desk::a2();
    let (x, y) = (file::<f16>("x_f16.bin"), file::<f16>("y_f16.bin"));
    let mut sums = Vec::new();
    for (x, y) in x.chunks(4096).zip(y.chunks(4096)) {
        let (x, y) = (desk.put(0, x), desk.put(8192, y));
        let z = desk.ub(16384, x.len());
        add(&z, &x, &y, x.len()).unwrap();
        sums.extend(desk.get(&z));
    }
    assert_eq!(sums.len(), 65536);
    assert_same(&sums, &file("add_f16.bin"), "add_f16.bin");
}

#[test]
fn elementwise_f16() {
    let folder = "elementwise_f16";
    check::<f16>(folder, "sub", |z, x, y, n| sub(z, x, y, n));
    check::<f16>(folder, "mul", |z, x, y, n| mul(z, x, y, n));
    check::<f16>(folder, "div", |z, x, y, n| div(z, x, y, n));
    check::<f16>(folder, "max", |z, x, y, n| max(z, x, y, n));
    check::<f16>(folder, "min", |z, x, y, n| min(z, x, y, n));
    check::<f16>(folder, "abs", |z, x, _, n| abs(z, x, n));
    check::<f16>(folder, "relu", |z, x, _, n| relu(z, x, n));
    check::<f16>(folder, "adds_1.5", |z, x, _, n| adds(z, x, f16::from_f32(1.5), n));
    check::<f16>(folder, "muls_0.1", |z, x, _, n| muls(z, x, f16::from_f32(0.1), n));
    check::<f16>(folder, "sqrt", |z, x, _, n| abs(z, x, n).and_then(|()| sqrt(z, z, n)));
}

#[test]
fn elementwise_f32() {
    let folder = "elementwise_f32";
    check::<f32>(folder, "add", |z, x, y, n| add(z, x, y, n));
    check::<f32>(folder, "sub", |z, x, y, n| sub(z, x, y, n));
    check::<f32>(folder, "mul", |z, x, y, n| mul(z, x, y, n));
    check::<f32>(folder, "div", |z, x, y, n| div(z, x, y, n));
    check::<f32>(folder, "abs", |z, x, _, n| abs(z, x, n));
    check::<f32>(folder, "sqrt", |z, x, _, n| abs(z, x, n).and_then(|()| sqrt(z, z, n)));
}

#[test]
fn every_file_is_tested() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/kernels");
    let count = |folder: &str| fs::read_dir(data.join(folder)).unwrap().count();
    // The inputs and the results named above.
    assert_eq!(count("elementwise_f16"), 2 + 10);
    assert_eq!(count("elementwise_f32"), 2 + 6);
}

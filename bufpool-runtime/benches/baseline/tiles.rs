//! Work on plain slices: tiles copied in, calculated, copied out; the best that safe Rust with
//! `half` does.

use bufpool_runtime::ops::f16;
use half::slice::HalfFloatSliceExt;

/// Elements that are widened at a time.
const BLOCK: usize = 256;

/// An element type with its addition of slices.
pub trait Add: bufpool_runtime::ops::Arithmetic {
    fn add_slices(z: &mut [Self], x: &[Self], y: &[Self]);
    fn number(i: usize) -> Self;
}

impl Add for f32 {
    fn add_slices(z: &mut [Self], x: &[Self], y: &[Self]) {
        for ((z, x), y) in z.iter_mut().zip(x).zip(y) {
            *z = x + y;
        }
    }

    #[allow(clippy::cast_precision_loss, reason = "small numbers as data")]
    fn number(i: usize) -> Self {
        (i % 1000) as f32
    }
}

impl Add for f16 {
    fn add_slices(z: &mut [Self], x: &[Self], y: &[Self]) {
        let (mut wide_x, mut wide_y) = ([0.0; BLOCK], [0.0; BLOCK]);
        let blocks = z.chunks_mut(BLOCK).zip(x.chunks(BLOCK)).zip(y.chunks(BLOCK));
        for ((z, x), y) in blocks {
            let (wide_x, wide_y) = (&mut wide_x[..x.len()], &mut wide_y[..y.len()]);
            x.convert_to_f32_slice(wide_x);
            y.convert_to_f32_slice(wide_y);
            for (x, y) in wide_x.iter_mut().zip(&*wide_y) {
                *x += *y;
            }
            z.convert_from_f32_slice(wide_x);
        }
    }

    #[allow(clippy::cast_precision_loss, reason = "small numbers as data")]
    fn number(i: usize) -> Self {
        f16::from_f32((i % 1000) as f32)
    }
}

/// On-chip memory by hand: one or two buffers for each tensor, taken in turn.
pub struct Tiles<T> {
    x: Vec<Vec<T>>,
    y: Vec<Vec<T>>,
    z: Vec<Vec<T>>,
}

impl<T: Add> Tiles<T> {
    /// `tile` in elements.
    pub fn new(tile: usize, blocks: usize) -> Self {
        let buffers = || vec![vec![T::default(); tile]; blocks];
        Tiles { x: buffers(), y: buffers(), z: buffers() }
    }

    /// `z = x + y`, tile by tile.
    pub fn add(&mut self, z: &mut [T], x: &[T], y: &[T]) {
        let tile = self.x[0].len();
        let tiles = z.chunks_mut(tile).zip(x.chunks(tile)).zip(y.chunks(tile));
        for (i, ((z, x), y)) in tiles.enumerate() {
            let block = i % self.x.len();
            self.x[block].copy_from_slice(x);
            self.y[block].copy_from_slice(y);
            T::add_slices(&mut self.z[block], &self.x[block], &self.y[block]);
            z.copy_from_slice(&self.z[block]);
        }
    }
}

/// e to the power of each element, by the host's function.
pub fn exp_by_host(dst: &mut [f32], src: &[f32]) {
    for (d, s) in dst.iter_mut().zip(src) {
        *d = s.exp();
    }
}

/// The sum in as many lanes as the host adds at a time.
pub fn sum_in_lanes(src: &[f32]) -> f32 {
    const LANES: usize = 32;
    let mut sums = [0.0; LANES];
    let (whole, rest) = src.as_chunks::<LANES>();
    for chunk in whole {
        for (sum, x) in sums.iter_mut().zip(chunk) {
            *sum += x;
        }
    }
    sums.iter().chain(rest).sum()
}

/// The sum in the order of the vector unit: neighbours, then neighbours of those.
pub fn sum_by_neighbours(src: &[f32]) -> f32 {
    let mut sums = src.to_vec();
    while sums.len() > 1 {
        let half = sums.len() / 2;
        for i in 0..half {
            sums[i] = sums[2 * i] + sums[2 * i + 1];
        }
        sums.truncate(half);
    }
    sums[0]
}

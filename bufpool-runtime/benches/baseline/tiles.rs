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

/// Elements that start at a chosen place within a page of the host: left to chance, one run in
/// some copies 30 times as slowly (see `aligned.rs` of the library).
pub struct Buffer<T> {
    elements: Vec<T>,
    skip: usize,
}

impl<T: Copy + Default> Buffer<T> {
    const PAGE: usize = 4096;

    fn new(len: usize, place: usize) -> Self {
        let page = Self::PAGE / size_of::<T>();
        let elements = vec![T::default(); len + page];
        let to_page = elements.as_ptr().align_offset(Self::PAGE);
        Buffer { skip: (to_page + place / size_of::<T>()) % page, elements }
    }

    /// As global memory.
    pub fn global(elements: &[T]) -> Self {
        Buffer::new(elements.len(), 0).with(elements)
    }

    /// The elements in memory of a core.
    pub fn local_of(elements: &[T]) -> Self {
        Buffer::local(elements.len()).with(elements)
    }

    fn with(mut self, elements: &[T]) -> Self {
        self.get_mut(elements.len()).copy_from_slice(elements);
        self
    }

    /// As memory of a core.
    pub fn local(len: usize) -> Self {
        Buffer::new(len, Self::PAGE / 2)
    }

    pub fn get(&self, len: usize) -> &[T] {
        &self.elements[self.skip..self.skip + len]
    }

    pub fn get_mut(&mut self, len: usize) -> &mut [T] {
        &mut self.elements[self.skip..self.skip + len]
    }
}

/// On-chip memory by hand: one or two buffers for each tensor, taken in turn.
pub struct Tiles<T> {
    tile: usize,
    x: Vec<Buffer<T>>,
    y: Vec<Buffer<T>>,
    z: Vec<Buffer<T>>,
}

impl<T: Add> Tiles<T> {
    /// `tile` in elements.
    pub fn new(tile: usize, blocks: usize) -> Self {
        let buffers = || (0..blocks).map(|_| Buffer::local(tile)).collect();
        Tiles { tile, x: buffers(), y: buffers(), z: buffers() }
    }

    /// `z = x + y`, tile by tile.
    pub fn add(&mut self, z: &mut [T], x: &[T], y: &[T]) {
        let tile = self.tile;
        let tiles = z.chunks_mut(tile).zip(x.chunks(tile)).zip(y.chunks(tile));
        for (i, ((z, x), y)) in tiles.enumerate() {
            let block = i % self.x.len();
            let (local_x, local_y) = (self.x[block].get_mut(tile), self.y[block].get_mut(tile));
            local_x.copy_from_slice(x);
            local_y.copy_from_slice(y);
            let local_z = self.z[block].get_mut(tile);
            T::add_slices(local_z, local_x, local_y);
            z.copy_from_slice(local_z);
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

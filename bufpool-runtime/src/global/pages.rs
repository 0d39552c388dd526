//! The bytes of one global buffer, in pages that are locked one by one: cores that work on
//! different pages never wait for each other.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use crate::aligned::{self, Aligned};

/// Bytes of a page. A tile of up to this size touches one or two of them.
pub(crate) const PAGE: usize = 64 * 1024;

/// A page has a cache line to itself, so that locking it disturbs no neighbour.
#[repr(align(64))]
struct Page(RwLock<Aligned>);

impl Page {
    fn zeros(bytes: usize) -> Self {
        Page(RwLock::new(Aligned::zeros(bytes, aligned::GLOBAL)))
    }

    // Whoever panicked while it held the lock was copying bytes: they are bytes still.
    fn read(&self) -> RwLockReadGuard<'_, Aligned> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Aligned> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A buffer in global memory.
pub struct Pages {
    id: u64,
    pages: Box<[Page]>,
}

impl Pages {
    pub fn zeros(bytes: usize) -> Self {
        static NEXT_ID: AtomicU64 = AtomicU64::new(0);
        let sizes = (0..bytes).step_by(PAGE).map(|start| PAGE.min(bytes - start));
        Pages {
            id: NEXT_ID.fetch_add(1, Ordering::Relaxed),
            pages: sizes.map(Page::zeros).collect(),
        }
    }

    pub fn from_bytes(bytes: &[u8]) -> Self {
        let pages = Pages::zeros(bytes.len());
        pages.write(0, bytes);
        pages
    }

    /// Tells buffers apart, unique in the process.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// Copies the bytes from `offset` on into `out`. What lies past the buffer is left as it was:
    /// callers check the range.
    #[inline]
    pub fn read(&self, mut offset: usize, mut out: &mut [u8]) {
        while !out.is_empty() {
            let start = offset % PAGE;
            let (now, rest) = out.split_at_mut(out.len().min(PAGE - start));
            if let Some(page) = self.pages.get(offset / PAGE)
                && let Some(bytes) = page.read().bytes().get(start..start + now.len())
            {
                now.copy_from_slice(bytes);
            }
            offset += now.len();
            out = rest;
        }
    }

    /// Copies `bytes` to `offset`.
    #[inline]
    pub fn write(&self, offset: usize, bytes: &[u8]) {
        self.update(offset, bytes, <[u8]>::copy_from_slice);
    }

    /// Gives `f` the bytes that lie from `offset` on, to be changed, with as many of `bytes`, page
    /// by page. No other core sees a page between its old and its new bytes.
    #[inline]
    pub fn update(&self, mut offset: usize, mut bytes: &[u8], f: impl Fn(&mut [u8], &[u8])) {
        while !bytes.is_empty() {
            let start = offset % PAGE;
            let (now, rest) = bytes.split_at(bytes.len().min(PAGE - start));
            if let Some(page) = self.pages.get(offset / PAGE)
                && let Some(there) = page.write().bytes_mut().get_mut(start..start + now.len())
            {
                f(there, now);
            }
            offset += now.len();
            bytes = rest;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn ranges_across_pages() {
        let bytes: Vec<u8> = (0..251).cycle().take(3 * PAGE + 5).collect();
        let pages = Pages::from_bytes(&bytes);
        assert_eq!(pages.pages.len(), 4);
        for (start, len) in [
            (0, 0),
            (0, 1),
            (PAGE - 1, 2),
            (PAGE, PAGE),
            (7, 2 * PAGE + 3),
            (3 * PAGE + 4, 1),
            (3 * PAGE + 5, 0),
            (0, bytes.len()),
        ] {
            let mut out = vec![0; len];
            pages.read(start, &mut out);
            assert!(out == bytes[start..start + len], "{len} bytes from {start}");
        }
    }

    #[test]
    fn writes_across_pages_change_nothing_else() {
        let pages = Pages::zeros(2 * PAGE);
        pages.write(PAGE - 3, &[1, 2, 3, 4, 5]);
        let mut out = vec![9; 2 * PAGE];
        pages.read(0, &mut out);
        assert_eq!(out[PAGE - 4..PAGE + 3], [0, 1, 2, 3, 4, 5, 0]);
        assert_eq!(out.iter().filter(|byte| **byte != 0).count(), 5);
    }

    #[test]
    fn past_the_end_nothing_happens() {
        let pages = Pages::zeros(10);
        let mut out = [7; 4];
        pages.read(PAGE, &mut out);
        pages.read(1000, &mut out);
        pages.write(5 * PAGE, &out);
        assert_eq!(out, [7; 4]);
    }

    #[test]
    fn a_page_whose_holder_panicked_is_used_on() {
        let pages = Pages::zeros(64);
        let panicked = thread::scope(|scope| {
            scope.spawn(|| pages.update(0, &[1], |_, _| panic!("on purpose"))).join().is_err()
        });
        assert!(panicked);
        pages.write(0, &[5]);
        let mut out = [0];
        pages.read(0, &mut out);
        assert_eq!(out, [5]);
    }

    #[test]
    fn ids_are_unique() {
        assert_ne!(Pages::zeros(1).id(), Pages::zeros(1).id());
    }
}

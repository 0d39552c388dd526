//! Zeroed bytes at a chosen place within a page of the host's memory.
//!
//! Hosts copy long runs with one instruction, and some of them (Zen 3 among them) take 30 times as
//! long for it where source and destination lie less than 32 bytes apart within their pages, and
//! a third longer where they lie at the same place. Tiles start on large powers of two on both
//! sides, so where the memories of the cores and the buffers in global memory start decides it:
//! half a page apart.

/// Bytes of a page of the host.
const PAGE: usize = 4096;
/// Bytes of one word: no element is larger, so an element that stands on a multiple of its size
/// stands on one in the host's memory.
pub(crate) const WORD: usize = size_of::<u64>();

/// Where the memories of a core start within a page.
pub(crate) const CORE: usize = PAGE / 2;
/// Where pieces of global memory start within a page.
pub(crate) const GLOBAL: usize = 0;

/// Zeroed bytes.
#[derive(Debug, Default)]
pub(crate) struct Aligned {
    words: Vec<u64>,
    /// Words before the first one that is used.
    skip: usize,
}

impl Aligned {
    pub const EMPTY: Aligned = Aligned { words: Vec::new(), skip: 0 };

    /// `bytes`, rounded up to words, that start `place` bytes into a page.
    pub fn zeros(bytes: usize, place: usize) -> Self {
        let len = bytes.div_ceil(WORD);
        let mut words = vec![0_u64; len + PAGE / WORD];
        // Without an answer (the compiler may give none while it evaluates constants) any will do.
        let to_page = words.as_ptr().align_offset(PAGE).min(PAGE / WORD);
        let skip = (to_page + place / WORD) % (PAGE / WORD);
        words.truncate(skip + len);
        Aligned { words, skip }
    }

    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    #[inline]
    pub fn bytes(&self) -> &[u8] {
        bytemuck::cast_slice(self.words.get(self.skip..).unwrap_or_default())
    }

    #[inline]
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        bytemuck::cast_slice_mut(self.words.get_mut(self.skip..).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_start_where_they_were_asked_to_and_are_zero() {
        for bytes in [0, 1, 8, 100, 5000, 196_608] {
            for place in [CORE, GLOBAL] {
                let mut aligned = Aligned::zeros(bytes, place);
                assert_eq!(aligned.bytes().len(), bytes.next_multiple_of(WORD));
                assert!(aligned.bytes().iter().all(|&byte| byte == 0));
                let found = aligned.bytes().as_ptr().align_offset(PAGE);
                assert_eq!(found, (PAGE - place) % PAGE, "{bytes} bytes at {place}");
                aligned.bytes_mut().fill(7);
                assert!(aligned.bytes().iter().all(|&byte| byte == 7));
            }
        }
        assert!(Aligned::EMPTY.bytes().is_empty());
    }
}

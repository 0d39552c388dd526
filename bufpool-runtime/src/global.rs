//! Global memory: tensors outside of the cores, shared by all of them.
//!
//! ```text
//! GlobalTensor ─ Arc ─ pages   | 64 KiB | 64 KiB | 64 KiB | .. |   a lock for each page
//!   offset, len                     |<-- the tensor -->|
//! ```

use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::Arc;

use crate::error::Result;
use crate::error_data::Call;
use crate::ops::element::Element;

mod pages;

pub(crate) use pages::Pages;

/// Most bytes of [`GlobalTensor::zeros`].
const MOST_BYTES: u64 = 64 << 30;

/// Elements of type `T` in global memory (`AscendC::GlobalTensor`).
///
/// A clone designates the same memory, and so does [`slice`](Self::slice); the memory lives as
/// long as one of them. Several cores on several threads may use it at the same time. A copy
/// sees each page of 64 KiB as it is at one moment; on a device, copies that are not ordered may
/// mix within a page as well.
///
/// ```
/// use bufpool_runtime::prelude::*;
///
/// let x = GlobalTensor::from_vec(vec![1.0f32; 1024]);
/// assert_eq!(x.slice(8..16)?.to_vec(), [1.0; 8]);
/// # Ok::<(), bufpool_runtime::BufPoolError>(())
/// ```
pub struct GlobalTensor<T> {
    pages: Arc<Pages>,
    /// First element, counted from the start of the pages.
    first: usize,
    /// Number of elements.
    len: usize,
    element: PhantomData<T>,
}

/// A borrowed part of a [`GlobalTensor`].
pub struct GlobalView<'g, T> {
    pages: &'g Arc<Pages>,
    first: usize,
    len: usize,
    element: PhantomData<T>,
}

impl<T: Element> GlobalTensor<T> {
    /// A tensor that holds a copy of `elements`.
    #[must_use]
    pub fn from_slice(elements: &[T]) -> Self {
        Self::over(Pages::from_bytes(T::as_bytes(elements)), elements.len())
    }

    /// A tensor that holds `elements`.
    #[must_use]
    #[allow(
        clippy::needless_pass_by_value,
        reason = "a vector that is given away, as its name says"
    )]
    pub fn from_vec(elements: Vec<T>) -> Self {
        Self::from_slice(&elements)
    }

    /// A tensor of `len` elements with all bits 0.
    ///
    /// # Panics
    /// The bytes are more than 64 GiB: [`try_zeros`](Self::try_zeros) gives an error instead.
    #[must_use]
    #[track_caller]
    pub fn zeros(len: usize) -> Self {
        match Self::try_zeros(len) {
            Ok(tensor) => tensor,
            Err(error) => panic!("{error}"),
        }
    }

    /// The same, for a length that comes from elsewhere.
    ///
    /// # Errors
    /// The bytes are more than 64 GiB, the global memory of the largest devices.
    #[track_caller]
    pub fn try_zeros(len: usize) -> Result<Self> {
        let call = Call::here("try_zeros");
        let bytes = len.checked_mul(size_of::<T>()).filter(|&bytes| bytes as u64 <= MOST_BYTES);
        let bytes = bytes.ok_or_else(|| call.global_too_large(len, T::NAME, MOST_BYTES))?;
        Ok(Self::over(Pages::zeros(bytes), len))
    }

    fn over(pages: Pages, len: usize) -> Self {
        GlobalTensor { pages: Arc::new(pages), first: 0, len, element: PhantomData }
    }

    fn shared(&self) -> &Arc<Pages> {
        &self.pages
    }

    /// The same memory as bytes.
    pub(crate) fn to_bytes(&self) -> GlobalTensor<u8> {
        GlobalTensor {
            pages: Arc::clone(&self.pages),
            first: self.offset(),
            len: self.byte_len(),
            element: PhantomData,
        }
    }
}

impl<T: Element> GlobalView<'_, T> {
    /// The part as a tensor of its own over the same memory, for a kernel that keeps it.
    #[must_use]
    pub fn to_tensor(self) -> GlobalTensor<T> {
        GlobalTensor {
            pages: Arc::clone(self.pages),
            first: self.first,
            len: self.len,
            element: PhantomData,
        }
    }

    fn shared(&self) -> &Arc<Pages> {
        self.pages
    }
}

macro_rules! shared_members {
    ($self:ty) => {
        /// Number of elements (`GetSize`).
        #[doc(alias = "GetSize")]
        #[must_use]
        pub fn len(&self) -> usize {
            self.len
        }

        /// Whether there are no elements.
        #[must_use]
        pub fn is_empty(&self) -> bool {
            self.len == 0
        }

        /// Length in bytes.
        #[must_use]
        pub fn byte_len(&self) -> usize {
            self.len * size_of::<T>()
        }

        pub(crate) fn pages(&self) -> &Pages {
            &self.pages
        }

        /// Offset of the first element from the start of the pages, in bytes.
        pub(crate) fn offset(&self) -> usize {
            self.first * size_of::<T>()
        }

        /// Elements `range` of this tensor, over the same memory (`global[offset]`).
        ///
        /// # Errors
        /// The range ends past the tensor, or before it starts.
        #[doc(alias = "SetGlobalBuffer")]
        #[track_caller]
        pub fn slice(&self, range: Range<usize>) -> Result<GlobalView<'_, T>> {
            let call = Call::here("slice");
            if range.start > range.end {
                return Err(call.reversed(&range));
            }
            if range.end > self.len {
                return Err(call.global_out_of_bounds(range.start, range.end, self.len));
            }
            Ok(GlobalView {
                pages: self.shared(),
                first: self.first + range.start,
                len: range.len(),
                element: PhantomData,
            })
        }

        /// A copy of the elements.
        #[must_use]
        pub fn to_vec(self: $self) -> Vec<T> {
            let mut elements = vec![T::default(); self.len];
            self.pages.read(self.offset(), T::as_bytes_mut(&mut elements));
            elements
        }
    };
}

impl<T: Element> GlobalTensor<T> {
    shared_members!(&Self);
}

impl<T: Element> GlobalView<'_, T> {
    shared_members!(Self);
}

impl<T> Clone for GlobalTensor<T> {
    fn clone(&self) -> Self {
        GlobalTensor {
            pages: Arc::clone(&self.pages),
            first: self.first,
            len: self.len,
            element: PhantomData,
        }
    }
}

impl<T> Clone for GlobalView<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for GlobalView<'_, T> {}

impl<T> fmt::Debug for GlobalTensor<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = self.first + self.len;
        write!(f, "GlobalTensor(buffer {} [{}, {end}))", self.pages.id(), self.first)
    }
}

impl<T> fmt::Debug for GlobalView<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = self.first + self.len;
        write!(f, "GlobalView(buffer {} [{}, {end}))", self.pages.id(), self.first)
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;
    use crate::ops::element::f16;

    #[test]
    fn slices_share_and_clones_share() {
        let all = GlobalTensor::from_vec((0..100_000).collect::<Vec<i32>>());
        let part = all.slice(40_000..40_010).unwrap();
        assert_eq!(part.to_vec(), (40_000..40_010).collect::<Vec<_>>());
        let kept = part.slice(2..4).unwrap().to_tensor();
        assert_eq!((kept.len(), kept.byte_len()), (2, 8));
        kept.pages.write(kept.offset(), &[0xFF; 8]);
        assert_eq!(all.clone().slice(40_001..40_005).unwrap().to_vec(), [40_001, -1, -1, 40_004]);
    }

    #[test]
    fn zeros_and_nothing() {
        assert_eq!(GlobalTensor::<f16>::zeros(70_000).to_vec(), vec![f16::ZERO; 70_000]);
        let nothing = GlobalTensor::<f16>::from_slice(&[]);
        assert!(nothing.is_empty());
        assert!(nothing.to_vec().is_empty());
        assert!(nothing.slice(0..0).unwrap().is_empty());
    }

    #[test]
    #[allow(clippy::reversed_empty_ranges, reason = "the mistake under test")]
    fn a_slice_past_the_end_is_an_error_that_says_so() {
        let tensor = GlobalTensor::<f32>::zeros(10);
        let message = tensor.slice(8..11).unwrap_err().to_string();
        let first = message.lines().next().unwrap();
        assert_eq!(first, "slice of [8, 11) elements: the global tensor has 10");
        assert!(message.contains("asked at: "), "{message}");
        assert!(message.contains("help: keep the end within 10 elements"), "{message}");
        assert!(tensor.slice(5..3).is_err());
        assert!(tensor.slice(0..usize::MAX).is_err());
        let part = tensor.slice(4..8).unwrap();
        assert!(part.slice(0..5).is_err());
    }

    #[test]
    fn cores_on_threads_share_it() {
        let tensor = GlobalTensor::<u8>::zeros(300_000);
        thread::scope(|scope| {
            for (thread, start) in (0..4u8).zip((0..).step_by(75_000)) {
                let part = tensor.slice(start..start + 75_000).unwrap();
                scope.spawn(move || {
                    part.pages.write(part.offset(), &vec![thread + 1; 75_000]);
                });
            }
        });
        let expected: Vec<u8> = (1..=4).flat_map(|thread| vec![thread; 75_000]).collect();
        assert!(tensor.to_vec() == expected);
    }

    #[test]
    fn debug_names_the_buffer_and_the_range() {
        let tensor = GlobalTensor::<f16>::zeros(64);
        let id = tensor.pages.id();
        let part = tensor.slice(32..48).unwrap();
        assert_eq!(format!("{part:?}"), format!("GlobalView(buffer {id} [32, 48))"));
        assert_eq!(format!("{tensor:?}"), format!("GlobalTensor(buffer {id} [0, 64))"));
    }
}

//! From many elements to one.

use crate::error::Result;
use crate::error_data::Call;
use crate::ops::support::Float;
use crate::ops::vector::{Arg, check_count, check_in_ub, instr, off_memory};
use crate::tensor::Tensor;

macro_rules! reductions {
    ($($(#[$doc:meta])* $name:ident $vendor:literal $kernel:ident;)*) => {$(
        $(#[$doc])*
        ///
        /// Pipe V. `count` in elements, not 0; all tensors in UB. One element of `dst` is written.
        ///
        /// `work` is room for the device's intermediate results: one element for each 256 bytes of
        /// `src`, rounded up to 32 bytes. Here it stays as it was, the checks do not see it written,
        /// and whether it is long enough is not checked.
        ///
        /// # Errors
        /// A tensor is not in UB, of another core, or not on a multiple of its element's size; the
        /// bytes end past UB.
        #[doc(alias = $vendor)]
        #[track_caller]
        pub fn $name<T: Float>(
            dst: &impl Tensor<T>,
            src: &impl Tensor<T>,
            work: &impl Tensor<T>,
            count: usize,
        ) -> Result<()> {
            reduce(Call::here(stringify!($name)), dst, src, work, count, T::$kernel)
        }
    )*};
}

reductions! {
    /// `dst[0]` becomes the sum of the first `count` elements of `src` (`ReduceSum`).
    ///
    /// The order of the additions differs from chip to chip; this is the documented tree of
    /// neighbours, with one rounding to `f16` at the end.
    reduce_sum "ReduceSum" sum;
    /// `dst[0]` becomes the greatest of the first `count` elements of `src` (`ReduceMax` without
    /// index); not a number if one of them is not.
    reduce_max "ReduceMax" greatest;
    /// `dst[0]` becomes the smallest of the first `count` elements of `src` (`ReduceMin` without
    /// index); not a number if one of them is not.
    reduce_min "ReduceMin" smallest;
}

fn reduce<T: Float>(
    call: Call,
    dst: &impl Tensor<T>,
    src: &impl Tensor<T>,
    work: &impl Tensor<T>,
    count: usize,
    kernel: fn(&[T]) -> T,
) -> Result<()> {
    check_count::<T>(call, count)?;
    let dst = Arg::new(dst, count.min(1));
    let src = Arg::new(src, count);
    let work = Arg::new(work, 0);
    dst.same_core(call, &src)?;
    dst.same_core(call, &work)?;
    for span in [&dst.span, &src.span, &work.span] {
        check_in_ub(call, span)?;
    }
    // `work` is not among the writes: nobody reads it, so that a second reduction would look like one
    // that overwrites unread results.
    let (reads, writes) = ([src.span], [dst.span]);
    dst.core.issue(&instr(call, &reads, &writes), call.at, |memories| {
        let elements = memories.bytes(&src.span).and_then(T::from_bytes);
        let result = kernel(elements.ok_or_else(off_memory)?);
        let there = memories.bytes_mut(&dst.span).and_then(T::from_bytes_mut);
        there.ok_or_else(off_memory)?.fill(result);
        Ok(())
    })
}

//! Operations on each element of one tensor, and filling a tensor.

use crate::error::Result;
use crate::error_data::Call;
use crate::ops::arith::unary;
use crate::ops::support::{Duplicate, Float, Relu, has_type};
use crate::ops::vector::{Arg, check_count, vector0};
use crate::tensor::Tensor;

macro_rules! of_one_tensor {
    ($($(#[$doc:meta])* $name:ident $vendor:literal $bound:ident;)*) => {$(
        $(#[$doc])*
        ///
        /// Pipe V. `count` in elements; both tensors in UB, they may be the same.
        ///
        /// # Errors
        /// A tensor is not in UB, of another core, or not on a multiple of its element's size;
        /// the bytes end past UB.
        #[doc(alias = $vendor)]
        #[track_caller]
        pub fn $name<T: $bound>(
            dst: &impl Tensor<T>,
            src: &impl Tensor<T>,
            count: usize,
        ) -> Result<()> {
            unary(Call::here(stringify!($name)), dst, src, count, T::$name)
        }
    )*};
}

of_one_tensor! {
    /// The absolute value (`Abs`).
    abs "Abs" Float;
    /// e to the power of each element (`Exp`).
    exp "Exp" Float;
    /// The natural logarithm (`Ln`).
    ln "Ln" Float;
    /// The square root (`Sqrt`).
    sqrt "Sqrt" Float;
    /// The greater of each element and 0 (`Relu`).
    relu "Relu" Relu;
}

/// Writes `value` to each of the first `count` elements (`Duplicate`).
///
/// Pipe V. `count` in elements; the tensor in UB.
///
/// # Errors
/// The tensor is not in UB or not on a multiple of its element's size; the bytes end past UB; the
/// chip does not have the type.
#[doc(alias = "Duplicate")]
#[track_caller]
pub fn duplicate<T: Duplicate>(dst: &impl Tensor<T>, value: T, count: usize) -> Result<()> {
    let call = Call::here("duplicate");
    check_count::<T>(call, count)?;
    let dst = Arg::new(dst, count);
    has_type::<T>(call, dst.core)?;
    vector0(call, &dst, |dst| dst.fill(value))
}

//! Operations on each element: of two tensors, and of a tensor and a scalar.

use crate::error::Result;
use crate::error_data::Call;
use crate::ops::lanes::Lanes;
use crate::ops::number::Number;
use crate::ops::support::{Arithmetic, Float, calculates};
use crate::ops::vector::{Arg, vector1, vector2};
use crate::tensor::Tensor;

/// `dst[i] = f(a[i], b[i])`.
#[inline]
fn binary<T: Lanes>(
    call: Call,
    dst: &impl Tensor<T>,
    a: &impl Tensor<T>,
    b: &impl Tensor<T>,
    count: usize,
    f: impl Fn(T::Wide, T::Wide) -> T::Wide,
) -> Result<()> {
    let dst = Arg::in_ub(call, dst, count)?;
    let a = Arg::in_ub(call, a, count)?;
    let b = Arg::in_ub(call, b, count)?;
    calculates::<T>(call, dst.core)?;
    vector2(call, &dst, &a, &b, |dst, a, b| T::map2(dst, a, b, f))
}

/// `dst[i] = f(src[i])`.
#[inline]
pub(super) fn unary<T: Lanes>(
    call: Call,
    dst: &impl Tensor<T>,
    src: &impl Tensor<T>,
    count: usize,
    f: impl Fn(T::Wide) -> T::Wide,
) -> Result<()> {
    let dst = Arg::in_ub(call, dst, count)?;
    let src = Arg::in_ub(call, src, count)?;
    calculates::<T>(call, dst.core)?;
    vector1(call, &dst, &src, |dst, src| T::map(dst, src, f))
}

macro_rules! of_two_tensors {
    ($($(#[$doc:meta])* $name:ident $vendor:literal $bound:ident $f:expr;)*) => {$(
        $(#[$doc])*
        ///
        /// Pipe V. `count` in elements; all tensors in UB. The destination may be one of the
        /// sources.
        ///
        /// # Errors
        /// A tensor is not in UB, of another core, or not on a multiple of its element's size;
        /// the bytes end past UB; the chip does not calculate with the type.
        #[doc(alias = $vendor)]
        #[track_caller]
        pub fn $name<T: $bound>(
            dst: &impl Tensor<T>,
            a: &impl Tensor<T>,
            b: &impl Tensor<T>,
            count: usize,
        ) -> Result<()> {
            binary(Call::here(stringify!($name)), dst, a, b, count, $f)
        }
    )*};
}

of_two_tensors! {
    /// `dst[i] = a[i] + b[i]` (`Add`).
    add "Add" Arithmetic Number::plus;
    /// `dst[i] = a[i] - b[i]` (`Sub`).
    sub "Sub" Arithmetic Number::minus;
    /// `dst[i] = a[i] * b[i]` (`Mul`).
    mul "Mul" Arithmetic Number::times;
    /// `dst[i] = a[i] / b[i]` (`Div`).
    div "Div" Float |a, b| a / b;
    /// The greater of `a[i]` and `b[i]` (`Max`); not a number if one of them is not.
    max "Max" Arithmetic Number::greater;
    /// The smaller of `a[i]` and `b[i]` (`Min`); not a number if one of them is not.
    min "Min" Arithmetic Number::smaller;
}

macro_rules! of_tensor_and_scalar {
    ($($(#[$doc:meta])* $name:ident $vendor:literal $f:path;)*) => {$(
        $(#[$doc])*
        ///
        /// Pipe V. `count` in elements; both tensors in UB, they may be the same. The scalar has
        /// the tensor's type: `f16::from_f32(0.1)` is rounded before it is used.
        ///
        /// # Errors
        /// A tensor is not in UB, of another core, or not on a multiple of its element's size;
        /// the bytes end past UB; the chip does not calculate with the type.
        #[doc(alias = $vendor)]
        #[track_caller]
        pub fn $name<T: Arithmetic>(
            dst: &impl Tensor<T>,
            src: &impl Tensor<T>,
            scalar: T,
            count: usize,
        ) -> Result<()> {
            let scalar = scalar.widen();
            unary(Call::here(stringify!($name)), dst, src, count, |x| $f(x, scalar))
        }
    )*};
}

of_tensor_and_scalar! {
    /// `dst[i] = src[i] + scalar` (`Adds`).
    adds "Adds" Number::plus;
    /// `dst[i] = src[i] * scalar` (`Muls`).
    muls "Muls" Number::times;
    /// The greater of `src[i]` and `scalar` (`Maxs`).
    maxs "Maxs" Number::greater;
    /// The smaller of `src[i]` and `scalar` (`Mins`).
    mins "Mins" Number::smaller;
}

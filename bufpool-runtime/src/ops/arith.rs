//! Operations on each element: of two tensors, and of a tensor and a scalar.

use crate::error::Result;
use crate::error_data::Call;
use crate::ops::element::Element;
use crate::ops::support::{Arithmetic, Float, calculates};
use crate::ops::vector::{Arg, check_count, vector1, vector2};
use crate::tensor::Tensor;

/// `kernel(dst, a, b)` on the first `count` elements.
#[inline]
fn binary<T: Element>(
    call: Call,
    dst: &impl Tensor<T>,
    a: &impl Tensor<T>,
    b: &impl Tensor<T>,
    count: usize,
    kernel: fn(&mut [T], &[T], &[T]),
) -> Result<()> {
    check_count::<T>(call, count)?;
    let dst = Arg::new(dst, count);
    let a = Arg::new(a, count);
    let b = Arg::new(b, count);
    calculates::<T>(call, dst.core)?;
    vector2(call, &dst, &a, &b, kernel)
}

/// `kernel(dst, src)` on the first `count` elements.
#[inline]
pub(super) fn unary<T: Element>(
    call: Call,
    dst: &impl Tensor<T>,
    src: &impl Tensor<T>,
    count: usize,
    kernel: impl Fn(&mut [T], &[T]),
) -> Result<()> {
    check_count::<T>(call, count)?;
    let dst = Arg::new(dst, count);
    let src = Arg::new(src, count);
    calculates::<T>(call, dst.core)?;
    vector1(call, &dst, &src, kernel)
}

macro_rules! of_two_tensors {
    ($($(#[$doc:meta])* $name:ident $vendor:literal $bound:ident;)*) => {$(
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
            binary(Call::here(stringify!($name)), dst, a, b, count, T::$name)
        }
    )*};
}

of_two_tensors! {
    /// `dst[i] = a[i] + b[i]` (`Add`).
    add "Add" Arithmetic;
    /// `dst[i] = a[i] - b[i]` (`Sub`).
    sub "Sub" Arithmetic;
    /// `dst[i] = a[i] * b[i]` (`Mul`).
    mul "Mul" Arithmetic;
    /// `dst[i] = a[i] / b[i]` (`Div`).
    div "Div" Float;
    /// The greater of `a[i]` and `b[i]` (`Max`); not a number if one of them is not.
    max "Max" Arithmetic;
    /// The smaller of `a[i]` and `b[i]` (`Min`); not a number if one of them is not.
    min "Min" Arithmetic;
}

macro_rules! of_tensor_and_scalar {
    ($($(#[$doc:meta])* $name:ident $vendor:literal;)*) => {$(
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
            let call = Call::here(stringify!($name));
            unary(call, dst, src, count, |dst, src| T::$name(dst, src, scalar))
        }
    )*};
}

of_tensor_and_scalar! {
    /// `dst[i] = src[i] + scalar` (`Adds`).
    adds "Adds";
    /// `dst[i] = src[i] * scalar` (`Muls`).
    muls "Muls";
    /// The greater of `src[i]` and `scalar` (`Maxs`).
    maxs "Maxs";
    /// The smaller of `src[i]` and `scalar` (`Mins`).
    mins "Mins";
}

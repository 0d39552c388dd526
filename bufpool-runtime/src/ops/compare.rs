//! Comparing elements into bits, and choosing elements by bits.

use crate::error::Result;
use crate::error_data::Call;
use crate::ops::support::{Compare, Select};
use crate::ops::vector::{Arg, REPEAT_BYTES, check_count, vector2, vector3};
use crate::tensor::Tensor;

/// How [`compare`] compares (`CMPMODE`). Where one element is not a number, only `NE` holds.
#[doc(alias = "CMPMODE")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CmpMode {
    /// Less than.
    LT,
    /// Greater than.
    GT,
    /// Equal.
    EQ,
    /// Less than or equal.
    LE,
    /// Greater than or equal.
    GE,
    /// Not equal.
    NE,
}

impl CmpMode {
    /// The name as the vendor writes it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            CmpMode::LT => "CmpMode::LT",
            CmpMode::GT => "CmpMode::GT",
            CmpMode::EQ => "CmpMode::EQ",
            CmpMode::LE => "CmpMode::LE",
            CmpMode::GE => "CmpMode::GE",
            CmpMode::NE => "CmpMode::NE",
        }
    }
}

/// Bit `i` of `dst` says whether `a[i]` compares to `b[i]` (`Compare`): bit 0 of byte 0 is the
/// first element's.
///
/// Pipe V. `count` in elements; they must fill whole repeats of 256 bytes. `count / 8` bytes of
/// `dst` are written. `i32` only with [`CmpMode::EQ`].
///
/// # Errors
/// The elements do not fill whole repeats; a mode that the type does not take; a tensor is not
/// in UB, of another core, or not on a multiple of its element's size; the bytes end past UB.
#[doc(alias = "Compare")]
#[track_caller]
pub fn compare<T: Compare>(
    dst: &impl Tensor<u8>,
    a: &impl Tensor<T>,
    b: &impl Tensor<T>,
    mode: CmpMode,
    count: usize,
) -> Result<()> {
    let call = Call::here("compare");
    if !T::MODES.contains(&mode) {
        let op = format!("compare of {}", T::NAME);
        let help = "use CmpMode::EQ, or cast to f32 first".to_owned();
        return Err(call.unsupported_mode(op, mode.name(), help));
    }
    check_count::<T>(call, count)?;
    let per_repeat = REPEAT_BYTES / size_of::<T>();
    if !count.is_multiple_of(per_repeat) {
        return Err(call.partial_repeat(count, T::NAME, size_of::<T>()));
    }
    let dst = Arg::new(dst, count / 8);
    let a = Arg::new(a, count);
    let b = Arg::new(b, count);
    vector2(call, &dst, &a, &b, |dst, a, b| T::compare(dst, a, b, mode))
}

/// `dst[i]` is `a[i]` where bit `i` of `mask` is set, else `b[i]` (`Select` with
/// `VSEL_TENSOR_TENSOR_MODE`).
///
/// Pipe V. `count` in elements; all tensors in UB. The mask is one of [`compare`]; bits of other
/// types are seen through `reinterpret::<u8>()`.
///
/// # Errors
/// A tensor is not in UB, of another core, or not on a multiple of its element's size; the bytes
/// end past UB.
#[doc(alias = "Select")]
#[track_caller]
pub fn select<T: Select>(
    dst: &impl Tensor<T>,
    mask: &impl Tensor<u8>,
    a: &impl Tensor<T>,
    b: &impl Tensor<T>,
    count: usize,
) -> Result<()> {
    let call = Call::here("select");
    check_count::<T>(call, count)?;
    let dst = Arg::new(dst, count);
    let mask = Arg::new(mask, count.div_ceil(8));
    let a = Arg::new(a, count);
    let b = Arg::new(b, count);
    vector3(call, &dst, &mask, &a, &b, T::select)
}

/// `dst[i]` is `a[i]` where bit `i` of `mask` is set, else `scalar` (`Select` with
/// `VSEL_TENSOR_SCALAR_MODE`).
///
/// # Errors
/// Those of [`select`].
#[doc(alias = "Select")]
#[track_caller]
pub fn select_scalar<T: Select>(
    dst: &impl Tensor<T>,
    mask: &impl Tensor<u8>,
    a: &impl Tensor<T>,
    scalar: T,
    count: usize,
) -> Result<()> {
    let call = Call::here("select_scalar");
    check_count::<T>(call, count)?;
    let dst = Arg::new(dst, count);
    let mask = Arg::new(mask, count.div_ceil(8));
    let a = Arg::new(a, count);
    vector2(call, &dst, &mask, &a, |dst, mask, a| T::select_scalar(dst, mask, a, scalar))
}

//! Converting elements from one type to another.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "`as` does what the chip does: it stops at the ends of an integer, and makes 0 of what is not a number"
)]

use half::slice::HalfFloatSliceExt;

use crate::error::Result;
use crate::error_data::Call;
use crate::model::stream::Span;
use crate::ops::element::{Element, bf16, f16};
use crate::ops::lanes::Lanes;
use crate::ops::rounding::{f64_from_i64, half_from_f32, nearest_f32, whole};
use crate::ops::support::has_type;
use crate::ops::vector::{Arg, check_count, vector1};
use crate::tensor::Tensor;

/// What [`cast`] does with digits that the destination cannot hold (`RoundMode`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(non_camel_case_types, reason = "the vendor's names")]
pub enum RoundMode {
    /// For casts that lose nothing; where digits are lost, as `CAST_RINT`.
    CAST_NONE,
    /// To the nearest, ties to even.
    CAST_RINT,
    /// Towards minus infinity.
    CAST_FLOOR,
    /// Towards plus infinity.
    CAST_CEIL,
    /// To the nearest, ties away from zero.
    CAST_ROUND,
    /// Towards zero.
    CAST_TRUNC,
    /// Towards zero, and the last bit set if digits were lost (f32 to f16 only).
    CAST_ODD,
}

impl RoundMode {
    /// The name as the vendor writes it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            RoundMode::CAST_NONE => "CAST_NONE",
            RoundMode::CAST_RINT => "CAST_RINT",
            RoundMode::CAST_FLOOR => "CAST_FLOOR",
            RoundMode::CAST_CEIL => "CAST_CEIL",
            RoundMode::CAST_ROUND => "CAST_ROUND",
            RoundMode::CAST_TRUNC => "CAST_TRUNC",
            RoundMode::CAST_ODD => "CAST_ODD",
        }
    }
}

/// Types that [`cast`] converts from, by the type that it converts to.
///
/// | from | to | modes |
/// |---|---|---|
/// | f16, bf16 | f32 | `CAST_NONE` |
/// | f32 | f16 | all |
/// | f32 | bf16 | all but `CAST_ODD` |
/// | f32 | f32, to whole numbers | `CAST_RINT`, `CAST_FLOOR`, `CAST_CEIL`, `CAST_ROUND`, `CAST_TRUNC` |
/// | f16 | i32, i16, i8, u8 | all but `CAST_ODD` |
/// | f32 | i64, i32, i16 | all but `CAST_ODD` |
/// | bf16 | i32 | all but `CAST_ODD` |
/// | i8, u8 | f16 | `CAST_NONE` |
/// | i16 | f16 | all but `CAST_ODD` |
/// | i16 | f32 | `CAST_NONE` |
/// | i32, i64 | f32 | all but `CAST_ODD` |
/// | i32 | i64, i16 | `CAST_NONE` |
/// | i64 | i32 | `CAST_NONE` |
///
/// This is the table of `AtlasA2`. Older chips have fewer pairs, which is not checked but for bf16.
#[diagnostic::on_unimplemented(
    message = "cast does not convert `{Self}` to `{D}`",
    label = "no such cast",
    note = "go through f32 or f16: the pairs are listed at `ops::CastTo`"
)]
pub trait CastTo<D: Element>: Element {
    /// The modes that the pair takes.
    const MODES: &[RoundMode];

    /// Converts elements. The slices have the same length.
    #[doc(hidden)]
    fn convert(dst: &mut [D], src: &[Self], mode: RoundMode);
}

/// Converts the first `count` elements of `src` to the type of `dst` (`Cast`).
///
/// Pipe V. `count` in elements; both tensors in UB. Too large a float for an integer becomes the
/// largest or smallest one, what is not a number becomes 0, and integers that are too large for
/// a smaller type stop at its ends. A float too large for `f16` becomes infinite, or the largest
/// finite number where the mode rounds the other way.
///
/// In place only towards types that are not larger, from the same start: a larger destination
/// would write over elements not yet read.
///
/// # Errors
/// The pair does not take the mode; the destination overwrites its source before it is read; a
/// tensor is not in UB, of another core, or not on a multiple of its element's size; the bytes
/// end past UB; the chip does not have the type.
#[doc(alias = "Cast")]
#[track_caller]
pub fn cast<D: Element, S: CastTo<D>>(
    dst: &impl Tensor<D>,
    src: &impl Tensor<S>,
    mode: RoundMode,
    count: usize,
) -> Result<()> {
    let call = Call::here("cast");
    let op = || format!("cast of {} to {}", S::NAME, D::NAME);
    if !S::MODES.contains(&mode) {
        let names: Vec<_> = S::MODES.iter().map(|mode| mode.name()).collect();
        return Err(call.unsupported_mode(op(), mode.name(), format!("use {}", names.join(", "))));
    }
    check_count::<D>(call, count)?;
    check_count::<S>(call, count)?;
    let dst = Arg::new(dst, count);
    let src = Arg::new(src, count);
    has_type::<D>(call, dst.core)?;
    has_type::<S>(call, dst.core)?;
    if overwrites_unread(&dst.span, size_of::<D>(), &src.span, size_of::<S>(), count) {
        let state = dst.core.state(call.at)?;
        state.check_span(&src.span, call.at)?;
        state.check_span(&dst.span, call.at)?;
        return Err(call.overwrites_source(op(), &src.span, &dst.span));
    }
    vector1(call, &dst, &src, |dst, src| S::convert(dst, src, mode))
}

/// Whether an instruction that works through its elements in order writes over a source element
/// before it has read it.
fn overwrites_unread(dst: &Span, to: usize, src: &Span, from: usize, count: usize) -> bool {
    // What ends past every memory is refused as that.
    let ends = dst.addr.checked_add(dst.bytes).zip(src.addr.checked_add(src.bytes));
    let (d, s) = (dst.addr as usize, src.addr as usize);
    let apart = ends.is_none_or(|(_, src_end)| dst.addr >= src_end);
    if dst.hardware != src.hardware || apart {
        return false;
    }
    // Before element i is read, the first i results are written. Where they end, and where the
    // unread elements start, are straight lines: if one crosses the other it does so at an end.
    [1, count.saturating_sub(1)].iter().any(|&i| i > 0 && i < count && d + i * to > s + i * from)
}

use RoundMode::*;

const EXACT: &[RoundMode] = &[CAST_NONE];
const ROUNDED: &[RoundMode] =
    &[CAST_NONE, CAST_RINT, CAST_FLOOR, CAST_CEIL, CAST_ROUND, CAST_TRUNC];
const TO_F16: &[RoundMode] =
    &[CAST_NONE, CAST_RINT, CAST_FLOOR, CAST_CEIL, CAST_ROUND, CAST_TRUNC, CAST_ODD];
const TO_WHOLE: &[RoundMode] = &[CAST_RINT, CAST_FLOOR, CAST_CEIL, CAST_ROUND, CAST_TRUNC];

macro_rules! casts {
    ($($from:ident => $to:ident: $modes:ident, $convert:expr;)*) => {$(
        impl CastTo<$to> for $from {
            const MODES: &[RoundMode] = $modes;

            fn convert(dst: &mut [$to], src: &[$from], mode: RoundMode) {
                let convert: fn(&mut [$to], &[$from], RoundMode) = $convert;
                convert(dst, src, mode);
            }
        }
    )*};
}

casts! {
    f16 => f32: EXACT, |dst, src, _| src.convert_to_f32_slice(dst);
    bf16 => f32: EXACT, |dst, src, _| src.convert_to_f32_slice(dst);
    i8 => f16: EXACT, |dst, src, _| each_half(dst, src, f32::from, CAST_NONE);
    u8 => f16: EXACT, |dst, src, _| each_half(dst, src, f32::from, CAST_NONE);
    i16 => f32: EXACT, |dst, src, _| each(dst, src, f32::from);
    i32 => i64: EXACT, |dst, src, _| each(dst, src, i64::from);
    i32 => i16: EXACT, |dst, src, _| each(dst, src, |x| x.clamp(i16::MIN.into(), i16::MAX.into()) as i16);
    i64 => i32: EXACT, |dst, src, _| each(dst, src, |x| x.clamp(i32::MIN.into(), i32::MAX.into()) as i32);

    f32 => f16: TO_F16, half_from_f32;
    f32 => bf16: ROUNDED, half_from_f32;
    i16 => f16: ROUNDED, |dst, src, mode| each_half(dst, src, f32::from, mode);
    i32 => f32: ROUNDED, |dst, src, mode| each(dst, src, |x| nearest_f32(f64::from(x), mode));
    i64 => f32: ROUNDED, |dst, src, mode| each(dst, src, |x| nearest_f32(f64_from_i64(x), mode));

    f32 => f32: TO_WHOLE, |dst, src, mode| each_whole(dst, src, mode, |x| x);
    f32 => i64: ROUNDED, |dst, src, mode| each_whole(dst, src, mode, |x| x as i64);
    f32 => i32: ROUNDED, |dst, src, mode| each_whole(dst, src, mode, |x| x as i32);
    f32 => i16: ROUNDED, |dst, src, mode| each_whole(dst, src, mode, |x| x as i16);
    f16 => i32: ROUNDED, |dst, src, mode| each_whole(dst, src, mode, |x| x as i32);
    f16 => i16: ROUNDED, |dst, src, mode| each_whole(dst, src, mode, |x| x as i16);
    f16 => i8: ROUNDED, |dst, src, mode| each_whole(dst, src, mode, |x| x as i8);
    f16 => u8: ROUNDED, |dst, src, mode| each_whole(dst, src, mode, |x| x as u8);
    bf16 => i32: ROUNDED, |dst, src, mode| each_whole(dst, src, mode, |x| x as i32);
}

#[inline]
fn each<D, S: Copy>(dst: &mut [D], src: &[S], f: impl Fn(S) -> D) {
    for (d, s) in dst.iter_mut().zip(src) {
        *d = f(*s);
    }
}

/// Integers to `f16` by way of `f32`, which holds them exactly.
#[inline]
fn each_half<S: Copy>(dst: &mut [f16], src: &[S], f: impl Fn(S) -> f32, mode: RoundMode) {
    let mut wide = [0.0; 256];
    for (dst, src) in dst.chunks_mut(wide.len()).zip(src.chunks(wide.len())) {
        let wide = &mut wide[..src.len()];
        each(wide, src, &f);
        half_from_f32(dst, wide, mode);
    }
}

/// Floats to whole numbers, and from there by `f`.
#[inline]
fn each_whole<D, S: Lanes<Wide = f32>>(
    dst: &mut [D],
    src: &[S],
    mode: RoundMode,
    f: impl Fn(f32) -> D,
) {
    let mut rest = dst;
    S::widened([src], |[block]| {
        let (out, after) = std::mem::take(&mut rest).split_at_mut(block.len());
        rest = after;
        whole(out, block, mode, &f);
    });
}

//! What each operation does to slices, for each type that it takes.
//!
//! These are plain functions, one for each operation and type. They are compiled with this crate and
//! not with the kernels that use it, so that `opt-level = 3` for the package `bufpool-runtime` is
//! enough to make debug builds of a kernel calculate fast.

#![allow(clippy::float_cmp, reason = "compare is asked for equality")]

use crate::ops::bits::{compare_bits, select_bits};
use crate::ops::cast::RoundMode;
use crate::ops::compare::CmpMode;
use crate::ops::element::{Element, bf16, f16};
use crate::ops::lanes::Lanes;
use crate::ops::math::{exp, ln};
use crate::ops::number::Number;
use crate::ops::rounding::nearest_f32;
use crate::ops::sums::{extreme, sum};

/// Kernels of [`Arithmetic`](super::Arithmetic).
pub trait ArithmeticKernels: Element {
    fn add(dst: &mut [Self], a: &[Self], b: &[Self]);
    fn sub(dst: &mut [Self], a: &[Self], b: &[Self]);
    fn mul(dst: &mut [Self], a: &[Self], b: &[Self]);
    fn max(dst: &mut [Self], a: &[Self], b: &[Self]);
    fn min(dst: &mut [Self], a: &[Self], b: &[Self]);
    fn adds(dst: &mut [Self], src: &[Self], scalar: Self);
    fn muls(dst: &mut [Self], src: &[Self], scalar: Self);
    fn maxs(dst: &mut [Self], src: &[Self], scalar: Self);
    fn mins(dst: &mut [Self], src: &[Self], scalar: Self);
}

/// Kernels of [`Float`](super::Float).
pub trait FloatKernels: Element {
    fn div(dst: &mut [Self], a: &[Self], b: &[Self]);
    fn abs(dst: &mut [Self], src: &[Self]);
    fn exp(dst: &mut [Self], src: &[Self]);
    fn ln(dst: &mut [Self], src: &[Self]);
    fn sqrt(dst: &mut [Self], src: &[Self]);
    fn sum(src: &[Self]) -> Self;
    fn greatest(src: &[Self]) -> Self;
    fn smallest(src: &[Self]) -> Self;
}

/// The kernel of [`Relu`](super::Relu).
pub trait ReluKernel: Element {
    fn relu(dst: &mut [Self], src: &[Self]);
}

/// The kernel of [`Compare`](super::Compare).
pub trait CompareKernel: Element {
    fn compare(dst: &mut [u8], a: &[Self], b: &[Self], mode: CmpMode);
}

/// The kernels of [`Select`](super::Select).
pub trait SelectKernels: Element {
    fn select(dst: &mut [Self], mask: &[u8], a: &[Self], b: &[Self]);
    fn select_scalar(dst: &mut [Self], mask: &[u8], a: &[Self], scalar: Self);
}

/// The kernel of [`AtomicAdd`](super::AtomicAdd).
pub trait AccumulateKernel: Element {
    /// `there[i] += bytes[i]`, element by element; `there` starts on an element.
    fn accumulate(there: &mut [u8], bytes: &[u8]);
}

macro_rules! arithmetic {
    ($($type:ident)*) => {$(
        impl ArithmeticKernels for $type {
            fn add(dst: &mut [Self], a: &[Self], b: &[Self]) {
                Self::map2(dst, a, b, Number::plus);
            }
            fn sub(dst: &mut [Self], a: &[Self], b: &[Self]) {
                Self::map2(dst, a, b, Number::minus);
            }
            fn mul(dst: &mut [Self], a: &[Self], b: &[Self]) {
                Self::map2(dst, a, b, Number::times);
            }
            fn max(dst: &mut [Self], a: &[Self], b: &[Self]) {
                Self::map2(dst, a, b, Number::greater);
            }
            fn min(dst: &mut [Self], a: &[Self], b: &[Self]) {
                Self::map2(dst, a, b, Number::smaller);
            }
            fn adds(dst: &mut [Self], src: &[Self], scalar: Self) {
                let scalar = scalar.widen();
                Self::map(dst, src, |x| x.plus(scalar));
            }
            fn muls(dst: &mut [Self], src: &[Self], scalar: Self) {
                let scalar = scalar.widen();
                Self::map(dst, src, |x| x.times(scalar));
            }
            fn maxs(dst: &mut [Self], src: &[Self], scalar: Self) {
                let scalar = scalar.widen();
                Self::map(dst, src, |x| x.greater(scalar));
            }
            fn mins(dst: &mut [Self], src: &[Self], scalar: Self) {
                let scalar = scalar.widen();
                Self::map(dst, src, |x| x.smaller(scalar));
            }
        }
    )*};
}

arithmetic!(f16 bf16 f32 i16 i32);

macro_rules! floats {
    // `mode`: how a result of more digits becomes `f32`, such that it is rounded to the type once.
    ($($type:ident $mode:ident;)*) => {$(
        impl FloatKernels for $type {
            fn div(dst: &mut [Self], a: &[Self], b: &[Self]) {
                Self::map2(dst, a, b, |a, b| a / b);
            }
            fn abs(dst: &mut [Self], src: &[Self]) {
                Self::map(dst, src, f32::abs);
            }
            fn exp(dst: &mut [Self], src: &[Self]) {
                Self::map(dst, src, |x| nearest_f32(exp(x), RoundMode::$mode));
            }
            fn ln(dst: &mut [Self], src: &[Self]) {
                Self::map(dst, src, |x| nearest_f32(ln(x), RoundMode::$mode));
            }
            fn sqrt(dst: &mut [Self], src: &[Self]) {
                Self::map(dst, src, f32::sqrt);
            }
            fn sum(src: &[Self]) -> Self {
                Self::narrow(sum(src))
            }
            fn greatest(src: &[Self]) -> Self {
                Self::narrow(extreme(src, |x, best| x > best))
            }
            fn smallest(src: &[Self]) -> Self {
                Self::narrow(extreme(src, |x, best| x < best))
            }
        }
    )*};
}

floats! {
    f16 CAST_ODD;
    f32 CAST_RINT;
}

macro_rules! others {
    (relu: $($relu:ident)*; compare: $($compare:ident)*; select: $($select:ident)*; accumulate: $($accumulate:ident)*;) => {
        $(impl ReluKernel for $relu {
            fn relu(dst: &mut [Self], src: &[Self]) {
                Self::map(dst, src, Number::positive);
            }
        })*
        $(impl CompareKernel for $compare {
            fn compare(dst: &mut [u8], a: &[Self], b: &[Self], mode: CmpMode) {
                match mode {
                    CmpMode::LT => compare_bits(dst, a, b, |a, b| a < b),
                    CmpMode::GT => compare_bits(dst, a, b, |a, b| a > b),
                    CmpMode::EQ => compare_bits(dst, a, b, |a, b| a == b),
                    CmpMode::LE => compare_bits(dst, a, b, |a, b| a <= b),
                    CmpMode::GE => compare_bits(dst, a, b, |a, b| a >= b),
                    CmpMode::NE => compare_bits(dst, a, b, |a, b| a != b),
                }
            }
        })*
        $(impl SelectKernels for $select {
            fn select(dst: &mut [Self], mask: &[u8], a: &[Self], b: &[Self]) {
                select_bits(dst, mask, a, b);
            }
            fn select_scalar(dst: &mut [Self], mask: &[u8], a: &[Self], scalar: Self) {
                let others = [scalar; 256];
                let blocks = dst.chunks_mut(256).zip(mask.chunks(32)).zip(a.chunks(256));
                for ((dst, mask), a) in blocks {
                    select_bits(dst, mask, a, &others[..a.len()]);
                }
            }
        })*
        $(impl AccumulateKernel for $accumulate {
            fn accumulate(there: &mut [u8], bytes: &[u8]) {
                accumulate::<$accumulate>(there, bytes);
            }
        })*
    };
}

others! {
    relu: f16 f32 i32;
    compare: f16 f32 i32;
    select: f16 f32;
    accumulate: f16 bf16 f32 i8 i16 i32;
}

fn accumulate<T: Lanes<Wide: Number>>(there: &mut [u8], bytes: &[u8]) {
    /// Elements whose old values are kept on the stack at a time.
    const BLOCK: usize = 256;
    // Global memory starts on a word and its tensors are of whole elements. The bytes of a local
    // tensor may start off an element: they are copied to where elements can stand.
    let Some(there) = T::from_bytes_mut(there) else { return };
    let mut old = [T::default(); BLOCK];
    let mut new = [T::default(); BLOCK];
    for (there, bytes) in there.chunks_mut(BLOCK).zip(bytes.chunks(BLOCK * size_of::<T>())) {
        let (old, new) = (&mut old[..there.len()], &mut new[..there.len()]);
        old.copy_from_slice(there);
        T::as_bytes_mut(new).copy_from_slice(bytes);
        T::map2(there, old, new, Number::plus);
    }
}

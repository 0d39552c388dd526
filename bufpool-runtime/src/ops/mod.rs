//! What a kernel does with tensors: copies, vector work, scalar access, and [`issue`] for any
//! other instruction.
//!
//! Every operation is a free function with the vendor's name in Rust case, takes the destination
//! first and counts in elements. It moves real bytes, and tells the checks which pipe runs it
//! and which bytes it reads and writes.
//!
//! | operations | types | pipe |
//! |---|---|---|
//! | [`data_copy`], [`data_copy_n`], [`data_copy_blocks`] | all | by the path |
//! | [`data_copy_pad`], [`data_copy_pad_with`] | all | MTE2, MTE3 |
//! | [`data_copy_atomic_add`], [`data_copy_pad_atomic_add`] | f16, bf16, f32, i8, i16, i32 | MTE3 |
//! | [`add()`], [`sub()`], [`mul()`], [`max`], [`min`], [`adds`], [`muls`], [`maxs`], [`mins`] | f16, f32, i16, i32; bf16 on `Ascend950` | V |
//! | [`div()`], [`abs`], [`exp`], [`ln`], [`sqrt`], [`reduce_sum`], [`reduce_max`], [`reduce_min`] | f16, f32 | V |
//! | [`relu`] | f16, f32, i32 | V |
//! | [`duplicate`] | 16 and 32 bits | V |
//! | [`cast`] | pairs, see [`CastTo`] | V |
//! | [`compare`] | f16, f32, i32 | V |
//! | [`select`], [`select_scalar`] | f16, f32 | V |
//! | `get_value`, `set_value` of a tensor | all | S |
//!
//! # Arithmetic
//!
//! - A float result is rounded once per operation to its own type, to nearest with ties to even,
//!   subnormals included. What is too large becomes infinite (the mode of the newer chips;
//!   `AtlasTraining` and `AtlasInferenceAiCore` stop at the largest finite number instead, which is
//!   not modelled).
//! - `exp` and `ln` are rounded from the exact value, the same on every host; the chip's own units may
//!   differ in the last digit.
//! - Integer add, sub, mul wrap around. Casts to an integer stop at its ends, and make 0 of what
//!   is not a number.
//! - Where one operand is not a number, neither is the result of max, min and `reduce_max`.
//!
//! # Overlap and bounds
//!
//! An operation reads its sources before it writes its destination, so that working in place gives
//! the right result. A device works repeat by repeat: for partial overlap it may give another one.
//!
//! A count past the end of a tensor works on the bytes that follow, as the device does, and is
//! reported by a check; past the end of the memory it is an error, and so is any element past the
//! end of a global tensor.

mod arith;
mod atomic;
mod bits;
mod cast;
mod compare;
mod copy;
mod copy_blocks;
pub(crate) mod element;
mod issue;
mod kernels;
mod lanes;
mod math;
mod number;
mod operand;
mod piece;
mod reduce;
mod rounding;
mod scalar;
mod strided;
mod sums;
mod support;
mod unary;
mod vector;

#[cfg(test)]
mod tests;

pub use arith::{add, adds, div, max, maxs, min, mins, mul, muls, sub};
pub use atomic::{data_copy_atomic_add, data_copy_pad_atomic_add};
pub use cast::{CastTo, RoundMode, cast};
pub use compare::{CmpMode, compare, select, select_scalar};
pub use copy::{data_copy, data_copy_n};
pub use copy_blocks::{
    DataCopyBlocks, DataCopyPad, Padding, data_copy_blocks, data_copy_pad, data_copy_pad_with,
};
pub use element::{Element, bf16, f16};
pub use issue::{Operands, issue};
pub use operand::{CopyFrom, Global, Operand, PadFrom};
pub use reduce::{reduce_max, reduce_min, reduce_sum};
pub use support::{Arithmetic, AtomicAdd, Compare, Duplicate, Float, Relu, Select};
pub use unary::{abs, duplicate, exp, ln, relu, sqrt};

//! Which types each operation takes.
//!
//! What no chip takes does not compile. What only some chips take compiles, because the chip is
//! a value, and is an error of the call on the others.

use std::any::TypeId;

use crate::chip::Bf16;
use crate::error::Result;
use crate::error_data::Call;
use crate::model::Core;
use crate::ops::compare::CmpMode;
use crate::ops::element::{Element, bf16, f16};
use crate::ops::kernels::{
    AccumulateKernel, ArithmeticKernels, CompareKernel, FloatKernels, ReluKernel, SelectKernels,
};

macro_rules! types {
    ($trait:ident: $($type:ident)*) => { $(impl $trait for $type {})* };
}

/// Types of add, sub, mul, max, min, adds, muls, maxs and mins: `f16`, `f32`, `i16` and `i32`;
/// `bf16` on Ascend950.
#[diagnostic::on_unimplemented(
    message = "the vector unit does not calculate with `{Self}`",
    label = "add, sub, mul, max, min and their scalar forms do not take `{Self}`",
    note = "they take f16, f32, i16 and i32, and bf16 on Ascend950; cast to one of them first"
)]
pub trait Arithmetic: ArithmeticKernels {}
types!(Arithmetic: f16 bf16 f32 i16 i32);

/// Types of div, abs, exp, ln, sqrt, `reduce_sum` and `reduce_max`: `f16` and `f32`.
#[diagnostic::on_unimplemented(
    message = "this operation takes f16 and f32, not `{Self}`",
    label = "div, abs, exp, ln, sqrt, reduce_sum and reduce_max do not take `{Self}`",
    note = "cast to f16 or f32 first"
)]
pub trait Float: FloatKernels {}
types!(Float: f16 f32);

/// Types of relu: `f16`, `f32` and `i32`.
#[diagnostic::on_unimplemented(
    message = "relu does not take `{Self}`",
    label = "not a type of relu",
    note = "relu takes f16, f32 and i32"
)]
pub trait Relu: ReluKernel {}
types!(Relu: f16 f32 i32);

/// Types of duplicate: those of 16 and 32 bits.
#[diagnostic::on_unimplemented(
    message = "duplicate does not take `{Self}`",
    label = "not a type of duplicate",
    note = "duplicate takes types of 16 and 32 bits: f16, bf16, i16, u16, f32, i32 and u32; for others use `reinterpret`"
)]
pub trait Duplicate: Element {}
types!(Duplicate: f16 bf16 i16 u16 f32 i32 u32);

/// Types of compare: `f16` and `f32`, and `i32` for equality.
#[diagnostic::on_unimplemented(
    message = "compare does not take `{Self}`",
    label = "not a type of compare",
    note = "compare takes f16, f32, and i32 with CmpMode::EQ"
)]
pub trait Compare: CompareKernel {
    /// The modes that the type takes.
    const MODES: &[CmpMode] = {
        use CmpMode::*;
        &[LT, GT, EQ, LE, GE, NE]
    };
}
types!(Compare: f16 f32);
impl Compare for i32 {
    const MODES: &[CmpMode] = &[CmpMode::EQ];
}

/// Types of select: `f16` and `f32`.
#[diagnostic::on_unimplemented(
    message = "select does not take `{Self}`",
    label = "not a type of select",
    note = "select takes f16 and f32; select only moves bits, so `reinterpret` other types of that size"
)]
pub trait Select: SelectKernels {}
types!(Select: f16 f32);

/// Types that a copy can add to global memory: `f16`, `bf16`, `f32`, `i8`, `i16` and `i32`.
#[diagnostic::on_unimplemented(
    message = "a copy cannot add `{Self}` to global memory",
    label = "not a type of data_copy_atomic_add",
    note = "atomic adds take f16, bf16, f32, i8, i16 and i32"
)]
pub trait AtomicAdd: AccumulateKernel {}
types!(AtomicAdd: f16 bf16 f32 i8 i16 i32);

/// Refuses a type that only other chips calculate with.
#[inline]
pub(super) fn calculates<T: Element>(call: Call, core: &Core) -> Result<()> {
    if TypeId::of::<T>() == TypeId::of::<bf16>() {
        bf16_on(call, core, Bf16::Calculated)
    } else {
        Ok(())
    }
}

/// Refuses a type that only other chips have.
#[inline]
pub(super) fn has_type<T: Element>(call: Call, core: &Core) -> Result<()> {
    if TypeId::of::<T>() == TypeId::of::<bf16>() {
        bf16_on(call, core, Bf16::Moved)
    } else {
        Ok(())
    }
}

fn bf16_on(call: Call, core: &Core, needed: Bf16) -> Result<()> {
    let spec = core.state(call.at)?.spec;
    if spec.bf16 >= needed {
        return Ok(());
    }
    let help = if spec.bf16 == Bf16::Moved {
        "cast to f32, calculate, and cast back"
    } else {
        "use f16 or f32 on this chip"
    };
    Err(call.unsupported_type(bf16::NAME, spec, help))
}

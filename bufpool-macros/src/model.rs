//! A pool as the macro understands it. [`Pool`] can only be built from a [`Draft`] in which
//! every rule holds, so that what expands it has nothing left to check.

use proc_macro2::{Ident, Span, TokenStream};
use syn::DeriveInput;

use crate::errors::Errors;
use crate::tokens::Tokens;

/// Where the pool lives.
#[derive(Clone)]
pub(crate) enum Position {
    /// One of the six; the name is spanned at the argument.
    Fixed(Ident),
    /// A type parameter of the struct.
    Param(Ident),
}

/// How many blocks the pool has.
#[derive(Clone)]
pub(crate) enum Size {
    /// A literal from 1 to 255.
    Literal(u8, Span),
    /// A constant, to be checked by the compiler.
    Constant(Constant),
}

#[derive(Clone)]
pub(crate) struct Constant {
    pub(crate) tokens: TokenStream,
    pub(crate) span: Span,
    /// As the user wrote it.
    pub(crate) text: String,
    /// Whether the value depends on parameters of the struct, and so can only be looked at
    /// where these are known.
    pub(crate) generic: bool,
    /// The const parameter that it is, if it is one and nothing else.
    pub(crate) param: Option<Param>,
}

/// A const parameter of a type that can only be an integer.
#[derive(Clone)]
pub(crate) struct Param {
    pub(crate) name: Ident,
    /// `u8`, `usize` and so on.
    pub(crate) integer: Ident,
}

/// What the checks made of the input. An argument that is missing here is reported.
pub(crate) struct Draft {
    pub(crate) item: DeriveInput,
    pub(crate) runtime: Tokens,
    pub(crate) position: Option<Position>,
    pub(crate) size: Option<Size>,
    /// The name of the added field; none if there can be no such field.
    pub(crate) state: Option<Ident>,
}

/// A pool in which every rule holds.
pub(crate) struct Pool {
    pub(crate) item: DeriveInput,
    pub(crate) runtime: Tokens,
    pub(crate) position: Position,
    pub(crate) size: Size,
    pub(crate) state: Ident,
    /// Only this module can build one.
    _checked: Checked,
}

struct Checked;

impl Draft {
    /// The pool, if nothing was reported and so nothing is missing.
    pub(crate) fn complete(self, errors: &Errors) -> Result<Pool, Box<Draft>> {
        match self {
            Draft {
                item,
                runtime,
                position: Some(position),
                size: Some(size),
                state: Some(state),
            } if errors.is_empty() => {
                Ok(Pool { item, runtime, position, size, state, _checked: Checked })
            }
            draft => Err(Box::new(draft)),
        }
    }
}

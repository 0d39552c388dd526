//! The output next to errors: what the type will have once they are mended.
//!
//! Without it one mistake in the attribute would be followed by an error for each use of the
//! struct, and editors would lose its methods while the attribute is being typed.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::{DeriveInput, TypeParamBound};

use crate::expand::{self, Parts};
use crate::model::{Draft, Position, Size};

/// For a struct that can become a pool: with its field, unless the name is the mistake.
pub(crate) fn pool(mut draft: Draft) -> TokenStream {
    let default = default(&draft.item);
    if let Some(state) = draft.state.clone() {
        let position = draft.position.clone().unwrap_or_else(|| position_meant(&draft.item));
        let ty = expand::state_type(&draft.runtime, &position);
        expand::add_field(&mut draft.item, &state, ty);
    }
    let impls = impls(&draft);
    let item = draft.item;
    quote!(#item #impls #default)
}

/// For a type that cannot become a pool: as it is, with the members of one.
pub(crate) fn other_type(draft: &Draft) -> TokenStream {
    let (item, impls, default) = (&draft.item, impls(draft), default(&draft.item));
    quote!(#item #impls #default)
}

/// Where the position is a mistake: the parameter that has the bound of one, for it to be in use.
fn position_meant(item: &DeriveInput) -> Position {
    let is_position = |bound: &TypeParamBound| match bound {
        TypeParamBound::Trait(bound) => {
            bound.path.segments.last().is_some_and(|name| name.ident == "PoolPosition")
        }
        _ => false,
    };
    match item.generics.type_params().find(|param| param.bounds.iter().any(is_position)) {
        Some(param) => Position::Param(param.ident.clone()),
        None => veccalc(),
    }
}

fn veccalc() -> Position {
    Position::Fixed(Ident::new("VECCALC", Span::call_site()))
}

fn default(item: &DeriveInput) -> Option<TokenStream> {
    let body = quote!(::core::unreachable!());
    expand::needs_default(item).then(|| expand::default(item, &body))
}

/// The members and traits of a pool, for a type that may have no state.
pub(crate) fn impls(draft: &Draft) -> TokenStream {
    let position = veccalc();
    let size = Size::Literal(16, Span::call_site());
    expand::impls(&Parts {
        item: &draft.item,
        runtime: &draft.runtime,
        position: draft.position.as_ref().unwrap_or(&position),
        size: draft.size.as_ref().unwrap_or(&size),
        state: None,
    })
}

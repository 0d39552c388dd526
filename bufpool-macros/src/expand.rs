//! The output: the struct with its new field, its methods and its traits.
//!
//! All paths start at the runtime or at `::core`, so that nothing that the user has in scope can
//! get in between.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::punctuated::Punctuated;
use syn::{
    Data, DeriveInput, Field, FieldModifiers, Fields, FieldsNamed, Meta, Token, Type, Visibility,
};

use crate::attrs;
use crate::blocks::{self, Blocks};
use crate::model::{Pool, Position, Size};
use crate::tokens::Tokens;

/// The most blocks that the vendor recommends for one pool.
const RECOMMENDED: u8 = 16;

/// What the impls are made of.
pub(crate) struct Parts<'a> {
    pub(crate) item: &'a DeriveInput,
    pub(crate) runtime: &'a Tokens,
    pub(crate) position: &'a Position,
    pub(crate) size: &'a Size,
    /// The field with the state; without one, the bodies are stubs that nobody will run.
    pub(crate) state: Option<&'a Ident>,
}

pub(crate) fn pool(pool: Pool) -> TokenStream {
    let ty = with_warning(state_type(&pool.runtime, &pool.position), &pool.size);
    let Pool { mut item, runtime, position, size, state, .. } = pool;
    let default = needs_default(&item).then(|| {
        let body = quote!(Self { #state: ::core::default::Default::default() });
        default(&item, &body)
    });
    add_field(&mut item, &state, ty);
    let parts = Parts {
        item: &item,
        runtime: &runtime,
        position: &position,
        size: &size,
        state: Some(&state),
    };
    output(&parts, default.as_ref())
}

/// A struct without fields gets `Default`, since nobody can write its value any more.
pub(crate) fn needs_default(item: &DeriveInput) -> bool {
    let empty = match &item.data {
        Data::Struct(data) => match &data.fields {
            Fields::Unit => true,
            Fields::Unnamed(fields) => fields.unnamed.is_empty(),
            Fields::Named(_) => false,
        },
        _ => false,
    };
    empty && !attrs::derives_default(item)
}

pub(crate) fn add_field(item: &mut DeriveInput, name: &Ident, ty: TokenStream) {
    let Data::Struct(data) = &mut item.data else {
        return;
    };
    if let Fields::Unit = data.fields {
        data.semi_token = None;
        data.fields = Fields::Named(FieldsNamed {
            brace_token: syn::token::Brace(Span::call_site()),
            named: Punctuated::new(),
        });
    }
    if let Fields::Named(fields) = &mut data.fields {
        fields.named.push(Field {
            attrs: Vec::new(),
            vis: Visibility::Inherited,
            modifiers: FieldModifiers::default(),
            ident: Some(name.clone()),
            colon_token: Some(Token![:](Span::call_site())),
            ty: Type::Verbatim(ty),
            default: None,
        });
    }
}

/// The type of the field. It always is `PoolState`, but two things can only be said by a detour
/// over `IntoIterator::Item`. The one is that a parameter that no field mentions is in use: without
/// that it is an error, and the user may have no other field.
pub(crate) fn state_type(rt: &Tokens, position: &Position) -> TokenStream {
    match position {
        Position::Fixed(_) => quote!(#rt::PoolState),
        Position::Param(param) => quote! {
            <::core::result::Result<#rt::PoolState, #param> as ::core::iter::IntoIterator>::Item
        },
    }
}

/// The other: only a warning from inside of the struct obeys `#[allow]` and `#[expect]` on the
/// struct. The length of an array is a place there in which a deprecated item can be used.
fn with_warning(ty: TokenStream, size: &Size) -> TokenStream {
    match *size {
        Size::Literal(blocks, span) if blocks > RECOMMENDED => {
            let name = Ident::new("MORE_THAN_16_BLOCKS", span);
            let note = format!(
                "{blocks} blocks work, but {RECOMMENDED} are recommended at most: the hardware has 8 event ids per event"
            );
            quote! {
                <[#ty; {
                    #[deprecated(note = #note)]
                    const #name: ::core::primitive::usize = 1;
                    #name
                }] as ::core::iter::IntoIterator>::Item
            }
        }
        _ => ty,
    }
}

pub(crate) fn default(item: &DeriveInput, body: &TokenStream) -> TokenStream {
    let (name, lints) = (&item.ident, lints(item));
    let (generics, args, bounds) = item.generics.split_for_impl();
    quote! {
        #lints
        impl #generics ::core::default::Default for #name #args #bounds {
            fn default() -> Self {
                #body
            }
        }
    }
}

/// The struct with its members and traits.
fn output(parts: &Parts, default: Option<&TokenStream>) -> TokenStream {
    let mut output = parts.item.to_token_stream();
    output.extend(impls(parts));
    default.to_tokens(&mut output);
    output
}

/// What the struct gets.
pub(crate) fn impls(parts: &Parts) -> TokenStream {
    let Parts { item, runtime: rt, .. } = *parts;
    let (vis, name, lints) = (&item.vis, &item.ident, lints(item));
    let (generics, args, bounds) = item.generics.split_for_impl();
    let position = match parts.position {
        Position::Fixed(position) => quote!(#rt::#position),
        Position::Param(param) => quote!(#param),
    };
    let Blocks { value, ty: blocks, before } = blocks::of(parts);
    let [state, state_mut] = match parts.state {
        Some(state) => [quote!(&self.#state), quote!(&mut self.#state)],
        None => [quote!(::core::unreachable!()), quote!(::core::unreachable!())],
    };
    // The macro comes first: in a function, what is last could be taken for its value.
    let impls = quote! {
        #rt::members! { #vis, #lints impl #generics #name #args #bounds }
        #lints
        impl #generics #rt::AnyPool for #name #args #bounds {
            type Pos = #position;
            type __Blocks = #blocks;
            const BUFID_SIZE: ::core::primitive::u8 = #value;
            #[inline]
            fn __state(&self) -> &#rt::PoolState {
                #state
            }
            #[inline]
            fn __state_mut(&mut self) -> &mut #rt::PoolState {
                #state_mut
            }
        }
    };
    // In a block, so that names in front of the pool do not meet the user's.
    if before.is_empty() { impls } else { quote!(const _: () = { #before #impls };) }
}

/// Lints that see the struct's own tokens in the impls, and take them for the user's.
pub(crate) fn lints(item: &DeriveInput) -> TokenStream {
    let mut lints = TokenStream::new();
    if item.attrs.iter().any(|attr| attr.path().is_ident("deprecated")) {
        // The members are no use of the deprecated struct: they are the struct.
        lints.extend(quote!(#[allow(deprecated)]));
    }
    if item.generics.lifetimes().next().is_some() {
        lints.extend(quote!(#[allow(single_use_lifetimes)]));
    }
    // What the user allows on the struct is allowed in what the attribute makes of it.
    for attr in &item.attrs {
        if let Meta::List(list) = &attr.meta
            && (list.path.is_ident("allow") || list.path.is_ident("expect"))
        {
            let allowed = &list.tokens;
            lints.extend(quote!(#[allow(#allowed)]));
        }
    }
    lints
}

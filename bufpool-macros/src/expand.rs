//! The output: the struct with its new field, its methods and its traits.
//!
//! All paths start at the runtime or at `::core`, so that nothing that the user has in scope can
//! get in between.

use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::punctuated::Punctuated;
use syn::{
    Data, DeriveInput, Field, FieldModifiers, Fields, FieldsNamed, GenericParam, Token, Type,
    Visibility,
};

use crate::attrs;
use crate::model::{Constant, Pool, Position, Size};
use crate::size::MEANING;
use crate::tokens::{Tokens, replace};

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
    let ty = state_type(&pool);
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

/// A unit struct gets `Default`, since nobody can write its value any more.
pub(crate) fn needs_default(item: &DeriveInput) -> bool {
    let unit = matches!(&item.data, Data::Struct(data) if matches!(data.fields, Fields::Unit));
    unit && !attrs::derives_default(item)
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
/// over `IntoIterator::Item`.
fn state_type(pool: &Pool) -> TokenStream {
    let rt = &pool.runtime;
    let mut ty = quote!(#rt::PoolState);
    // A parameter that no field mentions is an error, and the user may have no other field.
    if let Position::Param(param) = &pool.position {
        ty = quote!(<::core::result::Result<#ty, #param> as ::core::iter::IntoIterator>::Item);
    }
    // Only a warning from inside of the struct obeys `#[allow]` and `#[expect]` on the struct.
    // The length of an array is a place there in which a deprecated item can be used.
    if let Size::Literal(blocks, span) = pool.size
        && blocks > RECOMMENDED
    {
        let name = Ident::new("MORE_THAN_16_BLOCKS", span);
        let note = format!(
            "{blocks} blocks work, but {RECOMMENDED} are recommended at most: the hardware has 8 event ids per event"
        );
        ty = quote! {
            <[#ty; {
                #[deprecated(note = #note)]
                const #name: ::core::primitive::usize = 1;
                #name
            }] as ::core::iter::IntoIterator>::Item
        };
    }
    ty
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
pub(crate) fn output(parts: &Parts, default: Option<&TokenStream>) -> TokenStream {
    let Parts { item, runtime: rt, .. } = *parts;
    let (vis, name, lints) = (&item.vis, &item.ident, lints(item));
    let (generics, args, bounds) = item.generics.split_for_impl();
    let position = match parts.position {
        Position::Fixed(position) => quote!(#rt::#position),
        Position::Param(param) => quote!(#param),
    };
    let size = size(parts);
    let [state, state_mut] = match parts.state {
        Some(state) => [quote!(&self.#state), quote!(&mut self.#state)],
        None => [quote!(::core::unreachable!()), quote!(::core::unreachable!())],
    };
    let value = &size.value;
    // The macro comes first: in a function, what is last could be taken for its value.
    let impls = quote! {
        #rt::members! { #vis, #lints impl #generics #name #args #bounds }
        #lints
        impl #generics #rt::BufPool for #name #args #bounds {
            type Pos = #position;
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
    let before = size.before;
    let impls = if before.is_empty() { impls } else { quote!(const _: () = { #before #impls };) };
    let mut output = item.to_token_stream();
    output.extend(impls);
    default.to_tokens(&mut output);
    output
}

/// Lints that see the struct's own tokens in the impls, and take them for the user's.
fn lints(item: &DeriveInput) -> TokenStream {
    let mut lints = TokenStream::new();
    if item.attrs.iter().any(|attr| attr.path().is_ident("deprecated")) {
        // The members are no use of the deprecated struct: they are the struct.
        lints.extend(quote!(#[allow(deprecated)]));
    }
    if item.generics.lifetimes().next().is_some() {
        lints.extend(quote!(#[allow(single_use_lifetimes)]));
    }
    lints
}

/// The second sign of a pool whose number of blocks is a const parameter, for the number 0.
fn no_blocks(constant: &Constant, parts: &Parts) -> Option<TokenStream> {
    let param = constant.param.as_ref()?;
    let Parts { item, runtime: rt, .. } = parts;
    let name = &item.ident;
    let (_, args, _) = item.generics.split_for_impl();
    let mut others = item.generics.clone();
    let is_other = |other: &GenericParam| match other {
        GenericParam::Const(other) => other.ident != *param,
        _ => true,
    };
    others.params = others.params.into_iter().filter(is_other).collect();
    let (params, _, bounds) = others.split_for_impl();
    // The parameter may occur in the bounds of the others.
    let parts = [params.to_token_stream(), args.to_token_stream(), bounds.to_token_stream()];
    let zero = Literal::u8_unsuffixed(0);
    let [params, args, bounds] = parts.map(|part| replace(part, &param.to_string(), &zero));
    let lints = lints(item);
    Some(quote_spanned! {constant.span=>
        #lints
        impl #params #rt::HasBlocks<#rt::NoBlocks> for #name #args #bounds {}
    })
}

/// The number of blocks in the output.
#[derive(Default)]
struct Blocks {
    /// An expression of type u8.
    value: TokenStream,
    /// What has to stand before the pool, and beside nothing of the user's.
    before: TokenStream,
}

fn size(parts: &Parts) -> Blocks {
    let constant = match parts.size {
        Size::Literal(blocks, span) => {
            let mut literal = Literal::u8_unsuffixed(*blocks);
            literal.set_span(*span);
            return Blocks { value: literal.into_token_stream(), ..Blocks::default() };
        }
        Size::Constant(constant) => constant,
    };
    let blocks = Ident::new("__BUFPOOL_BLOCKS", Span::mixed_site());
    let check = check(constant, &blocks, &parts.item.ident);
    // In an array with an integer, anything but an integer is a type error at the user's token.
    let tokens = &constant.tokens;
    let value = quote!([0, #tokens][1] as ::core::primitive::i128);
    let integer = quote!(::core::primitive::i128);
    let count = quote!(::core::primitive::u8);
    if constant.generic {
        // Looked at where the parameters are known, which is later than `cargo check`.
        let value = quote! {{
            let #blocks: #integer = #value;
            #check;
            #blocks as #count
        }};
        return Blocks { value, before: no_blocks(constant, parts).unwrap_or_default() };
    }
    let before = quote! {
        const #blocks: #integer = #value;
        const _: () = #check;
    };
    Blocks { value: quote!(#blocks as #count), before }
}

/// An expression that is an error at the argument, which names the struct, if the number of
/// blocks is out of range.
fn check(constant: &Constant, blocks: &Ident, pool: &Ident) -> TokenStream {
    let text = &constant.text;
    let none = format!(
        "a pool needs at least one block, and `{pool}` has 0 by `bufid_size = {text}`\nnote: {MEANING}"
    );
    let range = format!(
        "block counts are u8, 1 to 255, and that of `{pool}` by `bufid_size = {text}` is not\n\
         note: if these are bytes, the pool gets them from the pipe: `pipe.init_buf_pool(&mut pool, bytes)`"
    );
    // No `assert!`: the compiler would explain at length how it expands.
    let expect = quote_spanned!(constant.span=> ::core::option::Option::expect);
    let mut arguments = Group::new(
        Delimiter::Parenthesis,
        quote! {
            if 0 < #blocks && #blocks < 256 {
                ::core::option::Option::Some(())
            } else {
                ::core::option::Option::None
            },
            if #blocks == 0 { #none } else { #range }
        },
    );
    arguments.set_span(constant.span);
    quote!(#expect #arguments)
}

//! The number of blocks in the output, and the checks that only the compiler can do: those of a
//! constant and of a const parameter.

use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

use crate::expand::{Parts, lints};
use crate::model::{Constant, Param, Size};
use crate::size::MEANING;

/// The number of blocks in the output.
#[derive(Default)]
pub(crate) struct Blocks {
    /// An expression of type u8.
    pub(crate) value: TokenStream,
    /// The number as a type of the runtime's.
    pub(crate) ty: TokenStream,
    /// What has to stand in front of the pool; mostly nothing.
    pub(crate) before: TokenStream,
}

pub(crate) fn of(parts: &Parts) -> Blocks {
    let rt = parts.runtime;
    let mut all = Blocks { ty: quote!(#rt::blocks::Known), ..Blocks::default() };
    let constant = match parts.size {
        Size::Literal(blocks, span) => {
            let mut literal = Literal::u8_unsuffixed(*blocks);
            literal.set_span(*span);
            all.value = literal.into_token_stream();
            return all;
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
        all.value = quote! {{
            let #blocks: #integer = #value;
            #check;
            #blocks as #count
        }};
        // The type of the number is looked at by `cargo check`.
        if let Some(Param { name, integer }) = &constant.param {
            all.ty = quote!(#rt::blocks::#integer<#name>);
        }
        return all;
    }
    all.value = quote!(#blocks as #count);
    let lints = lints(parts.item);
    all.before = quote! {
        #lints
        const #blocks: #integer = #value;
        const _: () = #check;
    };
    all
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

//! The number of blocks in the output, and the checks that only the compiler can do: those of a
//! constant and of a const parameter.

use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::GenericParam;

use crate::expand::{Parts, lints};
use crate::model::{Constant, Size};
use crate::size::MEANING;
use crate::tokens::replace;

/// The number of blocks in the output.
#[derive(Default)]
pub(crate) struct Blocks {
    /// An expression of type u8.
    pub(crate) value: TokenStream,
    /// What has to stand in front of the pool; mostly nothing.
    pub(crate) before: TokenStream,
}

pub(crate) fn of(parts: &Parts) -> Blocks {
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
    let help = constant.param.as_ref().map_or_else(String::new, |param| {
        format!(
            "help: declare it as `const {param}: u8`, and `cargo check` sees such numbers too\n"
        )
    });
    let range = format!(
        "block counts are u8, 1 to 255, and that of `{pool}` by `bufid_size = {text}` is not\n{help}\
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

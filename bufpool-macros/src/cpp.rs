//! The macro of Ascend C, for those who write it as there: an error that spells out the attribute.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote};

use crate::errors::{Errors, Text};
use crate::keys::Slots;
use crate::split::split;
use crate::tokens::plain;
use crate::{fallback, slips, validate};

/// `EXTERN_IMPL_BUFPOOL(class, position, size)`, next to the struct or in an impl of it.
pub(crate) fn macro_call(input: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let pieces = split(input).pieces;
    let unnamed: Vec<&[TokenTree]> = pieces.iter().map(Vec::as_slice).collect();
    let class = match unnamed.first() {
        Some([class]) => syn::parse2::<Ident>(class.clone().into()).ok(),
        _ => None,
    };
    let class = class.unwrap_or_else(|| Ident::new("MyBufPool", Span::call_site()));
    let mut slots = Slots::default();
    let arguments = slips::spell_out(&unnamed, &mut slots);
    let help = format!("write `#[extern_impl_bufpool({arguments})] struct {class};`");
    let fault = Text::new("EXTERN_IMPL_BUFPOOL is an attribute here");
    // With the context of a token of the user's: the compiler would explain at length that a span
    // of our own comes from a macro.
    let context = pieces.iter().flatten().next().map_or_else(Span::call_site, TokenTree::span);
    errors.push(Span::call_site().resolved_at(context), fault.help(&help));

    // Members, so that the code that uses the struct adds no errors.
    let item = syn::parse2(quote!(struct #class;)).expect("bufpool bug: a unit struct is an item");
    let draft = validate::check(slots, item, &mut errors);
    let impls = fallback::impls(&draft);
    let errors = errors.into_tokens();
    // A constant can stand in a module and in an impl.
    let name = format_ident!("__BUFPOOL_{}", plain(&class));
    quote! {
        #[allow(non_local_definitions, non_upper_case_globals, dead_code)]
        const #name: () = {
            #errors
            #impls
        };
    }
}

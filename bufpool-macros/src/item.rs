//! What the attribute stands on.

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use syn::{Data, DeriveInput, Fields, GenericParam, Generics};

use crate::attrs;
use crate::errors::{Errors, Text};
use crate::tokens::{is_punct, plain};

pub(crate) enum Item {
    /// A struct that can hold one more named field.
    Pool(DeriveInput),
    /// A type that cannot: an enum, a union or a tuple struct. Reported.
    OtherType(DeriveInput),
    /// No type at all, or one that syn cannot read. Reported.
    Other(TokenStream),
}

pub(crate) fn parse(tokens: TokenStream, errors: &mut Errors) -> Item {
    let tokens = opened(tokens);
    let (keyword, kind) = kind(&tokens);
    if !matches!(kind, "a struct" | "an enum" | "a union") {
        errors.push(keyword, wrong_item(kind));
        return Item::Other(tokens);
    }
    let mut input = match syn::parse2::<DeriveInput>(tokens.clone()) {
        Ok(input) => input,
        Err(error) => {
            // Syntax that is newer than our parser.
            errors.push(error.span(), Text::new(&error.to_string()));
            return Item::Other(tokens);
        }
    };
    match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(_) | Fields::Unit => {
                attrs::check(&mut input, errors);
                return Item::Pool(input);
            }
            Fields::Unnamed(_) => errors.push(keyword, wrong_item("a tuple struct")),
        },
        Data::Enum(_) | Data::Union(_) => errors.push(keyword, wrong_item(kind)),
    }
    Item::OtherType(input)
}

/// An item that `macro_rules!` has captured as a whole is in a group without delimiters.
fn opened(tokens: TokenStream) -> TokenStream {
    let mut all = tokens.clone().into_iter();
    match (all.next(), all.next()) {
        (Some(TokenTree::Group(group)), None) if group.delimiter() == Delimiter::None => {
            opened(group.stream())
        }
        _ => tokens,
    }
}

fn wrong_item(found: &str) -> Text {
    let fault =
        format!("a buffer pool is a unit struct or a struct with named fields, found {found}");
    Text::new(&fault).help(match found {
        "a tuple struct" => "give the fields names",
        _ => "put the attribute on a struct of its own: `struct MyBufPool;`",
    })
}

/// The keyword that says what the item is, and its name in a sentence.
fn kind(tokens: &TokenStream) -> (Span, &'static str) {
    let mut kind = (Span::call_site(), "something else");
    let mut tokens = tokens.clone().into_iter().peekable();
    while let Some(token) = tokens.next() {
        // Attributes are `#` and a group: all before the keyword that are identifiers are
        // visibility and qualifiers.
        let TokenTree::Ident(ident) = &token else {
            continue;
        };
        if let Some(kind) = kind_of(ident, tokens.peek()) {
            return (ident.span(), kind);
        }
        if ident == "extern" {
            // Unless a keyword follows that says more.
            kind = (ident.span(), "a foreign block");
        }
    }
    kind
}

fn kind_of(keyword: &Ident, next: Option<&TokenTree>) -> Option<&'static str> {
    let before_name = matches!(next, Some(TokenTree::Ident(_)));
    Some(match keyword.to_string().as_str() {
        "struct" => "a struct",
        "enum" => "an enum",
        "union" if before_name => "a union",
        "fn" => "a function",
        "impl" => "an impl block",
        "trait" => "a trait",
        "type" => "a type alias",
        "mod" => "a module",
        "use" => "an import",
        "static" => "a static",
        // `const fn`, `const unsafe fn` and so on are functions.
        "const" if !matches!(next, Some(TokenTree::Ident(next)) if is_qualifier(next)) => {
            "a constant"
        }
        "crate" if before_name => "an extern crate",
        "macro_rules" if next.is_some_and(|next| is_punct(next, '!')) => "a macro",
        _ => return None,
    })
}

fn is_qualifier(ident: &Ident) -> bool {
    const WORDS: &[&str] = &["fn", "unsafe", "async", "extern", "trait", "impl"];
    WORDS.iter().any(|word| ident == word)
}

/// The type or const parameter of this name.
pub(crate) fn param<'a>(generics: &'a Generics, name: &Ident) -> Option<&'a GenericParam> {
    generics.params.iter().find(|param| match param {
        GenericParam::Type(param) => plain(&param.ident) == plain(name),
        GenericParam::Const(param) => plain(&param.ident) == plain(name),
        GenericParam::Lifetime(_) => false,
    })
}

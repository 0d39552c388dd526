//! The argument `bufid_size`: a number of blocks.

use std::ops::RangeInclusive;

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use syn::{ConstParam, DeriveInput, Expr, ExprLit, GenericParam, Generics, Lit, LitInt, Type};

use crate::errors::{Errors, Text};
use crate::item;
use crate::model::{Constant, Param, Size};
use crate::position;
use crate::tokens::{is_punct, replace, text};

/// The rule that every fault of a size comes back to.
const RULE: &str = "block counts are u8: 1 to 255";

/// What the number is, for those who did not find it.
pub(crate) const MEANING: &str =
    "bufid_size is the number of blocks that the pool has at most, 1 to 255";

/// Numbers of "blocks" that were meant as bytes: no pool has as many blocks, and no memory of a
/// core as many bytes as the last.
const BYTES: RangeInclusive<u128> = 1024..=0xffff_ffff;

/// Units of bytes, which Rust reads as the suffix of a number.
const UNITS: &[&str] = &["b", "k", "kb", "kib", "m", "mb", "mib"];

/// The types that a const parameter can have.
const INTEGERS: &[&str] =
    &["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize"];

pub(crate) fn check(tokens: &[TokenTree], item: &DeriveInput, errors: &mut Errors) -> Option<Size> {
    match tokens {
        [TokenTree::Literal(literal)] => match Lit::new(literal.clone()) {
            Lit::Int(int) => return integer(&int, "bufid_size = 16", errors),
            literal => errors.push(tokens, not_an_integer(&literal)),
        },
        [minus, TokenTree::Literal(number)] if is_punct(minus, '-') => {
            let fault = format!("{RULE}, found -{number}");
            errors.push(tokens, Text::new(&fault).help("write `bufid_size = 16`"));
        }
        [TokenTree::Group(group)] if is_braces(group) && group.stream().is_empty() => {
            let fault = Text::new(&format!("{RULE}, found an empty block"));
            errors.push(tokens, fault.help("write `bufid_size = 16`"));
        }
        // An expression in braces, or one that `macro_rules!` has captured as a whole.
        [TokenTree::Group(group)] if is_braces(group) || group.delimiter() == Delimiter::None => {
            return Some(constant(block(group), tokens, item, None));
        }
        _ => return path(tokens, item, errors),
    }
    None
}

fn is_braces(group: &Group) -> bool {
    group.delimiter() == Delimiter::Brace
}

/// A number, of which `right` is a good one in its place.
fn integer(int: &LitInt, right: &str, errors: &mut Errors) -> Option<Size> {
    let write = format!("write `{right}`");
    let digits = int.base10_digits();
    let suffix = int.suffix();
    let value = digits.parse().unwrap_or(u128::MAX);
    let fault = if is_unit(suffix) {
        looks_like_bytes(&int.to_string(), "bytes", &write)
    } else if !matches!(suffix, "" | "u8" | "usize") {
        let fault = format!("{RULE}, found the suffix `{suffix}`");
        Text::new(&fault).help(&format!("write `{digits}`"))
    } else if value == 0 {
        Text::new("a pool needs at least one block, found 0").help(&write).note(MEANING)
    } else if let Ok(value) = u8::try_from(value) {
        return Some(Size::Literal(value, int.span()));
    } else if BYTES.contains(&value) {
        looks_like_bytes(digits, digits, &write)
    } else {
        let fault = format!("{digits} blocks are more than a pool can have");
        Text::new(&fault).help(&write).note(RULE)
    };
    errors.push(int.span(), fault);
    None
}

fn is_unit(word: &str) -> bool {
    UNITS.contains(&word.to_ascii_lowercase().as_str())
}

fn looks_like_bytes(found: &str, bytes: &str, help: &str) -> Text {
    let fault = format!("{found} looks like bytes, and `bufid_size` counts blocks: 1 to 255");
    let note =
        format!("the pool gets its bytes from the pipe: `pipe.init_buf_pool(&mut pool, {bytes})`");
    Text::new(&fault).help(help).note(&note)
}

fn not_an_integer(literal: &Lit) -> Text {
    let (found, help) = match literal {
        Lit::Str(string) if string.value().parse::<u8>().is_ok_and(|value| value > 0) => {
            ("a string".to_owned(), format!("write `{}`", string.value()))
        }
        Lit::Str(_) | Lit::ByteStr(_) | Lit::CStr(_) => {
            ("a string".to_owned(), "write `16`".to_owned())
        }
        Lit::Float(float) => (float.to_string(), "write `16`".to_owned()),
        Lit::Char(_) | Lit::Byte(_) => ("a character".to_owned(), "write `16`".to_owned()),
        _ => ("no number".to_owned(), "write `16`".to_owned()),
    };
    Text::new(&format!("{RULE}, found {found}")).help(&help)
}

/// A path to a constant, or a const parameter.
fn path(tokens: &[TokenTree], item: &DeriveInput, errors: &mut Errors) -> Option<Size> {
    let stream: TokenStream = tokens.iter().cloned().collect();
    let shown = text(tokens);
    let Ok(path) = syn::parse2::<syn::ExprPath>(stream.clone()) else {
        if let [TokenTree::Literal(_), TokenTree::Ident(unit)] = tokens
            && is_unit(&unit.to_string())
        {
            errors.push(tokens, looks_like_bytes(&shown, "bytes", "write `bufid_size = 16`"));
            return None;
        }
        let fault = format!(
            "`bufid_size` takes a number, a constant, or an expression in braces, found `{shown}`"
        );
        let help = format!("write `bufid_size = {}`", as_value(tokens));
        errors.push(tokens, Text::new(&fault).help(&help));
        return None;
    };
    let last = path.path.segments.last().map(|segment| segment.ident.to_string());
    let name = path.path.get_ident();
    let fault = match name.and_then(|name| item::param(&item.generics, name)) {
        Some(GenericParam::Type(param)) => {
            Text::new(&format!("`{shown}` is a type parameter, not a number of blocks"))
                .help(&format!("make it a const parameter: `const {}: u8`", param.ident))
        }
        Some(GenericParam::Const(param)) if is_no_number(&param.ty) => {
            Text::new(&format!("`{shown}` is no integer, and so not a number of blocks"))
                .help(&format!("make it one: `const {shown}: u8`"))
        }
        Some(GenericParam::Const(param)) => {
            let known =
                || Some(Param { name: param.ident.clone(), integer: integer_of(&param.ty)? });
            return default_of(param, errors).then(|| constant(stream, tokens, item, known()));
        }
        None if name.is_some_and(|name| INTEGERS.iter().any(|integer| name == integer)) => {
            Text::new(&format!("`{shown}` is a type, not a number of blocks"))
                .help("write `bufid_size = 16`")
                .note(RULE)
        }
        _ if last.is_some_and(|last| position::is_position(&last)) => {
            Text::new(&format!("`{shown}` is a position, not a number of blocks"))
                .help("write `bufid_size = 16`")
                .note(RULE)
        }
        _ => return Some(constant(stream, tokens, item, None)),
    };
    errors.push(tokens, fault);
    None
}

/// The tokens in braces, or the number in those that are no value there either: `&16`, `1..16`,
/// `16 blocks`.
fn as_value(tokens: &[TokenTree]) -> String {
    let inside = match tokens {
        [TokenTree::Group(group)] => group.stream().into_iter().collect(),
        tokens => tokens.to_vec(),
    };
    let is_number = |token: &TokenTree| matches!(token, TokenTree::Literal(_));
    let is_word = |token: &TokenTree| matches!(token, TokenTree::Ident(_));
    let is_sign = |token: &TokenTree| matches!(token, TokenTree::Punct(_));
    let number = || {
        let last = inside.iter().rev().find(|token| is_number(token));
        last.map_or("16".to_owned(), ToString::to_string)
    };
    let operands = inside.iter().filter(|token| !is_sign(token)).count();
    if operands == 1 && (inside.iter().any(is_number) || is_word(&tokens[0])) {
        return number();
    }
    for pair in inside.windows(2) {
        let range = is_punct(&pair[0], '.') && is_punct(&pair[1], '.');
        let unit = is_number(&pair[0]) && is_word(&pair[1]) && pair[1].to_string() != "as";
        if range || unit || is_punct(&pair[0], ';') {
            return number();
        }
    }
    let assigns = |three: &[TokenTree]| {
        is_punct(&three[1], '=') && !is_sign(&three[0]) && !is_sign(&three[2])
    };
    if inside.windows(3).any(assigns) {
        return number();
    }
    format!("{{ {} }}", text(&inside))
}

/// Whether a const parameter of this type is surely no integer: that would be an error of the
/// compiler's in more than one place.
fn is_no_number(ty: &Type) -> bool {
    matches!(ty, Type::Path(ty) if ty.path.is_ident("bool") || ty.path.is_ident("char"))
}

/// The type of a const parameter, if it is an integer by its name. An alias could be anything.
fn integer_of(ty: &Type) -> Option<Ident> {
    const INTEGERS: &[&str] =
        &["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize"];
    match ty {
        // What `macro_rules!` has captured.
        Type::Group(group) => integer_of(&group.elem),
        Type::Path(ty) => {
            let name = &ty.path.segments.last()?.ident;
            INTEGERS.iter().any(|integer| name == integer).then(|| name.clone())
        }
        _ => None,
    }
}

/// Whether the default of a const parameter, where it is a number, is one of blocks.
fn default_of(param: &ConstParam, errors: &mut Errors) -> bool {
    match &param.default {
        Some((_, Expr::Lit(ExprLit { lit: Lit::Int(int), .. }))) => {
            integer(int, &format!("const {}: u8 = 16", param.ident), errors).is_some()
        }
        _ => true,
    }
}

fn constant(
    expression: TokenStream,
    written: &[TokenTree],
    item: &DeriveInput,
    param: Option<Param>,
) -> Size {
    let generic = is_generic(&expression, &item.generics);
    Size::Constant(Constant {
        span: written.first().map_or_else(Span::call_site, TokenTree::span),
        text: text(written),
        // The check stands outside of the impl, where there is no `Self`.
        tokens: if generic { expression } else { replace(expression, "Self", &item.ident) },
        generic,
        param,
    })
}

/// The user's block as one of ours: the compiler would call the user's own braces superfluous in
/// the place where they go.
fn block(group: &Group) -> TokenStream {
    let mut ours = Group::new(Delimiter::Brace, group.stream());
    ours.set_span(Span::mixed_site().located_at(group.span()));
    TokenTree::Group(ours).into()
}

/// Whether a type or const parameter occurs, be it by way of `Self`.
fn is_generic(tokens: &TokenStream, generics: &Generics) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Ident(ident) if ident == "Self" => {
            generics.params.iter().any(|param| !matches!(param, GenericParam::Lifetime(_)))
        }
        TokenTree::Ident(ident) => item::param(generics, &ident).is_some(),
        TokenTree::Group(group) => is_generic(&group.stream(), generics),
        _ => false,
    })
}

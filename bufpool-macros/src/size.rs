//! The argument `bufid_size`: a number of blocks.

use std::ops::RangeInclusive;

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{
    ConstParam, DeriveInput, Expr, ExprLit, ExprPath, GenericParam, Generics, Lit, LitInt, Path,
    Type,
};

use crate::errors::{Errors, Text};
use crate::item;
use crate::keys::Key;
use crate::model::{Constant, Param, Size};
use crate::tokens::{is_punct, replace, text};
use crate::{position, repair};

/// The rule that every fault of a size comes back to.
const RULE: &str = "block counts are u8: 1 to 255";

/// What the number is, for those who did not find it.
pub(crate) const MEANING: &str =
    "bufid_size is the number of blocks that the pool has at most, 1 to 255";

/// Numbers of "blocks" that were meant as bytes: no pool has as many blocks, and no memory of a
/// core as many bytes as the last.
const BYTES: RangeInclusive<u128> = 1024..=0xffff_ffff;

/// Units of bytes, after a number or as its suffix.
const UNITS: &[&str] = &[
    "b", "byte", "bytes", "k", "kb", "kib", "kbyte", "kbytes", "m", "mb", "mib", "g", "gb", "gib",
];

/// The types that a const parameter can have.
const INTEGERS: &[&str] =
    &["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize"];

const WRITE: &str = "write `bufid_size = 16`";

/// What a number can be as a number of blocks.
pub(crate) enum Number {
    Blocks(u8),
    Zero,
    Bytes,
    TooMany,
}

pub(crate) fn number(value: u128) -> Number {
    match u8::try_from(value) {
        Ok(0) => Number::Zero,
        Ok(blocks) => Number::Blocks(blocks),
        Err(_) if BYTES.contains(&value) => Number::Bytes,
        Err(_) => Number::TooMany,
    }
}

pub(crate) fn is_integer(name: &str) -> bool {
    INTEGERS.contains(&name)
}

pub(crate) fn check(tokens: &[TokenTree], item: &DeriveInput, errors: &mut Errors) -> Option<Size> {
    match tokens {
        [TokenTree::Literal(literal)] => match Lit::new(literal.clone()) {
            Lit::Int(int) => return integer(&int, WRITE, errors),
            literal => errors.push(tokens, not_an_integer(&literal)),
        },
        [minus, TokenTree::Literal(number)] if is_punct(minus, '-') => {
            let fault = format!("{RULE}, found -{number}");
            errors.push(tokens, Text::new(&fault).help(WRITE));
        }
        [TokenTree::Group(group)] if is_braces(group) && group.stream().is_empty() => {
            let fault = Text::new(&format!("{RULE}, found an empty block"));
            errors.push(tokens, fault.help(WRITE));
        }
        [TokenTree::Group(group)] if is_braces(group) && is_list(group) => {
            errors.push(tokens, not_a_value(tokens, &text(tokens)));
        }
        // An expression in braces, or one that `macro_rules!` has captured as a whole.
        [TokenTree::Group(group)] if is_braces(group) || group.delimiter() == Delimiter::None => {
            let inside: Vec<TokenTree> = group.stream().into_iter().collect();
            let name = match inside.as_slice() {
                [TokenTree::Ident(name)] => item::param(&item.generics, name),
                _ => None,
            };
            return match name {
                // What can be said of a parameter can be said in braces too.
                Some(GenericParam::Const(_)) => path(&inside, item, errors),
                _ => Some(constant(block(group), tokens, item, None)),
            };
        }
        _ => return path(tokens, item, errors),
    }
    None
}

/// Names and numbers with commas between them, which braces do not make a value.
pub(crate) fn is_list(group: &Group) -> bool {
    let plain = |token: &TokenTree| match token {
        TokenTree::Punct(sign) => ",:".contains(sign.as_char()),
        token => !matches!(token, TokenTree::Group(_)),
    };
    let mut inside = group.stream().into_iter();
    inside.clone().all(|token| plain(&token)) && inside.any(|token| is_punct(&token, ','))
}

fn is_braces(group: &Group) -> bool {
    group.delimiter() == Delimiter::Brace
}

/// A number. `write` says what to write in its place.
fn integer(int: &LitInt, write: &str, errors: &mut Errors) -> Option<Size> {
    let digits = int.base10_digits();
    let suffix = int.suffix();
    let fault = if is_unit(suffix) {
        looks_like_bytes(&int.to_string(), "bytes", write)
    } else if digits.starts_with('-') {
        Text::new(&format!("{RULE}, found {digits}")).help(write)
    } else {
        match number(digits.parse().unwrap_or(u128::MAX)) {
            Number::Zero => {
                Text::new("a pool needs at least one block, found 0").help(write).note(MEANING)
            }
            Number::Bytes => looks_like_bytes(digits, digits, write),
            Number::TooMany => {
                let fault = format!("{digits} blocks are more than a pool can have");
                Text::new(&fault).help(write).note(RULE)
            }
            Number::Blocks(_) if !matches!(suffix, "" | "u8" | "usize") => {
                let fault = format!("{RULE}, found the suffix `{suffix}`");
                Text::new(&fault).help(&format!("write `{digits}`"))
            }
            Number::Blocks(value) => return Some(Size::Literal(value, int.span())),
        }
    };
    errors.push(int.span(), fault);
    None
}

pub(crate) fn is_unit(word: &str) -> bool {
    UNITS.contains(&word.to_ascii_lowercase().as_str())
}

fn looks_like_bytes(found: &str, bytes: &str, write: &str) -> Text {
    let fault = format!("{found} looks like bytes, and `bufid_size` counts blocks: 1 to 255");
    let note =
        format!("the pool gets its bytes from the pipe: `pipe.init_buf_pool(&mut pool, {bytes})`");
    Text::new(&fault).help(write).note(&note)
}

fn not_an_integer(literal: &Lit) -> Text {
    let found = match literal {
        Lit::Str(string) => {
            if let Ok(Lit::Int(inside)) = string.parse()
                && (is_unit(inside.suffix())
                    || inside
                        .base10_parse()
                        .is_ok_and(|value| matches!(number(value), Number::Bytes)))
            {
                return looks_like_bytes(&string.value(), "bytes", WRITE);
            }
            "a string".to_owned()
        }
        Lit::ByteStr(_) | Lit::CStr(_) => "a string".to_owned(),
        Lit::Float(float) => float.to_string(),
        Lit::Char(_) | Lit::Byte(_) => "a character".to_owned(),
        _ => "no number".to_owned(),
    };
    let token: TokenStream = literal.to_token_stream();
    let tokens: Vec<TokenTree> = token.into_iter().collect();
    let help = format!("write `{}`", repair::shown(Key::BufidSize, &tokens));
    Text::new(&format!("{RULE}, found {found}")).help(&help)
}

/// A path to a constant, or a const parameter.
fn path(tokens: &[TokenTree], item: &DeriveInput, errors: &mut Errors) -> Option<Size> {
    let stream: TokenStream = tokens.iter().cloned().collect();
    let shown = text(tokens);
    let Ok(path) = syn::parse2::<ExprPath>(stream.clone()) else {
        errors.push(tokens, not_a_value(tokens, &shown));
        return None;
    };
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
            return check_default(param, errors).then(|| constant(stream, tokens, item, known()));
        }
        None if is_integer(&shown) => {
            Text::new(&format!("`{shown}` is a type, not a number of blocks"))
                .help(WRITE)
                .note(RULE)
        }
        _ if is_position(&path.path) => {
            Text::new(&format!("`{shown}` is a position, not a number of blocks"))
                .help(WRITE)
                .note(RULE)
        }
        _ => return Some(constant(stream, tokens, item, None)),
    };
    errors.push(tokens, fault);
    None
}

/// Tokens that are neither a number nor a path.
fn not_a_value(tokens: &[TokenTree], shown: &str) -> Text {
    let bytes = match tokens {
        [TokenTree::Literal(_), TokenTree::Ident(unit)] => is_unit(&unit.to_string()),
        tokens => {
            let expr = syn::parse2(tokens.iter().cloned().collect()).ok();
            let value = expr.and_then(|expr| repair::value_of(&expr));
            value.is_some_and(|value| matches!(number(value), Number::Bytes))
        }
    };
    if bytes {
        return looks_like_bytes(shown, "bytes", WRITE);
    }
    let fault = format!(
        "`bufid_size` takes a number, a constant, or an expression in braces, found `{shown}`"
    );
    let help = format!("write `bufid_size = {}`", repair::shown(Key::BufidSize, tokens));
    Text::new(&fault).help(&help)
}

/// Whether the path is that of a position: by its name alone, or as one of `TPosition`. A constant
/// of the user's may have such a name too.
fn is_position(path: &Path) -> bool {
    let names: Vec<String> = path.segments.iter().map(|name| name.ident.to_string()).collect();
    match names.as_slice() {
        [name] => position::is_position(name),
        [.., of, name] => of == "TPosition" && position::is_position(name),
        [] => false,
    }
}

/// Whether a const parameter of this type is surely no integer: that would be an error of the
/// compiler's in more than one place.
fn is_no_number(ty: &Type) -> bool {
    matches!(ty, Type::Path(ty) if ty.path.is_ident("bool") || ty.path.is_ident("char"))
}

/// The type of a const parameter, if it is an integer by its name. An alias could be anything.
fn integer_of(ty: &Type) -> Option<Ident> {
    match ty {
        // What `macro_rules!` has captured.
        Type::Group(group) => integer_of(&group.elem),
        Type::Path(ty) => {
            let names = || ty.path.segments.iter().map(|name| &name.ident);
            let name = names().next_back()?;
            let primitive = names().count() == 1 || names().any(|name| name == "primitive");
            (primitive && is_integer(&name.to_string())).then(|| name.clone())
        }
        _ => None,
    }
}

/// Reports the default of a const parameter, if it is a number and none of blocks. Whether it is
/// good.
fn check_default(param: &ConstParam, errors: &mut Errors) -> bool {
    match &param.default {
        Some((_, Expr::Lit(ExprLit { lit: Lit::Int(int), .. }))) => {
            integer(int, &format!("write `const {}: u8 = 16`", param.ident), errors).is_some()
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

/// The user's block, or captured expression, as one of ours: the compiler would call the user's own
/// braces or parentheses superfluous in the place where they go.
fn block(group: &Group) -> TokenStream {
    let inside: Vec<TokenTree> = group.stream().into_iter().collect();
    let stream = match inside.as_slice() {
        [TokenTree::Group(inner)] if inner.delimiter() == Delimiter::Parenthesis => inner.stream(),
        _ => group.stream(),
    };
    let mut ours = Group::new(Delimiter::Brace, stream);
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

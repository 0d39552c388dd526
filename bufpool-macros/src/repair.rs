//! What was meant by a value in a wrong form.
//!
//! What comes out of here passes the checks of `position` and `size`, so that a help that shows it
//! can be pasted. Only of a name that nobody here knows it is not sure: it may be a parameter or a
//! constant.

use proc_macro2::{Delimiter, Group, Ident, Literal, TokenStream, TokenTree};
use syn::{BinOp, Expr, ExprLit, Lit, UnOp};

use crate::keys::{Key, Slot};
use crate::position::{self, Meaning};
use crate::size::{self, Number};
use crate::tokens::{flat, is_punct, path, text};

/// The value that these tokens were meant to be, if that can be told.
pub(crate) fn value(key: Key, tokens: &[TokenTree]) -> Option<Vec<TokenTree>> {
    if let [TokenTree::Literal(literal)] = tokens
        && let Some(inside) = unquoted(literal)
    {
        return match key {
            // Of what can be in a string, only a number is surely one.
            Key::BufidSize => number_in(&inside),
            // Nor is a word that could be a parameter surely a name of a position.
            Key::Position if role(&inside) != Some(Key::Position) => None,
            _ if inside.is_empty() => None,
            key => value(key, &inside),
        };
    }
    match key {
        Key::Position => position(tokens),
        Key::BufidSize => size(tokens),
        Key::State => match tokens {
            [TokenTree::Ident(name)] => {
                let is_name = syn::parse2::<Ident>(TokenTree::from(name.clone()).into()).is_ok();
                is_name.then(|| tokens.to_vec())
            }
            _ => None,
        },
        Key::Crate => is_path(tokens).then(|| tokens.to_vec()),
    }
}

/// The value as a help shows it: for a position that no pool can have, the one in L1 that feeds it.
pub(crate) fn shown(key: Key, tokens: &[TokenTree]) -> String {
    if let Some(value) = value(key, tokens) {
        return text(&value);
    }
    let last = path(tokens).and_then(|names| names.last().map(ToString::to_string));
    match last.map(|name| position::meaning(&name)) {
        Some(Meaning::Other(_, Some(instead))) if key == Key::Position => instead.to_owned(),
        _ => key.example().to_owned(),
    }
}

/// What goes into the slot of a key for tokens whose form is reported already. A value that has a
/// mistake of its own stays as it is, for the mistake to be found.
pub(crate) fn slot(key: Key, tokens: &[TokenTree]) -> Slot {
    let own_mistake = match tokens {
        [TokenTree::Literal(_)] => true,
        [minus, TokenTree::Literal(_)] => is_punct(minus, '-'),
        tokens => key == Key::Position && path(tokens).is_some(),
    };
    match value(key, tokens) {
        Some(value) => Slot::Given(value),
        None if own_mistake => Slot::Given(tokens.to_vec()),
        None => Slot::Reported,
    }
}

/// Which of position and number of blocks a value is by itself.
pub(crate) fn role(tokens: &[TokenTree]) -> Option<Key> {
    match tokens {
        [TokenTree::Literal(literal)] => match unquoted(literal) {
            Some(inside) => role(&inside),
            None => Some(Key::BufidSize),
        },
        [minus, TokenTree::Literal(_)] if is_punct(minus, '-') => Some(Key::BufidSize),
        [TokenTree::Group(group)] if group.delimiter() == Delimiter::Brace => {
            let list = group.stream().into_iter().any(|token| is_punct(&token, ','));
            (!list).then_some(Key::BufidSize)
        }
        tokens => match path(tokens) {
            Some(names) => {
                let known = |name: &&Ident| position::names_position(&name.to_string());
                names.last().filter(|name| known(name)).map(|_| Key::Position)
            }
            None if flat(tokens).iter().any(is_position_name) => Some(Key::Position),
            None => {
                (is_expression(tokens) || number_in(tokens).is_some()).then_some(Key::BufidSize)
            }
        },
    }
}

/// Whether this is spelt as a position, of a pool or not.
pub(crate) fn is_exact_position(tokens: &[TokenTree]) -> bool {
    let last = path(tokens).and_then(|names| names.last().map(ToString::to_string));
    last.is_some_and(|name| position::is_position(&name))
}

/// The tokens of a string, at its place.
fn unquoted(literal: &Literal) -> Option<Vec<TokenTree>> {
    let shown = literal.to_string();
    let inside = shown.strip_prefix('"')?.strip_suffix('"')?.parse::<TokenStream>().ok()?;
    let at_literal = |mut token: TokenTree| {
        token.set_span(literal.span());
        token
    };
    Some(inside.into_iter().map(at_literal).collect())
}

fn position(tokens: &[TokenTree]) -> Option<Vec<TokenTree>> {
    let Some(names) = path(tokens) else {
        return position_in(tokens);
    };
    let last = *names.last()?;
    let known = match position::meaning(&last.to_string()) {
        Meaning::Pool => return Some(tokens.to_vec()),
        Meaning::Unknown(None) if names.len() > 1 => return position_in(tokens),
        // It may be a parameter.
        Meaning::Unknown(None) => return is_path(tokens).then(|| tokens.to_vec()),
        Meaning::Lcm => "VECCALC",
        Meaning::Spelling(known) | Meaning::Unknown(Some(known)) | Meaning::Memory(Some(known)) => {
            known
        }
        Meaning::Other(..) | Meaning::Memory(None) => return None,
    };
    Some(vec![Ident::new(known, last.span()).into()])
}

/// The one name of a pool's position in the tokens, whatever their form is.
pub(crate) fn position_in(tokens: &[TokenTree]) -> Option<Vec<TokenTree>> {
    let mut found = flat(tokens).into_iter().filter_map(|token| match &token {
        TokenTree::Ident(name) => match position::meaning(&name.to_string()) {
            Meaning::Pool => Some(token),
            Meaning::Spelling(known) => Some(Ident::new(known, name.span()).into()),
            _ => None,
        },
        _ => None,
    });
    let one = found.next()?;
    found.next().is_none().then(|| vec![one])
}

fn size(tokens: &[TokenTree]) -> Option<Vec<TokenTree>> {
    let inside = match tokens {
        [TokenTree::Group(group)] => group.stream().into_iter().collect(),
        _ => Vec::new(),
    };
    match tokens {
        [TokenTree::Literal(_)] => number_in(tokens),
        [minus, TokenTree::Literal(_)] if is_punct(minus, '-') => None,
        [TokenTree::Group(group)] if group.delimiter() != Delimiter::Brace => size(&inside),
        [TokenTree::Group(group)] if !inside.iter().any(is_key) && !size::is_list(group) => {
            (!inside.is_empty()).then(|| tokens.to_vec())
        }
        tokens if path(tokens).is_some() => {
            let name = text(tokens);
            let other = size::is_integer(&name) || position::is_position(&name);
            (is_path(tokens) && !other).then(|| tokens.to_vec())
        }
        tokens if is_expression(tokens) => {
            let known = syn::parse2(tokens.iter().cloned().collect()).ok();
            let known = known.and_then(|expr| value_of(&expr));
            let group = Group::new(Delimiter::Brace, tokens.iter().cloned().collect());
            let good = known.is_none_or(|value| matches!(size::number(value), Number::Blocks(_)));
            good.then(|| vec![group.into()])
        }
        tokens => number_in(tokens),
    }
}

/// Whether names between `::` are a path, and no other word of the language is among them.
fn is_path(tokens: &[TokenTree]) -> bool {
    syn::parse2::<syn::Path>(tokens.iter().cloned().collect()).is_ok()
}

fn is_key(token: &TokenTree) -> bool {
    Key::of(&token.to_string()).is_some()
}

/// The number in the tokens, whatever their form is, if there is one, or the end of a range, and it
/// is one of blocks.
pub(crate) fn number_in(tokens: &[TokenTree]) -> Option<Vec<TokenTree>> {
    let all = flat(tokens);
    let mut numbers = all.iter().rev().filter_map(|token| match token {
        TokenTree::Literal(literal) => match Lit::new(literal.clone()) {
            Lit::Int(int) => Some(int),
            _ => None,
        },
        _ => None,
    });
    let int = numbers.next()?;
    let unit = |token: &TokenTree| size::is_unit(&token.to_string());
    if size::is_unit(int.suffix()) || all.iter().any(unit) {
        return None;
    }
    let (number, span) = (int.base10_parse().ok()?, int.span());
    let is_range = all.windows(2).any(|two| two.iter().all(|token| is_punct(token, '.')));
    if numbers.next().is_some() && !is_range {
        return None;
    }
    let Number::Blocks(number) = size::number(number) else {
        return None;
    };
    let mut literal = Literal::u8_unsuffixed(number);
    literal.set_span(span);
    Some(vec![literal.into()])
}

fn is_position_name(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Ident(name) if position::is_position(&name.to_string()))
}

/// Whether the tokens could be a number of blocks, in braces.
fn is_expression(tokens: &[TokenTree]) -> bool {
    if let [TokenTree::Ident(first), .., TokenTree::Group(last)] = tokens
        && ["if", "match", "const", "unsafe"].iter().any(|word| first == word)
    {
        return last.delimiter() == Delimiter::Brace;
    }
    syn::parse2(tokens.iter().cloned().collect()).is_ok_and(|expr| is_number(&expr))
}

fn is_number(expr: &Expr) -> bool {
    match expr {
        Expr::Path(_) | Expr::Lit(ExprLit { lit: Lit::Int(_), .. }) => true,
        Expr::Paren(inner) => is_number(&inner.expr),
        Expr::Group(inner) => is_number(&inner.expr),
        Expr::Cast(cast) => is_number(&cast.expr),
        // `-BLOCKS` may be one, and `-16` is none.
        Expr::Unary(unary) => {
            !matches!(unary.op, UnOp::Deref(_))
                && !matches!(*unary.expr, Expr::Lit(_))
                && is_number(&unary.expr)
        }
        Expr::Binary(binary) => {
            is_arithmetic(&binary.op) && is_number(&binary.left) && is_number(&binary.right)
        }
        Expr::MethodCall(call) => is_number(&call.receiver),
        Expr::Call(call) => match &*call.func {
            // Not a constructor, and not a cast as in C++.
            Expr::Path(function) => function.path.segments.last().is_some_and(|name| {
                let name = name.ident.to_string();
                name.starts_with(|c: char| c.is_lowercase()) && !size::is_integer(&name)
            }),
            _ => false,
        },
        _ => false,
    }
}

fn is_arithmetic(op: &BinOp) -> bool {
    use BinOp::{Add, BitAnd, BitOr, BitXor, Div, Mul, Rem, Shl, Shr, Sub};
    matches!(
        op,
        Add(_)
            | Sub(_)
            | Mul(_)
            | Div(_)
            | Rem(_)
            | BitAnd(_)
            | BitOr(_)
            | BitXor(_)
            | Shl(_)
            | Shr(_)
    )
}

/// The value of an expression of literals.
pub(crate) fn value_of(expr: &Expr) -> Option<u128> {
    match expr {
        Expr::Lit(ExprLit { lit: Lit::Int(int), .. }) => int.base10_parse().ok(),
        Expr::Paren(inner) => value_of(&inner.expr),
        Expr::Group(inner) => value_of(&inner.expr),
        Expr::Cast(cast) => value_of(&cast.expr),
        Expr::Binary(binary) => {
            let (left, right) = (value_of(&binary.left)?, value_of(&binary.right)?);
            match binary.op {
                BinOp::Add(_) => left.checked_add(right),
                BinOp::Sub(_) => left.checked_sub(right),
                BinOp::Mul(_) => left.checked_mul(right),
                BinOp::Div(_) => left.checked_div(right),
                BinOp::Shl(_) => left.checked_mul(1_u128.checked_shl(right.try_into().ok()?)?),
                _ => None,
            }
        }
        _ => None,
    }
}

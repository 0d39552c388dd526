//! Arguments that name their key, but in another form than `name = value`: what is said of them,
//! and the value that was meant.

use proc_macro2::{Delimiter, Ident, Spacing, TokenTree};

use crate::args::{EXAMPLES, KEYS, index_of};
use crate::errors::{Errors, Place, Text};
use crate::slips;
use crate::tokens::{is_punct, open_groups, text};

/// Words that stand in front of names elsewhere in the language.
const WORDS: &[&str] = &["pub", "let", "const", "static", "mut", "type", "ref"];

/// `key =`, and then nothing.
pub(crate) fn no_value(key: &Ident, index: usize, errors: &mut Errors) {
    let help = format!("write `{key} = {}`", EXAMPLES[index]);
    errors.push(key, Text::new(&format!("`{key} =` has no value")).help(&help));
}

/// Reports an argument of which only the name is as it should be, if there is one. Gives its key
/// and the value that was probably meant.
pub(crate) fn other(tokens: &[TokenTree], errors: &mut Errors) -> Option<(usize, Vec<TokenTree>)> {
    let at = tokens.iter().position(|token| !stands_in_front(token))?;
    let (front, rest) = (&tokens[..at], &tokens[at + 1..]);
    let key = &tokens[at];
    let index = match key {
        TokenTree::Ident(key) => {
            let by_sign = || rest.first().filter(|sign| is_punct(sign, ':') || is_punct(sign, '-'));
            let other_name = || by_sign().and_then(|_| slips::other_name(key));
            index_of(key).or_else(|| slips::misspelt(key)).or_else(other_name)?
        }
        TokenTree::Literal(key) if is_punct(rest.first()?, '=') || is_punct(&rest[0], ':') => {
            let name = key.to_string();
            KEYS.iter().position(|known| name.trim_matches('"') == *known)?
        }
        _ => return None,
    };
    if is_path(rest) {
        return None;
    }
    let (sign, value) = sign_and_value(rest);
    let value = after_equals(value);
    let name = KEYS[index];
    let fault = if !front.is_empty() {
        format!("`{}` has no place before `{name}`", text(front))
    } else if let TokenTree::Literal(_) = key {
        format!("`{name}` is a name, not a string")
    } else {
        match (sign, rest) {
            (_, []) => format!("`{key}` has no value"),
            ("", _) => format!("`=` is missing after `{key}`"),
            _ => format!("`=` is expected after `{key}`, found {sign}"),
        }
    };
    let shown = match value.as_slice() {
        [] => EXAMPLES[index].to_owned(),
        value => text(value),
    };
    let place: Place = if front.is_empty() { key.span().into() } else { front.into() };
    errors.push(place, Text::new(&fault).help(&format!("write `{name} = {shown}`")));
    Some((index, value))
}

/// Whether this can stand in front of a name by mistake, and not be a value itself.
pub(crate) fn stands_in_front(token: &TokenTree) -> bool {
    match token {
        TokenTree::Ident(word) => WORDS.iter().any(|known| word == known),
        TokenTree::Punct(sign) => ".-*@$".contains(sign.as_char()),
        _ => false,
    }
}

/// Whether what follows a name makes it the start of a path.
fn is_path(rest: &[TokenTree]) -> bool {
    matches!(rest, [a, b, ..] if is_punct(a, ':') && is_punct(b, ':'))
}

/// What stands in the place of `=`, in words, and what follows it.
fn sign_and_value(rest: &[TokenTree]) -> (&'static str, Vec<TokenTree>) {
    const SIGNS: &[(&str, &str)] = &[
        ("==", "`==`"),
        ("=>", "`=>`"),
        (":=", "`:=`"),
        ("->", "`->`"),
        ("<-", "`<-`"),
        (":", "`:`"),
        ("=", "`=`"),
    ];
    if let [TokenTree::Group(group)] = rest
        && group.delimiter() != Delimiter::Brace
    {
        return ("parentheses", open_groups(group.stream()));
    }
    for (sign, shown) in SIGNS {
        let found = rest.len() >= sign.len()
            && sign.chars().zip(rest).all(|(sign, token)| is_punct(token, sign));
        if found {
            return (shown, rest[sign.len()..].to_vec());
        }
    }
    ("", rest.to_vec())
}

/// The value alone, where a type or another `=` stands before it: `: TPosition = VECCALC`.
fn after_equals(mut value: Vec<TokenTree>) -> Vec<TokenTree> {
    let is_single = |index: usize| {
        let joint = |token: &TokenTree| matches!(token, TokenTree::Punct(sign) if sign.spacing() == Spacing::Joint);
        let starts = index == 0 || !joint(&value[index - 1]);
        is_punct(&value[index], '=') && starts && !joint(&value[index])
    };
    match (0..value.len()).rev().find(|index| is_single(*index)) {
        Some(index) => value.split_off(index + 1),
        None => value,
    }
}

//! Arguments that name their key, but in another form than `name = value`: what is said of them,
//! and the value that was meant.

use proc_macro2::{Delimiter, Ident, TokenTree};

use crate::errors::{Errors, Place, Text};
use crate::keys::{Key, Slot, Slots};
use crate::tokens::{is_punct, text};
use crate::{position, repair};

/// `key =`, and then nothing.
pub(crate) fn no_value(name: &Ident, key: Key, errors: &mut Errors) {
    let help = format!("write `{name} = {}`", key.example());
    errors.push(name, Text::new(&format!("`{name} =` has no value")).help(&help));
}

/// Reports an argument of which only the name is as it should be, if there is one. Gives its key
/// and what is known of its value.
pub(crate) fn other(
    tokens: &[TokenTree],
    slots: &Slots,
    errors: &mut Errors,
) -> Option<(Key, Slot)> {
    let at = name_at(tokens)?;
    let (front, rest) = (&tokens[..at], &tokens[at + 1..]);
    let key = key_of(&tokens[at], rest)?;
    let (sign, value) = sign_and_value(rest);
    let name = key.name();
    let fault = if !front.is_empty() {
        format!("`{}` has no place before `{name}`", text(front))
    } else if let TokenTree::Literal(_) = tokens[at] {
        format!("`{name}` is a name, not a string")
    } else {
        let written = &tokens[at];
        match (sign.as_str(), rest) {
            (_, []) => format!("`{written}` has no value"),
            ("", _) => format!("`=` is missing after `{written}`"),
            _ => format!("`=` is expected after `{written}`, found {sign}"),
        }
    };
    let is_value = |value: &&[TokenTree]| repair::value(key, value).is_some();
    let value = values(&value).find(is_value).unwrap_or(&value);
    let help = if slots.is_missing(key) {
        format!("write `{name} = {}`", repair::shown(key, value))
    } else {
        format!("remove it: `{name}` is given")
    };
    let place: Place = if front.is_empty() { tokens[at].span().into() } else { front.into() };
    errors.push(place, Text::new(&fault).help(&help));
    Some((key, repair::slot(key, value)))
}

/// Where the name is: the first word that is one, after nothing but other words and signs, or else
/// the first word.
fn name_at(tokens: &[TokenTree]) -> Option<usize> {
    let is_name = |at: &usize| {
        let after_colon = *at > 0 && is_punct(&tokens[at - 1], ':');
        !after_colon && Key::of(without_quotes(&tokens[*at].to_string())).is_some()
    };
    let is_front = |token: &TokenTree| matches!(token, TokenTree::Ident(_) | TokenTree::Punct(_));
    let front = tokens.iter().take_while(|token| is_front(token)).count();
    let first = tokens.iter().position(|token| !matches!(token, TokenTree::Punct(_)));
    (0..tokens.len().min(front + 1)).find(is_name).or(first)
}

/// The key that the token stands for, with these tokens after it.
fn key_of(name: &TokenTree, rest: &[TokenTree]) -> Option<Key> {
    let next = |signs: &str| matches!(rest, [TokenTree::Punct(sign), ..] if signs.contains(sign.as_char()));
    let word = name.to_string();
    match name {
        _ if goes_on_as_path(rest) => None,
        TokenTree::Ident(_) => {
            let near = || Key::misspelt(&word).filter(|_| !next("."));
            // `size(16)`, but not the call `size()`, and `n -> 16`, but not `n - 1`.
            let value = match rest {
                [TokenTree::Group(group)] => !group.stream().is_empty(),
                [minus, arrow, ..] if is_punct(minus, '-') => is_punct(arrow, '>'),
                _ => next(":="),
            };
            let other_name = || Key::by_other_name(&word).filter(|_| value);
            Key::of(&word).or_else(near).or_else(other_name)
        }
        TokenTree::Literal(_) if next(":=") => Key::of(without_quotes(&word)),
        _ => None,
    }
}

fn without_quotes(word: &str) -> &str {
    word.trim_matches('"')
}

/// Whether what follows a name makes it the start of a path.
fn goes_on_as_path(rest: &[TokenTree]) -> bool {
    matches!(rest, [a, b, ..] if is_punct(a, ':') && is_punct(b, ':'))
}

/// What stands in the place of `=`, in words, and what follows it.
fn sign_and_value(rest: &[TokenTree]) -> (String, Vec<TokenTree>) {
    if let [TokenTree::Group(group)] = rest
        && group.delimiter() != Delimiter::None
    {
        let found = match group.delimiter() {
            Delimiter::Parenthesis => "parentheses",
            Delimiter::Bracket => "brackets",
            _ => "braces",
        };
        return (found.to_owned(), group.stream().into_iter().collect());
    }
    let is_sign = |at: &usize| match &rest[*at..] {
        // `: -1`, but not `<- 1`.
        [minus, TokenTree::Literal(_), ..] if *at > 0 && is_punct(minus, '-') => {
            is_punct(&rest[at - 1], '<')
        }
        tokens => matches!(tokens[0], TokenTree::Punct(_)) && !goes_on_as_path(tokens),
    };
    let mut end = (0..rest.len()).take_while(is_sign).count();
    // `position is VECCALC`
    if let [TokenTree::Ident(word), TokenTree::Ident(_) | TokenTree::Literal(_), ..] = rest
        && !position::names_position(&word.to_string())
    {
        end = 1;
    }
    let (sign, value) = rest.split_at(end);
    let opened = sign.iter().any(|sign| is_punct(sign, '<'));
    let value = match value {
        [value @ .., last] if opened && is_punct(last, '>') => value,
        value => value,
    };
    let shown = if sign.is_empty() { String::new() } else { format!("`{}`", text(sign)) };
    (shown, value.to_vec())
}

/// What the value can be: all of it, what follows a `=` in it (`TPosition = VECCALC`), and what is
/// before.
fn values(value: &[TokenTree]) -> impl Iterator<Item = &[TokenTree]> {
    let parts: Vec<_> = value.split(|token| is_punct(token, '=')).collect();
    let ends =
        if parts.len() > 1 { [parts.last().copied(), parts.first().copied()] } else { [None; 2] };
    ends.into_iter().flatten().chain([value])
}

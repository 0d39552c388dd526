//! Arguments that are not `key = value` with a known key: what is said, and what was meant.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};

use crate::args::{BUFID_SIZE, CRATE, EXAMPLES, KEYS, POSITION, STATE, Slot, Slots};
use crate::errors::{Errors, Text, did_you_mean};
use crate::position::{self, Meaning};
use crate::tokens::{flat, is_punct, path, text};

/// What people call the arguments who know the C++ macro, or another name of the thing.
const OTHER_NAMES: &[(&str, usize)] = &[
    ("pos", POSITION),
    ("tposition", POSITION),
    ("memory", POSITION),
    ("hardware", POSITION),
    ("size", BUFID_SIZE),
    ("buf_size", BUFID_SIZE),
    ("num", BUFID_SIZE),
    ("count", BUFID_SIZE),
    ("blocks", BUFID_SIZE),
    ("len", BUFID_SIZE),
    ("n", BUFID_SIZE),
    ("field", STATE),
    ("krate", CRATE),
    ("path", CRATE),
];

/// The C++ macro takes the name of the class, and the attribute stands on it.
const NO_CLASS: &str = "remove it: the struct below is the pool";

/// The key that a word was meant to be, judged by the word alone.
pub(crate) fn misspelt(key: &Ident) -> Option<usize> {
    let word = key.to_string();
    if position::is_position(&word) {
        return None;
    }
    let near = did_you_mean(&word, &KEYS)?;
    KEYS.iter().position(|known| *known == near)
}

/// The key that a word is another name of.
pub(crate) fn other_name(key: &Ident) -> Option<usize> {
    let word = key.to_string();
    let found = OTHER_NAMES.iter().find(|(name, _)| word.eq_ignore_ascii_case(name));
    found.map(|(_, index)| *index)
}

/// Reports a key that does not exist, and gives the one that it stands for, if the name or the
/// value tell.
pub(crate) fn unknown_key(
    key: &Ident,
    value: &[TokenTree],
    given: [bool; KEYS.len()],
    errors: &mut Errors,
) -> Option<usize> {
    let by_value = || match value {
        [TokenTree::Literal(_)] => Some(BUFID_SIZE),
        [.., TokenTree::Ident(last)] if position::is_position(&last.to_string()) => Some(POSITION),
        _ => None,
    };
    // The value is a weak sign: it says nothing if the argument with such values is there.
    let by_value = || by_value().filter(|index| !given[*index]);
    let meant = misspelt(key).or_else(|| other_name(key)).or_else(by_value);
    let mut fault = Text::new(&format!("unknown argument `{key}`"));
    if let Some(index) = meant {
        fault = fault.help(&format!("did you mean `{}`?", KEYS[index]));
    } else if ["class", "name"].iter().any(|word| key == word) {
        fault = fault.help(NO_CLASS);
    }
    let note = "the arguments are position, bufid_size, state and crate";
    errors.push(key, fault.note(note));
    meant
}

/// What an argument without a name probably is.
fn role(tokens: &[TokenTree]) -> Option<usize> {
    match tokens {
        [TokenTree::Literal(_)] if is_number(&tokens[0]) => Some(BUFID_SIZE),
        [TokenTree::Literal(_)] => Some(POSITION),
        [minus, TokenTree::Literal(_)] if is_punct(minus, '-') => Some(BUFID_SIZE),
        [TokenTree::Group(group)] if group.delimiter() == Delimiter::Brace => {
            let list = group.stream().into_iter().any(|token| is_punct(&token, ','));
            (!list).then_some(BUFID_SIZE)
        }
        tokens if names_position(path(tokens)?.last()?) => Some(POSITION),
        _ => None,
    }
}

fn is_number(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Literal(_))
        && token.to_string().starts_with(|c: char| c.is_ascii_digit())
}

fn names_position(word: &Ident) -> bool {
    !matches!(position::meaning(&word.to_string()), Meaning::Unknown(None))
}

/// A name in quotes without them: that it has quotes goes without saying once all is spelt out.
fn unquoted(tokens: &[TokenTree]) -> Vec<TokenTree> {
    if let [TokenTree::Literal(literal)] = tokens
        && let Ok(inside) = literal.to_string().trim_matches('"').parse::<TokenStream>()
    {
        let at_literal = |mut token: TokenTree| {
            token.set_span(literal.span());
            token
        };
        return inside.into_iter().map(at_literal).collect();
    }
    tokens.to_vec()
}

/// The value of a key somewhere in these tokens, whatever form they have.
fn found(index: usize, tokens: &[TokenTree]) -> Option<Vec<TokenTree>> {
    let is_value = |token: &TokenTree| match token {
        TokenTree::Ident(word) => index == POSITION && position::is_position(&word.to_string()),
        token => index == BUFID_SIZE && is_number(token),
    };
    flat(tokens).into_iter().find(is_value).map(|token| vec![token])
}

/// Some arguments have names and these do not: one error for each.
pub(crate) fn some_without_name(
    unnamed: Vec<Vec<TokenTree>>,
    slots: &mut Slots,
    errors: &mut Errors,
) {
    for tokens in unnamed {
        let missing = |index: &usize| matches!(slots[*index], Slot::Missing);
        let only_missing = [POSITION, BUFID_SIZE].into_iter().find(missing);
        let shown = text(&tokens);
        let fault = Text::new(&format!("`{shown}` has no name"));
        if role(&tokens) == Some(POSITION) && !missing(&POSITION) {
            let fault = format!("`{shown}` is a second position, and a pool has one");
            let help = "remove it: a pool takes queues of every position in its memory";
            errors.push(&tokens, Text::new(&fault).help(help));
        } else if let Some(index) = role(&tokens).filter(missing).or(only_missing) {
            let clean = role(&tokens).is_some() || path(&tokens).is_some();
            let value = if clean { Some(tokens.clone()) } else { found(index, &tokens) };
            let shown = value.as_deref().map_or(EXAMPLES[index].to_owned(), text);
            errors.push(&tokens, fault.help(&format!("write `{} = {shown}`", KEYS[index])));
            slots[index] = value.map_or(Slot::Reported, Slot::Given);
        } else {
            let class = shown.starts_with(|c: char| c.is_ascii_uppercase());
            errors.push(&tokens, fault.help(if class { NO_CLASS } else { "remove it" }));
        }
    }
}

/// No argument has a name: the form of the C++ macro, which this spells out with names.
pub(crate) fn all_without_name(unnamed: &[Vec<TokenTree>], slots: &mut Slots, errors: &mut Errors) {
    for tokens in unnamed {
        if let Some(index) = role(tokens)
            && let Slot::Missing = slots[index]
        {
            slots[index] =
                Slot::Given(if index == POSITION { unquoted(tokens) } else { tokens.clone() });
        }
    }
    // `(class, position, SIZE)`: what comes last, is a path and nothing else is the size.
    if let Slot::Missing = slots[BUFID_SIZE]
        && let [_, .., last] = unnamed
        && role(last).is_none()
        && path(last).is_some()
    {
        slots[BUFID_SIZE] = Slot::Given(last.clone());
    }
    let all: Vec<TokenTree> = unnamed.iter().flatten().cloned().collect();
    for index in [POSITION, BUFID_SIZE] {
        if let Slot::Missing = slots[index] {
            slots[index] = found(index, &all).map_or(Slot::Reported, Slot::Given);
        }
    }
    let shown = [POSITION, BUFID_SIZE].map(|index| match &slots[index] {
        Slot::Given(tokens) => text(tokens),
        _ => EXAMPLES[index].to_owned(),
    });
    let [position, size] = shown;
    let help =
        format!("write `#[extern_impl_bufpool(position = {position}, bufid_size = {size})]`");
    errors.push(&all, Text::new("the arguments need their names").help(&help));
}

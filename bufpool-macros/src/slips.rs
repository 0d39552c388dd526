//! Arguments that are not `key = value` with a known key: what is said, and what was meant.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};

use crate::args::{BUFID_SIZE, CRATE, EXAMPLES, KEYS, POSITION, STATE, Slot, Slots};
use crate::errors::{Errors, Text, did_you_mean};
use crate::position::{self, Meaning};
use crate::tokens::{is_punct, open_groups, text};

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

/// The key that a word was meant to be, judged by the word alone.
pub(crate) fn misspelt(key: &Ident) -> Option<usize> {
    let word = key.to_string();
    if position::is_position(&word) {
        return None;
    }
    let near = did_you_mean(&word, &KEYS)?;
    KEYS.iter().position(|known| *known == near)
}

/// Reports a key that does not exist, and gives the one that it stands for, if the name or the
/// value tell.
pub(crate) fn unknown_key(
    key: &Ident,
    value: &[TokenTree],
    given: [bool; KEYS.len()],
    errors: &mut Errors,
) -> Option<usize> {
    let word = key.to_string();
    let by_other_name = || {
        let found = OTHER_NAMES.iter().find(|(name, _)| word.eq_ignore_ascii_case(name));
        found.map(|(_, index)| *index)
    };
    let by_value = || match value {
        [TokenTree::Literal(_)] => Some(BUFID_SIZE),
        [.., TokenTree::Ident(last)] if position::is_position(&last.to_string()) => Some(POSITION),
        _ => None,
    };
    // The value is a weak sign: it says nothing if the argument with such values is there.
    let by_value = || by_value().filter(|index| !given[*index]);
    let meant = misspelt(key).or_else(by_other_name).or_else(by_value);
    let mut fault = Text::new(&format!("unknown argument `{key}`"));
    if let Some(index) = meant {
        fault = fault.help(&format!("did you mean `{}`?", KEYS[index]));
    }
    let note = "the arguments are position, bufid_size, state and crate";
    errors.push(key, fault.note(note));
    meant
}

/// `key =`, and then nothing.
pub(crate) fn no_value(key: &Ident, index: usize, errors: &mut Errors) {
    let help = format!("write `{key} = {}`", EXAMPLES[index]);
    errors.push(key, Text::new(&format!("`{key} =` has no value")).help(&help));
}

/// A key that no `=` follows. Gives the value that was probably meant.
pub(crate) fn no_equals(
    key: &Ident,
    rest: &[TokenTree],
    index: usize,
    errors: &mut Errors,
) -> Vec<TokenTree> {
    let (found, value) = match rest {
        [TokenTree::Group(group)] if group.delimiter() != Delimiter::Brace => {
            ("parentheses", open_groups(group.stream()))
        }
        [a, b, value @ ..] if is_punct(a, '=') && is_punct(b, '=') => ("`==`", value.to_vec()),
        [a, b, value @ ..] if is_punct(a, '=') && is_punct(b, '>') => ("`=>`", value.to_vec()),
        [a, b, value @ ..] if is_punct(a, ':') && is_punct(b, '=') => ("`:=`", value.to_vec()),
        [a, value @ ..] if is_punct(a, ':') => ("`:`", value.to_vec()),
        value => ("", value.to_vec()),
    };
    let fault = match (found, rest) {
        (_, []) => format!("`{key}` has no value"),
        ("", _) => format!("`=` is missing after `{key}`"),
        _ => format!("`=` is expected after `{key}`, found {found}"),
    };
    let shown = match value.as_slice() {
        [] => EXAMPLES[index].to_owned(),
        value => text(value),
    };
    let help = format!("write `{} = {shown}`", KEYS[index]);
    errors.push(key, Text::new(&fault).help(&help));
    value
}

/// What an argument without a name probably is.
fn role(tokens: &[TokenTree]) -> Option<usize> {
    match tokens {
        [TokenTree::Literal(literal)] => {
            let starts_with_digit = literal.to_string().starts_with(|c: char| c.is_ascii_digit());
            Some(if starts_with_digit { BUFID_SIZE } else { POSITION })
        }
        [minus, TokenTree::Literal(_)] if is_punct(minus, '-') => Some(BUFID_SIZE),
        [TokenTree::Group(_)] => Some(BUFID_SIZE),
        [.., TokenTree::Ident(last)] => match position::meaning(&last.to_string()) {
            Meaning::Unknown(None) => None,
            _ => Some(POSITION),
        },
        _ => None,
    }
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
            errors.push(&tokens, fault.help(&format!("write `{} = {shown}`", KEYS[index])));
            slots[index] = Slot::Given(tokens);
        } else {
            errors.push(&tokens, fault.help("remove it: the struct below is the pool"));
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
    // `(class, position, SIZE)`: what comes last and is nothing else is the size.
    if let Slot::Missing = slots[BUFID_SIZE]
        && let [_, .., last] = unnamed
        && role(last).is_none()
    {
        slots[BUFID_SIZE] = Slot::Given(last.clone());
    }
    let shown = [POSITION, BUFID_SIZE].map(|index| match &slots[index] {
        Slot::Given(tokens) => text(tokens),
        _ => EXAMPLES[index].to_owned(),
    });
    let [position, size] = shown;
    let help =
        format!("write `#[extern_impl_bufpool(position = {position}, bufid_size = {size})]`");
    let all: Vec<TokenTree> = unnamed.iter().flatten().cloned().collect();
    errors.push(&all, Text::new("the arguments need their names").help(&help));
    for index in [POSITION, BUFID_SIZE] {
        if let Slot::Missing = slots[index] {
            slots[index] = Slot::Reported;
        }
    }
}

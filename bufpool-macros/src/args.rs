//! The attribute's arguments as written: `key = value`, separated by commas.
//!
//! Nothing here knows what a good value is. The reader goes on after every mistake, and
//! remembers which keys were meant, so that a slip in one argument is not followed by
//! "is missing" for the same one.

use proc_macro2::{Ident, TokenStream, TokenTree};

use crate::errors::{Errors, Text};
use crate::tokens::{is_punct, open_groups, text};
use crate::{forms, slips};

/// The keys, in the order of the documentation.
pub(crate) const KEYS: [&str; 4] = ["position", "bufid_size", "state", "crate"];

/// A good value of each key, for help lines.
pub(crate) const EXAMPLES: [&str; 4] = ["VECCALC", "16", "other", "other::bufpool_runtime"];

pub(crate) const POSITION: usize = 0;
pub(crate) const BUFID_SIZE: usize = 1;
pub(crate) const STATE: usize = 2;
pub(crate) const CRATE: usize = 3;

/// What is known of one argument.
#[derive(Default)]
pub(crate) enum Slot {
    #[default]
    Missing,
    /// Given in a way that is reported already; there is nothing to add.
    Reported,
    /// At least one token.
    Given(Vec<TokenTree>),
}

impl From<Vec<TokenTree>> for Slot {
    fn from(value: Vec<TokenTree>) -> Self {
        if value.is_empty() { Slot::Reported } else { Slot::Given(value) }
    }
}

/// One slot for each key, by the indices above.
pub(crate) type Slots = [Slot; KEYS.len()];

/// Reads all arguments. Values of misspelt arguments are in the slot that was meant, so that
/// a mistake in the value is found too.
pub(crate) fn parse(input: TokenStream, errors: &mut Errors) -> Slots {
    let mut slots = Slots::default();
    let mut keys: [Option<Ident>; KEYS.len()] = Default::default();
    let mut meant = Slots::default();
    let mut unnamed = Vec::new();
    let mut named = false;

    let pieces = split(open_groups(input), errors);
    let mut given = [false; KEYS.len()];
    for piece in &pieces {
        if let Some(index) = key_and_value(piece).and_then(|(key, _)| index_of(key)) {
            given[index] = true;
        }
    }
    for tokens in pieces {
        if let Some((key, value)) = key_and_value(&tokens) {
            named = true;
            if let Some(index) = index_of(key) {
                if let Some(first) = &keys[index] {
                    errors.push_duplicate(first, key);
                    continue;
                }
                if value.is_empty() {
                    forms::no_value(key, index, errors);
                }
                keys[index] = Some(key.clone());
                slots[index] = value.to_vec().into();
            } else if let Some(index) = slips::unknown_key(key, value, given, errors) {
                meant[index] = value.to_vec().into();
            }
        } else if let Some((index, value)) = forms::other(&tokens, errors) {
            named = true;
            meant[index] = value.into();
        } else {
            unnamed.push(tokens);
        }
    }
    for (slot, meant) in slots.iter_mut().zip(meant) {
        if let Slot::Missing = slot {
            *slot = meant;
        }
    }
    if !unnamed.is_empty() {
        if named {
            slips::some_without_name(unnamed, &mut slots, errors);
        } else {
            slips::all_without_name(&unnamed, &mut slots, errors);
        }
    }
    slots
}

pub(crate) fn index_of(key: &Ident) -> Option<usize> {
    KEYS.iter().position(|known| key == known)
}

/// `key = value`, where the value may still be empty.
fn key_and_value(tokens: &[TokenTree]) -> Option<(&Ident, &[TokenTree])> {
    let [TokenTree::Ident(key), equals, value @ ..] = tokens else {
        return None;
    };
    let longer = value.first().is_some_and(|next| is_punct(next, '=') || is_punct(next, '>'));
    (is_punct(equals, '=') && !longer).then_some((key, value))
}

/// Splits at commas outside of `<...>`, and where a comma was forgotten. No piece is empty.
fn split(tokens: Vec<TokenTree>, errors: &mut Errors) -> Vec<Vec<TokenTree>> {
    let mut pieces = Vec::new();
    let mut piece: Vec<TokenTree> = Vec::new();
    let mut angles = 0_usize;
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let after = |sign: char| matches!(piece.last(), Some(last) if is_punct(last, sign));
        if angles == 0 && (is_punct(&token, ',') || is_punct(&token, ';')) {
            if is_punct(&token, ';') {
                let text = Text::new("arguments are separated by `,`, found `;`");
                errors.push(token.span(), text.help("write `,`"));
            } else if piece.is_empty() {
                let text = Text::new("there is no argument before this `,`");
                errors.push(token.span(), text.help("remove it"));
            }
            pieces.push(std::mem::take(&mut piece));
            continue;
        }
        if let TokenTree::Ident(key) = &token
            && angles == 0
            && starts_argument(key, tokens.peek(), &piece)
        {
            report_no_comma(key, &mut piece, errors);
            pieces.push(std::mem::take(&mut piece));
        } else if is_punct(&token, '<') && (angles > 0 || after('=') || after(':')) {
            // `<` opens a list of generics at the start of a value and after `::`; elsewhere
            // it compares.
            angles += 1;
        } else if is_punct(&token, '>') && !after('-') {
            angles = angles.saturating_sub(1);
        }
        piece.push(token);
    }
    pieces.push(piece);
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

/// Whether the argument before this name should have ended.
fn starts_argument(key: &Ident, next: Option<&TokenTree>, before: &[TokenTree]) -> bool {
    let equals = next.is_some_and(|next| is_punct(next, '='));
    let known = index_of(key).is_some();
    match before {
        // `position = VECCALC && bufid_size = 16`
        [.., TokenTree::Punct(sign)] => {
            "&|+/".contains(sign.as_char()) && known && equals && key_and_value(before).is_some()
        }
        before => {
            let value = before.len() >= 2 && !before.iter().all(forms::stands_in_front);
            value && (known || equals)
        }
    }
}

/// Takes what stands in the place of the comma off the argument before it.
fn report_no_comma(key: &Ident, before: &mut Vec<TokenTree>, errors: &mut Errors) {
    let is_sign = |token: &TokenTree| match token {
        TokenTree::Punct(_) => true,
        token => ["and", "or"].contains(&token.to_string().as_str()),
    };
    let end = before.iter().rposition(|token| !is_sign(token)).map_or(0, |last| last + 1);
    let signs = before.split_off(end);
    let fault = match text(&signs) {
        none if none.is_empty() => format!("`,` is missing before `{key}`"),
        signs => format!("`,` is expected before `{key}`, found `{signs}`"),
    };
    let example = index_of(key).map_or("...", |index| EXAMPLES[index]);
    let help = format!("write `{}, {key} = {example}`", text(before));
    errors.push(key, Text::new(&fault).help(&help));
}

//! The attribute's arguments as written: `name = value`, separated by commas.
//!
//! The reader goes on after every mistake, and remembers which arguments were meant, so that a slip
//! in one is not followed by "is missing" for the same one.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};

use crate::errors::{Errors, Text};
use crate::keys::{Key, Slots};
use crate::tokens::{is_punct, open_groups, text};
use crate::{forms, position, repair, slips};

/// Reads all arguments. Values of misspelt arguments are in the slot that was meant, so that
/// a mistake in the value is found too.
pub(crate) fn parse(input: TokenStream, errors: &mut Errors) -> Slots {
    let Pieces { pieces, separator } = split(open_groups(input), errors);
    let all = pieces.len();
    let mut slots = Slots::default();
    let others = take_given(pieces, &mut slots, errors);
    // What is given as it should be is known by now, and wins over what was only meant.
    let others = others.into_iter().filter_map(|tokens| take_meant(tokens, &mut slots, errors));
    let unnamed: Vec<_> = others.collect();
    if unnamed.len() < all {
        if let Some(span) = separator {
            let text = Text::new("arguments are separated by `,`, found `;`");
            errors.push(span, text.help("write `,`"));
        }
        slips::some_without_name(unnamed, &mut slots, errors);
    } else if all > 0 {
        slips::all_without_name(&unnamed, &mut slots, errors);
    }
    slots
}

/// Takes what is `name = value` with a known name, and gives the rest back.
fn take_given(
    pieces: Vec<Vec<TokenTree>>,
    slots: &mut Slots,
    errors: &mut Errors,
) -> Vec<Vec<TokenTree>> {
    let mut names: [Option<Ident>; Key::ALL.len()] = Default::default();
    let mut others = Vec::new();
    for tokens in pieces {
        let given = name_and_value(&tokens)
            .and_then(|(name, value)| Some((Key::of(&name.to_string())?, name, value)));
        let Some((key, name, value)) = given else {
            others.push(tokens);
            continue;
        };
        if let Some(first) = &names[key as usize] {
            errors.push_duplicate(first, name);
            continue;
        }
        if value.is_empty() {
            forms::no_value(name, key, errors);
        }
        names[key as usize] = Some(name.clone());
        slots[key] = value.to_vec().into();
    }
    others
}

/// Takes what has a name, if not a known one or not in this form, and gives back what has none.
fn take_meant(
    tokens: Vec<TokenTree>,
    slots: &mut Slots,
    errors: &mut Errors,
) -> Option<Vec<TokenTree>> {
    let meant = match name_and_value(&tokens) {
        // `VECCALC = 16`
        Some((name, _)) if position::is_position(&name.to_string()) => return Some(tokens),
        Some((name, value)) => {
            slips::unknown_name(name, value, slots, errors).map(|key| (key, value.to_vec().into()))
        }
        None => match forms::other(&tokens, slots, errors) {
            None => return Some(tokens),
            meant => meant,
        },
    };
    if let Some((key, slot)) = meant
        && slots.is_missing(key)
    {
        slots[key] = slot;
    }
    None
}

/// `name = value`, where the value may still be empty.
fn name_and_value(tokens: &[TokenTree]) -> Option<(&Ident, &[TokenTree])> {
    let [TokenTree::Ident(name), equals, value @ ..] = tokens else {
        return None;
    };
    let longer = value.first().is_some_and(|next| is_punct(next, '=') || is_punct(next, '>'));
    (is_punct(equals, '=') && !longer).then_some((name, value))
}

struct Pieces {
    /// None is empty.
    pieces: Vec<Vec<TokenTree>>,
    /// The first `;` in the place of a comma.
    separator: Option<Span>,
}

/// Splits at commas outside of `<...>`, and where a comma was forgotten.
fn split(tokens: Vec<TokenTree>, errors: &mut Errors) -> Pieces {
    let mut pieces = Vec::new();
    let mut piece: Vec<TokenTree> = Vec::new();
    let mut angles = 0_usize;
    let mut separator = None;
    let only = tokens.len() == 1;
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let after = |sign: char| matches!(piece.last(), Some(last) if is_punct(last, sign));
        if angles == 0 && (is_punct(&token, ',') || is_punct(&token, ';')) {
            if is_punct(&token, ';') {
                separator.get_or_insert(token.span());
            } else if piece.is_empty() && !only {
                let text = Text::new("there is no argument before this `,`");
                errors.push(token.span(), text.help("remove it"));
            }
            pieces.push(std::mem::take(&mut piece));
            continue;
        }
        if let TokenTree::Ident(name) = &token
            && angles == 0
            && starts_argument(name, tokens.peek(), &piece)
        {
            report_no_comma(name, &mut piece, errors);
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
    Pieces { pieces, separator }
}

/// Arguments without names, as in C++.
pub(crate) fn pieces(input: TokenStream) -> Vec<Vec<TokenTree>> {
    split(open_groups(input), &mut Errors::default()).pieces
}

/// Whether the argument before this name should have ended.
fn starts_argument(name: &Ident, next: Option<&TokenTree>, before: &[TokenTree]) -> bool {
    let equals = next.is_some_and(|next| is_punct(next, '='));
    let known = Key::of(&name.to_string()).is_some();
    match before {
        // `position = VECCALC && bufid_size = 16`
        [.., TokenTree::Punct(sign)] => {
            "&|+/".contains(sign.as_char()) && known && equals && name_and_value(before).is_some()
        }
        [TokenTree::Ident(first), _, ..]
            if Key::of(&first.to_string()).is_some() || name_and_value(before).is_some() =>
        {
            known || equals
        }
        before => known && equals && repair::role(before).is_some(),
    }
}

/// Takes what stands in the place of the comma off the argument before it.
fn report_no_comma(name: &Ident, before: &mut Vec<TokenTree>, errors: &mut Errors) {
    let mut end = before.len();
    // Signs, and words after a value: `position = VECCALC and bufid_size = 16`.
    while end > 3
        && match &before[end - 2..end] {
            [TokenTree::Punct(_), TokenTree::Ident(_)] => false,
            [_, last] => matches!(last, TokenTree::Punct(_) | TokenTree::Ident(_)),
            _ => false,
        }
    {
        end -= 1;
    }
    let signs = before.split_off(end);
    let fault = match text(&signs) {
        none if none.is_empty() => format!("`,` is missing before `{name}`"),
        signs => format!("`,` is expected before `{name}`, found `{signs}`"),
    };
    let value = name_and_value(before).and_then(|(first, value)| {
        let key = Key::of(&first.to_string())?;
        Some(format!("{first} = {}", repair::shown(key, value)))
    });
    let help = match (value, Key::of(&name.to_string())) {
        (Some(before), Some(key)) => format!("write `{before}, {name} = {}`", key.example()),
        _ => format!("write `, {name}`"),
    };
    errors.push(name, Text::new(&fault).help(&help));
}

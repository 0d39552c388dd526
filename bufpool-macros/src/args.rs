//! The attribute's arguments as written: `name = value`, separated by commas.
//!
//! The reader goes on after every mistake, and remembers which arguments were meant, so that a slip
//! in one is not followed by "is missing" for the same one.

use proc_macro2::{Ident, TokenStream, TokenTree};

use crate::errors::Errors;
use crate::keys::{Key, Slots};
use crate::split::{name_and_value, split};
use crate::{forms, position, slips};

/// Reads all arguments. Values of misspelt arguments are in the slot that was meant, so that
/// a mistake in the value is found too.
pub(crate) fn parse(input: TokenStream, errors: &mut Errors) -> Slots {
    let arguments = split(input);
    let mut slots = Slots::default();
    let others = take_given(&arguments.pieces, &mut slots, errors);
    // What is given as it should be is known by now, and wins over what was only meant. A name tells
    // more than a value, and comes first.
    let (by_value, by_name): (Vec<_>, Vec<_>) = others.into_iter().partition(|tokens| {
        name_and_value(tokens).is_some_and(|(name, _)| slips::by_name(name).is_none())
    });
    let mut unnamed = Vec::new();
    for tokens in by_name.into_iter().chain(by_value) {
        if !take_meant(tokens, &mut slots, errors) {
            unnamed.push(tokens);
        }
    }
    let named = unnamed.len() < arguments.pieces.len();
    arguments.report(named, errors);
    if named {
        slips::some_without_name(&unnamed, &mut slots, errors);
    } else if !unnamed.is_empty() {
        slips::all_without_name(&unnamed, &mut slots, errors);
    }
    slots
}

/// Takes what is `name = value` with a known name, and gives the rest.
fn take_given<'a>(
    pieces: &'a [Vec<TokenTree>],
    slots: &mut Slots,
    errors: &mut Errors,
) -> Vec<&'a [TokenTree]> {
    let mut names: [Option<Ident>; Key::ALL.len()] = Default::default();
    let mut others = Vec::new();
    for tokens in pieces {
        let given = name_and_value(tokens)
            .and_then(|(name, value)| Some((Key::of(&name.to_string())?, name, value)));
        let Some((key, name, value)) = given else {
            others.push(tokens.as_slice());
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

/// Takes what has a name, if not a known one or not in this form; nothing if it has none.
fn take_meant(tokens: &[TokenTree], slots: &mut Slots, errors: &mut Errors) -> bool {
    let meant = match name_and_value(tokens) {
        // `VECCALC = 16`
        Some((name, _)) if position::is_position(&name.to_string()) => return false,
        Some((name, value)) => {
            slips::unknown_name(name, value, slots, errors).map(|key| (key, value.to_vec().into()))
        }
        None => match forms::other(tokens, slots, errors) {
            None => return false,
            meant => meant,
        },
    };
    if let Some((key, slot)) = meant
        && slots.is_missing(key)
    {
        slots[key] = slot;
    }
    true
}

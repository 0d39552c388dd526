//! Arguments whose name is unknown, or that have none: what is said, and what was meant.

use proc_macro2::{Ident, TokenTree};

use crate::errors::{Errors, Text};
use crate::keys::{Key, Slot, Slots};
use crate::tokens::{path, text};
use crate::{position, repair};

/// The C++ macro takes the name of the class, and the attribute stands on it.
const NO_CLASS: &str = "remove it: the struct below is the pool";

/// Reports a name that does not exist, and gives the key that it stands for, if the name or the
/// value tell.
pub(crate) fn unknown_name(
    name: &Ident,
    value: &[TokenTree],
    slots: &Slots,
    errors: &mut Errors,
) -> Option<Key> {
    let word = name.to_string();
    let by_value = || match value {
        [TokenTree::Literal(_)] => Some(Key::BufidSize),
        [.., TokenTree::Ident(last)] if position::is_position(&last.to_string()) => {
            Some(Key::Position)
        }
        _ => None,
    };
    // The value is a weak sign: it says nothing if the argument with such values is there.
    let by_value = || by_value().filter(|key| slots.is_missing(*key));
    let by_name = Key::misspelt(&word).or_else(|| Key::by_other_name(&word));
    let meant = by_name.or_else(by_value);
    let mut fault = Text::new(&format!("unknown argument `{name}`"));
    if let Some(key) = meant {
        fault = fault.help(&if slots.is_missing(key) {
            format!("did you mean `{}`?", key.name())
        } else {
            format!("remove it: `{}` is given", key.name())
        });
    } else if ["class", "name"].contains(&word.as_str()) {
        fault = fault.help(NO_CLASS);
    }
    let note = "the arguments are position, bufid_size, state and crate";
    errors.push(name, fault.note(note));
    meant
}

/// Some arguments have names and these do not: one error for each.
pub(crate) fn some_without_name(
    unnamed: Vec<Vec<TokenTree>>,
    slots: &mut Slots,
    errors: &mut Errors,
) {
    for tokens in unnamed {
        let missing = |key: &Key| slots.is_missing(*key);
        let only_missing = [Key::Position, Key::BufidSize].into_iter().find(missing);
        let shown = text(&tokens);
        let fault = Text::new(&format!("`{shown}` has no name"));
        let role = repair::role(&tokens);
        if role == Some(Key::Position) && !missing(&Key::Position) {
            let fault = format!("`{shown}` is a second position, and a pool has one");
            let help = "remove it: a pool takes queues of every position in its memory";
            errors.push(&tokens, Text::new(&fault).help(help));
        } else if let Some(key) = role.filter(missing).or(only_missing) {
            let help = format!("write `{} = {}`", key.name(), repair::shown(key, &tokens));
            errors.push(&tokens, fault.help(&help));
            slots[key] = repair::slot(key, &tokens);
        } else {
            let class = shown.starts_with(|c: char| c.is_ascii_uppercase());
            errors.push(&tokens, fault.help(if class { NO_CLASS } else { "remove it" }));
        }
    }
}

/// No argument has a name: the form of the C++ macro, which this spells out with names.
pub(crate) fn all_without_name(unnamed: &[Vec<TokenTree>], slots: &mut Slots, errors: &mut Errors) {
    let all: Vec<TokenTree> = unnamed.iter().flatten().cloned().collect();
    let help = format!("write `#[extern_impl_bufpool({})]`", spell_out(unnamed, slots));
    errors.push(&all, Text::new("the arguments need their names").help(&help));
}

/// Fills the slots from arguments without names, and writes these with names.
pub(crate) fn spell_out(unnamed: &[Vec<TokenTree>], slots: &mut Slots) -> String {
    for tokens in unnamed {
        if let Some(key) = repair::role(tokens)
            && slots.is_missing(key)
        {
            slots[key] = Slot::Given(tokens.clone());
        }
    }
    // `(class, position, SIZE)`: what comes last, is a path and nothing else is the size.
    if slots.is_missing(Key::BufidSize)
        && let [_, .., last] = unnamed
        && path(last).is_some()
        && repair::role(last).is_none()
    {
        slots[Key::BufidSize] = Slot::Given(last.clone());
    }
    // Whatever else the form is, it mostly has a position and a number somewhere.
    let all: Vec<TokenTree> = unnamed.iter().flatten().cloned().collect();
    let anywhere =
        [(Key::Position, repair::position_in(&all)), (Key::BufidSize, repair::number_in(&all))];
    let arguments = anywhere.map(|(key, found)| {
        let tokens = slots.given(key).map(<[_]>::to_vec).or(found);
        slots[key] = tokens.as_deref().map_or(Slot::Reported, |tokens| repair::slot(key, tokens));
        let shown = tokens.map_or(key.example().to_owned(), |tokens| repair::shown(key, &tokens));
        format!("{} = {shown}", key.name())
    });
    arguments.join(", ")
}

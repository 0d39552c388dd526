//! Arguments whose name is unknown, or that have none: what is said, and what was meant.

use proc_macro2::{Ident, TokenTree};

use crate::errors::{Errors, Text};
use crate::keys::{Key, Slot, Slots};
use crate::tokens::{path, text};
use crate::{position, repair};

/// The C++ macro takes the name of the class, and the attribute stands on it.
const NO_CLASS: &str = "remove it: the struct below is the pool";

/// The key that an unknown name stands for by itself.
pub(crate) fn by_name(name: &Ident) -> Option<Key> {
    let word = name.to_string();
    Key::misspelt(&word).or_else(|| Key::by_other_name(&word))
}

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
    let meant = by_name(name).or_else(by_value);
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
pub(crate) fn some_without_name(unnamed: &[&[TokenTree]], slots: &mut Slots, errors: &mut Errors) {
    // First what shows by itself which argument it is. Of the others the last comes first: that
    // before it may be the class, as in C++.
    let (known, others): (Vec<_>, Vec<_>) =
        unnamed.iter().partition(|tokens| repair::role(tokens).is_some());
    for tokens in known.into_iter().chain(others.into_iter().rev()) {
        without_name(tokens, slots, errors);
    }
}

fn without_name(tokens: &[TokenTree], slots: &mut Slots, errors: &mut Errors) {
    let missing = |key: &Key| slots.is_missing(*key);
    let only_missing = [Key::Position, Key::BufidSize].into_iter().find(missing);
    let shown = text(tokens);
    let fault = Text::new(&format!("`{shown}` has no name"));
    if repair::is_exact_position(tokens) && !missing(&Key::Position) {
        let fault = format!("`{shown}` is a second position, and a pool has one");
        let help = "remove it: a pool takes queues of every position in its memory";
        errors.push(tokens, Text::new(&fault).help(help));
    } else if let Some(key) = repair::role(tokens).filter(missing).or(only_missing) {
        let help = format!("write `{} = {}`", key.name(), repair::shown(key, tokens));
        errors.push(tokens, fault.help(&help));
        slots[key] = repair::slot(key, tokens);
    } else {
        let class = shown.starts_with(|c: char| c.is_ascii_uppercase());
        errors.push(tokens, fault.help(if class { NO_CLASS } else { "remove it" }));
    }
}

/// No argument has a name: the form of the C++ macro, which this spells out with names.
pub(crate) fn all_without_name(unnamed: &[&[TokenTree]], slots: &mut Slots, errors: &mut Errors) {
    let all = unnamed.concat();
    let help = format!("write `#[extern_impl_bufpool({})]`", spell_out(unnamed, slots));
    errors.push(&all, Text::new("the arguments need their names").help(&help));
}

/// Fills the slots from arguments without names, and writes these with names.
pub(crate) fn spell_out(unnamed: &[&[TokenTree]], slots: &mut Slots) -> String {
    let all = unnamed.concat();
    let found =
        [(Key::Position, position_of(unnamed, &all)), (Key::BufidSize, size_of(unnamed, &all))];
    let [position, size] = found.map(|(key, tokens)| {
        slots[key] = tokens.as_deref().map_or(Slot::Reported, |tokens| repair::slot(key, tokens));
        let shown = tokens.map_or(key.example().to_owned(), |tokens| repair::shown(key, &tokens));
        format!("{} = {shown}", key.name())
    });
    format!("{position}, {size}")
}

/// The position among arguments without names. The name of a class may look like one: what is
/// spelt as a position comes first, then what stands last.
fn position_of(unnamed: &[&[TokenTree]], all: &[TokenTree]) -> Option<Vec<TokenTree>> {
    let exact = unnamed.iter().find(|tokens| repair::is_exact_position(tokens));
    let near = || unnamed.iter().rfind(|tokens| repair::role(tokens) == Some(Key::Position));
    exact.or_else(near).map(|tokens| tokens.to_vec()).or_else(|| repair::position_in(all))
}

/// The number of blocks among arguments without names. In `(class, position, SIZE)`, what comes
/// last, is a path and nothing else is that; whatever the form, there mostly is a number.
fn size_of(unnamed: &[&[TokenTree]], all: &[TokenTree]) -> Option<Vec<TokenTree>> {
    let known = unnamed.iter().find(|tokens| repair::role(tokens) == Some(Key::BufidSize));
    // A constant may be called like a position, once there is one.
    let has_position = unnamed.iter().any(|tokens| repair::is_exact_position(tokens));
    let is_other = |tokens: &&[TokenTree]| {
        !repair::is_exact_position(tokens) && (has_position || repair::role(tokens).is_none())
    };
    let last = || match unnamed {
        [_, .., last] if path(last).is_some() => Some(last).filter(|last| is_other(last)),
        _ => None,
    };
    known.or_else(last).map(|tokens| tokens.to_vec()).or_else(|| repair::number_in(all))
}

//! From arguments and item to a [`Draft`]: the rules that concern more than one argument, and
//! those of `state` and `crate`.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::quote;
use syn::{Data, DeriveInput};

use crate::errors::{Errors, Text};
use crate::keys::{Key, Slot, Slots};
use crate::model::Draft;
use crate::tokens::{Tokens, path, plain, text};
use crate::{position, repair, runtime_crate, size};

/// The default name of the field that holds the pool's state.
const STATE_NAME: &str = "bufpool";

pub(crate) fn check(mut slots: Slots, item: DeriveInput, errors: &mut Errors) -> Draft {
    missing(&slots, &item, errors);
    if let (Some(position), Some(size)) = (slots.given(Key::Position), slots.given(Key::BufidSize))
        && swapped(position, size, errors)
    {
        slots[Key::Position] = Slot::Reported;
        slots[Key::BufidSize] = Slot::Reported;
    }
    let given = |key: Key| slots.given(key);
    let state = match &slots[Key::State] {
        Slot::Missing => Some(Ident::new(STATE_NAME, Span::call_site())),
        Slot::Given(tokens) => name(tokens, errors),
        Slot::Reported => None,
    };
    Draft {
        position: given(Key::Position)
            .and_then(|tokens| position::check(tokens, &item.generics, errors)),
        size: given(Key::BufidSize).and_then(|tokens| size::check(tokens, &item, errors)),
        state: state.filter(|name| is_free(name, given(Key::State).is_some(), &item, errors)),
        runtime: runtime(given(Key::Crate), errors),
        item,
    }
}

fn missing(slots: &Slots, item: &DeriveInput, errors: &mut Errors) {
    let (fault, note) = match [Key::Position, Key::BufidSize].map(|key| slots.is_missing(key)) {
        [true, true] => (
            "`position` and `bufid_size` are missing",
            "position says which memory the pool manages, bufid_size how many blocks it has at most",
        ),
        [true, false] => ("`position` is missing", position::RULE),
        [false, true] => ("`bufid_size` is missing", size::MEANING),
        [false, false] => return,
    };
    let shown = |key: Key| repair::shown(key, slots.given(key).unwrap_or_default());
    let mut help = format!(
        "write `#[extern_impl_bufpool(position = {}, bufid_size = {}",
        shown(Key::Position),
        shown(Key::BufidSize),
    );
    for key in [Key::State, Key::Crate].into_iter().filter(|key| slots.given(*key).is_some()) {
        help.extend([", ", key.name(), " = ", &shown(key)]);
    }
    help.push_str(")]`");
    // At the attribute, but with the context of a token of the user's: the compiler would explain
    // at length that a span of our own comes from a macro.
    let attribute = Span::call_site().resolved_at(item.ident.span());
    errors.push(attribute, Text::new(fault).help(&help).note(note));
}

/// Whether each of the two has the value of the other, which is one mistake.
fn swapped(position: &[TokenTree], size: &[TokenTree], errors: &mut Errors) -> bool {
    let name = path(size).and_then(|names| names.last().map(ToString::to_string));
    let swapped = repair::role(position) == Some(Key::BufidSize)
        && name.is_some_and(|name| position::is_position(&name));
    if swapped {
        let fault = Text::new("the values of `position` and `bufid_size` are swapped");
        let help = format!(
            "write `position = {}, bufid_size = {}`",
            repair::shown(Key::Position, size),
            repair::shown(Key::BufidSize, position),
        );
        errors.push(&[position, size].concat(), fault.help(&help));
    }
    swapped
}

/// `state = name`.
fn name(tokens: &[TokenTree], errors: &mut Errors) -> Option<Ident> {
    if let [TokenTree::Ident(name)] = tokens
        && repair::value(Key::State, tokens).is_some()
    {
        return Some(name.clone());
    }
    let fault = Text::new(&format!("`state` takes the name of a field, found `{}`", text(tokens)));
    let help = format!("write `state = {}`", repair::shown(Key::State, tokens));
    errors.push(tokens, fault.help(&help));
    // The field has the name that the help says, and what uses it adds no error.
    let meant = repair::value(Key::State, tokens)?;
    syn::parse2(meant.into_iter().collect()).ok()
}

/// Whether no field of the user has the name of the field to be added.
fn is_free(name: &Ident, explicit: bool, item: &DeriveInput, errors: &mut Errors) -> bool {
    let Data::Struct(data) = &item.data else {
        return true;
    };
    let names = || data.fields.iter().filter_map(|field| field.ident.as_ref());
    let Some(taken) = names().find(|field| plain(field) == plain(name)) else {
        return true;
    };
    let mut free = ["pool_state", "state", "bufpool_state"].into_iter();
    let other = free.find(|other| names().all(|field| plain(field) != *other));
    let fault =
        format!("the struct has a field `{taken}` already, and the pool's state needs the name");
    let help = format!("write `state = {}` in the attribute", other.unwrap_or("other"));
    let at = if explicit { name } else { taken };
    errors.push(at, Text::new(&fault).help(&help));
    false
}

/// The path of the runtime's module for generated code.
fn runtime(given: Option<&[TokenTree]>, errors: &mut Errors) -> Tokens {
    let Some(tokens) = given else {
        let name = Ident::new(&runtime_crate::name(), Span::call_site());
        return quote!(::#name::__private).into();
    };
    let shown = text(tokens);
    let (fault, right) = match path(tokens) {
        Some(names) if names.last().is_some_and(|last| *last == "prelude") => {
            ("the path of the crate", shown.trim_end_matches("::prelude").to_owned())
        }
        Some(_) if repair::value(Key::Crate, tokens).is_some() => {
            let path: TokenStream = tokens.iter().cloned().collect();
            // At the user's path, which is to be pointed at if it is wrong.
            let module = Ident::new("__private", tokens[tokens.len() - 1].span());
            return quote!(#path::#module).into();
        }
        _ => ("a path", repair::shown(Key::Crate, tokens)),
    };
    let fault = Text::new(&format!("`crate` takes {fault}, found `{shown}`"));
    errors.push(tokens, fault.help(&format!("write `crate = {right}`")));
    runtime(None, errors)
}

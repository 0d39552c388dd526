//! The other attributes of the struct: derives that a pool can or cannot have.

use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Attribute, DeriveInput, Path};

use crate::errors::{Errors, Text};

/// Traits that make a second pool of the same state, or compare two.
const IMPOSSIBLE: &[&str] = &["Clone", "Copy", "PartialEq", "Eq", "PartialOrd", "Ord", "Hash"];

/// Reports attributes that cannot work, and takes them off, so that they add no errors.
pub(crate) fn check(item: &mut DeriveInput, errors: &mut Errors) {
    for mut attr in std::mem::take(&mut item.attrs) {
        if is_ours(&attr, errors) {
            continue;
        }
        let (mut wrong, mut right) = (Vec::new(), Vec::new());
        for path in derives(&attr) {
            if is_impossible(&path) { wrong.push(path) } else { right.push(path) }
        }
        if !wrong.is_empty() {
            report(&wrong, errors);
            attr = syn::parse_quote!(#[derive(#(#right),*)]);
        }
        item.attrs.push(attr);
    }
}

fn report(wrong: &[Path], errors: &mut Errors) {
    let (mut tokens, mut names, mut verbs) = (Vec::new(), String::new(), String::new());
    let add = |list: &mut String, separator: &str, word: &str| {
        if !list.is_empty() {
            list.push_str(separator);
        }
        list.push_str(word);
    };
    for path in wrong {
        tokens.extend(path.to_token_stream());
        let name = name(path);
        let verb = match name.as_str() {
            "Clone" | "Copy" => "cloned",
            "Hash" => "hashed",
            _ => "compared",
        };
        if !verbs.contains(verb) {
            add(&mut verbs, " or ", verb);
        }
        add(&mut names, "`, `", &name);
    }
    let fault = format!("a pool cannot be {verbs}: its state is the record of one piece of memory");
    errors.push(&tokens, Text::new(&fault).help(&format!("remove `{names}`")));
}

/// Whether the struct derives `Default`, below the attribute. What is above it is expanded
/// before and is not seen.
pub(crate) fn derives_default(item: &DeriveInput) -> bool {
    let is_default = |path: &Path| name(path) == "Default";
    item.attrs.iter().any(|attr| derives(attr).iter().any(is_default))
}

/// What `#[derive(...)]` derives; nothing for another attribute.
fn derives(attr: &Attribute) -> Vec<Path> {
    let mut found = Vec::new();
    if attr.path().is_ident("derive") {
        // The compiler has read the list before us: it is one.
        let _ = attr.parse_nested_meta(|meta| {
            found.push(meta.path);
            Ok(())
        });
    }
    found
}

fn name(path: &Path) -> String {
    path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default()
}

/// A trait of the standard library, going by its name.
fn is_impossible(path: &Path) -> bool {
    let mut names = path.segments.iter().map(|segment| &segment.ident);
    let standard = match (names.next(), names.next()) {
        (Some(_), None) => true,
        (Some(first), _) => first == "core" || first == "std",
        _ => false,
    };
    standard && IMPOSSIBLE.contains(&name(path).as_str())
}

/// Whether this is our own attribute once more.
fn is_ours(attr: &Attribute, errors: &mut Errors) -> bool {
    let ours = attr.path().segments.last().is_some_and(|last| last.ident == "extern_impl_bufpool");
    if ours {
        let fault = Text::new("the struct has the attribute `extern_impl_bufpool` twice");
        errors.push(attr.path().span(), fault.help("remove one of the two"));
    }
    ours
}

//! The other attributes of the struct: derives that a pool can or cannot have.

use proc_macro2::TokenTree;
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Attribute, DeriveInput, Path, Token};

use crate::errors::{Errors, Text};

type Paths = Punctuated<Path, Token![,]>;

/// Traits that make a second pool of the same state, or compare two.
const IMPOSSIBLE: [&str; 7] = ["Clone", "Copy", "PartialEq", "Eq", "PartialOrd", "Ord", "Hash"];

/// Reports attributes that cannot work, and takes them off, so that they add no errors.
pub(crate) fn check(item: &mut DeriveInput, errors: &mut Errors) {
    item.attrs.retain_mut(|attr| {
        let Some(paths) = derives(attr) else {
            return !is_ours(attr, errors);
        };
        let (wrong, right): (Vec<_>, Vec<_>) = paths.into_iter().partition(is_impossible);
        if wrong.is_empty() {
            return true;
        }
        let names: Vec<String> = wrong.iter().filter_map(name).collect();
        let fault = format!(
            "a pool cannot be {}: its state is the record of one piece of memory",
            verbs(&names)
        );
        let help = match names.as_slice() {
            [name] => format!("remove `{name}`"),
            names => format!("remove `{}`", names.join("`, `")),
        };
        let tokens: Vec<TokenTree> = wrong.iter().flat_map(ToTokens::to_token_stream).collect();
        errors.push(&tokens, Text::new(fault).help(help));
        *attr = syn::parse_quote!(#[derive(#(#right),*)]);
        true
    });
}

/// Whether the struct derives `Default`, below the attribute. What is above it is expanded
/// before and is not seen.
pub(crate) fn derives_default(item: &DeriveInput) -> bool {
    let mut derives = item.attrs.iter().filter_map(derives).flatten();
    derives.any(|path| name(&path).is_some_and(|name| name == "Default"))
}

fn derives(attr: &Attribute) -> Option<Paths> {
    let is_derive = attr.path().is_ident("derive");
    is_derive.then(|| attr.parse_args_with(Paths::parse_terminated).ok())?
}

fn name(path: &Path) -> Option<String> {
    path.segments.last().map(|segment| segment.ident.to_string())
}

/// A trait of the standard library, going by its name.
fn is_impossible(path: &Path) -> bool {
    let standard = path.get_ident().is_some()
        || path.segments.first().is_some_and(|first| first.ident == "core" || first.ident == "std");
    standard && name(path).is_some_and(|name| IMPOSSIBLE.contains(&name.as_str()))
}

fn verbs(names: &[String]) -> String {
    let cloned = names.iter().any(|name| name == "Clone" || name == "Copy");
    let compared = names.iter().any(|name| name != "Clone" && name != "Copy" && name != "Hash");
    let hashed = names.iter().any(|name| name == "Hash");
    let verbs = [(cloned, "cloned"), (compared, "compared"), (hashed, "hashed")];
    let verbs: Vec<&str> =
        verbs.into_iter().filter_map(|(applies, verb)| applies.then_some(verb)).collect();
    verbs.join(" or ")
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

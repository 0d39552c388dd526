//! Tests without a compiler: the texts of the errors, the hygiene of the output, and the reader
//! of manifests. What the compiler makes of it all is in the crate `ui-tests`.

mod forms;
mod hygiene;
mod manifest;
mod messages;
mod mutations;
mod spelling;

use proc_macro2::{TokenStream, TokenTree};

/// The whole output for these arguments on this item.
fn expand(args: &str, item: &str) -> TokenStream {
    let tokens = |text: &str| text.parse().unwrap_or_else(|error| panic!("{error}: {text}"));
    crate::attribute(tokens(args), tokens(item))
}

/// The texts of all `compile_error!` in the output, in order. An argument given twice is
/// reported by an error of the compiler's own, which stands here as `twice: name`.
fn errors(args: &str, item: &str) -> Vec<String> {
    let mut found = Vec::new();
    collect(expand(args, item), &mut found);
    found
}

fn collect(tokens: TokenStream, found: &mut Vec<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (index, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else {
            continue;
        };
        let before = |back: usize| index.checked_sub(back).map(|index| tokens[index].to_string());
        if before(2).as_deref() == Some("compile_error") {
            let text: syn::LitStr = syn::parse2(group.stream()).expect("one string");
            found.push(text.value());
        } else if before(2).as_deref() == Some("struct")
            && before(1).as_deref() == Some("Arguments")
        {
            let field = group.stream().into_iter().next().expect("one field");
            found.push(format!("twice: {field}"));
        } else {
            collect(group.stream(), found);
        }
    }
}

/// The item of most tests.
const UNIT: &str = "struct MyBufPool;";

/// One mistake in the arguments gives this one error.
#[track_caller]
fn one(args: &str, text: &str) {
    assert_eq!(errors(args, UNIT), [text], "for `{args}`");
}

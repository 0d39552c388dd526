//! Small questions to tokens.

use proc_macro2::{Delimiter, Group, Ident, Spacing, TokenStream, TokenTree};
use quote::ToTokens;

/// Tokens that go into the output many times.
///
/// A `TokenStream` would do, but the compiler owns those: each copy of one is several calls over
/// to it, while copying single tokens is not. Of 200 uses in a file it is a tenth of the time.
pub(crate) struct Tokens(Vec<TokenTree>);

impl From<TokenStream> for Tokens {
    fn from(stream: TokenStream) -> Self {
        Tokens(stream.into_iter().collect())
    }
}

impl ToTokens for Tokens {
    fn to_tokens(&self, output: &mut TokenStream) {
        output.extend(self.0.iter().cloned());
    }
}

pub(crate) fn is_punct(token: &TokenTree, wanted: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == wanted)
}

fn is_parentheses(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis)
}

/// The name without `r#`.
pub(crate) fn plain(ident: &Ident) -> String {
    let name = ident.to_string();
    name.strip_prefix("r#").map_or(name.clone(), str::to_owned)
}

/// Opens the groups without delimiters that `macro_rules!` puts around what it captured,
/// unless the captured expression would come apart.
pub(crate) fn open_groups(tokens: TokenStream) -> Vec<TokenTree> {
    let mut open = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
                let inner = open_groups(group.stream());
                // Parentheses of the user's stay an expression.
                let one = matches!(inner.as_slice(), [token] if !is_parentheses(token));
                // An argument that was captured as a whole.
                let named = matches!(inner.as_slice(), [TokenTree::Ident(_), sign, _, ..] if is_punct(sign, '='));
                if one || named || path(&inner).is_some() {
                    open.extend(inner);
                } else {
                    open.push(TokenTree::Group(group));
                }
            }
            token => open.push(token),
        }
    }
    open
}

/// All tokens in their order, those of groups too.
pub(crate) fn flat(tokens: &[TokenTree]) -> Vec<TokenTree> {
    let mut all = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                all.extend(flat(&group.stream().into_iter().collect::<Vec<_>>()));
            }
            token => all.push(token.clone()),
        }
    }
    all
}

/// The names of a plain path: `a::b`, `::a::b`, `a`.
pub(crate) fn path(tokens: &[TokenTree]) -> Option<Vec<&Ident>> {
    let mut names = Vec::new();
    let mut rest = match tokens {
        [a, b, rest @ ..] if is_punct(a, ':') && is_punct(b, ':') => rest,
        rest => rest,
    };
    loop {
        let [TokenTree::Ident(name), after @ ..] = rest else {
            return None;
        };
        names.push(name);
        rest = match after {
            [] => return Some(names),
            [a, b, rest @ ..] if is_punct(a, ':') && is_punct(b, ':') => rest,
            _ => return None,
        };
    }
}

/// The tokens as a person would write them.
pub(crate) fn text(tokens: &[TokenTree]) -> String {
    let mut out = String::new();
    let mut space = false;
    for token in tokens {
        if space && !follows_closely(token, &out) {
            out.push(' ');
        }
        match token {
            TokenTree::Group(group) => {
                let inner = text(&group.stream().into_iter().collect::<Vec<_>>());
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::Brace => ("{ ", " }"),
                    Delimiter::None => ("", ""),
                };
                out.extend([open, &inner, close]);
            }
            token => out.push_str(&token.to_string()),
        }
        space = match token {
            TokenTree::Punct(punct) => {
                let binds_next =
                    "<&!.".contains(punct.as_char()) || out == "-" || out.ends_with("::");
                let binds_next = binds_next && !out.ends_with("<<");
                punct.spacing() == Spacing::Alone && !binds_next
            }
            _ => true,
        };
    }
    out
}

fn follows_closely(token: &TokenTree, before: &str) -> bool {
    match token {
        TokenTree::Punct(punct) => ",;:.>?!".contains(punct.as_char()),
        TokenTree::Group(group) => {
            let called = before.ends_with(|c: char| c.is_alphanumeric() || "_!>".contains(c));
            group.delimiter() == Delimiter::Parenthesis && called
        }
        _ => false,
    }
}

/// The tokens with one name, wherever it occurs, replaced by another.
pub(crate) fn replace(tokens: TokenStream, name: &str, by: &Ident) -> TokenStream {
    let replace_one = |token| match token {
        TokenTree::Ident(ident) if ident == name => {
            let mut by = by.clone();
            by.set_span(ident.span());
            TokenTree::Ident(by)
        }
        TokenTree::Group(group) => {
            let mut replaced = Group::new(group.delimiter(), replace(group.stream(), name, by));
            replaced.set_span(group.span());
            TokenTree::Group(replaced)
        }
        token => token,
    };
    tokens.into_iter().map(replace_one).collect()
}

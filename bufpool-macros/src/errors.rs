//! The collector of mistakes.
//!
//! A check pushes what it finds and returns nothing about it; [`Errors::into_tokens`] is the
//! one place where mistakes become output. So a check never ends the others, and one compile
//! shows them all.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};

/// What is said about one mistake: the fault, then at most one help and one note.
pub(crate) struct Text(String);

impl Text {
    pub(crate) fn new(fault: impl Into<String>) -> Self {
        Text(fault.into())
    }

    /// What to write instead.
    pub(crate) fn help(mut self, help: impl AsRef<str>) -> Self {
        self.0.push_str("\nhelp: ");
        self.0.push_str(help.as_ref());
        self
    }

    /// The rule, or the closed list of what is accepted.
    pub(crate) fn note(mut self, note: impl AsRef<str>) -> Self {
        self.0.push_str("\nnote: ");
        self.0.push_str(note.as_ref());
        self
    }
}

/// The tokens under the caret: from the first to the last of them.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    start: Span,
    end: Span,
}

impl From<Span> for Place {
    fn from(span: Span) -> Self {
        Place { start: span, end: span }
    }
}

impl From<&Ident> for Place {
    fn from(ident: &Ident) -> Self {
        ident.span().into()
    }
}

impl From<&[TokenTree]> for Place {
    fn from(tokens: &[TokenTree]) -> Self {
        let span_of =
            |token: Option<&TokenTree>| token.map_or_else(Span::call_site, TokenTree::span);
        Place { start: span_of(tokens.first()), end: span_of(tokens.last()) }
    }
}

impl From<&Vec<TokenTree>> for Place {
    fn from(tokens: &Vec<TokenTree>) -> Self {
        tokens.as_slice().into()
    }
}

/// All mistakes found so far.
#[derive(Default)]
pub(crate) struct Errors(Vec<(Span, TokenStream)>);

impl Errors {
    pub(crate) fn push(&mut self, at: impl Into<Place>, text: Text) {
        let Place { start, end } = at.into();
        let text = text.0;
        // The compiler's caret goes from the span of the first token to that of the last.
        let braced = quote_spanned!(end=> { #text });
        self.0.push((start, quote_spanned!(start=> ::core::compile_error! #braced)));
    }

    /// One argument given twice. Only an error of the compiler's own can point at two places,
    /// so this makes it find a struct literal in which a field occurs twice.
    pub(crate) fn push_duplicate(&mut self, first: &Ident, second: &Ident) {
        if first == "crate" {
            // The one key that cannot be the name of a field.
            let at = Place { start: first.span(), end: second.span() };
            self.push(at, Text::new("`crate` is given twice").help("keep one of the two"));
            return;
        }
        // Each field of the literal is entirely at its own key, for the underlining to end there.
        let literal = [first, second].map(|key| quote_spanned!(key.span()=> #key: ()));
        let output = quote! {
            const _: () = {
                struct Arguments { #first: () }
                const _: Arguments = Arguments { #(#literal),* };
            };
        };
        self.0.push((second.span(), output));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The errors as code that fails to compile with them, in the order of the source.
    pub(crate) fn into_tokens(mut self) -> TokenStream {
        self.0.sort_by_key(|(span, _)| position_in_source(*span));
        self.0.into_iter().map(|(_, tokens)| tokens).collect()
    }
}

/// Line and column; unknown in this crate's own tests, where the order of finding is kept.
fn position_in_source(span: Span) -> (usize, usize) {
    if proc_macro::is_available() {
        let start = span.unwrap().start();
        (start.line(), start.column())
    } else {
        (0, 0)
    }
}

/// The candidate that `word` was meant to be: the nearest by edit distance, if near enough
/// that a slip of the hand explains it. Case and underscores do not count.
pub(crate) fn did_you_mean<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let word = fold(word);
    candidates
        .into_iter()
        .map(|candidate| (distance(&word, &fold(candidate)), candidate))
        .filter(|(distance, candidate)| {
            *distance <= candidate.len().div_ceil(3).min(3) && *distance < candidate.len()
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Without what people get wrong when they remember a name: case and underscores.
pub(crate) fn fold(word: &str) -> String {
    word.chars().filter(|c| *c != '_').map(|c| c.to_ascii_lowercase()).collect()
}

/// Edit distance with swaps of neighbours (optimal string alignment).
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let first_row = |i: usize| (i..=i + b.len()).collect::<Vec<_>>();
    let mut rows: Vec<_> = (0..=a.len()).map(first_row).collect();
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let change = usize::from(a[i - 1] != b[j - 1]);
            let mut best =
                (rows[i - 1][j - 1] + change).min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = best;
        }
    }
    rows[a.len()][b.len()]
}

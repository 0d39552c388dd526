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
    pub(crate) fn new(fault: &str) -> Self {
        Text(fault.to_owned())
    }

    /// What to write instead.
    pub(crate) fn help(mut self, help: &str) -> Self {
        self.0.push_str("\nhelp: ");
        self.0.push_str(help);
        self
    }

    /// The rule, or the closed list of what is accepted.
    pub(crate) fn note(mut self, note: &str) -> Self {
        self.0.push_str("\nnote: ");
        self.0.push_str(note);
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

/// All mistakes found so far, in the order of the source.
#[derive(Default)]
pub(crate) struct Errors(Vec<Mistake>);

struct Mistake {
    /// Line and column.
    position: (usize, usize),
    /// Code that fails to compile with the mistake.
    tokens: TokenStream,
}

impl Errors {
    pub(crate) fn push(&mut self, at: impl Into<Place>, text: Text) {
        self.push_text(at.into(), text);
    }

    fn push_text(&mut self, Place { start, end }: Place, Text(text): Text) {
        // The compiler's caret goes from the span of the first token to that of the last.
        let braced = quote_spanned!(end=> { #text });
        self.insert(start, quote_spanned!(start=> ::core::compile_error! #braced));
    }

    /// One argument given twice. Only an error of the compiler's own can point at two places,
    /// so this makes it find a struct literal in which a field occurs twice.
    pub(crate) fn push_duplicate(&mut self, first: &Ident, second: &Ident) {
        let (at_first, at_second) = (first.span(), second.span());
        if first == "crate" {
            // The one key that cannot be the name of a field.
            let at = Place { start: at_first, end: at_second };
            self.push(at, Text::new("`crate` is given twice").help("keep one of the two"));
            return;
        }
        // Each field of the literal is entirely at its own key, for the underlining to end there.
        let one = quote_spanned!(at_first=> #first: ());
        let two = quote_spanned!(at_second=> #second: ());
        let output = quote! {
            const _: () = {
                struct Arguments { #first: () }
                const _: Arguments = Arguments { #one, #two };
            };
        };
        self.insert(at_second, output);
    }

    fn insert(&mut self, at: Span, tokens: TokenStream) {
        let position = position_in_source(at);
        let after = self.0.iter().position(|other| other.position > position);
        self.0.insert(after.unwrap_or(self.0.len()), Mistake { position, tokens });
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn into_tokens(self) -> TokenStream {
        let mut output = TokenStream::new();
        for mistake in self.0 {
            output.extend(mistake.tokens);
        }
        output
    }
}

/// Unknown in this crate's own tests, where the order of finding is kept.
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
pub(crate) fn did_you_mean<'a>(word: &str, candidates: &[&'a str]) -> Option<&'a str> {
    let word = fold(word);
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let distance = distance(&word, &fold(candidate));
        let near = distance <= candidate.len().div_ceil(3).min(3) && distance < candidate.len();
        if near && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Without what people get wrong when they remember a name: case and underscores.
pub(crate) fn fold(word: &str) -> String {
    let mut folded = word.to_ascii_lowercase();
    folded.retain(|c| c != '_');
    folded
}

/// Edit distance with swaps of neighbours (optimal string alignment).
fn distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            if i == 0 || j == 0 {
                rows[i][j] = i + j;
                continue;
            }
            let change = usize::from(a[i - 1] != b[j - 1]);
            let mut best = rows[i - 1][j - 1] + change;
            best = best.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = best;
        }
    }
    rows[a.len()][b.len()]
}

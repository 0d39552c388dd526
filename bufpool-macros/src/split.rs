//! Splits the arguments at their commas, and where one was forgotten.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};

use crate::errors::{Errors, Text};
use crate::keys::Key;
use crate::repair;
use crate::tokens::{is_punct, open_groups, text};

/// The arguments, and what is wrong between them.
#[derive(Default)]
pub(crate) struct Arguments {
    /// None is empty.
    pub(crate) pieces: Vec<Vec<TokenTree>>,
    /// The first `;` in the place of a comma.
    semicolon: Option<Span>,
    /// Commas without an argument before them.
    commas: Vec<Span>,
    /// Arguments before which a comma is missing, and what stands in its place.
    no_comma: Vec<(usize, String)>,
}

/// `name = value`, where the value may still be empty.
pub(crate) fn name_and_value(tokens: &[TokenTree]) -> Option<(&Ident, &[TokenTree])> {
    let [TokenTree::Ident(name), equals, value @ ..] = tokens else {
        return None;
    };
    let longer = value.first().is_some_and(|next| is_punct(next, '=') || is_punct(next, '>'));
    (is_punct(equals, '=') && !longer).then_some((name, value))
}

/// Splits at commas outside of `<...>`, and where a comma was forgotten.
pub(crate) fn split(input: TokenStream) -> Arguments {
    let mut all = Arguments::default();
    let mut piece: Vec<TokenTree> = Vec::new();
    let mut angles = 0_usize;
    let mut tokens = open_groups(input).into_iter().peekable();
    while let Some(token) = tokens.next() {
        let after = |sign: char| matches!(piece.last(), Some(last) if is_punct(last, sign));
        if angles == 0 && (is_punct(&token, ',') || is_punct(&token, ';')) {
            if is_punct(&token, ';') {
                all.semicolon.get_or_insert(token.span());
            } else if piece.is_empty() {
                all.commas.push(token.span());
            }
            all.end(&mut piece);
            continue;
        }
        if let TokenTree::Ident(name) = &token
            && angles == 0
            && starts_argument(name, tokens.peek(), &piece)
        {
            let signs = take_signs(&mut piece);
            all.end(&mut piece);
            all.no_comma.push((all.pieces.len(), text(&signs)));
        } else if is_punct(&token, '<') && (angles > 0 || after('=') || after(':')) {
            // `<` opens a list of generics at the start of a value and after `::`; elsewhere
            // it compares.
            angles += 1;
        } else if is_punct(&token, '>') && !after('-') {
            angles = angles.saturating_sub(1);
        }
        piece.push(token);
    }
    all.end(&mut piece);
    all
}

impl Arguments {
    fn end(&mut self, piece: &mut Vec<TokenTree>) {
        if !piece.is_empty() {
            self.pieces.push(std::mem::take(piece));
        }
    }

    /// Reports what is wrong between the arguments. `named`: some have names; if not, all is spelt
    /// out with names and commas anyway.
    pub(crate) fn report(&self, named: bool, errors: &mut Errors) {
        for (next, signs) in &self.no_comma {
            self.report_no_comma(*next, signs, errors);
        }
        if !self.pieces.is_empty() {
            for comma in &self.commas {
                let text = Text::new("there is no argument before this `,`");
                errors.push(*comma, text.help("remove it"));
            }
        }
        if let Some(span) = self.semicolon.filter(|_| named) {
            let text = Text::new("arguments are separated by `,`, found `;`");
            errors.push(span, text.help("write `,`"));
        }
    }

    fn report_no_comma(&self, next: usize, signs: &str, errors: &mut Errors) {
        let [before, after] = [&self.pieces[next - 1], &self.pieces[next]];
        let name = &after[..1];
        let fault = if signs.is_empty() {
            format!("`,` is missing before `{}`", text(name))
        } else {
            format!("`,` is expected before `{}`, found `{signs}`", text(name))
        };
        let help = format!("write `{}, {}`", shown(before), shown(after));
        errors.push(name, Text::new(&fault).help(&help));
    }
}

/// An argument as it should be.
fn shown(tokens: &[TokenTree]) -> String {
    let named = match tokens {
        [TokenTree::Ident(name), value @ ..] => Key::of(&name.to_string()).zip(Some(value)),
        _ => None,
    };
    let by_role = || repair::role(tokens).zip(Some(tokens));
    match named.or_else(by_role) {
        Some((key, rest)) => {
            let value = name_and_value(tokens).map_or(rest, |(_, value)| value);
            format!("{} = {}", key.name(), repair::shown(key, value))
        }
        None => text(tokens),
    }
}

/// Whether the argument before this name should have ended.
fn starts_argument(name: &Ident, next: Option<&TokenTree>, before: &[TokenTree]) -> bool {
    let equals = next.is_some_and(|next| is_punct(next, '='));
    let known = Key::of(&name.to_string()).is_some();
    match before {
        // `a::name`
        [.., a, b] if is_punct(a, ':') && is_punct(b, ':') => false,
        // `position = VECCALC && bufid_size = 16`
        [.., _, TokenTree::Punct(sign)] if "&|+/.:-".contains(sign.as_char()) => {
            known && equals && name_and_value(before).is_some_and(|(_, value)| value.len() > 1)
        }
        [.., TokenTree::Punct(_)] => false,
        [TokenTree::Ident(first), _, ..]
            if Key::of(&first.to_string()).is_some() || name_and_value(before).is_some() =>
        {
            known || equals
        }
        before => known && equals && repair::role(before).is_some(),
    }
}

/// Takes what stands in the place of the comma off an argument: signs, and words after a value.
fn take_signs(piece: &mut Vec<TokenTree>) -> Vec<TokenTree> {
    let mut end = piece.len();
    while end > 3
        && match &piece[end - 2..end] {
            [TokenTree::Punct(_), TokenTree::Ident(_)] => false,
            [_, last] => matches!(last, TokenTree::Punct(_) | TokenTree::Ident(_)),
            _ => false,
        }
    {
        end -= 1;
    }
    piece.split_off(end)
}

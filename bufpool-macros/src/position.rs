//! The argument `position`, and what the attribute knows of positions.

use proc_macro2::{Ident, Span, TokenTree};
use syn::{GenericParam, Generics};

use crate::errors::{Errors, Text, did_you_mean, fold};
use crate::item;
use crate::keys::Key;
use crate::model::Position;
use crate::repair;
use crate::tokens::{flat, is_punct, path, plain, text};

/// The rule that every fault of a position comes back to.
pub(crate) const RULE: &str =
    "a pool can only manage UB (VECIN, VECOUT, VECCALC) or L1 (A1, B1, C1)";

/// What a name that stands where a position is expected means.
#[derive(Clone, Copy)]
pub(crate) enum Meaning {
    /// A position at which a pool can live.
    Pool,
    /// Such a position but for case or underscores.
    Spelling(&'static str),
    /// Another name of VECCALC.
    Lcm,
    /// A position of queues and tensors: where it is, and the position in L1 that feeds it.
    Other(&'static str, Option<&'static str>),
    /// A memory, with a position of a pool in it.
    Memory(Option<&'static str>),
    /// None of these: the nearest position of a pool, if one is near.
    Unknown(Option<&'static str>),
}

const POOL: &[&str] = &["VECIN", "VECOUT", "VECCALC", "A1", "B1", "C1"];

const NAMES: &[(&str, Meaning)] = &[
    ("VECIN", Meaning::Pool),
    ("VECOUT", Meaning::Pool),
    ("VECCALC", Meaning::Pool),
    ("A1", Meaning::Pool),
    ("B1", Meaning::Pool),
    ("C1", Meaning::Pool),
    ("LCM", Meaning::Lcm),
    ("GM", Meaning::Other("is global memory", None)),
    ("A2", Meaning::Other("is in L0A", Some("A1"))),
    ("B2", Meaning::Other("is in L0B", Some("B1"))),
    ("C2", Meaning::Other("is in the bias table", Some("C1"))),
    ("CO1", Meaning::Other("is in L0C", None)),
    ("CO2", Meaning::Other("is in global memory, or on its way there", None)),
    ("SPM", Meaning::Other("is spill memory", None)),
    ("SHM", Meaning::Other("is another name of SPM, the spill memory", None)),
    ("TSCM", Meaning::Other("is the part of L1 that TPipe hands out from the top", None)),
    ("C2PIPE2GM", Meaning::Other("is in FIXBUF", None)),
    ("C2PIPE2LOCAL", Meaning::Other("is in FIXBUF", None)),
    ("UB", Meaning::Memory(Some("VECCALC"))),
    ("L1", Meaning::Memory(Some("A1"))),
    ("L0A", Meaning::Memory(None)),
    ("L0B", Meaning::Memory(None)),
    ("L0C", Meaning::Memory(None)),
    ("BT", Meaning::Memory(None)),
    ("FIXBUF", Meaning::Memory(None)),
];

pub(crate) fn meaning(name: &str) -> Meaning {
    let folded = fold(name);
    for (known, meaning) in NAMES {
        if fold(known) == folded {
            return match meaning {
                Meaning::Pool if *known != name => Meaning::Spelling(known),
                meaning => *meaning,
            };
        }
    }
    Meaning::Unknown(did_you_mean(name, POOL))
}

/// Whether this is the name of a position, so that it cannot be meant as anything else.
pub(crate) fn is_position(name: &str) -> bool {
    matches!(meaning(name), Meaning::Pool | Meaning::Lcm | Meaning::Other(..))
}

/// Whether this is the name of a position or a memory, or near to one.
pub(crate) fn names_position(name: &str) -> bool {
    !matches!(meaning(name), Meaning::Unknown(None))
}

pub(crate) fn check(
    tokens: &[TokenTree],
    generics: &Generics,
    errors: &mut Errors,
) -> Option<Position> {
    let Some(names) = path(tokens) else {
        errors.push(tokens, not_a_path(tokens));
        return None;
    };
    let name = *names.last()?;
    match item::param(generics, name).filter(|_| names.len() == 1) {
        Some(GenericParam::Type(_)) => return Some(Position::Param(name.clone())),
        Some(_) => {
            let fault = format!("`{name}` is a const parameter, not a position");
            let note = "a position that is a parameter is a type parameter: `P: PoolPosition`";
            errors.push(tokens, Text::new(&fault).note(note));
            return None;
        }
        None => {}
    }
    let word = text(tokens);
    let plain_name = plain(name);
    let fault = match meaning(&plain_name) {
        Meaning::Pool => {
            // Ours, at the user's place: lints would take the whole path to it for the user's.
            let span = Span::call_site().located_at(name.span());
            return Some(Position::Fixed(Ident::new(&plain_name, span)));
        }
        Meaning::Spelling(known) => {
            Text::new(&format!("unknown position `{word}`")).help(&format!("write `{known}`"))
        }
        Meaning::Lcm => {
            Text::new(&format!("`{word}` is another name of `VECCALC`")).help("write `VECCALC`")
        }
        Meaning::Other(place, instead) => {
            let fault = Text::new(&format!("`{word}` {place}; {RULE}"));
            match instead {
                Some(instead) => fault.help(&format!("write `{instead}` for a pool in L1")),
                None => fault,
            }
        }
        Meaning::Memory(inside) => {
            let fault = Text::new(&format!("`{word}` is a memory, not a position"));
            let fault = match inside {
                Some(inside) => fault.help(&format!("write `{inside}` for a pool in {name}")),
                None => fault,
            };
            fault.note(RULE)
        }
        Meaning::Unknown(near) => {
            let mut near = near.map(str::to_owned);
            if plain_name == "TPosition" {
                near = Some(format!("{word}::VECCALC"));
            }
            if let Some(inside) = repair::position_in(tokens) {
                near = Some(text(&inside));
            }
            for param in generics.type_params() {
                let param = param.ident.to_string();
                near = near.or_else(|| did_you_mean(&plain_name, &[&param]).map(str::to_owned));
            }
            let fault = Text::new(&format!("unknown position `{word}`"));
            let fault = match near {
                Some(near) => fault.help(&format!("did you mean `{near}`?")),
                None => fault,
            };
            fault.note(RULE)
        }
    };
    errors.push(tokens, fault);
    None
}

/// A value that is not even a name: a string, a number, an expression.
fn not_a_path(tokens: &[TokenTree]) -> Text {
    let kind = match tokens {
        [TokenTree::Literal(literal)] => match literal.to_string().chars().next_back() {
            Some('"') => "a string",
            Some('\'') => "a character",
            _ => "a number",
        },
        [TokenTree::Group(_)] if flat(tokens).iter().any(|token| is_punct(token, ',')) => {
            return Text::new("`position` takes one name, found a list")
                .help("write one of them: a pool takes queues of every position in its memory");
        }
        [.., last] if is_punct(last, '>') => "a generic path",
        _ => "an expression",
    };
    let help = match repair::value(Key::Position, tokens) {
        Some(value) => format!("write `{}`", text(&value)),
        None => "write one of VECIN, VECOUT, VECCALC, A1, B1, C1".to_owned(),
    };
    Text::new(&format!("`position` takes a name, found {kind}")).help(&help)
}

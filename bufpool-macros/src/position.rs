//! The argument `position`, and what the attribute knows of positions.

use proc_macro2::{Delimiter, Ident, TokenTree};
use syn::{GenericParam, Generics};

use crate::errors::{Errors, Text, did_you_mean, fold};
use crate::model::Position;
use crate::tokens::{is_punct, path, plain, text};

/// The positions at which a pool can live. UB first, then L1.
const POOL: [&str; 6] = ["VECIN", "VECOUT", "VECCALC", "A1", "B1", "C1"];

/// The rule that every fault of a position comes back to.
pub(crate) const RULE: &str =
    "a pool can only manage UB (VECIN, VECOUT, VECCALC) or L1 (A1, B1, C1)";

/// Positions of queues and tensors that no pool can manage: name, where it is, and the pool
/// position in L1 that feeds it, if one does.
const OTHER: [(&str, &str, Option<&str>); 11] = [
    ("GM", "is global memory", None),
    ("A2", "is in L0A", Some("A1")),
    ("B2", "is in L0B", Some("B1")),
    ("C2", "is in the bias table", Some("C1")),
    ("CO1", "is in L0C", None),
    ("CO2", "is in global memory, or on its way there", None),
    ("SPM", "is spill memory", None),
    ("SHM", "is another name of SPM, the spill memory", None),
    ("TSCM", "is the part of L1 that TPipe hands out from the top", None),
    ("C2PIPE2GM", "is in FIXBUF", None),
    ("C2PIPE2LOCAL", "is in FIXBUF", None),
];

/// Names of memories, which some write for a position, and the positions of pools in them.
const MEMORIES: [(&str, Option<&str>); 7] = [
    ("UB", Some("VECCALC")),
    ("L1", Some("A1")),
    ("L0A", None),
    ("L0B", None),
    ("L0C", None),
    ("BT", None),
    ("FIXBUF", None),
];

/// What a name that stands where a position is expected means.
pub(crate) enum Meaning {
    /// One of the six.
    Pool,
    /// One of the six but for case or underscores.
    Spelling(&'static str),
    /// Another name of VECCALC.
    Lcm,
    /// A position of queues and tensors: where it is, and what to write instead.
    Other(&'static str, Option<&'static str>),
    /// A memory, with a position of a pool in it.
    Memory(Option<&'static str>),
    /// None of these: the nearest of the six, if one is near.
    Unknown(Option<&'static str>),
}

pub(crate) fn meaning(name: &str) -> Meaning {
    let folded = fold(name);
    if POOL.contains(&name) {
        Meaning::Pool
    } else if let Some(known) = POOL.into_iter().find(|known| fold(known) == folded) {
        Meaning::Spelling(known)
    } else if folded == "lcm" {
        Meaning::Lcm
    } else if let Some((_, place, instead)) =
        OTHER.into_iter().find(|(known, ..)| fold(known) == folded)
    {
        Meaning::Other(place, instead)
    } else if let Some((_, inside)) =
        MEMORIES.into_iter().find(|(memory, _)| fold(memory) == folded)
    {
        Meaning::Memory(inside)
    } else {
        Meaning::Unknown(did_you_mean(name, POOL))
    }
}

/// Whether this is the name of a position, so that it cannot be meant as anything else.
pub(crate) fn is_position(name: &str) -> bool {
    matches!(meaning(name), Meaning::Pool | Meaning::Lcm | Meaning::Other(..))
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
    let param = generics.params.iter().find_map(|param| match param {
        GenericParam::Type(param) if param.ident == *name => Some(Some(&param.ident)),
        GenericParam::Const(param) if param.ident == *name => Some(None),
        _ => None,
    });
    match param.filter(|_| names.len() == 1) {
        Some(Some(_)) => return Some(Position::Param(name.clone())),
        Some(None) => {
            let fault = format!("`{name}` is a const parameter, not a position");
            let note = "a position that is a parameter is a type parameter: `P: PoolPosition`";
            errors.push(tokens, Text::new(fault).note(note));
            return None;
        }
        None => {}
    }
    let word = text(tokens);
    let plain_name = plain(name);
    let fault = match meaning(&plain_name) {
        Meaning::Pool => return Some(Position::Fixed(Ident::new(&plain_name, name.span()))),
        Meaning::Spelling(known) => {
            Text::new(format!("unknown position `{word}`")).help(format!("write `{known}`"))
        }
        Meaning::Lcm => {
            Text::new(format!("`{word}` is another name of `VECCALC`")).help("write `VECCALC`")
        }
        Meaning::Other(place, instead) => {
            let fault = Text::new(format!("`{word}` {place}; {RULE}"));
            match instead {
                Some(instead) => fault.help(format!("write `{instead}` for a pool in L1")),
                None => fault,
            }
        }
        Meaning::Memory(inside) => {
            let fault = Text::new(format!("`{word}` is a memory, not a position"));
            let fault = match inside {
                Some(inside) => fault.help(format!("write `{inside}` for a pool in {name}")),
                None => fault,
            };
            fault.note(RULE)
        }
        Meaning::Unknown(near) => {
            let types: Vec<String> =
                generics.type_params().map(|param| param.ident.to_string()).collect();
            let near = near.or_else(|| did_you_mean(&plain_name, types.iter().map(String::as_str)));
            let fault = Text::new(format!("unknown position `{word}`"));
            let fault = match near {
                Some(near) => fault.help(format!("did you mean `{near}`?")),
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
    let (kind, inside) = match tokens {
        [TokenTree::Literal(literal)] => {
            let shown = literal.to_string();
            let string = shown.ends_with('"');
            (if string { "a string" } else { "a number" }, shown.trim_matches('"').to_owned())
        }
        [TokenTree::Group(group)] if group.delimiter() != Delimiter::None => {
            let inside: Vec<TokenTree> = group.stream().into_iter().collect();
            ("an expression", text(&inside))
        }
        [.., last] if is_punct(last, '>') => ("a generic path", String::new()),
        _ => ("an expression", String::new()),
    };
    let meant = inside.rsplit("::").next().unwrap_or_default().trim();
    let help = match meaning(meant) {
        Meaning::Pool => format!("write `{meant}`"),
        Meaning::Spelling(known) | Meaning::Unknown(Some(known)) => format!("write `{known}`"),
        _ => "write one of VECIN, VECOUT, VECCALC, A1, B1, C1".to_owned(),
    };
    Text::new(format!("`position` takes a name, found {kind}")).help(help)
}

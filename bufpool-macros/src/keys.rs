//! The arguments that there are, and what people call them.

use std::ops::{Index, IndexMut};

use proc_macro2::TokenTree;

use crate::errors::did_you_mean;
use crate::position;

/// An argument, in the order of the documentation.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Key {
    Position,
    BufidSize,
    State,
    Crate,
}

/// Names of those who know the C++ macro, or another name of the thing.
const OTHER_NAMES: &[(&str, Key)] = &[
    ("pos", Key::Position),
    ("tposition", Key::Position),
    ("memory", Key::Position),
    ("hardware", Key::Position),
    ("size", Key::BufidSize),
    ("buf_size", Key::BufidSize),
    ("num", Key::BufidSize),
    ("count", Key::BufidSize),
    ("blocks", Key::BufidSize),
    ("len", Key::BufidSize),
    ("n", Key::BufidSize),
    ("field", Key::State),
    ("krate", Key::Crate),
    ("path", Key::Crate),
];

impl Key {
    pub(crate) const ALL: [Key; 4] = [Key::Position, Key::BufidSize, Key::State, Key::Crate];

    pub(crate) fn name(self) -> &'static str {
        NAMES[self as usize]
    }

    /// A good value, for help lines.
    pub(crate) fn example(self) -> &'static str {
        match self {
            Key::Position => "VECCALC",
            Key::BufidSize => "16",
            Key::State => "other",
            Key::Crate => "other::bufpool_runtime",
        }
    }

    pub(crate) fn of(word: &str) -> Option<Key> {
        Key::ALL.into_iter().find(|key| key.name() == word)
    }

    /// The key that a word was meant to be but for a slip of the hand.
    pub(crate) fn misspelt(word: &str) -> Option<Key> {
        if position::is_position(word) { None } else { Key::of(did_you_mean(word, &NAMES)?) }
    }

    /// The key that a word is another name of.
    pub(crate) fn by_other_name(word: &str) -> Option<Key> {
        let found = OTHER_NAMES.iter().find(|(name, _)| word.eq_ignore_ascii_case(name));
        found.map(|(_, key)| *key)
    }
}

const NAMES: [&str; Key::ALL.len()] = ["position", "bufid_size", "state", "crate"];

/// What is known of one argument.
#[derive(Default)]
pub(crate) enum Slot {
    #[default]
    Missing,
    /// Given in a way that is reported already; there is nothing to add.
    Reported,
    /// At least one token.
    Given(Vec<TokenTree>),
}

/// That there is no value is reported where the name is.
impl From<Vec<TokenTree>> for Slot {
    fn from(value: Vec<TokenTree>) -> Self {
        if value.is_empty() { Slot::Reported } else { Slot::Given(value) }
    }
}

/// A slot for each argument.
#[derive(Default)]
pub(crate) struct Slots([Slot; Key::ALL.len()]);

impl Slots {
    pub(crate) fn is_missing(&self, key: Key) -> bool {
        matches!(self[key], Slot::Missing)
    }

    pub(crate) fn given(&self, key: Key) -> Option<&[TokenTree]> {
        match &self[key] {
            Slot::Given(tokens) => Some(tokens),
            _ => None,
        }
    }
}

impl Index<Key> for Slots {
    type Output = Slot;

    fn index(&self, key: Key) -> &Slot {
        &self.0[key as usize]
    }
}

impl IndexMut<Key> for Slots {
    fn index_mut(&mut self, key: Key) -> &mut Slot {
        &mut self.0[key as usize]
    }
}

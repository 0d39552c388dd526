//! What stands below the first line of an error: places in the user's source, then help.

use std::fmt;

use crate::place::Place;

/// The lines below the first of a message: labelled places, then help.
///
/// ```
/// use bufpool_runtime::prelude::*;
/// # fn main() -> Result<()> {
/// let pipe = TPipe::new(Chip::AtlasA2)?;
/// let error = pipe.wait_flag(HardEvent::MTE2_V, 0).unwrap_err();
/// let BufPoolError::WaitNeverSet { trail, .. } = error else { panic!("{error}") };
/// assert_eq!(trail.places().len(), 1); // where the wait was asked for: it was never set
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trail(Box<TrailLines>);

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct TrailLines {
    lines: Vec<TrailLine>,
    places: Vec<Place>,
}

/// One line: a label, and a place, a text or both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TrailLine {
    pub label: String,
    pub at: Option<Place>,
    pub text: String,
}

impl TrailLine {
    pub const NOTE: &'static str = "note";
    pub const HELP: &'static str = "help";
}

impl Trail {
    pub(crate) fn asked(at: Place) -> Self {
        Trail::default().at("asked at", at)
    }

    pub(crate) fn at(self, label: &str, at: Place) -> Self {
        self.line(label, Some(at), "")
    }

    pub(crate) fn maybe_at(self, label: &str, at: Option<Place>) -> Self {
        match at {
            Some(at) => self.at(label, at),
            None => self,
        }
    }

    pub(crate) fn holder(self, label: impl Into<String>, at: Option<Place>, what: &str) -> Self {
        self.line(label, at, what)
    }

    pub(crate) fn note(self, text: impl Into<String>) -> Self {
        self.line(TrailLine::NOTE, None, text)
    }

    pub(crate) fn maybe_note(self, text: Option<String>) -> Self {
        match text {
            Some(text) => self.note(text),
            None => self,
        }
    }

    pub(crate) fn help(self, text: impl Into<String>) -> Self {
        self.line(TrailLine::HELP, None, text)
    }

    fn line(
        mut self,
        label: impl Into<String>,
        at: Option<Place>,
        text: impl Into<String>,
    ) -> Self {
        self.0.places.extend(at);
        self.0.lines.push(TrailLine { label: label.into(), at, text: text.into() });
        self
    }

    pub(crate) fn lines(&self) -> &[TrailLine] {
        &self.0.lines
    }

    /// The source places that the message names, in its order: first where the call was made.
    #[must_use]
    pub fn places(&self) -> &[Place] {
        &self.0.places
    }
}

impl fmt::Display for Trail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const INDENT: usize = 4;
        let width = self.lines().iter().map(|line| line.label.len()).max().unwrap_or(0) + INDENT;
        for TrailLine { label, at, text } in self.lines() {
            write!(f, "\n{label:>width$}: ")?;
            match at {
                Some(at) if text.is_empty() => write!(f, "{at}")?,
                Some(at) => write!(f, "{at} ({text})")?,
                None => f.write_str(text)?,
            }
        }
        Ok(())
    }
}

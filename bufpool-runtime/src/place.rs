//! Source places: where in the user's program something was done.

use std::fmt;
use std::panic::Location;

/// A place in the user's source, as `#[track_caller]` sees it.
///
/// ```
/// use bufpool_runtime::Place;
/// let here = Place::here();
/// assert!(here.to_string().starts_with(here.file()));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place(&'static Location<'static>);

impl Place {
    /// The place of the caller.
    #[must_use]
    #[track_caller]
    #[inline]
    pub fn here() -> Self {
        Place(Location::caller())
    }

    /// Path of the file as the compiler was given it.
    #[must_use]
    pub fn file(self) -> &'static str {
        self.0.file()
    }

    /// Line, counted from 1.
    #[must_use]
    pub fn line(self) -> u32 {
        self.0.line()
    }

    /// Whether it stands before another one in the same file.
    pub(crate) fn is_above(self, other: Place) -> bool {
        let at = |place: Place| (place.line(), place.column());
        self.file() == other.file() && at(self) < at(other)
    }

    /// Column, counted from 1.
    #[must_use]
    pub fn column(self) -> u32 {
        self.0.column()
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

//! Event streams by hand: both sides of every check.

//! Event streams by hand. What can be shown through the API is tested in the `tests` crate.

mod runs;
mod stream;

//! What the compiler says to wrong and right uses of bufpool. All of it is in `tests/ui.rs`.
//!
//! - `ui/<area>/<mistake>.rs` has one mistake and one error, next to every use that a pool is made
//!   for; `.stderr` is the output of the compiler named in `tests/ui.rs`.
//! - `build/` is the same for what `cargo build` sees and `cargo check` does not.
//! - `ui/several/` has more than one mistake; the first line says how many errors.
//! - `pass/` compiles without warnings and runs.

#![forbid(unsafe_code)]

//! Real uses of the attribute under every lint that people turn on: nothing that it makes may
//! cause a warning in the user's crate. `cargo clippy` is the test.

#![forbid(unsafe_code)]
#![deny(warnings, missing_docs, missing_debug_implementations, unreachable_pub)]
#![deny(rust_2018_idioms, unused_qualifications, unused_results, single_use_lifetimes)]
#![deny(clippy::all, clippy::pedantic, clippy::nursery)]
#![deny(
    clippy::absolute_paths,
    clippy::allow_attributes,
    clippy::allow_attributes_without_reason,
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    clippy::default_numeric_fallback,
    clippy::expect_used,
    clippy::exhaustive_structs,
    clippy::indexing_slicing,
    clippy::impl_trait_in_params,
    clippy::integer_division,
    clippy::min_ident_chars,
    clippy::missing_docs_in_private_items,
    clippy::missing_inline_in_public_items,
    clippy::missing_trait_methods,
    clippy::panic,
    clippy::partial_pub_fields,
    clippy::same_name_method,
    clippy::single_call_fn,
    clippy::std_instead_of_core,
    clippy::unreachable,
    clippy::unwrap_used
)]

pub mod carving;
pub mod generic;
mod no_prelude;
pub mod sizes;

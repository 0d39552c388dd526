// Lints that are allowed unless asked for find nothing in the output.
#![deny(warnings, unused, future_incompatible, let_underscore, nonstandard_style, rust_2018_idioms)]
#![deny(
    absolute_paths_not_starting_with_crate,
    elided_lifetimes_in_paths,
    explicit_outlives_requirements,
    keyword_idents,
    macro_use_extern_crate,
    meta_variable_misuse,
    missing_abi,
    missing_copy_implementations,
    missing_debug_implementations,
    missing_docs,
    non_ascii_idents,
    non_local_definitions,
    redundant_lifetimes,
    single_use_lifetimes,
    trivial_casts,
    trivial_numeric_casts,
    unit_bindings,
    unnameable_types,
    unreachable_pub,
    unused_extern_crates,
    unused_import_braces,
    unused_lifetimes,
    unused_macro_rules,
    unused_qualifications,
    unused_results,
    variant_size_differences
)]
//! See above.

use bufpool_runtime::prelude::*;

/// A number of blocks of the type that it is converted to.
const BLOCKS: u8 = 4;

/// And one that is not.
const COUNT: i128 = 4;

#[extern_impl_bufpool(position = VECCALC, bufid_size = BLOCKS)]
#[derive(Debug)]
struct Unit;

#[extern_impl_bufpool(position = P, bufid_size = N)]
#[derive(Debug)]
struct Generic<'a, P: PoolPosition, const N: u8> {
    name: &'a str,
}

#[extern_impl_bufpool(position = P, bufid_size = { COUNT })]
#[derive(Debug)]
struct Braces<P: PoolPosition>;

fn main() {
    assert_eq!(Unit::default().get_cur_addr(), 0);
    let generic = Generic::<'_, A1, 3> { name: "x", bufpool: Default::default() };
    assert_eq!((generic.name, generic.get_cur_buf_size()), ("x", 0));
    assert_eq!(Braces::<VECIN>::default().get_cur_addr(), 0);
}

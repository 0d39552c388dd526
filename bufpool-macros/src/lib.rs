//! The attribute macro of bufpool. Use it by way of `bufpool-runtime`, which re-exports it.
//!
//! ```text
//! arguments --split, args--> Slots --\
//!                                     validate --> Draft --complete--> Pool --expand--> output
//! struct ----item, attrs---> Item ---/    |          \--fallback--> output next to errors
//!                                       Errors
//! ```
//!
//! A check pushes to the collector of errors and goes on, so that all mistakes are found. Next to
//! errors the struct still gets its members, so that the code that uses it adds none.

#![forbid(unsafe_code)]

mod args;
mod attrs;
mod blocks;
mod cpp;
mod errors;
mod expand;
mod fallback;
mod forms;
mod item;
mod keys;
mod manifest;
mod model;
mod position;
mod repair;
mod runtime_crate;
mod size;
mod slips;
mod split;
#[cfg(test)]
mod tests;
mod tokens;
mod validate;

use errors::Errors;
use item::Item;
use proc_macro::TokenStream;

/// Makes a struct a custom buffer pool, as `EXTERN_IMPL_BUFPOOL(class, position, size)` does in
/// Ascend C.
///
/// ```
/// use bufpool_runtime::prelude::*;
///
/// /// Queues side by side, from the start of the pool.
/// #[extern_impl_bufpool(position = VECCALC, bufid_size = 16)]
/// #[derive(Default)]
/// struct MyBufPool;
///
/// impl MyBufPool {
///     fn init_queue<S: Position, D: Position, const DEPTH: usize>(
///         &mut self,
///         que: &mut TQueBind<S, D, DEPTH>,
///         num: u8,
///         len: u32,
///     ) -> Result<()> {
///         let len = align_up(len);
///         let (first, addr) = (self.get_cur_buf_size(), self.get_cur_addr());
///         que.init_start_buf_handle(self.get_buf_handle(first)?, num, len)?;
///         for i in 0..num {
///             let handle = self.get_buf_handle(first + i)?;
///             que.init_buf_handle(self, i, handle, addr + u32::from(i) * len, len)?;
///         }
///         self.set_cur_addr(addr + u32::from(num) * len);
///         self.set_cur_buf_size(first + num);
///         Ok(())
///     }
/// }
///
/// # fn main() -> Result<()> {
/// let pipe = TPipe::new(Chip::AtlasA2)?;
/// let mut pool = MyBufPool::default();
/// let mut x = TQue::<VECIN, 1>::new();
/// pipe.init_buf_pool(&mut pool, 65536)?;
/// pool.init_queue(&mut x, 2, 8192)?;
/// assert_eq!(pool.get_cur_addr(), 16384);
/// # Ok(())
/// # }
/// ```
///
/// # Arguments
///
/// In any order, each once.
///
/// | argument | accepted | default |
/// |---|---|---|
/// | `position` | VECIN, VECOUT, VECCALC (the pool manages UB), A1, B1 or C1 (L1), bare or at the end of a path, of which nothing needs to be imported (an import for this alone is unused); or a type parameter of the struct with the bound `PoolPosition` | required |
/// | `bufid_size` | the number of blocks that the pool has at most, 1 to 255: a number, the path of a constant, a const parameter of the struct, or `{ expression }` | required |
/// | `state` | the name of the field that the struct gets | `bufpool` |
/// | `crate` | the path of bufpool-runtime, if another crate re-exports it | found in Cargo.toml, also if renamed there |
///
/// # What the struct gets
///
/// - A field with the state of the pool. Its `Default` is a pool without memory, and dropping it
///   resets the pool. In a struct literal it is written `bufpool: Default::default()`.
/// - The methods `init`, `reset`, `get_buf_handle`, `set_cur_addr`, `get_cur_addr`,
///   `set_cur_buf_size` and `get_cur_buf_size`, as visible as the struct.
/// - The trait `AnyPool` with the constants `POSITION` and `BUFID_SIZE`, and so `BufPool`, by which
///   `TPipe::init_buf_pool` knows it.
/// - `Default`, if it is a unit struct that does not derive it.
///
/// The struct has named fields or none. Everything else about it stays as it is: visibility,
/// generics, other attributes. Derives belong *below* the attribute, because those above it do not
/// see the field. `Clone`, `Copy` and comparisons cannot be derived: the state is the record of one
/// piece of memory.
///
/// # Errors
///
/// One mistake is one error, at the token that is wrong, and several mistakes are all reported at
/// once.
///
/// | mistake | what the error says |
/// |---|---|
/// | no arguments, or one missing | what is missing, and the full form |
/// | `position = VECCLAC` | unknown position; did you mean VECCALC; the six positions |
/// | `position = A2`, `GM`, `CO1`, ... | where that is, and that a pool can only manage UB or L1 |
/// | `position = LCM` | another name of VECCALC |
/// | `position = "VECCALC"`, `3`, `veccalc` | takes a name, and which |
/// | `bufid_size = 0` | a pool needs at least one block |
/// | `bufid_size = 256`, `-1`, `1.5`, `"16"`, `16u64` | block counts are u8, 1 to 255 |
/// | `bufid_size = 65536`, `64KB` | these are bytes, and where bytes go |
/// | `bufid_size = 2 * 8` | an expression goes in braces |
/// | a constant or a const parameter out of range | the same, with the name of the struct |
/// | `positon = VECCALC`, `size = 16` | unknown argument; did you mean; the four arguments |
/// | an argument twice | points at both |
/// | `=`, a value or a comma missing; `VECCALC, 16`; `MyBufPool, VECCALC, 16` | the form, with the given values |
/// | a field called `bufpool` | the name is taken; use `state` |
/// | `EXTERN_IMPL_BUFPOOL!(MyBufPool, VECCALC, 16)` | the attribute, with the given values |
/// | an enum, a union, a tuple struct, a function, ... | what is accepted |
///
/// The value of a const parameter is looked at where the pool is initialised, and an error there if
/// it is not 1 to 255. So generic code over the number of blocks says that it is one:
/// `where MyBufPool<N>: BufPool`. What is looked at by `cargo build` only is an expression with a
/// parameter, such as `{ N * 2 }` or `Self::BLOCKS` in a generic struct, and a parameter whose type
/// is an alias.
///
/// The compiler's own errors are left for what it sees better: a method of yours with the name of
/// one above, and a wrong `crate`, which it looks for twice.
///
/// # Warnings
///
/// From 17 blocks on, the lint `deprecated` warns at the number: 16 are recommended at most.
/// `#[allow(deprecated)]` or `#[expect(deprecated)]` on the struct silences it.
#[doc(alias = "EXTERN_IMPL_BUFPOOL")]
#[proc_macro_attribute]
pub fn extern_impl_bufpool(args: TokenStream, item: TokenStream) -> TokenStream {
    attribute(args.into(), item.into()).into()
}

/// The name that the attribute has in Ascend C, for those who look for it here.
#[doc(hidden)]
#[allow(non_snake_case)]
#[proc_macro]
pub fn EXTERN_IMPL_BUFPOOL(args: TokenStream) -> TokenStream {
    cpp::macro_call(args.into()).into()
}

/// The macro on the tokens that tests can make too.
fn attribute(
    args: proc_macro2::TokenStream,
    item: proc_macro2::TokenStream,
) -> proc_macro2::TokenStream {
    let mut errors = Errors::default();
    let slots = args::parse(args, &mut errors);
    let output = match item::parse(item, &mut errors) {
        Item::Pool(item) => match validate::check(slots, item, &mut errors).complete(&errors) {
            Ok(pool) => expand::pool(pool),
            Err(draft) => fallback::pool(*draft),
        },
        Item::OtherType(item) => fallback::other_type(&validate::check(slots, item, &mut errors)),
        Item::Other(tokens) => tokens,
    };
    let mut tokens = errors.into_tokens();
    tokens.extend(output);
    tokens
}

//! Pools: the trait that all pools have.
//!
//! ```text
//! pool        BufPool, for all that takes any pool
//!  ├ state      what is inside of each, and binds it to a core
//!  └ tbufpool   TBufPool
//! ```

mod state;
mod tbufpool;

use crate::error::Result;
use crate::inspect::PoolView;
use crate::position::{PoolPosition, Position, TPosition};

pub use state::PoolState;
pub(crate) use state::init_shared;
pub use tbufpool::TBufPool;

/// A pool that `init_buf_pool` can initialise: [`TBufPool`], or a struct with
/// `#[extern_impl_bufpool(...)]`.
///
/// ```
/// use bufpool_runtime::prelude::*;
/// # fn main() -> Result<()> {
/// /// Initialises any pool, whoever wrote it.
/// fn prepare<P: BufPool>(pipe: &TPipe, pool: &mut P) -> Result<()> {
///     pipe.init_buf_pool(pool, 1024 * u32::from(P::BUFID_SIZE))
/// }
/// let pipe = TPipe::new(Chip::AtlasA2)?;
/// let mut pool = TBufPool::<VECCALC, 8>::new();
/// prepare(&pipe, &mut pool)?;
/// assert_eq!(pool.inspect().len, 8192);
/// # Ok(())
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a buffer pool",
    label = "expected a TBufPool, or a struct with the attribute `extern_impl_bufpool`",
    note = "add `#[extern_impl_bufpool(position = VECCALC, bufid_size = 16)]` to the struct"
)]
pub trait BufPool {
    /// The position of the pool, which says which memory it manages.
    type Pos: PoolPosition;
    /// The same position as a value.
    const POSITION: TPosition = <Self::Pos as Position>::POSITION;
    /// The number of blocks that the pool has at most, 1 to 255.
    const BUFID_SIZE: u8;
    #[doc(hidden)]
    fn __state(&self) -> &PoolState;
    #[doc(hidden)]
    fn __state_mut(&mut self) -> &mut PoolState;

    /// What the layer sees of the pool.
    #[must_use]
    fn inspect(&self) -> PoolView
    where
        Self: Sized,
    {
        self.__state().view(Self::BUFID_SIZE)
    }

    /// What dropping the pool does (its destructor), with the error that a drop cannot return: a
    /// custom pool is reset, a `TBufPool` too except on Ascend950, which leaves it as it is. The drop
    /// that follows has nothing left to do.
    ///
    /// # Errors
    /// A free event that a block waits for was never set.
    #[track_caller]
    fn destroy(&mut self) -> Result<()>
    where
        Self: Sized,
    {
        self.__state_mut().destroy()
    }
}

/// A sign that a pool has blocks, for the compiler to see when a pool is initialised.
///
/// Every pool has the sign `AtLeastOne`, and a pool of 0 blocks has a second one. Which of the
/// two is meant the compiler cannot tell, so that such a pool is an error, by `cargo check`
/// too. A bound on the number would ask for more: all generic code over the number of blocks
/// would have to repeat it.
pub trait HasBlocks<Sign> {}

/// The sign of every pool.
pub struct AtLeastOne;

/// The second sign, of pools of 0 blocks.
pub struct NoBlocks;

impl<P: BufPool> HasBlocks<AtLeastOne> for P {}
impl<POS: PoolPosition> HasBlocks<NoBlocks> for TBufPool<POS, 0> {}

//! Pools: the trait that all pools have.
//!
//! ```text
//! pool        AnyPool and BufPool, for all that takes any pool
//!  ├ blocks     which numbers of blocks there are, for the compiler
//!  ├ state      what is inside of each, and binds it to a core
//!  └ tbufpool   TBufPool
//! ```

pub mod blocks;
mod state;
mod tbufpool;

use crate::error::Result;
use crate::inspect::PoolView;
use crate::position::{PoolPosition, Position, TPosition};

use blocks::BlockCount;
pub use state::PoolState;
pub(crate) use state::init_shared;
pub use tbufpool::TBufPool;

/// What every pool has, also one whose number of blocks is still in question.
///
/// A pool with a const parameter in `bufid_size` is one for every value of the parameter, and a
/// [`BufPool`] for those from 1 to 255.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a buffer pool",
    label = "expected a TBufPool, or a struct with the attribute `extern_impl_bufpool`",
    note = "add `#[extern_impl_bufpool(position = VECCALC, bufid_size = 16)]` to the struct"
)]
pub trait AnyPool {
    /// The position of the pool, which says which memory it manages.
    type Pos: PoolPosition;
    /// The same position as a value.
    const POSITION: TPosition = <Self::Pos as Position>::POSITION;
    /// The number of blocks as a type, by which the compiler tells whether it is 1 to 255.
    #[doc(hidden)]
    type __Blocks;
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
///
/// Where the number of blocks is a const parameter, generic code has to know that it is one of
/// blocks, and says so of its pool.
///
/// ```
/// # use bufpool_runtime::prelude::*;
/// fn prepare<const N: u8>(pipe: &TPipe) -> Result<TBufPool<VECCALC, N>>
/// where
///     TBufPool<VECCALC, N>: BufPool,
/// {
///     let mut pool = TBufPool::new();
///     pipe.init_buf_pool(&mut pool, 1024 * u32::from(N))?;
///     Ok(pool)
/// }
/// # prepare::<8>(&TPipe::new(Chip::AtlasA2).unwrap()).unwrap();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a buffer pool",
    label = "expected a TBufPool, or a struct with the attribute `extern_impl_bufpool`",
    note = "add `#[extern_impl_bufpool(position = VECCALC, bufid_size = 16)]` to the struct"
)]
pub trait BufPool: AnyPool {}

impl<P: AnyPool> BufPool for P where P::__Blocks: BlockCount<P> {}

//! Pools: the trait that all pools have, [`TBufPool`], and the state inside custom pools.

use std::any::type_name;
use std::fmt;
use std::marker::PhantomData;

use crate::error::{BufPoolError, Result, Trail};
use crate::inspect::PoolView;
use crate::model::Core;
use crate::model::block::{OwnerId, TBufHandle};
use crate::model::owner::{Owner, OwnerKind, OwnerName, declare_help};
use crate::model::pool::{PoolShape, PoolSource};
use crate::place::Place;
use crate::position::{InPool, PoolEnd, PoolPosition, Position, TPosition};
use crate::queue::TQueBind;
use crate::tbuf::{TBuf, other_pipe};

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

/// Name of a type without its path and without its arguments.
pub(crate) fn short_name<P>() -> &'static str {
    let name = type_name::<P>();
    let path = name.split('<').next().unwrap_or(name);
    &path[path.rfind("::").map_or(0, |at| at + 2)..]
}

/// The user's name for a pool, or that of its type.
pub(crate) fn name_of<P>(given: Option<&'static str>) -> OwnerName {
    given.map_or(OwnerName::OfType(short_name::<P>), OwnerName::Given)
}

/// `size` is `P::BUFID_SIZE`. If that is out of range, the build ends at the function that names it
/// and says who calls this one: `init_buf_pool` names it, so that it is the user's line.
pub(crate) fn pool_shape<P: BufPool>(size: u8, custom: bool) -> PoolShape {
    PoolShape { name: OwnerName::OfType(short_name::<P>), position: P::POSITION, size, custom }
}

/// The state of a pool: what the attribute adds to a struct. Dropping it resets the pool.
pub struct PoolState {
    /// The core that has the pool's records; none before the first `init_buf_pool`.
    bound: Option<(Core, OwnerId)>,
    /// The cursor and count of a pool that no pipe knows yet.
    cursor: u32,
    used: u8,
    custom: bool,
    /// Whether the end of its life is done with.
    destroyed: bool,
    /// The user's name for the pool; the name of its type without one.
    name: Option<&'static str>,
}

impl Default for PoolState {
    /// The state of a custom pool. The attribute is its only user.
    fn default() -> Self {
        PoolState { bound: None, cursor: 0, used: 0, custom: true, destroyed: false, name: None }
    }
}

impl fmt::Debug for PoolState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let view = self.view(0);
        write!(
            f,
            "PoolState {{ start: {}, cursor: {}, len: {}, used: {} }}",
            view.start, view.cursor, view.len, view.used
        )
    }
}

impl Drop for PoolState {
    fn drop(&mut self) {
        let Some((core, owner)) = &self.bound else { return };
        let Some(mut state) = core.state_always() else { return };
        if !self.destroyed {
            let made = state.owner(*owner).init_at.unwrap_or_else(Place::here);
            // A wait that would hang cannot be an error here; the flag stays set and is reported.
            let _ = state.drop_pool(*owner, made);
        }
        state.free_owner(*owner);
    }
}

impl PoolState {
    fn of_tbufpool() -> Self {
        PoolState { bound: None, cursor: 0, used: 0, custom: false, destroyed: false, name: None }
    }

    /// `Init`: start, cursor, length and count 0, without waiting.
    pub(crate) fn init(&mut self) {
        (self.cursor, self.used) = (0, 0);
        if let Some((core, owner)) = &self.bound
            && let Some(mut state) = core.state_always()
        {
            state.empty_pool(*owner);
        }
    }

    /// The end of the pool's life, once.
    #[track_caller]
    fn destroy(&mut self) -> Result<()> {
        let at = Place::here();
        if self.destroyed {
            return Ok(());
        }
        if let Some((core, owner)) = &self.bound {
            core.run(at, |state| state.drop_pool(*owner, at))?;
        }
        self.destroyed = true;
        Ok(())
    }

    /// `Reset`, by the chip's policy.
    ///
    /// # Errors
    /// A free event that a block waits for was never set.
    #[track_caller]
    pub(crate) fn reset(&mut self) -> Result<()> {
        let at = Place::here();
        (self.cursor, self.used) = (0, 0);
        match &self.bound {
            Some((core, owner)) => core.run(at, |state| state.reset_pool(*owner, at)),
            None => Ok(()),
        }
    }

    /// `GetBufHandle`.
    ///
    /// # Errors
    /// The pool declares fewer blocks, or no pipe knows it yet.
    #[track_caller]
    pub(crate) fn buf_handle<P: BufPool>(&self, index: u8) -> Result<TBufHandle> {
        let at = Place::here();
        if index >= P::BUFID_SIZE {
            return Err(handle_out_of_range::<P>(index, at));
        }
        let Some((core, owner)) = &self.bound else {
            return Err(not_initialised(name_of::<P>(self.name), at));
        };
        let epoch = core.state(at)?.owner(*owner).epoch;
        Ok(TBufHandle { core: core.serial(), owner: *owner, index, epoch })
    }

    /// `SetCurAddr`.
    #[track_caller]
    pub(crate) fn set_cur_addr(&mut self, addr: u32) {
        self.set(Some(addr), None);
    }

    /// `GetCurAddr`.
    #[must_use]
    pub(crate) fn cur_addr(&self) -> u32 {
        self.of_owner(|owner| owner.cursor).unwrap_or(self.cursor)
    }

    /// `SetCurBufSize`.
    #[track_caller]
    pub(crate) fn set_cur_buf_size(&mut self, count: u8) {
        self.set(None, Some(count));
    }

    /// `GetCurBufSize`.
    #[must_use]
    pub(crate) fn cur_buf_size(&self) -> u8 {
        self.of_owner(|owner| owner.used).unwrap_or(self.used)
    }

    /// What the pool's core says of it, once it is initialised.
    fn of_owner<R>(&self, question: impl FnOnce(&Owner) -> R) -> Option<R> {
        let (core, owner) = self.bound.as_ref()?;
        Some(question(core.state_always()?.owner(*owner)))
    }

    #[inline]
    #[track_caller]
    fn set(&mut self, addr: Option<u32>, used: Option<u8>) {
        let at = Place::here();
        self.cursor = addr.unwrap_or(self.cursor);
        self.used = used.unwrap_or(self.used);
        if let Some((core, owner)) = &self.bound
            && let Some(mut state) = core.state_always()
        {
            state.set_pool_cursor(*owner, addr, used, at);
        }
    }

    fn view(&self, size: u8) -> PoolView {
        let unbound = PoolView {
            cursor: self.cursor,
            used: self.used,
            size: u32::from(size),
            ..PoolView::default()
        };
        match &self.bound {
            Some((core, owner)) => {
                core.state_always().map_or(unbound, |state| state.view_pool(*owner))
            }
            None => unbound,
        }
    }

    /// The owner on a core; an error for a pool that is not initialised, or of another core.
    #[inline]
    pub(crate) fn owner_on<P>(&self, core: &Core, at: Place) -> Result<OwnerId> {
        match &self.bound {
            Some((bound, owner)) if bound.same(core) => Ok(*owner),
            Some(_) => Err(other_pipe(format!("pool `{}`", short_name::<P>()), at)),
            None => Err(not_initialised(name_of::<P>(self.name), at)),
        }
    }

    /// `InitBufPool` on a core, by the pipe or by a parent, perhaps sharing another pool's bytes.
    pub(crate) fn init_on(
        &mut self,
        core: &Core,
        shape: PoolShape,
        source: PoolSource,
        at: Place,
    ) -> Result<()> {
        let slot = self.bound.as_ref().filter(|(bound, _)| bound.same(core)).map(|&(_, id)| id);
        let used = self.cur_buf_size();
        let name = self.name.map_or(shape.name, OwnerName::Given);
        let shape = PoolShape { custom: self.custom, name, ..shape };
        let id = core.run(at, |state| state.init_pool(slot, shape, used, source, at))?;
        self.bound = Some((core.clone(), id));
        self.destroyed = false;
        Ok(())
    }
}

#[cold]
fn handle_out_of_range<P: BufPool>(index: u8, at: Place) -> BufPoolError {
    BufPoolError::HandleOutOfRange {
        pool: short_name::<P>().to_owned(),
        index: u32::from(index),
        limit: u32::from(P::BUFID_SIZE),
        trail: Trail::asked(at).help(declare_help(
            OwnerKind::Custom,
            <P::Pos as Position>::POSITION,
            u32::from(index) + 1,
        )),
    }
}

#[cold]
fn not_initialised(name: OwnerName, at: Place) -> BufPoolError {
    BufPoolError::PoolNotInitialised {
        pool: name.to_string(),
        why: "init_buf_pool was not called",
        trail: Trail::asked(at).help("call TPipe::init_buf_pool first"),
    }
}

/// A pool that carves queues and TBufs out of one contiguous range (`AscendC::TBufPool`).
///
/// `N` is the number of block records, 4 unless told otherwise (16 are recommended at most). The
/// position says which memory the pool manages: a VECCALC pool may carve VECIN and VECOUT queues.
///
/// ```
/// use bufpool_runtime::prelude::*;
/// # fn main() -> Result<()> {
/// let pipe = TPipe::new(Chip::AtlasA2)?;
/// let mut pool = TBufPool::<VECCALC>::new();
/// let mut x = TQue::<VECIN, 1>::new();
/// pipe.init_buf_pool(&mut pool, 65536)?;
/// pool.init_buffer(&mut x, 2, 16384)?;
/// assert_eq!(pool.inspect().cursor, 32768);
/// pool.reset()
/// # }
/// ```
pub struct TBufPool<POS, const N: u8 = 4> {
    state: PoolState,
    position: PhantomData<POS>,
}

impl<POS: PoolPosition, const N: u8> BufPool for TBufPool<POS, N> {
    type Pos = POS;
    const BUFID_SIZE: u8 = N;

    fn __state(&self) -> &PoolState {
        &self.state
    }

    fn __state_mut(&mut self) -> &mut PoolState {
        &mut self.state
    }
}

impl<POS: PoolPosition, const N: u8> Default for TBufPool<POS, N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<POS, const N: u8> TBufPool<POS, N> {
    /// A pool without memory yet.
    // The bound is on the call and not on the impl, for the compiler to say it in our words.
    #[must_use]
    pub fn new() -> Self
    where
        POS: PoolPosition,
    {
        const { assert!(N > 0, "a pool needs at least one block") };
        TBufPool { state: PoolState::of_tbufpool(), position: PhantomData }
    }
}

impl<POS: PoolPosition, const N: u8> TBufPool<POS, N> {
    /// Gives the pool a name for messages.
    #[must_use]
    pub fn named(mut self, name: &'static str) -> Self {
        self.state.name = Some(name);
        self
    }

    fn bound(&self, at: Place) -> Result<(&Core, OwnerId)> {
        match &self.state.bound {
            Some((core, owner)) => Ok((core, *owner)),
            None => Err(not_initialised(name_of::<Self>(self.state.name), at)),
        }
    }

    /// Carves `num` blocks of `len` bytes (rounded up to 32) for a queue (`InitBuffer`).
    ///
    /// # Errors
    /// The bytes or the records do not suffice, the queue is in another memory or has depth 0, or
    /// the pool is not initialised.
    #[doc(alias = "InitBuffer")]
    #[track_caller]
    pub fn init_buffer<S: Position, D: PoolEnd<S>, const DEPTH: usize>(
        &self,
        que: &mut TQueBind<S, D, DEPTH>,
        num: u32,
        len: u32,
    ) -> Result<()> {
        let at = Place::here();
        let (core, pool) = self.bound(at)?;
        let shape = que.shape();
        let slot = que.link_mut().slot(core);
        let id = core.run(at, |state| state.carve(pool, slot, shape, num, len, at))?;
        que.link_mut().bind(core, id);
        Ok(())
    }

    /// Carves one block of `len` bytes (rounded up to 32) for a TBuf (`InitBuffer`).
    ///
    /// # Errors
    /// As [`init_buffer`](Self::init_buffer).
    #[doc(alias = "InitBuffer")]
    #[track_caller]
    pub fn init_tbuf<P: InPool>(&self, buf: &mut TBuf<P>, len: u32) -> Result<()> {
        let at = Place::here();
        let (core, pool) = self.bound(at)?;
        let shape = buf.shape();
        let slot = buf.link_mut().slot(core);
        let id = core.run(at, |state| state.carve(pool, slot, shape, 1, len, at))?;
        buf.link_mut().bind(core, id);
        Ok(())
    }

    /// Carves a child pool of `len` bytes (rounded up to 32) out of this pool (`InitBufPool`).
    ///
    /// # Errors
    /// The bytes do not suffice, the child is in another memory, or this pool is not initialised.
    #[doc(alias = "InitBufPool")]
    #[track_caller]
    pub fn init_buf_pool<P, APoolNeedsAtLeastOneBlock>(&self, child: &mut P, len: u32) -> Result<()>
    where
        P: BufPool + HasBlocks<APoolNeedsAtLeastOneBlock>,
    {
        let at = Place::here();
        let (core, pool) = self.bound(at)?;
        let source = PoolSource { parent: pool, len, shares: None };
        child.__state_mut().init_on(core, pool_shape::<P>(P::BUFID_SIZE, true), source, at)
    }

    /// Gives a child pool the range of another child (`InitBufPool(child, len, shared)`): the other
    /// pool's start and its whole length; `len` may be no longer than that.
    ///
    /// # Errors
    /// `len` is longer than the other pool, or the pools are of different memories.
    #[doc(alias = "InitBufPool")]
    #[track_caller]
    pub fn init_buf_pool_shared<P: BufPool, Q: BufPool>(
        &self,
        child: &mut P,
        len: u32,
        shared: &Q,
    ) -> Result<()> {
        let at = Place::here();
        let (core, pool) = self.bound(at)?;
        init_shared(core, pool, child, len, shared, at)
    }

    /// Waits for the pending free events of the pool's blocks and empties it (`Reset`). On Ascend950
    /// start and length stay and carving again works; elsewhere the pool must be initialised again.
    ///
    /// # Errors
    /// A free event that a block waits for was never set.
    #[doc(alias = "Reset")]
    #[track_caller]
    pub fn reset(&mut self) -> Result<()> {
        self.state.reset()
    }
}

/// `InitBufPool(pool, len, shared)` of the pipe or of a parent pool.
pub(crate) fn init_shared<P: BufPool, Q: BufPool>(
    core: &Core,
    parent: OwnerId,
    pool: &mut P,
    len: u32,
    shared: &Q,
    at: Place,
) -> Result<()> {
    let name = name_of::<Q>(shared.__state().name);
    let other = match &shared.__state().bound {
        Some((bound, owner)) if bound.same(core) => *owner,
        Some(_) => return Err(other_pipe(format!("pool `{name}`"), at)),
        None => return Err(not_initialised(name, at)),
    };
    let source = PoolSource { parent, len, shares: Some(other) };
    pool.__state_mut().init_on(core, pool_shape::<P>(P::BUFID_SIZE, true), source, at)
}

impl<POS: PoolPosition, const N: u8> fmt::Debug for TBufPool<POS, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TBufPool<{}, {N}> {:?}", POS::POSITION, self.state)
    }
}

//! The state of a pool, which binds it to a core: what the attribute adds to a struct.

use std::any::type_name;
use std::fmt;

use crate::error::{BufPoolError, Result, Trail};
use crate::inspect::PoolView;
use crate::model::Core;
use crate::model::block::{OwnerId, TBufHandle};
use crate::model::owner::{COUNT_GOES_ON, Owner, OwnerKind, OwnerName, declare_help};
use crate::model::pool::{PoolShape, PoolSource};
use crate::place::Place;
use crate::pool::{AnyPool, BufPool};
use crate::position::Position;
use crate::tbuf::other_pipe;

/// The state of a pool: what the attribute adds to a struct. Dropping it resets the pool.
pub struct PoolState {
    /// None before the first `init_buf_pool`.
    bound: Option<Bond>,
    /// The cursor and count of a pool that no pipe knows yet.
    cursor: u32,
    used: u8,
    custom: bool,
    /// Whether the end of its life is done with.
    destroyed: bool,
    /// The user's name for the pool; the name of its type without one.
    name: Option<&'static str>,
}

/// What ties a pool to the core that has its records.
struct Bond {
    core: Core,
    owner: OwnerId,
    /// Where the pool was initialised last. A drop has no place of its own: it is told at this one.
    made_at: Place,
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
        let Some(Bond { core, owner, made_at }) = &self.bound else { return };
        let Some(mut state) = core.state_always() else { return };
        if !self.destroyed {
            // A wait that would hang cannot be an error here; the flag stays set and is reported.
            let _ = state.drop_pool(*owner, *made_at);
        }
        state.free_owner(*owner);
    }
}

impl PoolState {
    pub(super) fn of_tbufpool() -> Self {
        PoolState { bound: None, cursor: 0, used: 0, custom: false, destroyed: false, name: None }
    }

    /// `Init`: start, cursor, length and count 0, without waiting.
    #[track_caller]
    pub(crate) fn init(&mut self) {
        let at = Place::here();
        (self.cursor, self.used) = (0, 0);
        if let Some(Bond { core, owner, .. }) = &self.bound
            && let Some(mut state) = core.state_always()
        {
            state.empty_pool(*owner, at);
        }
    }

    /// The end of the pool's life, once.
    #[track_caller]
    pub(super) fn destroy(&mut self) -> Result<()> {
        let at = Place::here();
        if self.destroyed {
            return Ok(());
        }
        if let Some(Bond { core, owner, .. }) = &self.bound {
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
            Some(Bond { core, owner, .. }) => core.run(at, |state| state.reset_pool(*owner, at)),
            None => Ok(()),
        }
    }

    /// `GetBufHandle`.
    ///
    /// # Errors
    /// The pool declares fewer blocks, or no pipe knows it yet.
    #[track_caller]
    pub(crate) fn buf_handle<P: AnyPool>(&self, index: u8) -> Result<TBufHandle> {
        let at = Place::here();
        if index >= P::BUFID_SIZE {
            return Err(self.handle_out_of_range::<P>(index, at));
        }
        let (core, owner) = self.bound_of::<P>(at)?;
        let epoch = core.state(at)?.owner(owner).epoch;
        Ok(TBufHandle { core: core.serial(), owner, index, epoch })
    }

    #[cold]
    fn handle_out_of_range<P: AnyPool>(&self, index: u8, at: Place) -> BufPoolError {
        // The count that the index comes from may be one of blocks that are gone.
        let state =
            self.bound.as_ref().and_then(|bond| Some((bond.core.state_always()?, bond.owner)));
        let gone = state.is_some_and(|(state, owner)| !state.has_block_holders(owner));
        let help = if gone && index == self.cur_buf_size() {
            COUNT_GOES_ON.to_owned()
        } else {
            let position = <P::Pos as Position>::POSITION;
            declare_help(OwnerKind::Custom, position, u32::from(index) + 1)
        };
        BufPoolError::HandleOutOfRange {
            pool: short_name::<P>().to_owned(),
            index: u32::from(index),
            limit: u32::from(P::BUFID_SIZE),
            trail: Trail::asked(at).help(help),
        }
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
        let Bond { core, owner, .. } = self.bound.as_ref()?;
        Some(question(core.state_always()?.owner(*owner)))
    }

    #[inline]
    #[track_caller]
    fn set(&mut self, addr: Option<u32>, used: Option<u8>) {
        let at = Place::here();
        self.cursor = addr.unwrap_or(self.cursor);
        self.used = used.unwrap_or(self.used);
        if let Some(Bond { core, owner, .. }) = &self.bound
            && let Some(mut state) = core.state_always()
        {
            state.set_pool_cursor(*owner, addr, used, at);
        }
    }

    pub(super) fn view(&self, size: u8) -> PoolView {
        let unbound = PoolView {
            cursor: self.cursor,
            used: self.used,
            size: u32::from(size),
            ..PoolView::default()
        };
        match &self.bound {
            Some(Bond { core, owner, .. }) => {
                core.state_always().map_or(unbound, |state| state.view_pool(*owner))
            }
            None => unbound,
        }
    }

    /// The core of a pool that is initialised, and the owner there.
    #[inline]
    pub(super) fn bound_of<P>(&self, at: Place) -> Result<(&Core, OwnerId)> {
        match &self.bound {
            Some(Bond { core, owner, .. }) => Ok((core, *owner)),
            None => Err(not_initialised(self.name_of::<P>(), at)),
        }
    }

    /// The owner on a core; an error for a pool that is not initialised, or of another core.
    #[inline]
    pub(crate) fn owner_on<P>(&self, core: &Core, at: Place) -> Result<OwnerId> {
        let (bound, owner) = self.bound_of::<P>(at)?;
        if bound.same(core) {
            Ok(owner)
        } else {
            Err(other_pipe(format!("pool `{}`", self.name_of::<P>()), at))
        }
    }

    /// What a core needs to know of the pool. `size` is `P::BUFID_SIZE`: if that is out of range, the
    /// build ends at the function that names it and says who calls this one. `init_buf_pool` names it,
    /// so that it is the user's line.
    pub(crate) fn shape<P: BufPool>(&self, size: u8) -> PoolShape {
        PoolShape { name: self.name_of::<P>(), position: P::POSITION, size, custom: self.custom }
    }

    pub(super) fn set_name(&mut self, name: &'static str) {
        self.name = Some(name);
    }

    /// The user's name for the pool, or that of its type.
    fn name_of<P>(&self) -> OwnerName {
        self.name.map_or(OwnerName::OfType(short_name::<P>), OwnerName::Given)
    }

    /// `InitBufPool` on a core, by the pipe or by a parent, perhaps sharing another pool's bytes.
    pub(crate) fn init_on(
        &mut self,
        core: &Core,
        shape: PoolShape,
        source: PoolSource,
        at: Place,
    ) -> Result<()> {
        let known = self.bound.as_ref().filter(|bond| bond.core.same(core));
        let slot = known.map(|bond| bond.owner);
        let used = self.cur_buf_size();
        let id = core.run(at, |state| state.init_pool(slot, shape, used, source, at))?;
        self.bound = Some(Bond { core: core.clone(), owner: id, made_at: at });
        self.destroyed = false;
        Ok(())
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
    let other = shared.__state().owner_on::<Q>(core, at)?;
    let source = PoolSource { parent, len, shares: Some(other) };
    let shape = pool.__state().shape::<P>(P::BUFID_SIZE);
    pool.__state_mut().init_on(core, shape, source, at)
}

#[cold]
fn not_initialised(name: OwnerName, at: Place) -> BufPoolError {
    BufPoolError::PoolNotInitialised {
        pool: name.to_string(),
        why: "init_buf_pool was not called",
        trail: Trail::asked(at)
            .help("call init_buf_pool first: of the TPipe, or of a pool around it"),
    }
}

/// Name of a type without its path and without its arguments.
fn short_name<P>() -> &'static str {
    let name = type_name::<P>();
    let path = name.split('<').next().unwrap_or(name);
    &path[path.rfind("::").map_or(0, |at| at + 2)..]
}

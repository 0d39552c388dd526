//! The model of one core: the only place with state.
//!
//! The front modules (`pipe`, `queue`, `tbuf`, `pool`, `tensor`, `ops`) hold a [`Core`] and call
//! down into [`State`]; the model emits what happened into the [`stream`] and calls nobody.
//!
//! ```text
//! State
//!  ├ pipe, pools   the owners of blocks: range, cursor, records used, epoch
//!  ├ blocks   the records of all owners, owner after owner
//!  ├ queues   queues and TBufs: which records, FIFO, cursor
//!  ├ events   reserved ids and set flags      ├ locks  lock ids (Ascend950)
//!  ├ memories the bytes                       └ stream who listens
//! ```

pub(crate) mod abilities;
pub(crate) mod alloc;
pub(crate) mod bind;
pub(crate) mod block;
pub(crate) mod buffer;
mod carve;
pub(crate) mod events;
pub(crate) mod fifo;
mod flags;
pub(crate) mod handles;
mod holders;
mod instr;
mod lock_ids;
pub(crate) mod locks;
pub(crate) mod memory;
mod names;
pub(crate) mod owner;
pub(crate) mod piece;
mod pipe;
pub(crate) mod pool;
pub(crate) mod queue;
mod reset;
mod site;
pub(crate) mod stream;
mod sync;
pub(crate) mod turn;
mod view;

use std::cell::{RefCell, RefMut};
use std::iter;
use std::rc::Rc;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::chip::{Chip, ChipSpec, CoreKind};
use crate::error::{BufPoolError, Result, Trail};
use crate::model::abilities::Abilities;
use crate::model::block::{Block, BlockId, OwnerId, QueueId, TBufHandle};
use crate::model::events::EventTable;
use crate::model::locks::LockTable;
use crate::model::memory::Memories;
use crate::model::owner::{LostRange, Owner};
use crate::model::piece::{Home, Piece, Token};
use crate::model::queue::Queue;
use crate::model::stream::{Event, Listener, TurnStep};
use crate::place::Place;
use crate::position::{Hardware, TPosition};

/// Most blocks of a pipe over all `init_buffer` calls (`QBUF_MAX_LEN`).
pub(crate) const PIPE_BLOCKS: u32 = 64;

/// Tells handles of different cores apart.
static NEXT_SERIAL: AtomicU32 = AtomicU32::new(0);

/// A cheap handle to the state of one core. Not Send: one core is one thread.
#[derive(Clone)]
pub struct Core(Rc<Shared>);

struct Shared {
    /// Unique in the process: tells handles of different cores apart.
    serial: u32,
    state: RefCell<State>,
}

/// All state of one core.
pub(crate) struct State {
    /// Unique in the process.
    pub serial: u32,
    pub chip: Chip,
    pub spec: &'static ChipSpec,
    pub kind: CoreKind,
    pub abilities: Abilities,
    pub live: bool,
    pub made_at: Place,
    pub cursors: [u32; Hardware::COUNT],
    pub high_water: [u32; Hardware::COUNT],
    pub tscm: u32,
    pub events: EventTable,
    pub locks: LockTable,
    pub pipe: Owner,
    /// Owner 1 and on.
    pub pools: Vec<Owner>,
    /// Of the pipe first, once there is a block or a pool.
    pub blocks: Vec<Block>,
    pub lost: Vec<LostRange>,
    pub queues: Vec<Queue>,
    /// Numbers of queues and of pools that are gone.
    pub free_queues: Vec<QueueId>,
    pub free_owners: Vec<OwnerId>,
    pub memories: Memories,
    listeners: Vec<Box<dyn Listener>>,
    heard: HeardBy,
}

/// Who hears of what happens; asked at every operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum HeardBy {
    Nobody,
    /// By listeners that take all as it comes.
    Listeners,
    /// By one that may refuse: each operation ends with the question whether it does.
    Judge,
    /// The closure of an instruction is at work: calls that may fail do.
    Instruction,
}

impl HeardBy {
    fn of(listeners: &[Box<dyn Listener>]) -> Self {
        if listeners.iter().any(|listener| listener.may_refuse()) {
            HeardBy::Judge
        } else if listeners.is_empty() {
            HeardBy::Nobody
        } else {
            HeardBy::Listeners
        }
    }
}

impl Core {
    pub(crate) fn new(
        chip: Chip,
        kind: CoreKind,
        listeners: Vec<Box<dyn Listener>>,
        at: Place,
    ) -> Self {
        let spec = chip.spec();
        let serial = NEXT_SERIAL.fetch_add(1, Ordering::Relaxed);
        let state = RefCell::new(State {
            serial,
            chip,
            spec,
            kind,
            abilities: Abilities::new(chip, kind),
            live: false,
            made_at: at,
            cursors: [0; Hardware::COUNT],
            high_water: [0; Hardware::COUNT],
            tscm: spec.tscm_top,
            events: EventTable::new(chip, kind),
            locks: LockTable::default(),
            pipe: Owner::pipe(),
            pools: Vec::new(),
            blocks: Vec::new(),
            lost: Vec::new(),
            queues: Vec::new(),
            free_queues: Vec::new(),
            free_owners: Vec::new(),
            memories: Memories::new(spec),
            heard: HeardBy::of(&listeners),
            listeners,
        });
        Core(Rc::new(Shared { serial, state }))
    }

    /// Two handles of the same core.
    #[inline]
    pub(crate) fn same(&self, other: &Core) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }

    /// See [`TBufHandle`].
    pub(crate) fn serial(&self) -> u32 {
        self.0.serial
    }

    /// The state, for calls that may fail: not from inside the closure of an instruction.
    #[inline]
    pub(crate) fn state(&self, at: Place) -> Result<RefMut<'_, State>> {
        match self.0.state.try_borrow_mut() {
            Ok(state) if state.heard != HeardBy::Instruction => Ok(state),
            _ => Err(inside_instruction(at)),
        }
    }

    /// The state, for what cannot fail: questions, cursors set by hand, and the end of what is
    /// dropped. From inside the closure of an instruction too.
    #[inline]
    pub(crate) fn state_always(&self) -> Option<RefMut<'_, State>> {
        self.0.state.try_borrow_mut().ok()
    }

    /// Changes the state, then asks the listeners whether they refuse what they saw.
    #[inline]
    pub(crate) fn run<R>(
        &self,
        at: Place,
        change: impl FnOnce(&mut State) -> Result<R>,
    ) -> Result<R> {
        let mut state = self.state(at)?;
        let result = change(&mut state);
        state.unless_refused(result)
    }

    /// What a tensor at a fixed address holds.
    pub(crate) fn fixed_piece(
        &self,
        position: TPosition,
        addr: u32,
        len: usize,
        element: u32,
        at: Place,
    ) -> Result<Piece> {
        let state = self.state(at)?;
        let hardware = state.spec.hardware(position);
        let end = u64::from(addr).saturating_add((len as u64).saturating_mul(u64::from(element)));
        let limit = u64::from(state.spec.capacity(hardware));
        // Without the memory, not even an empty tensor.
        if limit == 0 {
            return Err(BufPoolError::NotOnChip {
                chip: state.chip,
                what: format!("memory of a core at {position}"),
                trail: Trail::asked(at).help(if hardware == Hardware::GM {
                    "use a GlobalTensor for global memory"
                } else {
                    "take a position of a memory that the chip has"
                }),
            });
        }
        if end > limit {
            return Err(BufPoolError::OutsideMemory {
                memory: hardware,
                addr: u64::from(addr),
                end,
                limit,
                trail: Trail::asked(at).help(format!("keep address + length within {limit} bytes")),
            });
        }
        // It fits: the range ends inside the memory.
        let bytes = (end - u64::from(addr)) as u32;
        Ok(Piece::new(
            addr,
            bytes,
            Token::NONE,
            Home::new(OwnerId::PIPE, 0, hardware, position),
            at,
        ))
    }

    pub(crate) fn user_tag(&self, handle: Option<TBufHandle>, at: Place) -> Result<i32> {
        let state = self.state(at)?;
        let block = state.tagged_block(handle, at)?;
        Ok(state.block(block).user_tag)
    }

    pub(crate) fn set_user_tag(
        &self,
        handle: Option<TBufHandle>,
        tag: i32,
        at: Place,
    ) -> Result<()> {
        let mut state = self.state(at)?;
        let block = state.tagged_block(handle, at)?;
        state.block_mut(block).user_tag = tag;
        Ok(())
    }
}

#[cold]
fn inside_instruction(at: Place) -> BufPoolError {
    BufPoolError::InsideInstruction {
        trail: Trail::asked(at)
            .help("make the call before or after `issue`, not inside its closure"),
    }
}

impl State {
    #[inline(never)]
    pub fn emit(&mut self, event: &Event<'_>, at: Place) {
        for listener in &mut self.listeners {
            listener.on(event, at);
        }
    }

    /// The events of a step of a block.
    #[inline]
    fn emit_turn(&mut self, turn: &TurnStep, at: Place) {
        for listener in &mut self.listeners {
            listener.on_turn(turn, at);
        }
    }

    /// Whether events that take work to describe are worth describing.
    #[inline]
    pub fn is_heard(&self) -> bool {
        self.heard != HeardBy::Nobody
    }

    /// What the listeners that check have found since the last call.
    pub fn report(&mut self) -> Option<crate::report::Report> {
        self.listeners.iter_mut().find_map(|listener| listener.report())
    }

    /// The result of an operation, or what a listener has against it.
    #[inline]
    fn unless_refused<R>(&mut self, result: Result<R>) -> Result<R> {
        if self.heard == HeardBy::Judge { self.judged(result) } else { result }
    }

    fn judged<R>(&mut self, result: Result<R>) -> Result<R> {
        let result = result?;
        let refusal = self.listeners.iter_mut().find_map(|listener| listener.take_refusal());
        refusal.map_or(Ok(result), Err)
    }

    #[inline]
    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.0 as usize]
    }

    #[inline]
    pub fn block_mut(&mut self, id: BlockId) -> &mut Block {
        &mut self.blocks[id.0 as usize]
    }

    #[inline]
    pub fn owner(&self, id: OwnerId) -> &Owner {
        match id.0.checked_sub(1) {
            None => &self.pipe,
            Some(pool) => &self.pools[pool as usize],
        }
    }

    #[inline]
    pub fn owner_mut(&mut self, id: OwnerId) -> &mut Owner {
        match id.0.checked_sub(1) {
            None => &mut self.pipe,
            Some(pool) => &mut self.pools[pool as usize],
        }
    }

    /// The pipe and its pools, by their numbers.
    pub fn owners(&self) -> impl Iterator<Item = (OwnerId, &Owner)> {
        (0..).map(OwnerId).zip(iter::once(&self.pipe).chain(&self.pools))
    }

    #[inline]
    pub fn queue(&self, id: QueueId) -> &Queue {
        &self.queues[id.0 as usize]
    }

    #[inline]
    pub fn queue_mut(&mut self, id: QueueId) -> &mut Queue {
        &mut self.queues[id.0 as usize]
    }

    /// The record that a handle designates, if its owner was not reset since.
    #[inline]
    pub fn resolve(&self, handle: TBufHandle, at: Place) -> Result<BlockId> {
        if handle.core == self.serial {
            let owner = self.owner(handle.owner);
            if owner.epoch == handle.epoch {
                return Ok(owner.block(handle.index));
            }
        }
        Err(self.not_resolved(handle, at))
    }

    #[cold]
    fn not_resolved(&self, handle: TBufHandle, at: Place) -> BufPoolError {
        if handle.core == self.serial {
            self.stale("the handle".to_owned(), handle.owner, handle.epoch, at)
        } else {
            names::other_core(at)
        }
    }

    /// What a handle designates, whether or not it is stale; nothing if it is of another core.
    #[inline]
    pub fn token(&self, handle: TBufHandle) -> Token {
        if handle.core == self.serial {
            Token::new(self.owner(handle.owner).block(handle.index), handle.epoch)
        } else {
            Token::NONE
        }
    }

    #[inline]
    pub fn handle(&self, id: BlockId, owner: OwnerId) -> TBufHandle {
        let of = self.owner(owner);
        TBufHandle { core: self.serial, owner, index: (id.0 - of.base) as u8, epoch: of.epoch }
    }

    fn tagged_block(&self, handle: Option<TBufHandle>, at: Place) -> Result<BlockId> {
        let handle = handle.ok_or_else(|| BufPoolError::NoBlock {
            trail: Trail::asked(at).help("tag a tensor that came from a queue or a TBuf"),
        })?;
        self.resolve(handle, at)
    }
}

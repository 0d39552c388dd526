//! The usual turn of a block: alloc, enque, deque and free on a queue that holds tensors, whose
//! blocks are ordered by flags, on the queue's own way. With them what kernels do as often: a view of
//! all of a TBuf, and an event id taken and given back.
//!
//! Nearly all operations of nearly all kernels are these. They are done here without a search,
//! a choice between kinds of order, or room for an error. Each function looks first and changes
//! something only when nothing is in its way; it returns none where anything is out of the usual,
//! and the general form in `queue`, `buffer` or `flags` does the operation or says what is wrong with
//! it.

#![allow(
    clippy::inline_always,
    reason = "left to itself the compiler makes functions of these, and their results go over memory"
)]

use std::cell::RefMut;

use crate::error::{BufPoolError, Result, Trail};
use crate::event::{EventId, HardEvent};
use crate::model::block::{BlockId, BlockState, BlockSync, QueueId};
use crate::model::events::Signal;
use crate::model::fifo::Entry;
use crate::model::piece::{Piece, Token};
use crate::model::queue::Queue;
use crate::model::stream::{Event, Operation, TurnStep};
use crate::model::{Core, HeardBy, State};
use crate::place::Place;

/// What a queue needs to know for the usual turn of its blocks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turn {
    /// The events of its way there and back.
    pub enque: Signal,
    pub free: Signal,
    /// Most tensors in the queue.
    pub depth: u8,
}

// An operation is tried in three forms, each of which does nothing where it is not the right one:
//
//   usual     on the spot, where nobody listens: saves its result the way past room for an error,
//             which is larger than all that it does
//   heard     by a call, where listeners take all as it comes
//   general   in `queue`, `buffer` and `flags`, for whatever is out of the usual, and where a listener
//             may refuse

/// Operations that give a piece.
macro_rules! taking {
    ($($op:ident: $usual:ident, $heard:ident, $run:ident as $general:expr;)*) => {
        impl Core {$(
            #[inline(always)]
            pub(crate) fn $op(&self, id: QueueId, at: Place) -> Result<Piece> {
                if let Some(mut state) = self.unheard()
                    && let Some(piece) = state.$usual::<false>(id, at)
                {
                    return Ok(piece);
                }
                if let Some(mut state) = self.heard()
                    && let Some(piece) = state.$heard(id, at)
                {
                    return Ok(piece);
                }
                self.$run(id, at)
            }

            #[inline(never)]
            fn $run(&self, id: QueueId, at: Place) -> Result<Piece> {
                let general: fn(&mut State, QueueId, Place) -> Result<Piece> = $general;
                self.run(at, |state| general(state, id, at))
            }
        )*}
        impl State {$(
            #[inline(never)]
            fn $heard(&mut self, id: QueueId, at: Place) -> Option<Piece> {
                self.$usual::<true>(id, at)
            }
        )*}
    };
}

/// Operations that take a tensor: its core and its piece. They end the core's handle, here or in
/// the general form, which saves their return a test.
macro_rules! giving {
    ($($op:ident: $usual:ident, $heard:ident, $run:ident as $general:expr;)*) => {
        impl Core {$(
            #[inline(always)]
            pub(crate) fn $op(&self, id: QueueId, of: Core, piece: &Piece, at: Place) -> Result<()> {
                if self.same(&of) {
                    if let Some(mut state) = self.unheard()
                        && state.$usual::<false>(id, piece.token, at).is_some()
                    {
                        return Ok(());
                    }
                    if let Some(mut state) = self.heard()
                        && state.$heard(id, piece.token, at).is_some()
                    {
                        return Ok(());
                    }
                }
                self.$run(id, of, piece.token, piece.at, at)
            }

            #[inline(never)]
            #[allow(clippy::needless_pass_by_value, reason = "see above")]
            fn $run(&self, id: QueueId, of: Core, token: Token, taken_at: Place, at: Place) -> Result<()> {
                self.check_own(&of, token, taken_at, at)?;
                let general: fn(&mut State, QueueId, Token, Place) -> Result<()> = $general;
                self.run(at, |state| general(state, id, token, at))
            }
        )*}
        impl State {$(
            #[inline(never)]
            fn $heard(&mut self, id: QueueId, token: Token, at: Place) -> Option<()> {
                self.$usual::<true>(id, token, at)
            }
        )*}
    };
}

taking! {
    alloc: usual_alloc, heard_alloc, run_alloc as State::alloc;
    deque: usual_deque, heard_deque, run_deque as |state, id, at| state.deque(id, None, at);
    get_all: usual_get, heard_get, run_get as State::get_all;
}

giving! {
    enque: usual_enque, heard_enque, run_enque as |state, id, token, at| state.enque(id, token, None, at);
    free: usual_free, heard_free, run_free as State::free;
}

impl Core {
    #[inline(always)]
    pub(crate) fn alloc_event_id(&self, event: HardEvent, at: Place) -> Result<EventId> {
        if let Some(mut state) = self.unheard()
            && state.live
            && let Some(id) = state.events.reserve_for_user(event, at)
        {
            return Ok(id);
        }
        self.run(at, |state| state.alloc_event_id(event, at))
    }

    #[inline(always)]
    pub(crate) fn release_event_id(&self, event: HardEvent, id: EventId, at: Place) -> Result<()> {
        if let Some(mut state) = self.unheard()
            && state.live
            && state.events.is_reserved(event, id)
        {
            state.events.release(event, id);
            return Ok(());
        }
        self.run(at, |state| state.release_event_id(event, id, at))
    }

    /// The state, if no instruction is at work on it and nobody listens.
    #[inline(always)]
    pub(super) fn unheard(&self) -> Option<RefMut<'_, State>> {
        self.state_always().filter(|state| state.heard == HeardBy::Nobody)
    }

    /// The same where somebody listens and takes all as it comes.
    #[inline(always)]
    fn heard(&self) -> Option<RefMut<'_, State>> {
        self.state_always().filter(|state| state.heard == HeardBy::Listeners)
    }

    /// The block of a tensor, which must belong to a queue of this core.
    pub(crate) fn own(&self, of: &Core, piece: &Piece, at: Place) -> Result<Token> {
        self.check_own(of, piece.token, piece.at, at).map(|()| piece.token)
    }

    fn check_own(&self, of: &Core, token: Token, taken_at: Place, at: Place) -> Result<()> {
        let trail = || Trail::asked(at).at("tensor from", taken_at);
        if token == Token::NONE {
            Err(BufPoolError::NoBlock {
                trail: trail().help("give a queue only tensors that it allocated"),
            })
        } else if !self.same(of) {
            Err(BufPoolError::OtherPipe { what: "the tensor".to_owned(), trail: trail() })
        } else {
            Ok(())
        }
    }
}

impl State {
    /// `AllocTensor` of the block at the cursor.
    #[inline(always)]
    pub fn usual_alloc<const HEARD: bool>(&mut self, id: QueueId, at: Place) -> Option<Piece> {
        let queue = self.queues.get_mut(id.0 as usize)?;
        let turn = queue.turn?;
        let index = queue.cursor;
        let block = BlockId(queue.first.0 + u32::from(index));
        let record = self.blocks.get_mut(block.0 as usize)?;
        let ready = record.state == BlockState::Free
            && record.sync == BlockSync::Flags
            && record.written == Some(queue.epoch);
        if !ready {
            return None;
        }
        let flag = record.free_id;
        if let Some(flag) = flag {
            self.events.finish(turn.free, flag)?;
        }
        record.free_id = None;
        record.state = BlockState::Occupied;
        record.state_at = Some(at);
        queue.cursor = if index + 1 == queue.num { 0 } else { index + 1 };
        queue.out = queue.out.wrapping_add(1);
        let mut piece = queue.piece(index, record.addr, record.len, at);
        if HEARD {
            record.begin_life();
            let life = record.life;
            piece.home = piece.home.in_life(life);
            let flag = flag.and_then(|flag| turn.free.waited(flag));
            let operation = Operation::Alloc { life };
            self.emit_turn(&TurnStep { queue: id, block, operation, flag }, at);
        }
        Some(piece)
    }

    /// `EnQue` of a block of the queue, into a queue that is not full.
    #[inline(always)]
    pub fn usual_enque<const HEARD: bool>(
        &mut self,
        id: QueueId,
        token: Token,
        at: Place,
    ) -> Option<()> {
        let queue = self.queues.get_mut(id.0 as usize)?;
        let turn = queue.turn?;
        let block = queue.block_of(token)?;
        let record = self.blocks.get_mut(block.0 as usize)?;
        let ready = matches!(record.state, BlockState::Occupied | BlockState::Deque)
            && record.sync == BlockSync::Flags
            && queue.fifo.len() < usize::from(turn.depth);
        if !ready {
            return None;
        }
        let flag = self.events.begin(turn.enque, at)?;
        record.enque_id = Some(flag);
        // A lock id lies over the enqueue id, and is gone with the first of them.
        record.lock = None;
        record.state = BlockState::Enque;
        record.state_at = Some(at);
        queue.fifo.push(block, turn.enque.event, at);
        if HEARD {
            let flag = turn.enque.set(flag);
            self.emit_turn(&TurnStep { queue: id, block, operation: Operation::Enque, flag }, at);
        }
        Some(())
    }

    /// `DeQue` of the head of a queue that is not empty.
    #[inline(always)]
    pub fn usual_deque<const HEARD: bool>(&mut self, id: QueueId, at: Place) -> Option<Piece> {
        let queue = self.queues.get_mut(id.0 as usize)?;
        let turn = queue.turn?;
        let &Entry { block, event, .. } = queue.fifo.head()?;
        let record = self.blocks.get_mut(block.0 as usize)?;
        let ready = record.state == BlockState::Enque
            && record.sync == BlockSync::Flags
            && event == turn.enque.event;
        if !ready {
            return None;
        }
        let flag = record.enque_id?;
        self.events.finish(turn.enque, flag)?;
        record.enque_id = None;
        record.state = BlockState::Deque;
        record.state_at = Some(at);
        queue.fifo.pop();
        let index = (block.0 - queue.first.0) as u8;
        let mut piece = queue.piece(index, record.addr, record.len, at);
        if HEARD {
            piece.home = piece.home.in_life(record.life);
            let flag = turn.enque.waited(flag);
            self.emit_turn(&TurnStep { queue: id, block, operation: Operation::Deque, flag }, at);
        }
        Some(piece)
    }

    /// `FreeTensor` of a block of the queue.
    #[inline(always)]
    pub fn usual_free<const HEARD: bool>(
        &mut self,
        id: QueueId,
        token: Token,
        at: Place,
    ) -> Option<()> {
        let queue = self.queues.get_mut(id.0 as usize)?;
        let turn = queue.turn?;
        let block = queue.block_of(token)?;
        let record = self.blocks.get_mut(block.0 as usize)?;
        let before = record.state;
        let ready = before != BlockState::Free && record.sync == BlockSync::Flags;
        if !ready {
            return None;
        }
        let flag = self.events.begin(turn.free, at)?;
        record.free_id = Some(flag);
        record.state = BlockState::Free;
        record.state_at = Some(at);
        queue.out = queue.out.wrapping_sub(1);
        if HEARD {
            let (operation, flag) = (Operation::Free { before }, turn.free.set(flag));
            self.emit_turn(&TurnStep { queue: id, block, operation, flag }, at);
        }
        Some(())
    }

    /// A view of all of a TBuf.
    #[inline(always)]
    pub fn usual_get<const HEARD: bool>(&mut self, id: QueueId, at: Place) -> Option<Piece> {
        let buffer = self.queues.get(id.0 as usize)?;
        let record = self.blocks.get_mut(buffer.first.0 as usize)?;
        if !buffer.viewed || buffer.len > record.size {
            return None;
        }
        let (block, addr, bytes) = (buffer.first, record.addr, buffer.len);
        record.len = bytes;
        let piece = buffer.piece(0, addr, bytes, at);
        if HEARD {
            self.emit(&Event::Get { queue: id, block }, at);
        }
        Some(piece)
    }
}

impl Queue {
    /// The block of a token, if it is one of this queue and of the same life of their owner.
    #[inline(always)]
    pub fn block_of(&self, token: Token) -> Option<BlockId> {
        let index = self.token.index_of(token, self.num)?;
        Some(BlockId(self.first.0 + u32::from(index)))
    }

    /// What a tensor over block `index` of the queue holds.
    #[inline(always)]
    pub fn piece(&self, index: u8, addr: u32, bytes: u32, at: Place) -> Piece {
        Piece::new(addr, bytes, self.token.after(index), self.home.after(index), at)
    }
}

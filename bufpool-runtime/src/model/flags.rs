//! Flags and event ids: the layer's own use, and the user's calls.

use crate::error::{BufPoolError, Result, Trail};
use crate::event::{EventId, HardEvent, Pipe};
use crate::model::State;
use crate::model::block::{BlockId, BlockSync};
use crate::model::queue::Queue;
use crate::model::stream::{Event, FlagUser, IdUse};
use crate::model::sync::barrier_of;
use crate::place::Place;

impl State {
    /// Reserves the lowest free id, for a block.
    #[inline]
    pub fn take_id(&mut self, event: HardEvent, at: Place) -> Result<EventId> {
        match self.events.reserve(event, at) {
            Some(id) => Ok(id),
            None => Err(self.ids_exhausted(event, 1, at)),
        }
    }

    /// Sets a flag, if this core has both pipes.
    #[inline]
    pub fn set(&mut self, event: HardEvent, id: EventId, by: FlagUser, at: Place) {
        if self.events.sets(event) {
            self.events.set(event, id, at);
        }
        if self.is_heard()
            && let Some(seen) = self.set_seen(event, id, by)
        {
            self.emit(&seen, at);
        }
    }

    /// What the pipes see of a set: of a pipe's flag for itself, a barrier.
    fn set_seen(&self, event: HardEvent, id: EventId, by: FlagUser) -> Option<Event<'static>> {
        if self.events.sets(event) {
            return Some(Event::SetFlag { event, id, by });
        }
        let pipe = barrier_of(event).filter(|&pipe| self.spec.has_pipe(self.kind, pipe))?;
        Some(Event::Barrier { pipe: Some(pipe) })
    }

    /// Waits for a flag and clears it, if this core has both pipes.
    #[inline]
    pub fn wait(&mut self, event: HardEvent, id: EventId, by: FlagUser, at: Place) -> Result<()> {
        if !self.events.waits(event) {
            return Ok(());
        }
        if !self.events.is_set(event, id) {
            return Err(self.wait_never_set(event, id, by, at));
        }
        self.events.clear(event, id);
        if self.is_heard() {
            self.emit(&Event::WaitFlag { event, id }, at);
        }
        Ok(())
    }

    /// Waits for the free ids of records `range` of the store, all or none; `release` gives the
    /// ids back.
    pub fn wait_for_frees(
        &mut self,
        range: std::ops::Range<usize>,
        release: bool,
        at: Place,
    ) -> Result<()> {
        self.check_frees(range.clone(), at)?;
        for block in range {
            let record = &mut self.blocks[block];
            if let (Some(id), Some(event)) = (record.free_id.take(), record.free_event) {
                self.wait(event, id, FlagUser::Layer, at)?;
                if release {
                    self.events.release(event, id);
                }
            }
        }
        Ok(())
    }

    /// Whether every pending free id of the records can be waited for, each flag once.
    fn check_frees(&self, range: std::ops::Range<usize>, at: Place) -> Result<()> {
        let mut waited = [0_u8; HardEvent::COUNT];
        for block in range {
            let record = &self.blocks[block];
            if let (Some(id), Some(event)) = (record.free_id, record.free_event) {
                let twice = waited[event as usize] & (1 << id) != 0;
                if self.events.waits(event) && (twice || !self.events.is_set(event, id)) {
                    return Err(self.block_waits_for_ever(BlockId(block as u32), event, id, at));
                }
                waited[event as usize] |= 1 << id;
            }
        }
        Ok(())
    }

    /// `AllocEventID`.
    pub fn alloc_event_id(&mut self, event: HardEvent, at: Place) -> Result<EventId> {
        self.check_live(at)?;
        let Some(id) = self.events.reserve_for_user(event, at) else {
            return Err(self.ids_exhausted(event, 1, at));
        };
        self.emit(&Event::Id { event, id, how: IdUse::Alloc }, at);
        Ok(id)
    }

    /// `FetchEventID`: the lowest free id, left free.
    pub fn fetch_event_id(&mut self, event: HardEvent, at: Place) -> Result<EventId> {
        self.check_live(at)?;
        let Some(id) = self.events.lowest_free(event) else {
            return Err(self.ids_exhausted(event, 1, at));
        };
        self.emit(&Event::Id { event, id, how: IdUse::Fetch }, at);
        Ok(id)
    }

    /// `ReleaseEventID`.
    pub fn release_event_id(&mut self, event: HardEvent, id: EventId, at: Place) -> Result<()> {
        self.check_live(at)?;
        self.check_id(event, id, at)?;
        if !self.events.is_reserved(event, id) {
            return Err(BufPoolError::EventIdNotReserved {
                event,
                id,
                trail: Trail::asked(at)
                    .maybe_at("last taken at", self.events.reserved_at(event, id))
                    .help("release an id once, after alloc_event_id gave it"),
            });
        }
        let how = match self.holder(event, id) {
            Some((block, since)) => IdUse::Seize(block, since),
            None => IdUse::Release,
        };
        self.events.release(event, id);
        self.emit(&Event::Id { event, id, how }, at);
        Ok(())
    }

    /// The block that has an id, and where it got it. Where the id was reserved last tells a block
    /// that lost it from one that has it.
    fn holder(&self, event: HardEvent, id: EventId) -> Option<(BlockId, Place)> {
        if !self.is_heard() || self.events.is_users(event, id) {
            return None;
        }
        let since = self.events.reserved_at(event, id)?;
        let has = |queue: &Queue, block: BlockId| {
            let record = self.block(block);
            let ways = [
                (record.free_id, queue.free_event == Some(event)),
                (record.enque_id, queue.carries(block, event)),
            ];
            let got_at = match record.sync {
                BlockSync::Flags => record.state_at,
                BlockSync::HeldFlags => Some(queue.init_at),
                BlockSync::Lock | BlockSync::Silent => None,
            };
            got_at == Some(since) && ways.contains(&(Some(id), true))
        };
        let queues = self.queues.iter().filter(|queue| queue.live && queue.shape.depth.is_some());
        let mut blocks = queues.flat_map(|queue| queue.blocks().map(move |block| (queue, block)));
        let found = blocks.find(|&(queue, block)| has(queue, block));
        found.map(|(_, block)| (block, since))
    }

    /// `SetFlag` by the user.
    pub fn set_flag(&mut self, event: HardEvent, id: EventId, at: Place) -> Result<()> {
        self.check_flag(event, id, at)?;
        self.set(event, id, FlagUser::User, at);
        Ok(())
    }

    /// `WaitFlag` by the user.
    pub fn wait_flag(&mut self, event: HardEvent, id: EventId, at: Place) -> Result<()> {
        self.check_flag(event, id, at)?;
        self.wait(event, id, FlagUser::User, at)
    }

    /// `PipeBarrier`; none is `PIPE_ALL`.
    pub fn pipe_barrier(&mut self, pipe: Option<Pipe>, at: Place) -> Result<()> {
        self.check_live(at)?;
        match pipe {
            Some(Pipe::S) => {
                return Err(BufPoolError::NoSuchPipe {
                    chip: self.chip,
                    kind: self.kind,
                    pipe: Pipe::S,
                    why: "takes no barrier: scalar work is in order already",
                    trail: Trail::asked(at).help("remove the barrier, or wait for a flag of S"),
                });
            }
            Some(pipe) => self.check_pipe(pipe, at)?,
            None => {}
        }
        self.emit(&Event::Barrier { pipe }, at);
        Ok(())
    }

    fn check_flag(&self, event: HardEvent, id: EventId, at: Place) -> Result<()> {
        self.check_live(at)?;
        self.check_pipe(event.src(), at)?;
        self.check_pipe(event.dst(), at)?;
        self.check_id(event, id, at)
    }

    fn check_id(&self, event: HardEvent, id: EventId, at: Place) -> Result<()> {
        let limit = self.events.ids();
        if id < limit {
            return Ok(());
        }
        Err(BufPoolError::EventIdOutOfRange {
            chip: self.chip,
            event,
            id,
            limit,
            trail: Trail::asked(at).help("take the id from alloc_event_id"),
        })
    }
}

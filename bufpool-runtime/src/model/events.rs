//! Event ids and flags of the core.
//!
//! Two things that the hardware keeps apart: which ids are *reserved* (a mask per event, the
//! layer's bookkeeping) and which flags are *set* (a bit per event and id, the machine's state).
//! `TPipe::reset` clears the first and not the second.

#![allow(clippy::inline_always, reason = "see `model::turn`")]

use crate::chip::{Chip, CoreKind};
use crate::event::{EventId, HardEvent};
use crate::model::abilities::Abilities;
use crate::place::Place;

/// Most ids that any chip has per event.
const MAX_IDS: u32 = 8;

/// The ids of one event: four masks of eight in one word, so that one look and one write do for
/// an id and its flag.
///
/// ```text
/// bit  0 .. 7  reserved     8 .. 15  flag set     16 .. 23  was ever reserved
///     24 .. 31 reserved by alloc_event_id
/// ```
#[derive(Clone, Copy, Default)]
struct Ids(u32);

impl Ids {
    /// Mask of one id; the others are this one, further up.
    const RESERVED: u32 = 1;
    const SET: u32 = 1 << 8;
    const USED: u32 = 1 << 16;
    const USERS: u32 = 1 << 24;

    /// The ids of a mask.
    fn mask(self, which: u32) -> u8 {
        (self.0 >> which.trailing_zeros()) as u8
    }

    fn clear_all(&mut self, which: u32) {
        let all = (0..MAX_IDS).fold(0, |all, id| all | which << id);
        self.0 &= !all;
    }

    #[inline]
    fn has(self, which: u32, id: EventId) -> bool {
        self.0 & (which << (u32::from(id) % MAX_IDS)) != 0
    }

    #[inline]
    fn put(&mut self, which: u32, id: EventId) {
        self.0 |= which << (u32::from(id) % MAX_IDS);
    }

    #[inline]
    fn clear(&mut self, which: u32, id: EventId) {
        self.0 &= !(which << (u32::from(id) % MAX_IDS));
    }
}

/// Where an id was reserved last, and where its flag was set last.
#[derive(Clone, Copy, Default)]
struct Places {
    reserved: Option<Place>,
    set: Option<Place>,
}

/// An event as the usual turn of a block uses it: which bits of an id it sets and clears.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Signal {
    pub event: HardEvent,
    begun: u32,
    finished: u32,
}

impl Signal {
    /// The flag that `begin` has set, if it has.
    #[inline]
    pub fn set(self, id: EventId) -> Option<(HardEvent, EventId)> {
        (self.begun & Ids::SET != 0).then_some((self.event, id))
    }

    /// The flag that `finish` has waited for, if it has.
    #[inline]
    pub fn waited(self, id: EventId) -> Option<(HardEvent, EventId)> {
        (self.finished & Ids::SET != 0).then_some((self.event, id))
    }
}

pub(crate) struct EventTable {
    core: Abilities,
    /// All ids that the chip has, as a mask, and their number.
    all: u32,
    num: u8,
    ids: [Ids; HardEvent::COUNT],
    /// By event and id. Empty until the first id is used: a new pipe does not pay for it.
    places: Vec<Places>,
}

impl EventTable {
    pub fn new(chip: Chip, kind: CoreKind) -> Self {
        EventTable {
            core: Abilities::new(chip, kind),
            all: (1 << chip.spec().event_ids) - 1,
            num: chip.spec().event_ids,
            ids: [Ids::default(); HardEvent::COUNT],
            places: Vec::new(),
        }
    }

    /// Whether this core sets flags of the event.
    #[inline]
    pub fn sets(&self, event: HardEvent) -> bool {
        self.core.sets(event)
    }

    /// Whether this core waits for flags of the event. A flag that is set here and waited for
    /// elsewhere is not waited for here.
    #[inline]
    pub fn waits(&self, event: HardEvent) -> bool {
        self.core.waits(event)
    }

    /// Number of ids per event.
    pub fn ids(&self) -> u8 {
        self.num
    }

    /// The lowest free id, without reserving it.
    #[inline]
    pub fn lowest_free(&self, event: HardEvent) -> Option<EventId> {
        let free = !self.ids[event as usize].0 & self.all;
        (free != 0).then(|| free.trailing_zeros() as u8)
    }

    pub fn free_count(&self, event: HardEvent) -> u32 {
        (!self.ids[event as usize].0 & self.all).count_ones()
    }

    #[inline]
    pub fn reserve(&mut self, event: HardEvent, at: Place) -> Option<EventId> {
        self.reserve_as(Ids::RESERVED | Ids::USED, event, at)
    }

    /// The same for the user.
    #[inline]
    pub fn reserve_for_user(&mut self, event: HardEvent, at: Place) -> Option<EventId> {
        self.reserve_as(Ids::RESERVED | Ids::USED | Ids::USERS, event, at)
    }

    #[inline]
    fn reserve_as(&mut self, marks: u32, event: HardEvent, at: Place) -> Option<EventId> {
        let id = self.lowest_free(event)?;
        self.ids[event as usize].put(marks, id);
        self.places_mut(event, id).reserved = Some(at);
        Some(id)
    }

    #[inline]
    pub fn release(&mut self, event: HardEvent, id: EventId) {
        self.ids[event as usize].clear(Ids::RESERVED | Ids::USERS, id);
    }

    /// Whether the user reserved the id.
    pub fn is_users(&self, event: HardEvent, id: EventId) -> bool {
        self.ids[event as usize].has(Ids::USERS, id)
    }

    pub fn release_all(&mut self) {
        for ids in &mut self.ids {
            ids.clear_all(Ids::RESERVED | Ids::USERS);
        }
    }

    #[inline]
    pub fn is_reserved(&self, event: HardEvent, id: EventId) -> bool {
        id < self.num && self.ids[event as usize].has(Ids::RESERVED, id)
    }

    pub fn reserved_at(&self, event: HardEvent, id: EventId) -> Option<Place> {
        self.places(event, id).reserved
    }

    #[inline]
    pub fn set(&mut self, event: HardEvent, id: EventId, at: Place) {
        self.ids[event as usize].put(Ids::SET, id);
        self.places_mut(event, id).set = Some(at);
    }

    #[inline]
    pub fn is_set(&self, event: HardEvent, id: EventId) -> bool {
        self.ids[event as usize].has(Ids::SET, id)
    }

    #[inline]
    pub fn clear(&mut self, event: HardEvent, id: EventId) {
        self.ids[event as usize].clear(Ids::SET, id);
    }

    /// What `begin` and `finish` need to know of an event.
    pub fn signal(&self, event: HardEvent) -> Signal {
        let flag = |issued| if issued { Ids::SET } else { 0 };
        Signal {
            event,
            begun: Ids::RESERVED | Ids::USED | flag(self.sets(event)),
            finished: Ids::RESERVED | flag(self.waits(event)),
        }
    }

    /// Reserves an id and sets its flag, if this core sets it; none if no id is left. What
    /// `reserve` and `set` do one after the other.
    #[inline(always)]
    pub fn begin(&mut self, signal: Signal, at: Place) -> Option<EventId> {
        let ids = &mut self.ids[signal.event as usize];
        let free = !ids.0 & self.all;
        let lowest = free & free.wrapping_neg();
        if lowest == 0 {
            return None;
        }
        ids.0 |= lowest * signal.begun;
        let id = lowest.trailing_zeros() as u8;
        match self.places.get_mut(place_index(signal.event, id)) {
            Some(places) => *places = Places { reserved: Some(at), set: Some(at) },
            None => self.note_first(signal.event, id, at),
        }
        Some(id)
    }

    /// Waits for a flag, if this core waits for it, and releases its id; none, and nothing done,
    /// if the flag is not set.
    #[inline(always)]
    pub fn finish(&mut self, signal: Signal, id: EventId) -> Option<()> {
        let ids = &mut self.ids[signal.event as usize];
        let held = signal.finished << (u32::from(id) % MAX_IDS);
        if ids.0 & held != held {
            return None;
        }
        ids.0 ^= held;
        Some(())
    }

    /// Where the flag was set last, whether or not it was waited for since.
    pub fn last_set_at(&self, event: HardEvent, id: EventId) -> Option<Place> {
        self.places(event, id).set
    }

    fn places_mut(&mut self, event: HardEvent, id: EventId) -> &mut Places {
        if self.places.is_empty() {
            self.places = vec![Places::default(); HardEvent::COUNT * MAX_IDS as usize];
        }
        &mut self.places[place_index(event, id)]
    }

    #[cold]
    fn note_first(&mut self, event: HardEvent, id: EventId, at: Place) {
        *self.places_mut(event, id) = Places { reserved: Some(at), set: Some(at) };
    }

    fn places(&self, event: HardEvent, id: EventId) -> Places {
        self.places.get(place_index(event, id)).copied().unwrap_or_default()
    }

    /// Reserved ids as a mask, events without any left out.
    pub fn masks(&self) -> impl Iterator<Item = (HardEvent, u8)> + '_ {
        HardEvent::ALL
            .iter()
            .map(|&event| (event, self.ids[event as usize].mask(Ids::RESERVED)))
            .filter(|&(_, mask)| mask != 0)
    }

    /// Most ids reserved at one time, events without any left out. The highest one that was ever
    /// reserved tells: it was the lowest free id then, so all below it were reserved too.
    pub fn peaks(&self) -> impl Iterator<Item = (HardEvent, u8)> + '_ {
        HardEvent::ALL
            .iter()
            .map(|&event| {
                let used = self.ids[event as usize].mask(Ids::USED);
                (event, (u8::BITS - used.leading_zeros()) as u8)
            })
            .filter(|&(_, peak)| peak != 0)
    }
}

#[inline]
fn place_index(event: HardEvent, id: EventId) -> usize {
    event as usize * MAX_IDS as usize + (u32::from(id) % MAX_IDS) as usize
}

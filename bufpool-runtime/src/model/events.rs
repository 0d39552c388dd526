//! Event ids and flags of the core.
//!
//! Two things that the hardware keeps apart: which ids are *reserved* (a mask per event, the
//! layer's bookkeeping) and which flags are *set* (a bit per event and id, the machine's state).
//! `TPipe::reset` clears the first and not the second.

use crate::event::{EventId, HardEvent};
use crate::place::Place;

/// Most ids that any chip has per event.
const MAX_IDS: usize = 8;

pub(crate) struct EventTable {
    ids: u8,
    reserved: [u8; HardEvent::COUNT],
    set: [u8; HardEvent::COUNT],
    reserved_at: [[Option<Place>; MAX_IDS]; HardEvent::COUNT],
    set_at: [[Option<Place>; MAX_IDS]; HardEvent::COUNT],
    /// Most ids reserved at one time, per event.
    peak: [u8; HardEvent::COUNT],
}

impl EventTable {
    pub fn new(ids: u8) -> Self {
        EventTable {
            ids,
            reserved: [0; HardEvent::COUNT],
            set: [0; HardEvent::COUNT],
            reserved_at: [[None; MAX_IDS]; HardEvent::COUNT],
            set_at: [[None; MAX_IDS]; HardEvent::COUNT],
            peak: [0; HardEvent::COUNT],
        }
    }

    pub fn ids(&self) -> u8 {
        self.ids
    }

    /// The lowest free id, without reserving it.
    #[inline]
    pub fn lowest_free(&self, event: HardEvent) -> Option<EventId> {
        let id = (!self.reserved[event as usize]).trailing_zeros() as u8;
        (id < self.ids).then_some(id)
    }

    pub fn free_count(&self, event: HardEvent) -> u32 {
        u32::from(self.ids) - self.reserved[event as usize].count_ones()
    }

    #[inline]
    pub fn reserve(&mut self, event: HardEvent, at: Place) -> Option<EventId> {
        let id = self.lowest_free(event)?;
        let e = event as usize;
        self.reserved[e] |= 1 << id;
        self.reserved_at[e][id as usize] = Some(at);
        self.peak[e] = self.peak[e].max(self.reserved[e].count_ones() as u8);
        Some(id)
    }

    #[inline]
    pub fn release(&mut self, event: HardEvent, id: EventId) {
        self.reserved[event as usize] &= !(1 << id);
    }

    pub fn release_all(&mut self) {
        self.reserved = [0; HardEvent::COUNT];
    }

    pub fn is_reserved(&self, event: HardEvent, id: EventId) -> bool {
        self.reserved[event as usize] & (1 << id) != 0
    }

    pub fn reserved_at(&self, event: HardEvent, id: EventId) -> Option<Place> {
        self.reserved_at[event as usize][id as usize]
    }

    #[inline]
    pub fn set(&mut self, event: HardEvent, id: EventId, at: Place) {
        let e = event as usize;
        self.set[e] |= 1 << id;
        self.set_at[e][id as usize] = Some(at);
    }

    #[inline]
    pub fn is_set(&self, event: HardEvent, id: EventId) -> bool {
        self.set[event as usize] & (1 << id) != 0
    }

    #[inline]
    pub fn clear(&mut self, event: HardEvent, id: EventId) {
        self.set[event as usize] &= !(1 << id);
    }

    /// Where the flag was set last, whether or not it was waited for since.
    pub fn last_set_at(&self, event: HardEvent, id: EventId) -> Option<Place> {
        self.set_at[event as usize][id as usize]
    }

    /// Reserved ids as a mask, events without any left out.
    pub fn masks(&self) -> impl Iterator<Item = (HardEvent, u8)> + '_ {
        HardEvent::ALL
            .iter()
            .map(|&event| (event, self.reserved[event as usize]))
            .filter(|&(_, mask)| mask != 0)
    }

    pub fn peaks(&self) -> impl Iterator<Item = (HardEvent, u8)> + '_ {
        HardEvent::ALL
            .iter()
            .map(|&event| (event, self.peak[event as usize]))
            .filter(|&(_, peak)| peak != 0)
    }
}

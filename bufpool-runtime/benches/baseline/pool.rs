//! A pool by hand: a range with a cursor, records in an array, the free ids waited for in `reset`.

use super::queue::Events;

/// Records that the pool declares.
const RECORDS: usize = 16;
/// No id is held.
const NONE: u8 = u8::MAX;
/// The event of the way back of a VECIN queue.
const FREE_EVENT: usize = 5;

#[derive(Clone, Copy)]
struct Record {
    addr: u32,
    len: u32,
    free: bool,
    free_id: u8,
}

/// The pool.
pub struct Pool {
    start: u32,
    cursor: u32,
    len: u32,
    used: usize,
    records: [Record; RECORDS],
}

/// What a queue knows of its records.
pub struct Bound {
    pub first: usize,
    pub num: usize,
    pub len: u32,
}

impl Pool {
    pub fn new() -> Self {
        let record = Record { addr: 0, len: 0, free: true, free_id: NONE };
        Pool { start: 0, cursor: 0, len: 0, used: 0, records: [record; RECORDS] }
    }

    pub fn init(&mut self, start: u32, len: u32) {
        (self.start, self.cursor, self.len) = (start, start, len);
    }

    pub fn carve(&mut self, num: usize, len: u32) -> Bound {
        let len = len.next_multiple_of(32);
        let first = self.used;
        for record in &mut self.records[first..first + num] {
            *record = Record { addr: self.cursor, len, free: true, free_id: NONE };
            self.cursor += len;
        }
        self.used += num;
        Bound { first, num, len }
    }

    pub fn reset(&mut self, events: &mut Events) {
        for record in &mut self.records[..self.used] {
            if record.free_id != NONE {
                events.wait(FREE_EVENT, record.free_id);
                record.free_id = NONE;
            }
        }
        (self.start, self.cursor, self.len, self.used) = (0, 0, 0, 0);
    }
}

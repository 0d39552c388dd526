//! Global memory: the history of each buffer, and which bytes this core wrote.

use super::clocks::Time;
use super::shadow::Shadow;
use crate::place::Place;

/// Buffers whose history is kept; the one untouched for longest makes room.
const MOST_BUFFERS: usize = 1024;
/// Written ranges after which they are put in order and joined.
const JOIN_AFTER: usize = 256;

/// Bytes of a buffer that a core wrote.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Written {
    pub start: u64,
    pub end: u64,
    /// Bytes of one element: one number for all ranges of a buffer.
    pub element: u32,
    pub name: &'static str,
    pub place: Place,
    pub atomic: bool,
}

impl Written {
    fn continues(&self, next: &Written) -> bool {
        self.start <= next.start
            && next.start <= self.end
            && self.atomic == next.atomic
            && self.place == next.place
    }
}

/// Written ranges of one buffer.
#[derive(Clone, Debug, Default)]
pub(crate) struct WrittenRanges {
    ranges: Vec<Written>,
    join_at: usize,
}

impl WrittenRanges {
    fn add(&mut self, written: Written) {
        match self.ranges.last_mut() {
            Some(last) if last.continues(&written) => last.end = last.end.max(written.end),
            _ => self.ranges.push(written),
        }
        if self.ranges.len() > self.join_at.max(JOIN_AFTER) {
            self.join();
            self.join_at = 2 * self.ranges.len();
        }
    }

    fn join(&mut self) {
        self.ranges.sort_by_key(|w| (w.place, w.atomic, w.start));
        self.ranges.dedup_by(|next, last| {
            let goes_on = last.continues(next);
            if goes_on {
                last.end = last.end.max(next.end);
            }
            goes_on
        });
    }

    /// The ranges by their start.
    pub fn sorted(mut self) -> Vec<Written> {
        self.join();
        self.ranges.sort_by_key(|written| written.start);
        self.ranges
    }
}

/// One buffer.
struct Buffer {
    touched: Time,
    history: Shadow,
    written: WrittenRanges,
}

/// All buffers that the core touched.
pub(super) struct Global {
    /// By themselves, since every access looks for one.
    ids: Vec<u64>,
    buffers: Vec<Buffer>,
    /// Whether written bytes are remembered, for comparison with other cores.
    keep_written: bool,
}

impl Global {
    pub fn new(keep_written: bool) -> Self {
        Global { ids: Vec::new(), buffers: Vec::new(), keep_written }
    }

    /// The history of a buffer.
    pub fn history(&mut self, id: u64, now: Time) -> &mut Shadow {
        let index = self.index(id, now);
        &mut self.buffers[index].history
    }

    /// The histories of all buffers.
    pub fn histories(&mut self) -> impl Iterator<Item = &mut Shadow> {
        self.buffers.iter_mut().map(|buffer| &mut buffer.history)
    }

    pub fn wrote(&mut self, id: u64, now: Time, written: Written) {
        if self.keep_written {
            let index = self.index(id, now);
            self.buffers[index].written.add(written);
        }
    }

    /// What was written, buffer by buffer.
    pub fn take_written(&mut self) -> Vec<(u64, WrittenRanges)> {
        let written = self.buffers.iter_mut().map(|buffer| std::mem::take(&mut buffer.written));
        self.ids.iter().copied().zip(written).collect()
    }

    fn index(&mut self, id: u64, now: Time) -> usize {
        let known = self.ids.iter().position(|&known| known == id);
        let index = known.unwrap_or_else(|| {
            if self.buffers.len() >= MOST_BUFFERS && !self.keep_written {
                self.forget_oldest();
            }
            self.ids.push(id);
            self.buffers.push(Buffer {
                touched: now,
                history: Shadow::default(),
                written: WrittenRanges::default(),
            });
            self.buffers.len() - 1
        });
        self.buffers[index].touched = now;
        index
    }

    fn forget_oldest(&mut self) {
        if let Some(oldest) = (0..self.buffers.len()).min_by_key(|&i| self.buffers[i].touched) {
            self.ids.swap_remove(oldest);
            self.buffers.swap_remove(oldest);
        }
    }
}

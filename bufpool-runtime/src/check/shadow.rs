//! Who touched which bytes of a memory: for each run of bytes the last write and the reads since.
//!
//! ```text
//! [0, 8192)       written by MTE2 at 31, read by V at 40
//! [8192, 16384)   written by V at 40
//! ```

use super::clocks::{Clock, Clocks, Time};
use super::order::{Hazard, Order};
use super::runs::{Bytes, Runs};
use crate::event::Pipe;
use crate::model::block::BlockId;
use crate::place::Place;

/// One instruction's access to one range.
#[derive(Clone, Copy, Debug)]
pub(super) struct Access {
    pub time: Time,
    pub pipe: Pipe,
    /// The instruction.
    pub name: &'static str,
    pub place: Place,
    /// Where its tensor was taken.
    pub tensor_at: Place,
    pub block: Option<BlockId>,
    /// Bytes of the whole access.
    pub bytes: u32,
    pub atomic: bool,
}

/// What an access met.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meeting {
    pub what: Met,
    pub bytes: Bytes,
}

/// See [`Meeting`].
#[derive(Clone, Copy, Debug)]
pub(super) enum Met {
    /// An earlier access that is not ordered before this one.
    Unordered(Hazard, Access),
    /// Bytes that nobody wrote since the block was handed out.
    Unwritten,
    /// A write since then that nobody read.
    Unread(Access),
}

impl Met {
    fn same(&self, other: &Met) -> bool {
        match (self, other) {
            (Met::Unwritten, Met::Unwritten) => true,
            (Met::Unread(a), Met::Unread(b)) => a.time == b.time,
            (Met::Unordered(h, a), Met::Unordered(i, b)) => {
                h == i && a.pipe == b.pipe && (a.time == b.time || a.place == b.place)
            }
            _ => false,
        }
    }
}

/// The reads of a run since its last write.
#[derive(Clone, Debug, Default)]
enum Reads {
    #[default]
    None,
    /// None yet, and one is due: what nobody reads need not be written.
    Due,
    One(Access),
    /// Several that are not ordered to each other, by pipe.
    Many(Box<[Option<Access>; Pipe::COUNT]>),
}

impl Reads {
    /// Not an iterator: over nothing, one and many it cost more than the rest of a write.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "as a call it costs more than all that it does")]
    fn each(&self, mut with: impl FnMut(&Access)) {
        match self {
            Reads::None | Reads::Due => {}
            Reads::One(access) => with(access),
            Reads::Many(all) => all.iter().flatten().for_each(with),
        }
    }

    /// Keeps a read; `known` is what its pipe knows. A read that is ordered before it, or of the
    /// same pipe, need not be kept: who waits for this one has waited for that one too. Only a write
    /// of the same instruction does not wait for it.
    #[inline]
    fn add(&mut self, access: &Access, known: &Clock) {
        match self {
            Reads::None | Reads::Due => *self = Reads::One(*access),
            Reads::One(old) if old.pipe == access.pipe || known.knows(old.pipe, old.time) => {
                *old = *access;
            }
            Reads::One(old) => {
                let mut all = Box::new([None; Pipe::COUNT]);
                all[old.pipe as usize] = Some(*old);
                all[access.pipe as usize] = Some(*access);
                *self = Reads::Many(all);
            }
            Reads::Many(all) => all[access.pipe as usize] = Some(*access),
        }
    }
}

/// What was done to the bytes of a run.
#[derive(Clone, Debug, Default)]
struct History {
    write: Option<Access>,
    reads: Reads,
}

/// The history of one memory, or of one buffer of global memory.
#[derive(Default)]
pub(super) struct Shadow {
    runs: Runs<History>,
}

/// The turning points of a block: see [`turning_points`](super::table::BlockInfo::turning_points).
pub(super) type Marks<'m> = &'m dyn Fn(Option<BlockId>) -> [Time; 3];

impl Shadow {
    /// A read. `handed`: the time since which bytes must have been written; none if that is not
    /// asked for. `rewritten`: bytes that the same instruction writes too, if its pipe may have an
    /// earlier read of them still to do. The read at hand will stand in for that one.
    pub fn read(
        &mut self,
        bytes: Bytes,
        access: &Access,
        handed: Option<Time>,
        rewritten: Option<Bytes>,
        order: &Order,
        found: &mut Vec<Meeting>,
    ) {
        let known = order.clocks.of(access.pipe);
        self.runs.visit(bytes, |at, run| {
            let written = run.write.as_ref();
            // Old bytes that nobody wrote anew are the cause, whatever orders the old write.
            if handed.is_some_and(|handed| written.is_none_or(|write| write.time <= handed)) {
                meet(found, Met::Unwritten, at);
            } else if let Some(write) = written
                && !order.is_ordered(write, access, Hazard::ReadAfterWrite)
            {
                meet(found, Met::Unordered(Hazard::ReadAfterWrite, *write), at);
            }
            if let Some(rewritten) = rewritten {
                meet_rewritten(run, at, rewritten, access, order, found);
            }
            if access.pipe != Pipe::S {
                run.reads.add(access, known);
            } else if let Reads::Due = run.reads {
                // S is done with a read before anything later starts: not kept.
                run.reads = Reads::None;
            }
        });
    }

    /// A write. `handed`: as for a read; an unread write before it is nobody's loss.
    pub fn write(
        &mut self,
        bytes: Bytes,
        access: &Access,
        handed: Option<Time>,
        order: &Order,
        found: &mut Vec<Meeting>,
    ) {
        let visited = self.runs.visit(bytes, |at, run| {
            // Who waits for the reads of a write waits for the write: it is not asked for then.
            let raced = meet_reads(run, at, access, order, found);
            if let Some(write) = &run.write {
                if !raced && !order.is_ordered(write, access, Hazard::WriteAfterWrite) {
                    meet(found, Met::Unordered(Hazard::WriteAfterWrite, *write), at);
                }
                if matches!(run.reads, Reads::Due)
                    && handed.is_some_and(|handed| write.time > handed)
                {
                    meet(found, Met::Unread(*write), at);
                }
            }
            run.write = Some(*access);
            run.reads = if handed.is_some() { Reads::Due } else { Reads::None };
        });
        if visited > 1 {
            self.runs.merge(bytes);
        }
    }

    /// How many bytes of a write nobody has read or overwritten; `around` has to hold all of it.
    pub fn unread(&mut self, write: &Access, around: Bytes) -> u64 {
        let of_write = |history: &History| {
            matches!(history.reads, Reads::Due)
                && history.write.is_some_and(|last| last.time == write.time)
        };
        self.runs
            .meeting(around)
            .filter(|(_, history)| of_write(history))
            .map(|(bytes, _)| bytes.len())
            .sum()
    }

    /// Whether there is something to [`tidy`](Self::tidy).
    #[inline]
    pub fn is_crowded(&self) -> bool {
        self.runs.is_crowded()
    }

    /// Joins neighbours that can no longer be told apart, where there are many. Not before an
    /// instruction is over: its accesses to one range do not tell its others apart from older ones.
    #[cold]
    pub fn tidy(&mut self, clocks: &Clocks, marks: Marks<'_>) {
        if self.is_crowded() {
            let alike = Alike::new(clocks, marks);
            self.runs.join_crowds(|a, b| alike.histories(a, b));
        }
    }

    #[cfg(test)]
    pub fn join_all(&mut self, clocks: &Clocks, marks: Marks<'_>) {
        let alike = Alike::new(clocks, marks);
        self.runs.join_all(|a, b| alike.histories(a, b));
    }

    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.runs.len()
    }
}

/// Reads of a run that a write is not ordered after. Returns whether there are any.
#[inline]
fn meet_reads(
    run: &History,
    at: Bytes,
    access: &Access,
    order: &Order,
    found: &mut Vec<Meeting>,
) -> bool {
    let mut raced = false;
    run.reads.each(|read| {
        if !order.is_ordered(read, access, Hazard::WriteAfterRead) {
            meet(found, Met::Unordered(Hazard::WriteAfterRead, *read), at);
            raced = true;
        }
    });
    raced
}

/// The same for a read in place, which is about to stand in for an earlier one.
#[cold]
fn meet_rewritten(
    run: &History,
    at: Bytes,
    rewritten: Bytes,
    access: &Access,
    order: &Order,
    found: &mut Vec<Meeting>,
) {
    if rewritten.meets(at) {
        meet_reads(run, at.common(rewritten), access, order, found);
    }
}

/// Most things that an access can meet in one run: unwritten or unread bytes, and per pipe an
/// access that is not ordered.
const MOST_IN_RUN: usize = 2 + Pipe::COUNT;

/// Adds to what was met, as one range where it goes on.
fn meet(found: &mut Vec<Meeting>, what: Met, bytes: Bytes) {
    let goes_on = |last: &&mut Meeting| last.bytes.end == bytes.start && last.what.same(&what);
    if let Some(last) = found.iter_mut().rev().take(2 * MOST_IN_RUN).find(goes_on) {
        last.bytes.end = bytes.end;
    } else {
        found.push(Meeting { what, bytes });
    }
}

/// Which accesses are alike for all that is still to come.
struct Alike<'m> {
    horizons: [Vec<Time>; Pipe::COUNT],
    marks: Marks<'m>,
}

impl<'m> Alike<'m> {
    fn new(clocks: &Clocks, marks: Marks<'m>) -> Self {
        Alike { horizons: Pipe::ALL.map(|pipe| clocks.horizons(pipe)), marks }
    }

    fn histories(&self, a: &History, b: &History) -> bool {
        self.maybe(a.write.as_ref(), b.write.as_ref())
            && match (&a.reads, &b.reads) {
                (Reads::None, Reads::None) => true,
                (Reads::One(a), Reads::One(b)) => self.accesses(a, b),
                (Reads::Many(a), Reads::Many(b)) => {
                    a.iter().zip(b.iter()).all(|(a, b)| self.maybe(a.as_ref(), b.as_ref()))
                }
                // Where reads are due, whether the write is overwritten as a whole is still open.
                _ => false,
            }
    }

    fn maybe(&self, a: Option<&Access>, b: Option<&Access>) -> bool {
        match (a, b) {
            (None, None) => true,
            (Some(a), Some(b)) => self.accesses(a, b),
            _ => false,
        }
    }

    fn accesses(&self, a: &Access, b: &Access) -> bool {
        a.pipe == b.pipe
            && a.block == b.block
            && a.atomic == b.atomic
            && is_same(a.place, b.place)
            && is_same(a.tensor_at, b.tensor_at)
            && (a.time == b.time || {
                let horizons = &self.horizons[a.pipe as usize];
                let side = |time| horizons.partition_point(|&horizon| horizon < time);
                let marks = (self.marks)(a.block);
                side(a.time) == side(b.time)
                    && marks.iter().all(|&mark| (a.time <= mark) == (b.time <= mark))
            })
    }
}

/// Whether two places are the same, in a few instructions. May say no of places that are, where
/// the compiler made the name of a file twice.
fn is_same(a: Place, b: Place) -> bool {
    std::ptr::eq(a.file(), b.file()) && (a.line(), a.column()) == (b.line(), b.column())
}

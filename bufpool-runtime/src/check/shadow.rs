//! Who touched which bytes of a memory: for each run of bytes the last write and the reads since.
//!
//! ```text
//! [0, 8192)       written by MTE2 at 31, read by V at 40
//! [8192, 16384)   written by V at 40
//! ```
//!
//! Runs have exact byte borders and are as long as the accesses that made them: a tile that is
//! copied, computed on and copied out as a whole is one run, however long. An access to part of
//! a run cuts it; a write over many runs leaves one. Runs that can no longer be told apart are
//! joined, so that memory stays bounded however many tiles go by.

use std::collections::BTreeMap;

use super::clocks::{Clock, Clocks, Time};
use super::order::{Hazard, Order};
use crate::event::Pipe;
use crate::model::block::BlockId;
use crate::place::Place;

/// Runs after which the joining of runs is tried.
const JOIN_AFTER: usize = 256;
/// Runs that one access may visit before their joining is tried.
const JOIN_VISITED: usize = 16;

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

/// Bytes of a memory, from `start` to before `end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bytes {
    pub start: u64,
    pub end: u64,
}

impl Bytes {
    #[inline]
    pub fn new(start: u64, end: u64) -> Self {
        Bytes { start, end }
    }

    #[inline]
    pub fn meets(self, other: Bytes) -> bool {
        self.start < other.end && other.start < self.end
    }

    pub fn contains(self, other: Bytes) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// The bytes that are in both; they must meet.
    pub fn common(self, other: Bytes) -> Bytes {
        Bytes::new(self.start.max(other.start), self.end.min(other.end))
    }

    pub fn len(self) -> u64 {
        self.end - self.start
    }
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
    One(Access),
    /// Several that are not ordered to each other, by pipe.
    Many(Box<[Option<Access>; Pipe::COUNT]>),
}

impl Reads {
    /// Not an iterator: over three kinds of nothing, one and many it cost more than the rest of a write.
    #[inline]
    fn each(&self, mut with: impl FnMut(&Access)) {
        match self {
            Reads::None => {}
            Reads::One(access) => with(access),
            Reads::Many(all) => all.iter().flatten().for_each(with),
        }
    }

    /// Keeps a read; `known` is what its pipe knows. A read that is ordered before it, or of the
    /// same pipe, need not be kept: who waits for this one has waited for that one too.
    #[inline]
    fn add(&mut self, access: &Access, known: &Clock) {
        match self {
            Reads::None => *self = Reads::One(*access),
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

/// A run of bytes with one history.
#[derive(Clone, Debug)]
struct Run {
    end: u64,
    write: Option<Access>,
    reads: Reads,
    /// Written and not read since.
    unread: bool,
}

impl Run {
    fn new(end: u64) -> Self {
        Run { end, write: None, reads: Reads::None, unread: false }
    }
}

/// The history of one memory, or of one buffer of global memory.
#[derive(Default)]
pub(super) struct Shadow {
    runs: BTreeMap<u64, Run>,
    /// Runs behind all others, in order: where a kernel goes through a buffer from its start to
    /// its end, a push is all that an access costs.
    tail: Vec<(u64, Run)>,
    /// End of the last run.
    end: u64,
    /// Number of runs at which joining is tried again.
    join_at: usize,
    /// Bytes of the last access, if they were many runs.
    crowd: Option<Bytes>,
}

/// When a block's bytes were handed out and last passed through its queue: accesses on two sides
/// of such a time are not alike.
pub(super) type Marks<'m> = &'m dyn Fn(Option<BlockId>) -> [Time; 3];

impl Shadow {
    /// A read. `handed`: the time since which bytes must have been written; none if that is not
    /// asked for.
    pub fn read(
        &mut self,
        bytes: Bytes,
        access: &Access,
        handed: Option<Time>,
        order: &Order,
        found: &mut Vec<Meeting>,
    ) {
        let known = order.clocks.of(access.pipe);
        self.visit(bytes, |at, run| {
            match &run.write {
                Some(write) => {
                    if !order.is_ordered(write, access, Hazard::ReadAfterWrite) {
                        meet(found, Met::Unordered(Hazard::ReadAfterWrite, *write), at);
                    }
                    if handed.is_some_and(|handed| write.time <= handed) {
                        meet(found, Met::Unwritten, at);
                    }
                }
                None if handed.is_some() => meet(found, Met::Unwritten, at),
                None => {}
            }
            run.unread = false;
            // S is done with a read before anything later starts.
            if access.pipe != Pipe::S {
                run.reads.add(access, known);
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
        let visited = self.visit(bytes, |at, run| {
            if let Some(write) = &run.write {
                if !order.is_ordered(write, access, Hazard::WriteAfterWrite) {
                    meet(found, Met::Unordered(Hazard::WriteAfterWrite, *write), at);
                }
                if run.unread && handed.is_some_and(|handed| write.time > handed) {
                    meet(found, Met::Unread(*write), at);
                }
            }
            run.reads.each(|read| {
                if !order.is_ordered(read, access, Hazard::WriteAfterRead) {
                    meet(found, Met::Unordered(Hazard::WriteAfterRead, *read), at);
                }
            });
            run.write = Some(*access);
            run.reads = Reads::None;
            run.unread = handed.is_some();
        });
        if visited > 1 {
            self.merge_written(bytes);
        }
    }

    /// Calls `with` for the runs of a range, cut to it; makes runs for bytes never touched.
    /// Returns their number.
    #[inline]
    fn visit(&mut self, bytes: Bytes, mut with: impl FnMut(Bytes, &mut Run)) -> usize {
        if bytes.start >= self.end {
            let mut run = Run::new(bytes.end);
            with(bytes, &mut run);
            self.tail.push((bytes.start, run));
            self.end = bytes.end;
            return 1;
        }
        if let Some((start, run)) = self.tail.last_mut() {
            if *start == bytes.start && run.end == bytes.end {
                with(bytes, run);
                return 1;
            }
            self.runs.extend(self.tail.drain(..));
        }
        // The usual case on a core: a tensor is read and written as a whole.
        if let Some(run) = self.runs.get_mut(&bytes.start)
            && run.end == bytes.end
        {
            with(bytes, run);
            return 1;
        }
        self.visit_cut(bytes, with)
    }

    fn visit_cut(&mut self, bytes: Bytes, mut with: impl FnMut(Bytes, &mut Run)) -> usize {
        self.cut(bytes.start);
        self.cut(bytes.end);
        let mut visited = 0;
        let mut at = bytes.start;
        let mut gaps = Vec::new();
        for (&start, run) in self.runs.range_mut(bytes.start..bytes.end) {
            if at < start {
                gaps.push(Bytes::new(at, start));
            }
            with(Bytes::new(start, run.end), run);
            at = run.end;
            visited += 1;
        }
        if at < bytes.end {
            gaps.push(Bytes::new(at, bytes.end));
            self.end = self.end.max(bytes.end);
        }
        for gap in gaps {
            let mut run = Run::new(gap.end);
            with(gap, &mut run);
            self.runs.insert(gap.start, run);
            visited += 1;
        }
        if visited > JOIN_VISITED {
            self.crowd = Some(bytes);
        }
        visited
    }

    /// Makes `at` a border between runs.
    fn cut(&mut self, at: u64) {
        if let Some((&start, run)) = self.runs.range_mut(..at).next_back()
            && start < at
            && at < run.end
        {
            let rest = run.clone();
            run.end = at;
            self.runs.insert(at, rest);
        }
    }

    /// One run for bytes that one access has just written.
    fn merge_written(&mut self, bytes: Bytes) {
        let inner: Vec<u64> =
            self.runs.range(bytes.start + 1..bytes.end).map(|(&start, _)| start).collect();
        for start in inner {
            self.runs.remove(&start);
        }
        if let Some(run) = self.runs.get_mut(&bytes.start) {
            run.end = bytes.end;
        }
    }

    /// Whether there are many runs, or the last access had to visit many.
    #[inline]
    pub fn is_crowded(&self) -> bool {
        self.crowd.is_some() || self.has_many_runs()
    }

    #[inline]
    fn has_many_runs(&self) -> bool {
        self.runs.len() + self.tail.len() > self.join_at.max(JOIN_AFTER)
    }

    /// Joins neighbours that can no longer be told apart.
    #[cold]
    pub fn tidy(&mut self, clocks: &Clocks, marks: Marks<'_>) {
        if let Some(crowd) = self.crowd.take() {
            self.join(crowd, clocks, marks);
        }
        if self.has_many_runs() {
            self.join_all(clocks, marks);
            self.join_at = 2 * self.runs.len();
        }
    }

    pub(super) fn join_all(&mut self, clocks: &Clocks, marks: Marks<'_>) {
        let alike = Alike::new(clocks, marks);
        let mut joined: Vec<(u64, Run)> = Vec::with_capacity(self.runs.len() + self.tail.len());
        for (start, run) in std::mem::take(&mut self.runs).into_iter().chain(self.tail.drain(..)) {
            match joined.last_mut() {
                Some((_, last)) if last.end == start && alike.runs(last, &run) => {
                    last.end = run.end;
                }
                _ => joined.push((start, run)),
            }
        }
        self.runs = joined.into_iter().collect();
    }

    /// The same for a part of a memory.
    fn join(&mut self, within: Bytes, clocks: &Clocks, marks: Marks<'_>) {
        let alike = Alike::new(clocks, marks);
        let starts: Vec<u64> =
            self.runs.range(within.start..within.end).map(|(&start, _)| start).collect();
        let Some((&first, rest)) = starts.split_first() else { return };
        let mut last = first;
        for &start in rest {
            let (left, right) = (&self.runs[&last], &self.runs[&start]);
            if left.end == start && alike.runs(left, right) {
                let end = right.end;
                self.runs.remove(&start);
                if let Some(left) = self.runs.get_mut(&last) {
                    left.end = end;
                }
            } else {
                last = start;
            }
        }
    }

    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.runs.len() + self.tail.len()
    }
}

/// Adds to what was met, as one range where it goes on.
fn meet(found: &mut Vec<Meeting>, what: Met, bytes: Bytes) {
    if let Some(last) =
        found.iter_mut().rev().find(|last| last.bytes.end == bytes.start && last.what.same(&what))
    {
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

    fn runs(&self, a: &Run, b: &Run) -> bool {
        // Unread writes stay apart: whether one is overwritten as a whole is still open.
        if a.unread || b.unread {
            return false;
        }
        self.maybe(a.write.as_ref(), b.write.as_ref())
            && match (&a.reads, &b.reads) {
                (Reads::None, Reads::None) => true,
                (Reads::One(a), Reads::One(b)) => self.accesses(a, b),
                (Reads::Many(a), Reads::Many(b)) => {
                    a.iter().zip(b.iter()).all(|(a, b)| self.maybe(a.as_ref(), b.as_ref()))
                }
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

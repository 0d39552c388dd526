//! Bytes of a memory cut into runs, each with one history.
//!
//! ```text
//! [0, 8192)       one history
//! [8192, 16384)   another
//! ```
//!
//! Runs have exact byte borders and are as long as the accesses that made them: a tile that is
//! copied, computed on and copied out as a whole is one run, however long. An access to part of
//! a run cuts it; a write over many runs leaves one. Neighbours that can no longer be told apart are
//! joined, so that their number goes by the bytes in use and not by the accesses. Pieces with
//! untouched bytes between them stay a run each.

use std::collections::BTreeMap;

/// Runs after which the joining of runs is tried.
const JOIN_AFTER: usize = 256;
/// Runs that one access may visit before their joining is tried.
const JOIN_VISITED: usize = 16;

/// Bytes of a memory, from `start` to before `end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bytes {
    pub start: u64,
    pub end: u64,
}

impl Bytes {
    /// What is left of a run that became part of another.
    const NONE: Bytes = Bytes { start: u64::MAX, end: u64::MAX };

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

/// Bytes with one history.
#[derive(Clone, Debug)]
struct Run<H> {
    bytes: Bytes,
    history: H,
}

/// The runs of one memory, or of one buffer of global memory.
///
/// They lie in the order in which they came, with an index by their start beside them. A kernel
/// does the same to one tile after the other, so the run that it comes to is nearly always the one
/// after the last or the last itself: such an access costs no search, and touches no memory of the
/// host but the run.
pub(super) struct Runs<H> {
    all: Vec<Run<H>>,
    /// Where the first `listed` runs are, by their start.
    index: BTreeMap<u64, usize>,
    /// The others came behind all before them, and nobody has searched for them yet.
    listed: usize,
    /// The run that was last found as a whole.
    last: usize,
    /// End of the run that lies last.
    end: u64,
    /// Number of runs at which joining is tried again.
    join_at: usize,
    /// Bytes of the last access, if they were many runs.
    crowd: Option<Bytes>,
}

impl<H> Default for Runs<H> {
    fn default() -> Self {
        Runs {
            all: Vec::new(),
            index: BTreeMap::new(),
            listed: 0,
            last: 0,
            end: 0,
            join_at: JOIN_AFTER,
            crowd: None,
        }
    }
}

impl<H: Clone + Default> Runs<H> {
    /// Calls `with` for the runs of a range, cut to it; makes runs for bytes never touched.
    /// Returns their number.
    #[inline]
    pub fn visit(&mut self, bytes: Bytes, mut with: impl FnMut(Bytes, &mut H)) -> usize {
        if let Some(run) = self.expected(bytes).or_else(|| self.find(bytes)) {
            self.last = run;
            with(bytes, &mut self.all[run].history);
            return 1;
        }
        self.visit_cut(bytes, with)
    }

    /// The run of exactly these bytes, if it is where a kernel that goes on would look for it.
    #[inline]
    fn expected(&self, bytes: Bytes) -> Option<usize> {
        let is = |run: &usize| self.all.get(*run).is_some_and(|run| run.bytes == bytes);
        Some(self.last + 1).filter(is).or_else(|| Some(self.last).filter(is))
    }

    /// The run of exactly these bytes, or a new one where they lie behind all others.
    #[inline(never)]
    fn find(&mut self, bytes: Bytes) -> Option<usize> {
        if bytes.start >= self.end {
            self.end = bytes.end;
            return Some(self.add(bytes, H::default()));
        }
        self.list();
        self.index.get(&bytes.start).copied().filter(|&run| self.all[run].bytes == bytes)
    }

    fn add(&mut self, bytes: Bytes, history: H) -> usize {
        self.all.push(Run { bytes, history });
        self.all.len() - 1
    }

    /// Brings the index up to date.
    fn list(&mut self) {
        for at in self.listed..self.all.len() {
            self.index.insert(self.all[at].bytes.start, at);
        }
        self.listed = self.all.len();
    }

    /// A run between others. Those that came before it are in the index already, or have to be.
    fn insert(&mut self, bytes: Bytes, history: H) {
        self.add(bytes, history);
        self.list();
    }

    #[inline(never)]
    fn visit_cut(&mut self, bytes: Bytes, mut with: impl FnMut(Bytes, &mut H)) -> usize {
        self.cut(bytes.start);
        self.cut(bytes.end);
        self.fill(bytes);
        let mut visited = 0;
        for &run in self.index.range(bytes.start..bytes.end).map(|(_, run)| run) {
            let run = &mut self.all[run];
            with(run.bytes, &mut run.history);
            visited += 1;
        }
        if visited > JOIN_VISITED {
            self.crowd = Some(bytes);
        }
        visited
    }

    /// Makes runs for the bytes between the runs of a range.
    fn fill(&mut self, bytes: Bytes) {
        let mut at = bytes.start;
        let mut gaps = Vec::new();
        for run in self.index.range(bytes.start..bytes.end).map(|(_, &run)| self.all[run].bytes) {
            if at < run.start {
                gaps.push(Bytes::new(at, run.start));
            }
            at = run.end;
        }
        if at < bytes.end {
            gaps.push(Bytes::new(at, bytes.end));
            self.end = self.end.max(bytes.end);
        }
        for gap in gaps {
            self.insert(gap, H::default());
        }
    }

    /// Makes `at` a border between runs.
    fn cut(&mut self, at: u64) {
        let Some((_, &run)) = self.index.range(..at).next_back() else { return };
        let run = &mut self.all[run];
        if at < run.bytes.end {
            let (rest, history) = (Bytes::new(at, run.bytes.end), run.history.clone());
            run.bytes.end = at;
            self.insert(rest, history);
        }
    }

    /// Makes the runs within a range one, after a visit that left all of them with one history.
    pub fn merge(&mut self, bytes: Bytes) {
        while let Some((&start, &run)) = self.index.range(bytes.start + 1..bytes.end).next() {
            self.index.remove(&start);
            self.all[run].bytes = Bytes::NONE;
        }
        if let Some(&run) = self.index.get(&bytes.start) {
            self.all[run].bytes.end = bytes.end;
        }
    }

    /// Whether there are many runs, or the last access had to visit many.
    #[inline]
    pub fn is_crowded(&self) -> bool {
        self.crowd.is_some() || self.all.len() > self.join_at
    }

    /// Joins neighbours that are alike, where there are many.
    pub fn join_crowds(&mut self, alike: impl Fn(&H, &H) -> bool) {
        if let Some(crowd) = self.crowd.take() {
            self.join(crowd, &alike);
        }
        if self.is_crowded() {
            self.join_all(&alike);
            self.join_at = JOIN_AFTER.max(2 * self.all.len());
        }
    }

    /// Joins neighbours within a range.
    fn join(&mut self, within: Bytes, alike: impl Fn(&H, &H) -> bool) {
        self.list();
        let runs: Vec<usize> =
            self.index.range(within.start..within.end).map(|(_, &run)| run).collect();
        let Some((&first, rest)) = runs.split_first() else { return };
        let mut last = first;
        for &next in rest {
            let [left, right] = [last, next].map(|run| &self.all[run]);
            if left.bytes.end == right.bytes.start && alike(&left.history, &right.history) {
                let gone = std::mem::replace(&mut self.all[next].bytes, Bytes::NONE);
                self.index.remove(&gone.start);
                self.all[last].bytes.end = gone.end;
            } else {
                last = next;
            }
        }
    }

    /// Joins all neighbours that are alike, and forgets runs that are part of others.
    pub fn join_all(&mut self, alike: impl Fn(&H, &H) -> bool) {
        let mut all = std::mem::take(&mut self.all);
        all.retain(|run| run.bytes != Bytes::NONE);
        all.sort_unstable_by_key(|run| run.bytes.start);
        all.dedup_by(|next, last| {
            let joins = last.bytes.end == next.bytes.start && alike(&last.history, &next.history);
            if joins {
                last.bytes.end = next.bytes.end;
            }
            joins
        });
        *self = Runs { all, end: self.end, join_at: self.join_at, ..Runs::default() };
    }

    /// The runs that meet a range, uncut.
    pub fn meeting(&mut self, bytes: Bytes) -> impl Iterator<Item = (Bytes, &H)> {
        self.list();
        let before = self.index.range(..bytes.start).next_back();
        let first = before.map_or(bytes.start, |(&start, _)| start);
        let runs = self.index.range(first..bytes.end).map(|(_, &run)| &self.all[run]);
        runs.filter(move |run| run.bytes.meets(bytes)).map(|run| (run.bytes, &run.history))
    }

    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.all.iter().filter(|run| run.bytes != Bytes::NONE).count()
    }
}

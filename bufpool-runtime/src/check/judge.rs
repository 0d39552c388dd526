//! What an access met, as findings: one for each cause, however many runs of bytes it goes over.

use std::mem;

use super::Checker;
use super::order::Hazard;
use super::runs::Bytes;
use super::shadow::{Access, Meeting, Met};
use super::table::Step;
use crate::model::stream::{GlobalSpan, Span};
use crate::place::Place;

/// Things met that room is kept for; more than that is rare.
const USUALLY_MET: usize = 64;

/// An earlier access that is not ordered before the one at hand, and where they first meet.
struct Race {
    hazard: Hazard,
    earlier: Access,
    bytes: Bytes,
}

/// How much of a write another one goes over before anybody has read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Loss {
    All,
    /// The bytes that two views have in common.
    Part,
}

impl Checker {
    /// An access to a memory of the core that met something, or whose block is in a step that does
    /// not call for it.
    #[cold]
    pub(super) fn judge(&mut self, span: &Span, bytes: Bytes, access: &Access, writes: bool) {
        let mut met = mem::take(&mut self.met);
        if writes {
            self.overlaps(span, bytes, access, &mut met);
        }
        self.judge_unwritten(span, access, &met);
        let ordered = !met.iter().any(|meeting| matches!(meeting.what, Met::Unordered(..)));
        if ordered {
            self.judge_unread(span, access, &met);
        }
        for race in self.new_races(&met) {
            self.race(span, race.bytes, access, race.hazard, &race.earlier);
        }
        if let Some(block) = access.block
            && ordered
        {
            self.wrong_step(block, access, !writes);
        }
        self.judged(met);
    }

    /// An access to global memory that met something.
    #[cold]
    pub(super) fn judge_global(&mut self, span: &GlobalSpan, access: &Access) {
        let met = mem::take(&mut self.met);
        for race in self.new_races(&met) {
            self.global_race(race.bytes, span.element, access, race.hazard, &race.earlier);
        }
        self.judged(met);
    }

    /// Keeps the room for what the next access meets.
    fn judged(&mut self, mut met: Vec<Meeting>) {
        met.clear();
        met.shrink_to(USUALLY_MET);
        self.met = met;
    }

    fn judge_unwritten(&mut self, span: &Span, access: &Access, met: &[Meeting]) {
        let unwritten = || met.iter().filter(|meeting| matches!(meeting.what, Met::Unwritten));
        if let Some(first) = unwritten().next() {
            let total = unwritten().map(|meeting| meeting.bytes.len()).sum();
            self.uninitialised(span, first.bytes, total, access);
        }
    }

    fn judge_unread(&mut self, span: &Span, access: &Access, met: &[Meeting]) {
        let mut told: Vec<Place> = Vec::new();
        for meeting in met {
            if let Met::Unread(earlier) = meeting.what
                && !told.contains(&earlier.place)
                && let Some(loss) = self.loss(access, &earlier, meeting.bytes)
            {
                told.push(earlier.place);
                self.overwrite_unread(span, meeting.bytes, access, &earlier, loss);
            }
        }
    }

    /// What is lost where a write goes over what an earlier one wrote and nobody read.
    ///
    /// If a part is, the two mostly belong together, as a fill with zeros and the data after it. But
    /// two views of a TBuf that overlap by a part, none of it read, may have been meant to be separate.
    fn loss(&mut self, access: &Access, earlier: &Access, lost: Bytes) -> Option<Loss> {
        let (lost_bytes, all) = (lost.len(), u64::from(earlier.bytes));
        if lost_bytes == all {
            return Some(Loss::All);
        }
        let info = access.block.and_then(|block| self.table.block(block))?;
        let views = info.step == Step::Buffer
            && earlier.block == access.block
            && earlier.tensor_at != access.tensor_at
            && lost_bytes < u64::from(access.bytes);
        if !views {
            return None;
        }
        let around = Bytes::new(lost.start.saturating_sub(all), lost.end + all);
        let memory = info.hardware as usize;
        let unread = self.memories[memory].unread(earlier, around);
        (lost_bytes + unread == all).then_some(Loss::Part)
    }

    /// The races that the instruction at hand was not yet reported for. To read and to write what is
    /// not there yet is one fault, and so is one place many times.
    fn new_races(&mut self, met: &[Meeting]) -> Vec<Race> {
        let mut races = Vec::new();
        for meeting in met {
            let Met::Unordered(hazard, earlier) = meeting.what else { continue };
            let with = (earlier.pipe, earlier.place);
            if !self.raced.contains(&with) {
                self.raced.push(with);
                races.push(Race { hazard, earlier, bytes: meeting.bytes });
            }
        }
        races
    }
}

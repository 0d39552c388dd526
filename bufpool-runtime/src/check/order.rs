//! Which accesses are ordered: the clocks, and the rules of each pipe for its own work.
//!
//! | pipe | a later instruction may overtake an earlier one on the same pipe |
//! |---|---|
//! | S | never |
//! | V | where the chip needs a barrier (not with automatic barriers): read after write, write after read, write after write |
//! | MTE2, MTE3 | write after write |
//! | MTE1, M, FIX | taken as ordered: the documents ask for no barrier. Errs towards silence |

use super::clocks::Clocks;
use super::shadow::Access;
use crate::chip::ChipSpec;
use crate::event::Pipe;

/// Two accesses that depend on each other, the later one first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hazard {
    ReadAfterWrite,
    WriteAfterRead,
    WriteAfterWrite,
}

/// Decides whether one access is complete before another starts.
pub(super) struct Order {
    pub clocks: Clocks,
    /// Whether V needs barriers that nobody inserts.
    v_needs_barrier: bool,
}

impl Order {
    pub fn new(spec: &ChipSpec, automatic_v_barriers: bool) -> Self {
        Order {
            clocks: Clocks::default(),
            v_needs_barrier: spec.v_needs_barrier && !automatic_v_barriers,
        }
    }

    /// Whether `earlier` is complete before `later`, which is about to be issued.
    #[inline]
    pub fn is_ordered(&self, earlier: &Access, later: &Access, hazard: Hazard) -> bool {
        if self.clocks.of(later.pipe).knows(earlier.pipe, earlier.time) {
            return true;
        }
        // Atomic adds come out the same in any order.
        if hazard == Hazard::WriteAfterWrite && earlier.atomic && later.atomic {
            return true;
        }
        earlier.pipe == later.pipe
            && (earlier.time == later.time || !self.overtakes(later.pipe, hazard))
    }

    /// Whether an instruction may do so before an earlier one of the same pipe.
    #[inline]
    pub fn overtakes(&self, pipe: Pipe, hazard: Hazard) -> bool {
        match pipe {
            Pipe::V => self.v_needs_barrier,
            Pipe::MTE2 | Pipe::MTE3 => hazard == Hazard::WriteAfterWrite,
            Pipe::S | Pipe::M | Pipe::MTE1 | Pipe::FIX => false,
        }
    }
}

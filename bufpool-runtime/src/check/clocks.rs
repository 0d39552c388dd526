//! What each pipe knows to be complete: vector clocks over the pipes, flags and lock ids.
//!
//! Time is the number of the event, so an access is named by its pipe and its time, and it is
//! ordered before the next instruction of a pipe if that pipe's clock knows of it:
//!
//! ```text
//! known[V] = { S: 0, V: 12, MTE2: 31, .. }   V may rely on all that MTE2 issued up to 31;
//!                                            of its own work, on all up to 12 (its last barrier)
//! ```
//!
//! | what happens | edge |
//! |---|---|
//! | set of a flag | the flag keeps what its source pipe knows and has issued |
//! | wait for a flag | the destination pipe learns what the flag keeps |
//! | barrier of a pipe | the pipe learns of its own work; of all pipes: all learn of all |
//! | reset that lets pipes finish | each of them learns of the work of all of them |
//! | get of a lock id | the pipe learns what the last release left there |
//! | release of a lock id | leaves what the pipe knows and has issued |
//!
//! The scalar pipe issues all work in program order and stalls while it waits. So what S has
//! waited for is complete for everything issued later, on any pipe, and its reads are over before
//! anything later starts. Its writes still need a flag before another pipe may rely on them.

use crate::event::{EventId, HardEvent, Pipe};

/// Number of an event of the stream, from 1.
pub(super) type Time = u64;

/// Ids that a mask has room for.
pub(super) const IDS: usize = 8;
/// Lock ids of a core.
const LOCKS: usize = 32;

/// Words of a clock: one more than there are pipes, so that hosts copy it in whole registers.
const WORDS: usize = Pipe::COUNT.next_multiple_of(4);

/// Per pipe, the time up to which its work is known to be complete.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Clock([Time; WORDS]);

impl Clock {
    /// Whether work that `pipe` issued at `time` is known to be complete.
    #[inline]
    pub fn knows(&self, pipe: Pipe, time: Time) -> bool {
        self.0[pipe as usize] >= time
    }

    #[inline]
    fn join(&mut self, other: &Clock) {
        for (mine, &theirs) in self.0.iter_mut().zip(&other.0) {
            if *mine < theirs {
                *mine = theirs;
            }
        }
    }
}

/// The clocks of one core.
pub(super) struct Clocks {
    known: [Clock; Pipe::COUNT],
    /// Time of the last instruction of each pipe.
    issued: [Time; WORDS],
    flags: Vec<Clock>,
    /// Per event, the ids whose flag is set.
    set: [u8; HardEvent::COUNT],
    locks: [Clock; LOCKS],
}

impl Default for Clocks {
    fn default() -> Self {
        Clocks {
            known: [Clock::default(); Pipe::COUNT],
            issued: [0; WORDS],
            flags: vec![Clock::default(); HardEvent::COUNT * IDS],
            set: [0; HardEvent::COUNT],
            locks: [Clock::default(); LOCKS],
        }
    }
}

impl Clocks {
    /// What `pipe` knows.
    #[inline]
    pub fn of(&self, pipe: Pipe) -> &Clock {
        &self.known[pipe as usize]
    }

    /// An instruction was issued.
    #[inline]
    pub fn issue(&mut self, pipe: Pipe, time: Time) {
        self.issued[pipe as usize] = time;
        if pipe == Pipe::S {
            self.known[Pipe::S as usize].0[Pipe::S as usize] = time;
        }
    }

    /// What a pipe hands on when its work so far is complete.
    #[inline]
    fn done(&self, pipe: Pipe) -> Clock {
        let mut clock = self.known[pipe as usize];
        clock.0[pipe as usize] = self.issued[pipe as usize];
        clock
    }

    #[inline]
    pub fn is_set(&self, event: HardEvent, id: EventId) -> bool {
        self.set[event as usize] & bit(id) != 0
    }

    #[inline]
    pub fn set_flag(&mut self, event: HardEvent, id: EventId) {
        let (src, flag) = (event.src() as usize, &mut self.flags[flag_index(event, id)]);
        let set = &mut self.set[event as usize];
        if *set & bit(id) == 0 {
            *set |= bit(id);
            *flag = self.known[src];
            flag.0[src] = self.issued[src];
        } else {
            self.set_again(event, id);
        }
    }

    /// Undefined on the device, and a finding of its own: no second one for its wait.
    #[cold]
    fn set_again(&mut self, event: HardEvent, id: EventId) {
        let done = self.done(event.src());
        self.flags[flag_index(event, id)].join(&done);
    }

    #[inline]
    pub fn wait_flag(&mut self, event: HardEvent, id: EventId) {
        self.set[event as usize] &= !bit(id);
        learn(&mut self.known, event.dst(), &self.flags[flag_index(event, id)]);
    }

    /// The flag is gone without a wait.
    pub fn clear_flag(&mut self, event: HardEvent, id: EventId) {
        self.set[event as usize] &= !bit(id);
    }

    pub fn barrier(&mut self, pipe: Option<Pipe>) {
        if let Some(pipe) = pipe {
            self.known[pipe as usize].0[pipe as usize] = self.issued[pipe as usize];
            return;
        }
        let mut all = Clock(self.issued);
        for known in &self.known {
            all.join(known);
        }
        self.known = [all; Pipe::COUNT];
    }

    /// Whatever these pipes did is complete for each of them.
    pub fn finish(&mut self, pipes: &[Pipe]) {
        let mut all = Clock::default();
        for &pipe in pipes {
            all.join(&self.done(pipe));
        }
        for &pipe in pipes {
            self.known[pipe as usize].join(&all);
        }
    }

    pub fn get_lock(&mut self, pipe: Pipe, lock: u8) {
        learn(&mut self.known, pipe, &self.locks[usize::from(lock) % LOCKS]);
    }

    pub fn release_lock(&mut self, pipe: Pipe, lock: u8) {
        let done = self.done(pipe);
        self.locks[usize::from(lock) % LOCKS].join(&done);
    }

    /// The times at which what anybody knows, or will learn from a flag or lock, of `pipe`'s work
    /// ends, in order. Two accesses of the pipe with none of them between are alike for ever:
    /// whoever learns of the one learns of the other.
    pub fn horizons(&self, pipe: Pipe) -> Vec<Time> {
        let waiting = HardEvent::ALL.iter().flat_map(|&event| {
            (0..IDS as u8)
                .filter(move |&id| self.is_set(event, id))
                .map(move |id| &self.flags[flag_index(event, id)])
        });
        let clocks = self.known.iter().chain(&self.locks).chain(waiting);
        let mut times: Vec<Time> = clocks.map(|clock| clock.0[pipe as usize]).collect();
        times.sort_unstable();
        times.dedup();
        times
    }
}

/// A pipe waits until the work that `clock` knows of is complete.
#[inline]
fn learn(known: &mut [Clock; Pipe::COUNT], pipe: Pipe, clock: &Clock) {
    if pipe == Pipe::S {
        // S stalls, so nothing is issued on any pipe before S goes on.
        for known in known {
            known.join(clock);
        }
    } else {
        known[pipe as usize].join(clock);
    }
}

#[inline]
pub(super) fn flag_index(event: HardEvent, id: EventId) -> usize {
    event as usize * IDS + usize::from(id) % IDS
}

#[inline]
fn bit(id: EventId) -> u8 {
    1 << (usize::from(id) % IDS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flag_hands_on_all_earlier_work_of_its_source() {
        let mut clocks = Clocks::default();
        clocks.issue(Pipe::MTE2, 1);
        clocks.issue(Pipe::MTE2, 2);
        clocks.set_flag(HardEvent::MTE2_V, 0);
        clocks.issue(Pipe::MTE2, 3);
        assert!(!clocks.of(Pipe::V).knows(Pipe::MTE2, 1));
        clocks.wait_flag(HardEvent::MTE2_V, 0);
        assert!(clocks.of(Pipe::V).knows(Pipe::MTE2, 2));
        assert!(!clocks.of(Pipe::V).knows(Pipe::MTE2, 3));
        assert!(!clocks.of(Pipe::MTE3).knows(Pipe::MTE2, 1));
    }

    #[test]
    fn order_is_handed_on_from_pipe_to_pipe() {
        let mut clocks = Clocks::default();
        clocks.issue(Pipe::MTE2, 1);
        clocks.set_flag(HardEvent::MTE2_V, 0);
        clocks.wait_flag(HardEvent::MTE2_V, 0);
        clocks.set_flag(HardEvent::V_MTE3, 0);
        clocks.wait_flag(HardEvent::V_MTE3, 0);
        assert!(clocks.of(Pipe::MTE3).knows(Pipe::MTE2, 1));
        assert!(!clocks.of(Pipe::MTE2).knows(Pipe::MTE2, 1));
    }

    #[test]
    fn a_barrier_orders_its_own_pipe_and_all_orders_all() {
        let mut clocks = Clocks::default();
        clocks.issue(Pipe::MTE2, 1);
        clocks.issue(Pipe::V, 2);
        clocks.barrier(Some(Pipe::MTE2));
        assert!(clocks.of(Pipe::MTE2).knows(Pipe::MTE2, 1));
        assert!(!clocks.of(Pipe::V).knows(Pipe::MTE2, 1));
        clocks.barrier(None);
        for pipe in Pipe::ALL {
            assert!(clocks.of(pipe).knows(Pipe::MTE2, 1) && clocks.of(pipe).knows(Pipe::V, 2));
        }
    }

    #[test]
    fn what_the_scalar_pipe_waited_for_is_complete_for_all() {
        let mut clocks = Clocks::default();
        clocks.issue(Pipe::MTE2, 1);
        clocks.set_flag(HardEvent::MTE2_S, 3);
        clocks.wait_flag(HardEvent::MTE2_S, 3);
        assert!(clocks.of(Pipe::MTE3).knows(Pipe::MTE2, 1));
        clocks.issue(Pipe::S, 2);
        assert!(clocks.of(Pipe::S).knows(Pipe::S, 2));
        assert!(!clocks.of(Pipe::V).knows(Pipe::S, 2));
        clocks.set_flag(HardEvent::S_V, 0);
        clocks.wait_flag(HardEvent::S_V, 0);
        assert!(clocks.of(Pipe::V).knows(Pipe::S, 2));
    }

    #[test]
    fn pipes_that_a_reset_finished_know_of_each_other() {
        let mut clocks = Clocks::default();
        clocks.issue(Pipe::V, 1);
        clocks.issue(Pipe::M, 2);
        clocks.finish(&[Pipe::MTE2, Pipe::V]);
        assert!(clocks.of(Pipe::MTE2).knows(Pipe::V, 1) && clocks.of(Pipe::V).knows(Pipe::V, 1));
        assert!(!clocks.of(Pipe::MTE2).knows(Pipe::M, 2) && !clocks.of(Pipe::M).knows(Pipe::V, 1));
    }

    #[test]
    fn a_lock_hands_on_from_release_to_get() {
        let mut clocks = Clocks::default();
        clocks.get_lock(Pipe::MTE2, 5);
        clocks.issue(Pipe::MTE2, 1);
        clocks.release_lock(Pipe::MTE2, 5);
        clocks.get_lock(Pipe::V, 4);
        assert!(!clocks.of(Pipe::V).knows(Pipe::MTE2, 1));
        clocks.get_lock(Pipe::V, 5);
        assert!(clocks.of(Pipe::V).knows(Pipe::MTE2, 1));
    }

    #[test]
    fn horizons_hold_what_waiting_flags_and_locks_keep() {
        let mut clocks = Clocks::default();
        clocks.issue(Pipe::MTE2, 7);
        clocks.set_flag(HardEvent::MTE2_V, 1);
        clocks.issue(Pipe::MTE2, 9);
        clocks.release_lock(Pipe::MTE2, 3);
        assert_eq!(clocks.horizons(Pipe::MTE2), [0, 7, 9]);
        clocks.clear_flag(HardEvent::MTE2_V, 1);
        assert_eq!(clocks.horizons(Pipe::MTE2), [0, 9]);
    }
}

//! What each kind of core of each chip does, as masks. The operations of queues and all instructions
//! ask for it, so it is worked out of the chip table when this is compiled.

use crate::chip::{Chip, ChipSpec, CoreKind};
use crate::event::{HardEvent, Pipe};
use crate::model::sync::barrier_of;
use crate::position::Hardware;

/// What a core does.
#[derive(Clone, Copy)]
pub(crate) struct Abilities {
    /// A bit per pipe.
    pipes: u8,
    /// Memories that copies of a pipe reach, a bit each; none where there is no such pipe.
    reach: [u8; Pipe::COUNT],
    /// A bit per event.
    sets: u64,
    waits: u64,
}

/// By chip and kind of core.
static ALL: [[Abilities; 2]; Chip::ALL.len()] = {
    let mut all = [[Abilities::NONE; 2]; Chip::ALL.len()];
    let mut index = 0;
    while index < Chip::ALL.len() {
        let chip = Chip::ALL[index];
        all[chip as usize] =
            [Abilities::of(chip.spec(), CoreKind::AIV), Abilities::of(chip.spec(), CoreKind::AIC)];
        index += 1;
    }
    all
};

impl Abilities {
    const NONE: Self = Abilities { pipes: 0, reach: [0; Pipe::COUNT], sets: 0, waits: 0 };

    pub fn new(chip: Chip, kind: CoreKind) -> Self {
        ALL[chip as usize][kind as usize]
    }

    const fn of(spec: &ChipSpec, kind: CoreKind) -> Self {
        let mut core = Abilities::NONE;
        let mut index = 0;
        while index < Pipe::COUNT {
            let pipe = Pipe::ALL[index];
            core.pipes |= (spec.has_pipe(kind, pipe) as u8) << pipe as u8;
            let mut memory = 0;
            while memory < Hardware::COUNT {
                let reached = spec.reaches(kind, pipe, Hardware::ALL[memory]);
                core.reach[index] |= (reached as u8) << memory;
                memory += 1;
            }
            index += 1;
        }
        index = 0;
        while index < HardEvent::COUNT {
            let event = HardEvent::ALL[index];
            // A pipe's flag for itself is a barrier.
            if barrier_of(event).is_none() {
                core.sets |= (spec.issues_set(kind, event) as u64) << event as u32;
                core.waits |= (spec.issues_wait(kind, event) as u64) << event as u32;
            }
            index += 1;
        }
        core
    }

    #[inline]
    pub fn has_pipe(self, pipe: Pipe) -> bool {
        self.pipes & (1 << pipe as u8) != 0
    }

    /// Whether the core has the pipe, and its copies reach the memory.
    #[inline]
    pub fn reaches(self, pipe: Pipe, memory: Hardware) -> bool {
        self.reach[pipe as usize] & (1 << memory as u8) != 0
    }

    /// Whether the core sets flags of the event.
    #[inline]
    pub fn sets(self, event: HardEvent) -> bool {
        self.sets & (1 << event as u32) != 0
    }

    /// Whether the core waits for flags of the event. A flag that is set here and waited for elsewhere
    /// is not waited for here.
    #[inline]
    pub fn waits(self, event: HardEvent) -> bool {
        self.waits & (1 << event as u32) != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_say_what_the_chip_table_says() {
        for chip in Chip::ALL {
            for kind in [CoreKind::AIV, CoreKind::AIC] {
                let (spec, core) = (chip.spec(), Abilities::new(chip, kind));
                for pipe in Pipe::ALL {
                    assert_eq!(
                        core.has_pipe(pipe),
                        spec.has_pipe(kind, pipe),
                        "{chip} {kind} {pipe}"
                    );
                }
                for pipe in Pipe::ALL {
                    for memory in Hardware::ALL {
                        let reached = spec.reaches(kind, pipe, memory);
                        assert_eq!(core.reaches(pipe, memory), reached, "{chip} {kind} {pipe}");
                    }
                }
                for &event in HardEvent::ALL {
                    let flag = event.src() != event.dst();
                    assert_eq!(core.sets(event), flag && spec.issues_set(kind, event));
                    assert_eq!(core.waits(event), flag && spec.issues_wait(kind, event));
                }
            }
        }
    }
}

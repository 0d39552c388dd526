//! What each kind of core of each chip does, as masks. The operations of queues and all instructions
//! ask for it, so it is worked out of the chip table when this is compiled.

use crate::chip::{Chip, ChipSpec, CoreKind};
use crate::event::{HardEvent, Pipe};
use crate::model::sync::barrier_of;

/// What a core does.
#[derive(Clone, Copy)]
pub(crate) struct Abilities {
    /// A bit per pipe.
    pipes: u8,
    /// A bit per event.
    sets: u64,
    waits: u64,
}

/// By chip and kind of core.
static ALL: [[Abilities; 2]; Chip::ALL.len()] = {
    let none = Abilities { pipes: 0, sets: 0, waits: 0 };
    let mut all = [[none; 2]; Chip::ALL.len()];
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
    pub fn new(chip: Chip, kind: CoreKind) -> Self {
        ALL[chip as usize][kind as usize]
    }

    const fn of(spec: &ChipSpec, kind: CoreKind) -> Self {
        let mut core = Abilities { pipes: 0, sets: 0, waits: 0 };
        let mut index = 0;
        while index < Pipe::COUNT {
            let pipe = Pipe::ALL[index];
            core.pipes |= (spec.has_pipe(kind, pipe) as u8) << pipe as u8;
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
                for &event in HardEvent::ALL {
                    let flag = event.src() != event.dst();
                    assert_eq!(core.sets(event), flag && spec.issues_set(kind, event));
                    assert_eq!(core.waits(event), flag && spec.issues_wait(kind, event));
                }
            }
        }
    }
}

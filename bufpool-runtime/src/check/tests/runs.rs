//! The runs of the shadow against a plain model with a history for each byte.

use crate::check::clocks::Time;
use crate::check::order::{Hazard, Order};
use crate::check::runs::Bytes;
use crate::check::shadow::{Access, Meeting, Met, Shadow};
use crate::chip::Chip;
use crate::event::{HardEvent, Pipe};
use crate::place::Place;

/// A small generator: the tests of this crate have no dependencies.
pub(super) struct Random(pub u64);

impl Random {
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % limit
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }
}

fn access(pipe: Pipe, time: Time, bytes: u64) -> Access {
    let here = Place::here();
    Access {
        time,
        pipe,
        name: "test",
        place: here,
        tensor_at: here,
        block: None,
        bytes: bytes as u32,
        atomic: false,
    }
}

/// Every access to one byte since its last write, and that write.
#[derive(Clone, Default)]
struct ByteHistory {
    write: Option<Access>,
    reads: Vec<Access>,
}

/// What an access does to its bytes; an operation in place does both.
#[derive(Clone, Copy)]
struct Does {
    read: bool,
    write: bool,
}

/// Whether the access meets something that is not ordered, by the history of each byte.
fn plain(bytes: &mut [ByteHistory], access: &Access, does: Does, order: &Order) -> Vec<bool> {
    bytes
        .iter_mut()
        .map(|byte| {
            let unordered = |earlier: &Access, hazard| !order.is_ordered(earlier, access, hazard);
            let mut met = false;
            if does.read {
                met |= byte.write.is_some_and(|w| unordered(&w, Hazard::ReadAfterWrite));
            }
            if does.write {
                met |= byte.write.is_some_and(|w| unordered(&w, Hazard::WriteAfterWrite));
                met |= byte.reads.iter().any(|r| unordered(r, Hazard::WriteAfterRead));
                byte.write = Some(*access);
                byte.reads.clear();
            } else if access.pipe != Pipe::S {
                byte.reads.push(*access);
            }
            met
        })
        .collect()
}

fn covered(found: &[Meeting], len: u64, of: impl Fn(&Met) -> bool) -> Vec<bool> {
    let mut covered = vec![false; len as usize];
    for meeting in found.iter().filter(|meeting| of(&meeting.what)) {
        for byte in meeting.bytes.start..meeting.bytes.end {
            covered[byte as usize] = true;
        }
    }
    covered
}

/// A write that was reported as racing may hide what it was not ordered after: the next report
/// is of that write. So the two are compared up to the first race only.
#[test]
fn runs_agree_with_a_history_for_each_byte() {
    const LEN: u64 = 96;
    let events = [
        HardEvent::MTE2_V,
        HardEvent::V_MTE2,
        HardEvent::V_MTE3,
        HardEvent::MTE3_V,
        HardEvent::MTE3_MTE2,
        HardEvent::V_S,
        HardEvent::S_V,
        HardEvent::MTE2_S,
    ];
    let pipes = [Pipe::S, Pipe::V, Pipe::MTE2, Pipe::MTE3];
    let (mut races, mut joined, mut rounds_with_many) = (0, 0, 0);
    for seed in 1..=500 {
        let mut random = Random(0x9E37_79B9_7F4A_7C15 ^ (seed << 17));
        let mut order = Order::new(Chip::AtlasA2.spec(), random.below(2) == 0);
        let mut shadow = Shadow::default();
        let mut bytes = vec![ByteHistory::default(); LEN as usize];
        // The more waits, the longer until the first race.
        let patience = 2 + random.below(30);
        for time in 1..200 {
            if random.below(patience) != 0 {
                let event = random.pick(&events);
                match random.below(8) {
                    0 => order.clocks.barrier(None),
                    1 => order.clocks.barrier(Some(random.pick(&pipes))),
                    2 => order.clocks.set_flag(event, 1),
                    3 if order.clocks.is_set(event, 1) => order.clocks.wait_flag(event, 1),
                    _ => {
                        order.clocks.set_flag(event, 0);
                        order.clocks.wait_flag(event, 0);
                    }
                }
                continue;
            }
            let start = random.below(LEN / 8) * 8;
            let end = (start + (1 + random.below(4)) * 8).min(LEN);
            let pipe = random.pick(&pipes);
            let does = random.pick(&[
                Does { read: true, write: false },
                Does { read: false, write: true },
                Does { read: true, write: true },
            ]);
            let access = access(pipe, time, end - start);
            let (range, mut found) = (Bytes::new(start, end), Vec::new());
            let expected = plain(&mut bytes[start as usize..end as usize], &access, does, &order);
            if does.read {
                let overtakes = order.overtakes(pipe, Hazard::WriteAfterRead);
                let rewritten = (does.write && overtakes).then_some(range);
                shadow.read(range, &access, None, rewritten, &order, &mut found);
            }
            if does.write {
                shadow.write(range, &access, None, &order, &mut found);
            }
            let found = covered(&found, LEN, |met| matches!(met, Met::Unordered(..)));
            assert_eq!(found[start as usize..end as usize], expected, "seed {seed} time {time}");
            let before = shadow.len();
            rounds_with_many += usize::from(before > 4);
            shadow.join_all(&order.clocks, &|_| [0; 3]);
            joined += before - shadow.len();
            order.clocks.issue(pipe, time);
            if expected.contains(&true) {
                races += 1;
                break;
            }
        }
    }
    assert!(
        races > 100 && joined > 100 && rounds_with_many > 1000,
        "{races} {joined} {rounds_with_many}"
    );
}

#[test]
fn ranges_are_exact_to_the_byte() {
    let order = Order::new(Chip::AtlasA2.spec(), true);
    let mut shadow = Shadow::default();
    let mut found = Vec::new();
    shadow.write(Bytes::new(1280, 9472), &access(Pipe::V, 1, 8192), None, &order, &mut found);
    assert!(found.is_empty());
    shadow.read(
        Bytes::new(8192, 16384),
        &access(Pipe::MTE3, 2, 8192),
        None,
        None,
        &order,
        &mut found,
    );
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].bytes, Bytes::new(8192, 9472));
    assert_eq!(found[0].bytes.len(), 1280);

    let (mut shadow, mut found) = (Shadow::default(), Vec::new());
    shadow.write(Bytes::new(0, 48), &access(Pipe::V, 1, 48), None, &order, &mut found);
    shadow.write(Bytes::new(48, 96), &access(Pipe::MTE2, 2, 48), None, &order, &mut found);
    assert!(found.is_empty());
}

#[test]
fn unwritten_and_unread_bytes() {
    let order = Order::new(Chip::AtlasA2.spec(), true);
    let (mut shadow, mut found) = (Shadow::default(), Vec::new());
    shadow.write(Bytes::new(0, 64), &access(Pipe::V, 5, 64), Some(4), &order, &mut found);
    shadow.read(Bytes::new(32, 96), &access(Pipe::V, 6, 64), Some(4), None, &order, &mut found);
    assert_eq!(
        covered(&found, 96, |met| matches!(met, Met::Unwritten)).iter().filter(|b| **b).count(),
        32
    );
    found.clear();
    // Handed out anew at 7: what was written before does not count.
    shadow.read(Bytes::new(0, 64), &access(Pipe::V, 8, 64), Some(7), None, &order, &mut found);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].bytes, Bytes::new(0, 64));
    found.clear();
    shadow.write(Bytes::new(0, 64), &access(Pipe::V, 9, 64), Some(7), &order, &mut found);
    shadow.write(Bytes::new(0, 64), &access(Pipe::V, 10, 64), Some(7), &order, &mut found);
    assert!(matches!(found[..], [Meeting { what: Met::Unread(_), .. }]));
}

#[test]
fn many_tiles_leave_few_runs() {
    let mut order = Order::new(Chip::AtlasA2.spec(), true);
    let mut shadow = Shadow::default();
    let mut found = Vec::new();
    let (place, mut most) = (access(Pipe::MTE3, 0, 0), 0);
    for tile in 0..100_000_u64 {
        let access = Access { time: tile + 1, bytes: 8192, ..place };
        shadow.write(Bytes::new(tile * 8192, (tile + 1) * 8192), &access, None, &order, &mut found);
        shadow.tidy(&order.clocks, &|_| [0; 3]);
        order.clocks.issue(Pipe::MTE3, tile + 1);
        order.clocks.set_flag(HardEvent::MTE3_V, 0);
        order.clocks.wait_flag(HardEvent::MTE3_V, 0);
        most = most.max(shadow.len());
    }
    assert!(found.is_empty());
    assert!(most < 300, "{most} runs");
}

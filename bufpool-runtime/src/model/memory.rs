//! The bytes of the memories of one core.
//!
//! ```text
//! Memories
//!  ├ stores[UB]    |........ dst ........ src ........|   capacity bytes, made when first touched
//!  ├ stores[L1]    |..................................|
//!  └ scratch       copies of sources that overlap the destination
//! ```
//!
//! An instruction reads all its sources before it writes its destination: where the two overlap,
//! the source is copied out first. A device works repeat by repeat and may read what it has just
//! written; that is not modelled.

use crate::aligned::{self, Aligned, WORD};
use crate::chip::ChipSpec;
use crate::model::stream::Span;
use crate::position::Hardware;

/// All memories of one core. They hold zeros until something is written.
pub struct Memories {
    spec: &'static ChipSpec,
    /// Empty until first touched: a pipe that never uses L1 never pays for it.
    stores: [Aligned; Hardware::COUNT],
    /// Kept between instructions, so that overlap costs a copy and no allocation.
    scratch: Vec<u64>,
}

impl Memories {
    pub fn new(spec: &'static ChipSpec) -> Self {
        Memories { spec, stores: [const { Aligned::EMPTY }; Hardware::COUNT], scratch: Vec::new() }
    }

    /// The bytes of a span; none if it is not inside its memory.
    #[inline]
    pub fn bytes(&mut self, span: &Span) -> Option<&[u8]> {
        self.touch(span.hardware);
        range(self.stores[span.hardware as usize].bytes(), start(span), len(span))
    }

    /// The bytes of a span, to be written; none if it is not inside its memory.
    #[inline]
    pub fn bytes_mut(&mut self, span: &Span) -> Option<&mut [u8]> {
        self.touch(span.hardware);
        let store = self.stores[span.hardware as usize].bytes_mut();
        store.get_mut(start(span)..start(span).checked_add(len(span))?)
    }

    /// The bytes of a destination, and of `N` sources as they are before the destination is
    /// written; none if one is not inside its memory.
    #[inline]
    pub fn split<const N: usize>(
        &mut self,
        dst: &Span,
        srcs: [&Span; N],
    ) -> Option<(&mut [u8], [&[u8]; N])> {
        self.touch(dst.hardware);
        for src in srcs {
            self.touch(src.hardware);
        }
        if srcs.iter().any(|src| overlap(dst, src)) {
            self.save_overlapping(dst, &srcs)?;
        }

        let (before, rest) = self.stores.split_at_mut(dst.hardware as usize);
        let (store, after) = rest.split_first_mut()?;
        let store = store.bytes_mut();
        let (low, rest) = store.split_at_mut_checked(start(dst))?;
        let (out, high) = rest.split_at_mut_checked(len(dst))?;
        let (low, high): (&[u8], &[u8]) = (low, high);
        let mut saved: &[u8] = bytemuck::cast_slice(&self.scratch);

        let mut sources: [&[u8]; N] = [&[]; N];
        for (source, src) in sources.iter_mut().zip(srcs) {
            let (addr, bytes) = (start(src), len(src));
            *source = if src.hardware != dst.hardware {
                let at = src.hardware as usize;
                let other = match at.checked_sub(before.len() + 1) {
                    Some(at) => after.get(at)?,
                    None => before.get(at)?,
                };
                range(other.bytes(), addr, bytes)?
            } else if overlap(dst, src) {
                let (source, rest) = saved.split_at_checked(padded(bytes))?;
                saved = rest;
                source.get(..bytes)?
            } else if addr + bytes <= start(dst) {
                range(low, addr, bytes)?
            } else {
                range(high, addr.saturating_sub(start(dst) + len(dst)), bytes)?
            };
        }
        Some((out, sources))
    }

    /// Copies the sources that overlap the destination into the scratch buffer, one after the
    /// other, each from a word boundary.
    #[cold]
    fn save_overlapping(&mut self, dst: &Span, srcs: &[&Span]) -> Option<()> {
        let store = self.stores[dst.hardware as usize].bytes();
        let saved = || srcs.iter().filter(|src| overlap(dst, src));
        let needed: usize = saved().map(|src| padded(len(src))).sum();
        if self.scratch.len() * WORD < needed {
            self.scratch.resize(needed / WORD, 0);
        }
        let mut free: &mut [u8] = bytemuck::cast_slice_mut(&mut self.scratch);
        for src in saved() {
            let (room, rest) = free.split_at_mut_checked(padded(len(src)))?;
            room.get_mut(..len(src))?.copy_from_slice(range(store, start(src), len(src))?);
            free = rest;
        }
        Some(())
    }

    #[inline]
    fn touch(&mut self, hardware: Hardware) {
        if self.stores[hardware as usize].is_empty() {
            self.create(hardware);
        }
    }

    #[cold]
    fn create(&mut self, hardware: Hardware) {
        let bytes = self.spec.capacity(hardware) as usize;
        self.stores[hardware as usize] = Aligned::zeros(bytes, aligned::CORE);
    }
}

#[inline]
fn start(span: &Span) -> usize {
    span.addr as usize
}

#[inline]
fn len(span: &Span) -> usize {
    span.bytes as usize
}

#[inline]
fn padded(bytes: usize) -> usize {
    bytes.next_multiple_of(WORD)
}

/// Whether two spans share a byte.
#[inline]
fn overlap(a: &Span, b: &Span) -> bool {
    a.hardware == b.hardware && start(a) < start(b) + len(b) && start(b) < start(a) + len(a)
}

#[inline]
fn range(bytes: &[u8], start: usize, len: usize) -> Option<&[u8]> {
    bytes.get(start..start.checked_add(len)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chip::Chip;
    use crate::place::Place;
    use crate::position::TPosition;

    fn span(position: TPosition, addr: u32, bytes: u32) -> Span {
        Span {
            hardware: Chip::AtlasA2.spec().hardware(position),
            position,
            addr,
            bytes,
            element: 1,
            life: 0,
            origin: None,
            block: None,
            tensor_addr: addr,
            tensor_bytes: bytes,
            tensor_at: Place::here(),
        }
    }

    fn counted() -> Memories {
        let mut memories = Memories::new(Chip::AtlasA2.spec());
        for position in [TPosition::VECIN, TPosition::A1, TPosition::A2] {
            let all = memories.bytes_mut(&span(position, 0, 256)).unwrap();
            for (byte, value) in all.iter_mut().zip(0..=255) {
                *byte = value;
            }
        }
        memories
    }

    #[test]
    fn a_memory_comes_into_being_when_first_touched() {
        let mut memories = Memories::new(Chip::AtlasA2.spec());
        assert!(memories.stores.iter().all(Aligned::is_empty));
        assert_eq!(memories.bytes(&span(TPosition::A1, 512 * 1024 - 4, 4)).unwrap(), [0; 4]);
        let made = memories.stores.iter().filter(|store| !store.is_empty()).count();
        assert_eq!(made, 1);
    }

    #[test]
    fn sources_on_both_sides_and_in_other_memories() {
        let mut memories = counted();
        let (out, [low, high, l1, l0a]) = memories
            .split(
                &span(TPosition::VECIN, 64, 8),
                [
                    &span(TPosition::VECIN, 56, 8),
                    &span(TPosition::VECIN, 72, 8),
                    &span(TPosition::A1, 100, 2),
                    &span(TPosition::A2, 7, 3),
                ],
            )
            .unwrap();
        assert_eq!(out, [64, 65, 66, 67, 68, 69, 70, 71]);
        assert_eq!(low, [56, 57, 58, 59, 60, 61, 62, 63]);
        assert_eq!(high, [72, 73, 74, 75, 76, 77, 78, 79]);
        assert_eq!(l1, [100, 101]);
        assert_eq!(l0a, [7, 8, 9]);
    }

    #[test]
    fn a_destination_between_memories_sees_those_before_and_after() {
        let mut memories = counted();
        let (out, [ub, l0a]) = memories
            .split(
                &span(TPosition::A1, 1, 2),
                [&span(TPosition::VECIN, 3, 1), &span(TPosition::A2, 4, 1)],
            )
            .unwrap();
        assert_eq!((&*out, ub, l0a), (&[1, 2][..], &[3][..], &[4][..]));
    }

    #[test]
    fn overlapping_sources_keep_what_was_there_before() {
        let mut memories = counted();
        let dst = span(TPosition::VECIN, 64, 16);
        let same = dst;
        let from_below = span(TPosition::VECIN, 60, 13);
        let from_inside = span(TPosition::VECIN, 70, 4);
        let (out, sources) = memories.split(&dst, [&same, &from_below, &from_inside]).unwrap();
        out.fill(0xEE);
        let expected: Vec<u8> = (60..80).collect();
        assert_eq!(sources, [&expected[4..], &expected[..13], &expected[10..14]]);
        // Sources that overlap start on a word, whatever their length: they can be seen as u64.
        for source in sources {
            assert_eq!(source.as_ptr().align_offset(WORD), 0);
        }
    }

    #[test]
    fn every_way_to_overlap_reads_what_was_there() {
        let spans = || (60..68).flat_map(|addr| (0..6).map(move |len| (addr, len)));
        let mut memories = counted();
        for (dst, first) in spans().flat_map(|dst| spans().map(move |src| (dst, src))) {
            for second in [(58, 9), (61, 3), (64, 0), (66, 5)] {
                let of = |(addr, len): (u8, u8)| span(TPosition::VECIN, addr.into(), len.into());
                let (out, sources) = memories.split(&of(dst), [&of(first), &of(second)]).unwrap();
                out.fill(0xEE);
                let there = |(addr, len): (u8, u8)| (addr..addr + len).collect::<Vec<_>>();
                assert_eq!(sources, [there(first), there(second)], "{dst:?} <- {first:?}");
                // Written where it should be, and nowhere else; then as before.
                let all = memories.bytes_mut(&span(TPosition::VECIN, 0, 256)).unwrap();
                for (byte, value) in all.iter_mut().zip(0..=255) {
                    let inside = (dst.0..dst.0 + dst.1).contains(&value);
                    assert_eq!(*byte, if inside { 0xEE } else { value });
                    *byte = value;
                }
            }
        }
    }

    #[test]
    fn neighbours_and_empty_spans_do_not_overlap() {
        let mut memories = counted();
        let dst = span(TPosition::VECIN, 64, 8);
        let empty = span(TPosition::VECIN, 66, 0);
        let (_, [source]) = memories.split(&dst, [&empty]).unwrap();
        assert!(source.is_empty());
        assert!(memories.scratch.is_empty());
        let (out, [source]) = memories.split(&empty, [&dst]).unwrap();
        assert!(out.is_empty());
        assert_eq!(source, [64, 65, 66, 67, 68, 69, 70, 71]);
    }

    #[test]
    fn a_span_outside_is_nothing_and_no_panic() {
        let mut memories = counted();
        let outside = span(TPosition::VECIN, 196_600, 16);
        let inside = span(TPosition::VECIN, 0, 16);
        assert!(memories.bytes(&outside).is_none());
        assert!(memories.bytes_mut(&outside).is_none());
        assert!(memories.split(&outside, [&inside]).is_none());
        assert!(memories.split(&inside, [&outside]).is_none());
        assert!(memories.bytes(&span(TPosition::VECIN, u32::MAX, u32::MAX)).is_none());
        // The bias table is not there at all on some chips.
        let mut memories = Memories::new(Chip::AtlasTraining.spec());
        let bias = Span { hardware: Hardware::BT, ..inside };
        assert!(memories.bytes(&bias).is_none());
        assert!(memories.split(&inside, [&bias]).is_none());
    }
}

//! The tensors in a queue, in order.

use std::collections::VecDeque;

use crate::event::HardEvent;
use crate::model::block::BlockId;
use crate::place::Place;

/// A tensor in the queue.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub block: BlockId,
    /// The event that its enqueue set.
    pub event: HardEvent,
    pub at: Place,
}

/// First in, first out. The head has a place of its own: nearly all queues have depth 1, and never
/// come to the rest, which costs nothing until then.
#[derive(Debug, Default)]
pub(crate) struct Fifo {
    len: usize,
    head: Option<Entry>,
    rest: VecDeque<Entry>,
}

impl Fifo {
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    #[inline]
    pub fn head(&self) -> Option<&Entry> {
        self.head.as_ref()
    }

    #[inline]
    pub fn push(&mut self, block: BlockId, event: HardEvent, at: Place) {
        if self.len == 0 {
            (self.head, self.len) = (Some(Entry { block, event, at }), 1);
        } else {
            self.push_behind(block, event, at);
        }
    }

    #[cold]
    fn push_behind(&mut self, block: BlockId, event: HardEvent, at: Place) {
        self.len += 1;
        self.rest.push_back(Entry { block, event, at });
    }

    /// Removes the head, if there is one.
    #[inline]
    pub fn pop(&mut self) {
        if self.len > 1 {
            self.move_up();
        } else {
            (self.head, self.len) = (None, 0);
        }
    }

    #[cold]
    fn move_up(&mut self) {
        self.len -= 1;
        self.head = self.rest.pop_front();
    }

    pub fn iter(&self) -> impl Iterator<Item = &Entry> {
        self.head.iter().chain(&self.rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_in_first_out_at_every_length() {
        let mut fifo = Fifo::default();
        let (mut pushed, mut popped) = (0, 0);
        for length in [1, 3, 0, 2, 5, 1, 0] {
            while fifo.len() < length {
                fifo.push(BlockId(pushed), HardEvent::MTE2_V, Place::here());
                pushed += 1;
            }
            while fifo.len() > length {
                assert_eq!(fifo.head().map(|entry| entry.block), Some(BlockId(popped)));
                fifo.pop();
                popped += 1;
            }
            let blocks: Vec<u32> = fifo.iter().map(|entry| entry.block.0).collect();
            assert_eq!(blocks, (popped..pushed).collect::<Vec<_>>());
            assert_eq!(fifo.is_empty(), length == 0);
        }
    }
}

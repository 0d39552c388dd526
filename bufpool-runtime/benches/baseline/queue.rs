//! The queue as a bare state machine: block states in an array, event ids and flags in bit sets.
//!
//! It does what the vendor's layer does on a device: round robin over the blocks, an id with a flag
//! from enque to deque and from free to the next alloc. Nothing is checked: a full queue, a missing
//! flag or a foreign tensor goes through.

/// Events that a core has.
const EVENTS: usize = 35;
/// No id is held.
const NONE: u8 = u8::MAX;

/// Ids that are taken and flags that are set, a bit each.
pub struct Events {
    reserved: [u8; EVENTS],
    set: [u8; EVENTS],
}

impl Events {
    pub const fn new() -> Self {
        Events { reserved: [0; EVENTS], set: [0; EVENTS] }
    }

    pub fn take(&mut self, event: usize) -> u8 {
        let id = self.reserved[event].trailing_ones() as u8;
        self.reserved[event] |= 1 << id;
        id
    }

    pub fn give_back(&mut self, event: usize, id: u8) {
        self.reserved[event] &= !(1 << id);
    }

    pub fn set(&mut self, event: usize, id: u8) {
        self.set[event] |= 1 << id;
    }

    pub fn wait(&mut self, event: usize, id: u8) {
        self.set[event] &= !(1 << id);
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Free,
    Occupied,
    Enque,
    Deque,
}

#[derive(Clone, Copy)]
struct Block {
    addr: u32,
    len: u32,
    state: State,
    enque_id: u8,
    free_id: u8,
}

/// A tensor: where it is, and its block.
pub struct Tensor {
    pub addr: u32,
    pub len: u32,
    block: u8,
}

/// Most blocks of a queue.
const MOST: usize = 8;

/// A queue of `num` blocks.
pub struct Queue {
    blocks: [Block; MOST],
    num: usize,
    cursor: usize,
    fifo: [u8; MOST],
    first: usize,
    used: usize,
    enque_event: usize,
    free_event: usize,
}

impl Queue {
    pub fn new(num: usize, addr: u32, len: u32) -> Self {
        let block = |index| Block {
            addr: addr + index as u32 * len,
            len,
            state: State::Free,
            enque_id: NONE,
            free_id: NONE,
        };
        Queue {
            blocks: std::array::from_fn(block),
            num,
            cursor: 0,
            fifo: [0; MOST],
            first: 0,
            used: 0,
            enque_event: 4,
            free_event: 5,
        }
    }

    fn after(&self, index: usize) -> usize {
        if index + 1 == self.num { 0 } else { index + 1 }
    }

    fn tensor(&self, index: usize) -> Tensor {
        let block = &self.blocks[index];
        Tensor { addr: block.addr, len: block.len, block: index as u8 }
    }

    pub fn alloc(&mut self, events: &mut Events) -> Tensor {
        let mut index = self.cursor;
        while self.blocks[index].state != State::Free {
            index = self.after(index);
        }
        self.cursor = self.after(index);
        let block = &mut self.blocks[index];
        if block.free_id != NONE {
            events.wait(self.free_event, block.free_id);
            events.give_back(self.free_event, block.free_id);
            block.free_id = NONE;
        }
        block.state = State::Occupied;
        self.tensor(index)
    }

    pub fn enque(&mut self, events: &mut Events, tensor: &Tensor) {
        let id = events.take(self.enque_event);
        events.set(self.enque_event, id);
        let block = &mut self.blocks[usize::from(tensor.block)];
        block.enque_id = id;
        block.state = State::Enque;
        let last = self.first + self.used;
        self.fifo[if last >= self.num { last - self.num } else { last }] = tensor.block;
        self.used += 1;
    }

    pub fn deque(&mut self, events: &mut Events) -> Tensor {
        let index = usize::from(self.fifo[self.first]);
        self.first = self.after(self.first);
        self.used -= 1;
        let block = &mut self.blocks[index];
        events.wait(self.enque_event, block.enque_id);
        events.give_back(self.enque_event, block.enque_id);
        block.enque_id = NONE;
        block.state = State::Deque;
        self.tensor(index)
    }

    pub fn free(&mut self, events: &mut Events, tensor: &Tensor) {
        let id = events.take(self.free_event);
        events.set(self.free_event, id);
        let block = &mut self.blocks[usize::from(tensor.block)];
        block.free_id = id;
        block.state = State::Free;
    }
}

/// A buffer without a queue: a view is an address and a length.
pub struct Buffer {
    pub addr: u32,
    pub len: u32,
}

impl Buffer {
    pub fn get(&self) -> Tensor {
        Tensor { addr: self.addr, len: self.len, block: 0 }
    }
}

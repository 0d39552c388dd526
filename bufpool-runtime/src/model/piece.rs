//! What a tensor holds, in words of one size.
//!
//! A tensor is moved at each call that takes or gives it. Where its fields have different sizes, the
//! host writes them one by one, moves them in larger steps, and has to wait for the writes each time:
//! that took longer than all the rest of a queue operation.

use crate::model::Core;
use crate::model::block::{BlockId, OwnerId, TBufHandle};
use crate::place::Place;
use crate::position::{Hardware, TPosition};

/// A block in one life of its owner: what tensors and handles designate, in the form that is
/// compared at each operation. Block in the low half, epoch of the owner in the high half.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token(u64);

impl Token {
    pub const NONE: Token = Token(u64::MAX);

    #[inline]
    pub const fn new(block: BlockId, epoch: u32) -> Self {
        Token((epoch as u64) << 32 | block.0 as u64)
    }

    /// The block, if the token designates one.
    #[inline]
    pub fn block(self) -> Option<BlockId> {
        (self != Token::NONE).then_some(BlockId(self.0 as u32))
    }

    #[inline]
    pub fn epoch(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// Which of the `num` blocks from `self` the other token designates, in the same life.
    #[inline]
    pub fn index_of(self, other: Token, num: u8) -> Option<u8> {
        let index = other.0.wrapping_sub(self.0);
        (index < u64::from(num)).then_some(index as u8)
    }

    #[inline]
    pub fn after(self, index: u8) -> Token {
        Token(self.0 + u64::from(index))
    }
}

/// What the blocks of a queue or TBuf have in common, the index of one within its owner, and of a
/// tensor of a queue which life of its block it is of: see `Block::life`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Home(u64);

impl Home {
    #[inline]
    pub const fn new(owner: OwnerId, index: u8, hardware: Hardware, position: TPosition) -> Self {
        Home(
            (position as u64) << 48
                | (hardware as u64) << 40
                | (index as u64) << 32
                | owner.0 as u64,
        )
    }

    #[inline]
    pub fn owner(self) -> OwnerId {
        OwnerId(self.0 as u32)
    }

    #[inline]
    pub fn index(self) -> u8 {
        (self.0 >> 32) as u8
    }

    #[inline]
    pub fn hardware(self) -> Hardware {
        Hardware::ALL[(self.0 >> 40) as usize % Hardware::COUNT]
    }

    #[inline]
    pub fn position(self) -> TPosition {
        TPosition::ALL[(self.0 >> 48) as usize % TPosition::ALL.len()]
    }

    /// Of a tensor in a life of its block.
    #[inline]
    pub fn in_life(self, life: u8) -> Home {
        Home(self.0 | u64::from(life) << 56)
    }

    #[inline]
    pub fn life(self) -> u8 {
        (self.0 >> 56) as u8
    }

    /// Of a block further on. The index stays below 256: blocks have one of their owner's.
    #[inline]
    pub fn after(self, index: u8) -> Home {
        Home(self.0 + (u64::from(index) << 32))
    }
}

/// A block or a part of one, or bytes at a fixed address.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    /// Where the tensor was taken.
    pub at: Place,
    /// Offset from the start of the memory in the low half, length in the high half; bytes.
    extent: u64,
    /// Its block; none at a fixed address.
    pub token: Token,
    pub home: Home,
}

impl Piece {
    #[inline]
    pub fn new(addr: u32, bytes: u32, token: Token, home: Home, at: Place) -> Self {
        Piece { at, extent: u64::from(bytes) << 32 | u64::from(addr), token, home }
    }

    #[inline]
    pub fn addr(&self) -> u32 {
        self.extent as u32
    }

    #[inline]
    pub fn bytes(&self) -> u32 {
        (self.extent >> 32) as u32
    }

    /// Without the bytes that do not fill an element.
    #[inline]
    pub fn of_whole_elements(self, size: u32) -> Self {
        let bytes = self.bytes() - self.bytes() % size;
        Piece::new(self.addr(), bytes, self.token, self.home, self.at)
    }

    /// The handle of its block.
    pub fn handle(&self, core: &Core) -> TBufHandle {
        TBufHandle {
            core: core.serial(),
            owner: self.home.owner(),
            index: self.home.index(),
            epoch: self.token.epoch(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_keep_their_parts_apart() {
        for hardware in Hardware::ALL {
            for &position in TPosition::ALL {
                let home = Home::new(OwnerId(u32::MAX), 3, hardware, position).after(252);
                assert_eq!(home.life(), 0);
                let home = home.in_life(u8::MAX);
                assert_eq!((home.owner(), home.index()), (OwnerId(u32::MAX), 255));
                assert_eq!(home.life(), u8::MAX);
                assert_eq!((home.hardware(), home.position()), (hardware, position));
            }
        }
        let token = Token::new(BlockId(7), u32::MAX).after(2);
        assert_eq!((token.block(), token.epoch()), (Some(BlockId(9)), u32::MAX));
        assert_eq!(Token::NONE.block(), None);
        let piece = Piece::new(
            u32::MAX,
            5,
            token,
            Home::new(OwnerId(1), 0, Hardware::UB, TPosition::VECIN),
            Place::here(),
        );
        assert_eq!((piece.addr(), piece.bytes()), (u32::MAX, 5));
        assert_eq!(piece.of_whole_elements(4).bytes(), 4);
    }

    #[test]
    fn only_blocks_of_the_same_life_are_found() {
        let first = Token::new(BlockId(64), 3);
        let index = |block, epoch| first.index_of(Token::new(BlockId(block), epoch), 2);
        assert_eq!([index(64, 3), index(65, 3)], [Some(0), Some(1)]);
        assert_eq!([index(63, 3), index(66, 3), index(64, 2), index(65, 4)], [None; 4]);
        assert_eq!(first.index_of(Token::NONE, 255), None);
    }
}

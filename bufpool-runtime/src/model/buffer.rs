//! TBufs: views of a block, without flags or order.

use crate::error::{BufPoolError, Result, Trail};
use crate::model::State;
use crate::model::alloc::ONE_BLOCK;
use crate::model::block::QueueId;
use crate::model::piece::Piece;
use crate::model::stream::Event;
use crate::place::Place;

/// Which bytes of a TBuf a view covers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Range {
    pub offset: u64,
    pub bytes: u64,
}

impl State {
    /// `Get(count)`: the first elements of `size` bytes each, in all a multiple of 32 bytes.
    pub fn get_len(&mut self, id: QueueId, count: u64, size: u64, at: Place) -> Result<Piece> {
        let bytes = count.saturating_mul(size);
        self.check_not_empty(id, bytes, at)?;
        let most = self.buffer_bytes(id);
        self.check_multiple(id, "length", bytes, most, size, at)?;
        self.get(id, Range { offset: 0, bytes }, at)
    }

    /// `GetWithOffset`: bytes from an offset that is a multiple of 32.
    pub fn get_with_offset(&mut self, id: QueueId, range: Range, at: Place) -> Result<Piece> {
        self.check_not_empty(id, range.bytes, at)?;
        let most = self.buffer_bytes(id).saturating_sub(range.bytes);
        self.check_multiple(id, "offset", range.offset, most, 1, at)?;
        self.get(id, range, at)
    }

    /// `Get()`: all bytes.
    #[inline]
    pub fn get_all(&mut self, id: QueueId, at: Place) -> Result<Piece> {
        match self.usual_get::<true>(id, at) {
            Some(piece) => Ok(piece),
            None => self.get(id, Range { offset: 0, bytes: u64::from(self.queue(id).len) }, at),
        }
    }

    /// A view of the TBuf's one block. Like the layer, leaves the view's length in the record.
    #[inline(never)]
    fn get(&mut self, id: QueueId, range: Range, at: Place) -> Result<Piece> {
        let buffer = self.live_queue(id, at)?;
        let block = buffer.first;
        let record = self.block(block);
        if record.written != Some(buffer.epoch) {
            return Err(self.record_never_initialised(id, block, at));
        }
        // What init_start_buf_handle and init_buf_handle said need not be the same.
        let limit = self.buffer_bytes(id);
        let end = range.offset.saturating_add(range.bytes);
        if end > limit {
            return Err(BufPoolError::ViewOutOfBounds {
                what: format!("the {}", buffer.label()),
                start: range.offset,
                end,
                limit,
                trail: Trail::asked(at)
                    .at("initialised at", buffer.init_at)
                    .help(format!("keep offset + length within {limit} bytes")),
            });
        }
        self.queue_mut(id).viewed = true;
        let record = self.block_mut(block);
        record.len = range.bytes as u32;
        let (addr, bytes) = (record.addr + range.offset as u32, range.bytes as u32);
        self.emit(&Event::Get { queue: id, block }, at);
        Ok(self.queue(id).piece(0, addr, bytes, at))
    }

    fn check_not_empty(&self, id: QueueId, bytes: u64, at: Place) -> Result<()> {
        if bytes > 0 {
            return Ok(());
        }
        Err(BufPoolError::BadLength {
            what: format!("a view of the {}", self.queue(id).label()),
            asked: 0,
            trail: Trail::asked(at).help("ask for one element at least"),
        })
    }

    /// Bytes that a view of the TBuf can have. What `init_start_buf_handle` and `init_buf_handle` said
    /// need not be the same.
    fn buffer_bytes(&self, id: QueueId) -> u64 {
        let buffer = self.queue(id);
        u64::from(buffer.len.min(self.block(buffer.first).size))
    }

    /// `most`: bytes that there are; `unit`: bytes of what the caller counts in.
    fn check_multiple(
        &self,
        id: QueueId,
        what: &str,
        bytes: u64,
        most: u64,
        unit: u64,
        at: Place,
    ) -> Result<()> {
        // More than any buffer has: `get` says so, and no multiple is near.
        let step = u64::from(ONE_BLOCK);
        if bytes.is_multiple_of(step) || bytes > u64::from(u32::MAX) {
            return Ok(());
        }
        let up = bytes.next_multiple_of(step);
        let down = (up - step).min(most / step * step);
        let counted = if unit == 1 { "bytes" } else { "elements" };
        let help = match down / unit {
            down if up > most => format!("use {down} {counted}"),
            0 if what == "length" => format!("use {} {counted}", up / unit),
            down => format!("use {down} or {} {counted}", up / unit),
        };
        Err(BufPoolError::ViewMisaligned {
            what: format!("{what} of a view of the {}", self.queue(id).label()),
            asked: bytes,
            trail: Trail::asked(at).help(help),
        })
    }
}

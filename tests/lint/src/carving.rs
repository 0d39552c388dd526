//! A pool that carves queues one after the other, as in the documentation.

use bufpool_runtime::prelude::*;

/// Queues side by side, from the start of the pool.
#[extern_impl_bufpool(position = VECCALC, bufid_size = 16)]
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Contiguous {
    /// Queues carved so far.
    queues: u8,
}

impl Contiguous {
    /// Gives a queue one block of `len` bytes.
    ///
    /// # Errors
    ///
    /// The pool has no more blocks or bytes.
    #[inline]
    pub fn init_queue<Src: Position, Dst: Position, const DEPTH: usize>(
        &mut self,
        que: &mut TQueBind<Src, Dst, DEPTH>,
        len: u32,
    ) -> Result<()> {
        let (first, addr) = (self.get_cur_buf_size(), self.get_cur_addr());
        que.init_start_buf_handle(self.get_buf_handle(first)?, 1, len)?;
        que.init_buf_handle(self, 0, self.get_buf_handle(first)?, addr, len)?;
        self.set_cur_addr(addr.saturating_add(len));
        self.set_cur_buf_size(first.saturating_add(1));
        self.queues = self.queues.saturating_add(1);
        Ok(())
    }

    /// Queues carved so far.
    #[inline]
    #[must_use]
    pub const fn queues(&self) -> u8 {
        self.queues
    }
}

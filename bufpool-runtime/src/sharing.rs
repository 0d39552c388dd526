//! Sharing on purpose: queues and TBufs whose blocks lie on the same bytes by plan.

use crate::error::{BufPoolError, Result, Trail};
use crate::model::Core;
use crate::model::block::QueueId;
use crate::model::stream::Event;
use crate::place::Place;
use crate::position::Position;
use crate::queue::TQueBind;
use crate::tbuf::TBuf;

mod sealed {
    use super::{Core, Place, QueueId, Result};

    pub trait Bound {
        fn bond(&self, at: Place) -> Result<(&Core, QueueId)>;
    }
}

/// A queue or TBuf.
pub trait Buffer: sealed::Bound {}

impl<S: Position, D: Position, const DEPTH: usize> sealed::Bound for TQueBind<S, D, DEPTH> {
    fn bond(&self, at: Place) -> Result<(&Core, QueueId)> {
        self.link().get(|| self.shape(), at)
    }
}

impl<S: Position, D: Position, const DEPTH: usize> Buffer for TQueBind<S, D, DEPTH> {}

impl<P: Position> sealed::Bound for TBuf<P> {
    fn bond(&self, at: Place) -> Result<(&Core, QueueId)> {
        self.link().get(|| self.shape(), at)
    }
}

impl<P: Position> Buffer for TBuf<P> {}

/// Says that these queues and TBufs share bytes on purpose: an overlay.
///
/// The checks then take blocks on the same bytes as planned, and report only uses that nothing
/// orders. Say it after the buffers have their memory and before the first of them is used; after
/// a reset it still holds. Queues on the same *records* (a ring) need no word: their blocks are
/// the same.
///
/// ```
/// use bufpool_runtime::prelude::*;
/// use bufpool_runtime::declare_sharing;
/// # fn main() -> Result<()> {
/// let pipe = TPipe::builder(Chip::AtlasA2).checks(Checks::Full).build()?;
/// let (mut x, mut z) = (TQue::<VECIN, 1>::new(), TQue::<VECOUT, 1>::new());
/// pipe.init_buffer(&mut x, 1, 1024)?;
/// pipe.init_buffer_at(&mut z, &[(0, 1024)])?;
/// declare_sharing(&[&x, &z])?;
/// let a = x.alloc_tensor::<f32>()?;
/// x.free_tensor(a)?;
/// pipe.finish().assert_clean();
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// One of them has no memory yet, or they are of different pipes.
#[track_caller]
pub fn declare_sharing(buffers: &[&dyn Buffer]) -> Result<()> {
    let at = Place::here();
    let mut queues = Vec::with_capacity(buffers.len());
    let mut first: Option<&Core> = None;
    for buffer in buffers {
        let (core, queue) = buffer.bond(at)?;
        if !first.get_or_insert(core).same(core) {
            return Err(BufPoolError::OtherPipe {
                what: "one of the buffers".to_owned(),
                trail: Trail::asked(at).help("declare the sharing of buffers of one TPipe"),
            });
        }
        queues.push(queue);
    }
    let Some(core) = first else { return Ok(()) };
    core.run(at, |state| {
        state.emit(&Event::SharingDeclared { queues: &queues }, at);
        Ok(())
    })
}

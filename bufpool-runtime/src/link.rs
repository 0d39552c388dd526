//! What ties a queue, TBuf or pool of the user to the core that holds its state.

use crate::error::{BufPoolError, Result, Trail};
use crate::model::Core;
use crate::model::block::QueueId;
use crate::model::queue::Shape;
use crate::place::Place;

/// The bond of a queue or TBuf: none until memory is given to it.
#[derive(Default)]
pub(crate) struct Link {
    bound: Option<(Core, QueueId)>,
}

impl Link {
    pub const fn new() -> Self {
        Link { bound: None }
    }

    /// The core and the queue, or no-init-buffer.
    pub fn get(&self, shape: impl FnOnce() -> Shape, at: Place) -> Result<(&Core, QueueId)> {
        match &self.bound {
            Some((core, id)) => Ok((core, *id)),
            None => Err(no_init_buffer(&shape(), at)),
        }
    }

    /// The slot to reuse when memory is given again on the same core.
    pub fn slot(&self, core: &Core) -> Option<QueueId> {
        self.bound.as_ref().filter(|(bound, _)| bound.same(core)).map(|&(_, id)| id)
    }

    pub fn bind(&mut self, core: &Core, id: QueueId) {
        if self.slot(core) != Some(id) {
            self.let_go();
        }
        self.bound = Some((core.clone(), id));
    }

    fn let_go(&mut self) {
        if let Some((core, id)) = self.bound.take()
            && let Some(mut state) = core.state_always()
        {
            state.drop_queue(id);
        }
    }

    #[inline]
    pub fn bound(&self) -> Option<(&Core, QueueId)> {
        self.bound.as_ref().map(|(core, id)| (core, *id))
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.let_go();
    }
}

/// The error of a queue or TBuf whose record is written before it is bound to records.
#[cold]
pub(crate) fn no_records(shape: &Shape, at: Place) -> BufPoolError {
    no_memory(shape, at, "bind it to records first: init_start_buf_handle")
}

/// The error of a queue or TBuf that has no memory.
#[cold]
pub(crate) fn no_init_buffer(shape: &Shape, at: Place) -> BufPoolError {
    let help = match shape.depth {
        None => "give it memory first: init_tbuf of the TPipe or of a pool",
        Some(_) => "give it memory first: init_buffer of the TPipe or of a pool",
    };
    no_memory(shape, at, help)
}

fn no_memory(shape: &Shape, at: Place, help: &str) -> BufPoolError {
    BufPoolError::NoInitBuffer {
        what: format!(
            "the {}",
            shape.label(if shape.dst == crate::TPosition::GM { shape.src } else { shape.dst })
        ),
        trail: Trail::asked(at).help(help),
    }
}

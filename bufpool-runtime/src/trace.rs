//! The flags, locks and barriers that a kernel issued, in order, if the pipe was built with
//! `trace(true)`. Grows with the kernel: meant for tests and for teaching.

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

use crate::event::{EventId, HardEvent, Pipe};
use crate::model::stream::{Event, Listener};
use crate::place::Place;

/// One synchronisation of the pipes.
///
/// ```
/// use bufpool_runtime::prelude::*;
/// # fn main() -> Result<()> {
/// let pipe = TPipe::builder(Chip::AtlasA2).trace(true).build()?;
/// pipe.set_flag(HardEvent::MTE2_V, 3)?;
/// pipe.wait_flag(HardEvent::MTE2_V, 3)?;
/// let trace: Vec<String> = pipe.take_trace().iter().map(|event| event.to_string()).collect();
/// assert_eq!(trace, ["set MTE2 V 3", "wait MTE2 V 3"]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceEvent {
    /// `SetFlag` on the source pipe.
    Set(HardEvent, EventId),
    /// `WaitFlag` on the destination pipe.
    Wait(HardEvent, EventId),
    /// `PipeBarrier`; none is all pipes.
    Barrier(Option<Pipe>),
    /// A pipe takes a lock id (Ascend950).
    GetBuf(Pipe, u8, u8),
    /// A pipe gives a lock id back (Ascend950).
    RlsBuf(Pipe, u8, u8),
}

impl fmt::Display for TraceEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            TraceEvent::Set(e, id) => write!(f, "set {} {} {id}", e.src(), e.dst()),
            TraceEvent::Wait(e, id) => write!(f, "wait {} {} {id}", e.src(), e.dst()),
            TraceEvent::Barrier(Some(pipe)) => write!(f, "barrier {pipe}"),
            TraceEvent::Barrier(None) => f.write_str("barrier ALL"),
            TraceEvent::GetBuf(pipe, lock, mode) => write!(f, "get_buf {pipe} {lock} {mode}"),
            TraceEvent::RlsBuf(pipe, lock, mode) => write!(f, "rls_buf {pipe} {lock} {mode}"),
        }
    }
}

/// The log, shared between the pipe and its listener.
#[derive(Clone, Default)]
pub(crate) struct TraceLog(Rc<RefCell<Vec<TraceEvent>>>);

impl TraceLog {
    pub fn take(&self) -> Vec<TraceEvent> {
        self.0.take()
    }
}

impl Listener for TraceLog {
    fn on(&mut self, event: &Event<'_>, _: Place) {
        let seen = match *event {
            Event::SetFlag { event, id, .. } => TraceEvent::Set(event, id),
            Event::WaitFlag { event, id, .. } => TraceEvent::Wait(event, id),
            Event::Barrier { pipe } => TraceEvent::Barrier(pipe),
            Event::GetBuf { pipe, lock, mode } => TraceEvent::GetBuf(pipe, lock, mode),
            Event::RlsBuf { pipe, lock, mode } => TraceEvent::RlsBuf(pipe, lock, mode),
            _ => return,
        };
        self.0.borrow_mut().push(seen);
    }
}

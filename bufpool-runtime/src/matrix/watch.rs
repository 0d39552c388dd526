//! What a run of the matrix sees of the pipes that its kernel builds: a listener for the layout,
//! and the peaks when a pipe ends.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use crate::event::HardEvent;
use crate::inspect::PipeView;
use crate::model::block::QueueId;
use crate::model::stream::{Event, Listener};
use crate::place::Place;
use crate::position::Hardware;

/// Blocks and pools that a run keeps; a kernel that carves for ever is compared up to here.
const MOST: usize = 1 << 16;

thread_local! {
    /// The run on whose behalf this thread works.
    static HERE: RefCell<Option<Watch>> = const { RefCell::new(None) };
}

/// A block or pool and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Placed {
    /// The pool, or the block with its queue.
    pub what: String,
    /// The memory.
    pub memory: Hardware,
    /// First byte.
    pub start: u32,
    /// Bytes.
    pub bytes: u32,
    /// Where it got its memory.
    pub at: Place,
}

/// What a run has seen so far.
#[derive(Default)]
pub(super) struct Seen {
    pub layout: Vec<Placed>,
    pub high_water: [u32; Hardware::COUNT],
    pub peak_events: Vec<(HardEvent, u8)>,
    pub peak_locks: u32,
}

impl Seen {
    fn add(&mut self, view: &PipeView) {
        for (memory, bytes) in view.high_water {
            let most = &mut self.high_water[memory as usize];
            *most = bytes.max(*most);
        }
        for &(event, peak) in &view.peak_events {
            match self.peak_events.iter_mut().find(|(of, _)| *of == event) {
                Some((_, most)) => *most = peak.max(*most),
                None => self.peak_events.push((event, peak)),
            }
        }
        self.peak_locks = self.peak_locks.max(view.peak_locks);
    }
}

/// Shared between the matrix, the threads that work for it, and the listeners of their pipes.
#[derive(Clone, Default)]
pub(crate) struct Watch(Arc<Mutex<Seen>>);

impl Watch {
    /// The run on whose behalf this thread works, to be handed to another thread.
    pub fn here() -> Option<Self> {
        HERE.with_borrow(Clone::clone)
    }

    /// Watches the pipes of this thread until the guard goes, or with none, watches none of them.
    pub fn enter(watch: Option<Self>) -> Watching {
        Watching(HERE.replace(watch))
    }

    pub(super) fn take(&self) -> Seen {
        self.0.lock().map(|mut seen| std::mem::take(&mut *seen)).unwrap_or_default()
    }

    fn with(&self, change: impl FnOnce(&mut Seen)) {
        if let Ok(mut seen) = self.0.lock() {
            change(&mut seen);
        }
    }
}

/// Ends the watching; the thread works for whom it did before.
#[must_use]
pub(crate) struct Watching(Option<Watch>);

impl Drop for Watching {
    fn drop(&mut self) {
        // A thread that ends may have let go of it already.
        let _ = HERE.try_with(|here| here.replace(self.0.take()));
    }
}

/// The listener for a pipe of this thread; none if no matrix watches.
pub(crate) fn listener() -> Option<Box<dyn Listener>> {
    let watch = Watch::here()?;
    Some(Box::new(LayoutLog { watch, names: HashMap::new() }))
}

/// A pipe of this thread ends.
pub(crate) fn note(view: impl FnOnce() -> PipeView) {
    if let Ok(Some(watch)) = HERE.try_with(|here| here.borrow().clone()) {
        let view = view();
        watch.with(|seen| seen.add(&view));
    }
}

/// Writes down where blocks and pools are.
struct LayoutLog {
    watch: Watch,
    names: HashMap<QueueId, String>,
}

impl Listener for LayoutLog {
    fn on(&mut self, event: &Event<'_>, at: Place) {
        let placed = match *event {
            Event::Bound { queue, name, .. } => {
                self.names.insert(queue, name.to_owned());
                return;
            }
            Event::BlockInit { queue, hardware, addr, len, index, .. } => {
                let name = self.names.get(&queue).map_or("queue", String::as_str);
                let what = format!("block {index} of the {name}");
                Placed { what, memory: hardware, start: addr, bytes: len, at }
            }
            Event::PoolInit { name, hardware, start, len, .. } => {
                Placed { what: format!("pool `{name}`"), memory: hardware, start, bytes: len, at }
            }
            _ => return,
        };
        self.watch.with(|seen| {
            if seen.layout.len() < MOST {
                seen.layout.push(placed);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_here(watch: &Watch) -> bool {
        Watch::here().is_some_and(|here| Arc::ptr_eq(&here.0, &watch.0))
    }

    #[test]
    fn a_watch_inside_another_gives_the_thread_back() {
        let (outer, inner) = (Watch::default(), Watch::default());
        let watching = Watch::enter(Some(outer.clone()));
        let within = Watch::enter(Some(inner.clone()));
        assert!(is_here(&inner));
        drop(within);
        assert!(is_here(&outer));
        let unwatched = Watch::enter(None);
        assert!(Watch::here().is_none());
        drop(unwatched);
        assert!(is_here(&outer));
        drop(watching);
        assert!(Watch::here().is_none());
    }
}

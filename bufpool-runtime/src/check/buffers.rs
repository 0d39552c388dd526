//! Memory is given to queues and TBufs: bound twice, the documented size.

use super::Checker;
use super::findings::Cause;
use super::records::Writing;
use super::runs::Bytes;
use super::table::{BlockInfo, QueueInfo, Step};
use super::usage::range;
use crate::model::block::QueueId;
use crate::model::stream::{Event, Placement};
use crate::place::Place;
use crate::position::Hardware;
use crate::report::{CheckId, Finding, Severity};

impl Checker {
    pub(super) fn bound(&mut self, event: &Event<'_>, at: Place) {
        let Event::Bound { queue, name, position, depth, new, rebound_from } = *event else {
            return;
        };
        self.starts_again(queue);
        if new {
            // What is known of the number is of a queue that is gone.
            self.table.remove_queue(queue);
            self.overlapping.retain(|&(one, other)| one != queue && other != queue);
        }
        if let Some(first) = rebound_from {
            self.findings.add(Cause::new(CheckId::QueueRebound, at).and(first), || {
                Finding::new(
                    CheckId::QueueRebound,
                    Severity::Warning,
                    format!("the {name} is initialised again while it is bound: nothing waits for its old blocks"),
                )
                .at(at, "initialised again here")
                .at(first, "bound here")
                .buffer(name)
                .help("initialise it once, or reset its pipe or pool in between")
            });
        }
        self.table.put_queue(
            queue,
            QueueInfo {
                name: name.to_owned(),
                position,
                is_buffer: depth.is_none(),
                bound_at: at,
                written: Vec::new(),
                sharings: Vec::new(),
            },
        );
    }

    pub(super) fn block_init(&mut self, event: &Event<'_>, at: Place) {
        let Event::BlockInit {
            block,
            handle,
            queue,
            hardware,
            addr,
            len,
            placement,
            index,
            before,
            moved,
        } = *event
        else {
            return;
        };
        let is_buffer = self.table.queue(queue).is_some_and(|queue| queue.is_buffer);
        let bytes = Bytes::new(u64::from(addr), u64::from(addr) + u64::from(len));
        if placement == Placement::Handle {
            self.record_written(Writing { block, queue, index, bytes, before, moved, at });
        }
        self.table.put_block(BlockInfo {
            id: block,
            owner: handle.owner,
            record: handle.index,
            queue,
            counted_by: None,
            hardware,
            bytes,
            placement,
            init_at: at,
            born: self.now,
            step: if is_buffer { Step::Buffer } else { Step::Free },
            step_at: at,
            step_time: self.now,
            handed: self.now,
            handed_at: at,
            life: 0,
            viewed: false,
            own_steps: false,
            rivals: Vec::new(),
        });
        self.doubt_placement(block);
        self.check_orphan(block, at);
        self.documented_size(hardware, bytes, queue, at);
    }

    fn documented_size(&mut self, hardware: Hardware, bytes: Bytes, queue: QueueId, at: Place) {
        let usable = self.spec.documented_ub;
        if hardware != Hardware::UB || usable == 0 || bytes.end <= u64::from(usable) {
            return;
        }
        let limit = self.spec.capacity(hardware);
        let name = self.table.queue(queue).map_or("", |queue| queue.name.as_str());
        self.findings.add(Cause::new(CheckId::OverDocumentedUb, at), || {
            Finding::new(
                CheckId::OverDocumentedUb,
                Severity::Warning,
                format!("a block of the {name} ends at {} of UB, which has {usable} usable bytes by the documents", bytes.end),
            )
            .at(at, "initialised here")
            .range(range(hardware, bytes, 1))
            .buffer(name)
            .note(format!("allocation goes on to {limit}, but vector instructions of the library may use the bytes above {usable}"))
            .help(format!("keep the blocks below {usable} bytes"))
        });
    }
}

//! Records of custom pools that are written again: while their block is out, for another user at
//! other bytes, or for two blocks of one queue.

use super::Checker;
use super::findings::Cause;
use super::runs::Bytes;
use super::table::{BlockInfo, Table};
use super::usage::range;
use crate::model::block::{BlockId, BlockState, OwnerId, QueueId};
use crate::model::stream::Moved;
use crate::place::Place;
use crate::report::{CheckId, Finding, Severity};

/// A record as `init_buf_handle` writes it.
#[derive(Clone, Copy)]
pub(super) struct Writing {
    pub block: BlockId,
    /// The queue or TBuf that it is written for, and the index of the block there.
    pub queue: QueueId,
    pub index: u8,
    pub bytes: Bytes,
    /// State of the record before.
    pub before: BlockState,
    pub moved: Option<Moved>,
    pub at: Place,
}

/// A record was written for another user. That is a fault once the first user goes on with it.
pub(super) struct TakenOver {
    user: QueueId,
    owner: OwnerId,
    cause: Cause,
    finding: Finding,
}

impl Checker {
    /// A queue or TBuf is used that had a record which was written for another one since.
    pub(super) fn goes_on(&mut self, user: QueueId, at: Place) {
        let all = std::mem::take(&mut self.taken_over);
        let (due, rest): (Vec<_>, Vec<_>) = all.into_iter().partition(|taken| taken.user == user);
        self.taken_over = rest;
        for TakenOver { cause, finding, .. } in due {
            self.findings.add(cause, || finding.at(at, "used again here"));
        }
    }

    /// A queue or TBuf has records anew.
    pub(super) fn starts_again(&mut self, user: QueueId) {
        self.taken_over.retain(|taken| taken.user != user);
    }

    /// The records of a pool (none: of all) are nobody's any more.
    pub(super) fn records_gone(&mut self, of: Option<OwnerId>) {
        self.taken_over.retain(|taken| of.is_some_and(|owner| owner != taken.owner));
    }

    /// `init_buf_handle`, before the table knows of it.
    pub(super) fn record_written(&mut self, writing: Writing) {
        let moved = writing.moved.filter(|_| self.is_in_use(writing.block));
        match moved {
            _ if writing.before != BlockState::Free => self.live_block_written(writing, moved),
            Some(moved) => self.user_moved(writing, moved),
            None => {}
        }
        self.written_twice(writing);
    }

    /// Whether a record was written since `init` let go of all records of its pool.
    fn is_in_use(&self, block: BlockId) -> bool {
        let emptied = |info: &BlockInfo| self.table.owner(info.owner)?.emptied;
        self.table
            .block(block)
            .is_some_and(|info| emptied(info).is_none_or(|(since, _)| since < info.born))
    }

    /// `init_buf_handle` on a record whose block is out.
    fn live_block_written(&mut self, writing: Writing, moved: Option<Moved>) {
        let Writing { block, queue, before, at, .. } = writing;
        let Some(info) = self.table.block(block) else { return };
        let (state_at, user) = (info.step_at, self.table.name(Some(block)));
        let name = name_of(&self.table, queue);
        let help = match moved {
            Some(moved) => own_records(&self.table, info.owner, moved, name),
            None => "free the tensor before its record is written again".to_owned(),
        };
        self.findings.add(Cause::new(CheckId::LiveBlockReinitialised, at).and(state_at), || {
            Finding::new(
                CheckId::LiveBlockReinitialised,
                Severity::Error,
                format!("the record of a block of the {user} is written again while the block is {before}"),
            )
            .at(at, format!("written for the {name} here"))
            .at(state_at, format!("{before} since here"))
            .buffer(user.as_str())
            .help(help)
        });
    }

    /// `init_buf_handle` on a record that another queue or TBuf stands on.
    fn user_moved(&mut self, writing: Writing, moved: Moved) {
        let Writing { block, queue, bytes, at, .. } = writing;
        let Some(info) = self.table.block(block) else { return };
        let pool = self.table.owner(info.owner).map_or("", |pool| pool.name.as_str());
        let (name, user) = (name_of(&self.table, queue), name_of(&self.table, moved.queue));
        let (record, owner, old, first_at) = (info.record, info.owner, info.bytes, info.init_at);
        let (has, note) = if moved.elsewhere {
            (
                "has it at other bytes",
                "a record has one address: both stand at the new bytes from now on",
            )
        } else {
            (
                "stands on it too",
                "two queues may share a record, by the state of its block; a TBuf has none, and writes at any time",
            )
        };
        let finding = Finding::new(
            CheckId::HandleInitialisedTwice,
            Severity::Warning,
            format!(
                "record {record} of pool `{pool}` is written for the {name}, and the {user} {has}"
            ),
        )
        .at(at, format!("written as [{}, {}) for the {name} here", bytes.start, bytes.end));
        let was = format!("[{}, {}) for the {user}", old.start, old.end);
        let finding = if first_at == at {
            let unnamed = if name == user { ": `named` tells queues apart" } else { "" };
            finding.note(format!("it was written as {was} at the same place{unnamed}"))
        } else {
            finding.at(first_at, format!("written as {was} here"))
        };
        let finding = finding
            .range(range(info.hardware, bytes, 1))
            .buffer(name)
            .buffer(user)
            .buffer(pool)
            .note(note)
            .help(own_records(&self.table, owner, moved, name));
        let cause = Cause::new(CheckId::HandleInitialisedTwice, at).and(first_at);
        self.taken_over.push(TakenOver { user: moved.queue, owner, cause, finding });
    }

    /// `init_buf_handle` on a record that was written for this queue already.
    fn written_twice(&mut self, writing: Writing) {
        let Writing { block, queue, index, at, .. } = writing;
        let name = name_of(&self.table, queue).to_owned();
        let Some(info) = self.table.queue_mut(queue) else { return };
        let earlier = info.written.iter().find(|(other, ..)| *other == block).copied();
        if earlier.is_none() {
            info.written.push((block, index, at));
        }
        let bound_at = info.bound_at;
        let Some((_, first_index, first_at)) = earlier else { return };
        self.findings.add(Cause::new(CheckId::HandleInitialisedTwice, at).and(first_at), || {
            let finding = Finding::new(
                CheckId::HandleInitialisedTwice,
                Severity::Error,
                if index == first_index {
                    format!("the record of block {index} of the {name} is written twice")
                } else {
                    format!("blocks {first_index} and {index} of the {name} are written to the same record")
                },
            )
            .at(at, format!("written for block {index} here"));
            let finding = if first_at == at {
                finding.note(format!("block {first_index} was written at the same place, in an earlier round"))
            } else {
                finding.at(first_at, format!("written for block {first_index} here"))
            };
            let finding = finding.at(bound_at, "it was bound here").buffer(&name);
            if index == first_index {
                finding
                    .note("the second call takes the block to FREE and to its new bytes, whoever has a tensor of it")
                    .help("write each record once; to move a block, reset its pool and carve again")
            } else {
                finding
                    .note("another record of the queue is never written: the device takes whatever stands there")
                    .help("pass a handle of its own for each block: get_buf_handle(first + i)")
            }
        });
    }
}

/// How two users of a record get one each.
fn own_records(table: &Table, owner: OwnerId, first: Moved, second: &str) -> String {
    let Moved { queue, end, .. } = first;
    let count = table.owner(owner).map_or(0, |pool| pool.awaited);
    if u32::from(count) < end {
        let first = name_of(table, queue);
        format!(
            "set_cur_buf_size({end}) after the {first} is initialised, so that the next one gets other records, or reset the pool in between"
        )
    } else {
        format!(
            "give the {second} other records, from get_buf_handle({count}) on, or reset the pool in between"
        )
    }
}

fn name_of(table: &Table, queue: QueueId) -> &str {
    table.queue(queue).map_or("", |queue| queue.name.as_str())
}

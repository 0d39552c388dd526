//! Pools: cursors, blocks on the same bytes, what a reset loses.

use super::Checker;
use super::findings::Cause;
use super::runs::Bytes;
use super::table::{Doubt, Orphaned, OwnerInfo};
use super::usage::range;
use crate::model::block::{BlockId, OwnerId, QueueId};
use crate::model::stream::{Ended, Event, Placement};
use crate::place::Place;
use crate::report::{CheckId, Finding, Severity};

impl Checker {
    pub(super) fn pool_init(&mut self, event: &Event<'_>, at: Place) {
        let Event::PoolInit {
            owner,
            name,
            custom,
            hardware,
            start,
            len,
            parent,
            shares,
            asked,
            records,
            count,
        } = *event
        else {
            return;
        };
        if let Some(other) = shares
            && asked < len
        {
            let other_at = self.table.owner(other).map(|other| other.init_at);
            self.findings.add(Cause::new(CheckId::PoolLongerThanAsked, at), || {
                Finding::new(
                    CheckId::PoolLongerThanAsked,
                    Severity::Note,
                    format!("pool `{name}` asked for {asked} bytes and has {len}: all of the pool that it shares"),
                )
                .at(at, "initialised here")
                .maybe_at(other_at, "the pool that it shares")
                .buffer(name)
            });
        }
        let bytes = Bytes::new(u64::from(start), u64::from(start) + u64::from(len));
        // A pool that shares another one stands beside it, whoever initialised it.
        let beside = shares.and_then(|other| self.table.owner(other)).map(|other| other.parent);
        let parent = beside.unwrap_or(parent);
        // Flags from before an `init` are no less forgotten for a new range.
        let emptied = self.table.owner(owner).and_then(|pool| pool.emptied);
        self.table.put_owner(
            owner,
            OwnerInfo {
                name: name.to_owned(),
                custom,
                hardware,
                bytes,
                parent,
                init_at: at,
                cursor: start,
                count: 0,
                records,
                awaited: count,
                emptied,
                orphaned: None,
            },
        );
    }

    pub(super) fn pool_emptied(&mut self, owner: OwnerId, at: Place) {
        self.records_gone(Some(owner));
        let now = self.now;
        if let Some(info) = self.table.owner_mut(owner) {
            (info.cursor, info.count, info.awaited) = (0, 0, 0);
            info.emptied = Some((now, at));
        }
    }

    /// The cursor or the count of a custom pool was set. It is behind if blocks that lay below
    /// the old cursor lie above the new one: the next block would be given their bytes. Blocks
    /// above the old cursor were placed there by the user's own plan, and say nothing.
    pub(super) fn pool_cursor(&mut self, owner: OwnerId, addr: u32, count: u8, at: Place) {
        let Some(info) = self.table.owner_mut(owner) else { return };
        let (old_addr, old_count) = (info.cursor, info.count);
        (info.cursor, info.count, info.awaited) = (addr, count, count);
        let (name, records) = (info.name.clone(), info.records);
        if u32::from(count) > records && count != old_count {
            self.count_past_records(&name, count, records, at);
        }
        let behind = addr < old_addr;
        let mut below = self.table.standing().filter(|block| {
            block.owner == owner
                && behind
                && block.bytes.end <= u64::from(old_addr)
                && u64::from(addr) < block.bytes.end
        });
        if let Some(block) = below.next() {
            let end = below.map(|block| block.bytes.end).fold(block.bytes.end, u64::max);
            let (bytes, init_at, queue) =
                (block.bytes, block.init_at, self.table.name(Some(block.id)));
            let hardware = block.hardware;
            self.findings.add(Cause::new(CheckId::CursorBehind, at).and(init_at), || {
                Finding::new(
                    CheckId::CursorBehind,
                    Severity::Warning,
                    format!("pool `{name}`: the cursor goes back to {addr}, but [{}, {}) is handed out already", bytes.start, bytes.end),
                )
                .at(at, "set here")
                .at(init_at, format!("bytes of the {queue}"))
                .range(range(hardware, bytes, 1))
                .buffer(name.as_str())
                .buffer(queue)
                .help(format!("keep the cursor at {end} or above, or reset the pool first"))
            });
        }
        if count < old_count {
            self.findings.add(Cause::new(CheckId::CursorBehind, at), || {
                Finding::new(
                    CheckId::CursorBehind,
                    Severity::Warning,
                    format!("pool `{name}`: the count of used records goes back from {old_count} to {count}"),
                )
                .at(at, "set here")
                .buffer(name.as_str())
                .note("the records above it belong to queues already, and reset waits only for those below it")
                .help("reset the pool to use its records again")
            });
        }
    }

    /// More records counted than there are: a reset of the device goes over what lies behind them.
    #[cold]
    fn count_past_records(&mut self, pool: &str, count: u8, records: u32, at: Place) {
        self.findings.add(Cause::new(CheckId::PoolIdsExhausted, at), || {
            Finding::new(
                CheckId::PoolIdsExhausted,
                Severity::Error,
                format!("pool `{pool}`: {count} records are counted as used, and it declares {records}"),
            )
            .at(at, "set here")
            .buffer(pool)
            .note("a reset waits for as many records: past the last one it takes other memory for records")
            .help(format!("count block records, not bytes: {records} at most, or declare bufid_size = {count}"))
        });
    }

    /// Looks whether a block that was just written lies on the bytes of another one, without an
    /// `init_buf_pool` that says so. Sharing may still be declared until one of them is used.
    pub(super) fn doubt_placement(&mut self, block: BlockId) {
        let Some(info) = self.table.block(block) else { return };
        let suspects = info.rivals.iter().filter(|&&rival| {
            self.table.block(rival).is_some_and(|rival| {
                let by_hand = |placement| placement != Placement::Cursor;
                let placed = by_hand(rival.placement) || by_hand(info.placement);
                placed
                    && (rival.owner == info.owner
                        || !self.table.pools_share(rival.owner, info.owner))
            })
        });
        let doubts: Vec<Doubt> =
            suspects.map(|&rival| Doubt { first: rival, second: block }).collect();
        self.table.doubts.extend(doubts);
    }

    /// Reports the doubts about a queue and a block of it that come into use.
    #[inline]
    pub(super) fn settle_doubts_of(&mut self, queue: QueueId, block: BlockId, at: Place) {
        if self.table.doubts.len() + self.taken_over.len() > 0 {
            self.come_into_use(queue, block, at);
        }
    }

    #[cold]
    fn come_into_use(&mut self, queue: QueueId, block: BlockId, at: Place) {
        self.settle_doubts(|doubt| doubt.first == block || doubt.second == block);
        self.goes_on(queue, at);
    }

    /// Reports the doubts that are due and were not settled by a declaration.
    pub(super) fn settle_doubts(&mut self, is_due: impl Fn(&Doubt) -> bool) {
        let (due, rest): (Vec<Doubt>, Vec<Doubt>) =
            std::mem::take(&mut self.table.doubts).into_iter().partition(is_due);
        self.table.doubts = rest;
        for doubt in due {
            self.report_doubt(doubt);
        }
    }

    fn report_doubt(&mut self, doubt: Doubt) {
        let (Some(first), Some(second)) =
            (self.table.block(doubt.first), self.table.block(doubt.second))
        else {
            return;
        };
        if self.table.is_declared(first, second) || !first.bytes.meets(second.bytes) {
            return;
        }
        let common = range(second.hardware, first.bytes.common(second.bytes), 1);
        let (one, other) = (self.table.name(Some(first.id)), self.table.name(Some(second.id)));
        let (first_at, second_at) = (first.init_at, second.init_at);
        let same_queue = first.queue == second.queue;
        let (one_bytes, other_bytes) = (first.bytes, second.bytes);
        let pool = self
            .table
            .owner(second.owner)
            .filter(|pool| pool.custom && first.owner == second.owner);
        let behind = pool.is_some_and(|pool| u64::from(pool.cursor) < one_bytes.end);
        let pool = pool.map(|pool| pool.name.clone());
        let check = if pool.is_some() { CheckId::CursorNotAdvanced } else { CheckId::Overlap };
        self.findings.add(Cause::new(check, second_at).and(first_at), || {
            let place = match &pool {
                Some(pool) => format!("in pool `{pool}` "),
                None => String::new(),
            };
            let finding = Finding::new(
                check,
                Severity::Warning,
                format!("two blocks {place}lie on the same bytes: [{}, {}) of the {one} and [{}, {}) of the {other}",
                    one_bytes.start, one_bytes.end, other_bytes.start, other_bytes.end),
            )
            .at(second_at, format!("block of the {other}"));
            let finding = if first_at == second_at {
                let unnamed = if one == other && !same_queue { ": `named` tells queues apart" } else { "" };
                finding.note(format!("both were written at the same place{unnamed}"))
            } else {
                finding.at(first_at, format!("block of the {one}"))
            };
            let finding = finding.range(common).buffer(&one).buffer(&other);
            if same_queue {
                finding.help("give each block of the queue bytes of its own, and bind it once")
            } else if behind {
                finding.help(format!(
                    "set_cur_addr to {} after the first block, or declare the sharing",
                    one_bytes.end
                ))
            } else {
                finding.help("give the second block other bytes, or declare the sharing")
            }
        });
    }

    /// A block in a pool whose parent was reset: the parent will hand out its bytes again.
    #[inline]
    pub(super) fn check_orphan(&mut self, block: BlockId, at: Place) {
        if self.table.has_orphans {
            self.orphan_used(block, at);
        }
    }

    #[cold]
    fn orphan_used(&mut self, block: BlockId, at: Place) {
        let Some(info) = self.table.block(block) else { return };
        let Some(pool) = self.table.owner(info.owner) else { return };
        let Some(Orphaned { parent, how, at: reset_at }) = pool.orphaned.clone() else { return };
        let (child, made_at) = (pool.name.as_str(), pool.init_at);
        let name = self.table.name(Some(block));
        self.findings.add(Cause::new(CheckId::StaleAfterReset, made_at).and(reset_at), || {
            Finding::new(
                CheckId::StaleAfterReset,
                Severity::Warning,
                format!("pool `{child}` is used after the {} of the pool that it was carved from", end_of_pool(how)),
            )
            .at(at, format!("a block of the {name}"))
            .at(reset_at, if how == Ended::PoolReset {
                format!("its parent, pool `{parent}`, is reset here, and may hand out the same bytes again")
            } else {
                format!("its parent, pool `{parent}`, which no longer has the bytes")
            })
            .at(made_at, format!("pool `{child}` is carved from it here"))
            .range(range(info.hardware, info.bytes, 1))
            .buffer(child)
            .buffer(parent.as_str())
            .help(if how == Ended::PoolReset {
                "carve the child again after the reset of its parent"
            } else {
                "keep the parent as long as the child"
            })
        });
    }

    pub(super) fn ids_lost(&mut self, owner: OwnerId, lost: u32, how: Ended, at: Place) {
        let Some(info) = self.table.owner(owner) else { return };
        let (name, init_at, chip) = (info.name.clone(), info.init_at, self.chip);
        let ids = self.spec.event_ids;
        self.findings.add(Cause::new(CheckId::IdsLostByReset, at), || {
            Finding::new(
                CheckId::IdsLostByReset,
                Severity::Note,
                format!(
                    "the {} of pool `{name}` keeps {lost} event id{} reserved",
                    end_of_pool(how),
                    if lost == 1 { "" } else { "s" }
                ),
            )
            .maybe_at((at != init_at).then_some(at), "at its end here")
            .at(init_at, "the pool")
            .buffer(name.as_str())
            .note(format!("{chip} has {ids} ids per event and gives those of a pool's blocks back only at TPipe::reset"))
            .help("free_all_event on the pool's queues before its reset")
        });
    }
}

/// What the end of a pool's blocks is called.
fn end_of_pool(how: Ended) -> &'static str {
    if how == Ended::PoolReset { "reset" } else { "drop" }
}

//! Accesses that nothing orders: what they are called, and the least that would order them.

use super::Checker;
use super::findings::Cause;
use super::memory::{counted, of_span, pair};
use super::order::Hazard;
use super::runs::Bytes;
use super::shadow::Access;
use super::table::Step;
use crate::event::{HardEvent, Pipe};
use crate::model::stream::Span;
use crate::report::{ByteRange, CheckId, Finding, Severity};

impl Hazard {
    pub(super) fn check(self) -> CheckId {
        match self {
            Hazard::ReadAfterWrite => CheckId::ReadRace,
            Hazard::WriteAfterRead | Hazard::WriteAfterWrite => CheckId::WriteRace,
        }
    }

    /// What the later and the earlier access do.
    fn verbs(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Hazard::ReadAfterWrite => ("reads", "writes", "writing"),
            Hazard::WriteAfterRead => ("writes", "reads", "reading"),
            Hazard::WriteAfterWrite => ("writes", "writes", "writing"),
        }
    }
}

impl Checker {
    pub(super) fn race(
        &mut self,
        span: &Span,
        bytes: Bytes,
        access: &Access,
        hazard: Hazard,
        earlier: &Access,
    ) {
        let mine = access.block.and_then(|block| self.table.block(block));
        let other = self.table.block_then(earlier.block, earlier.time);
        if let (Some(mine), Some(other)) = (mine, other)
            && mine.id != other.id
        {
            if self.overlapping.contains(&pair(mine.queue, other.queue)) {
                return;
            }
            if !other.is_live() && self.table.pools_share(mine.owner, other.owner) {
                return self.sharing_pool_live(span, bytes, access, hazard, earlier);
            }
        }
        let scalar = access.pipe == Pipe::S || earlier.pipe == Pipe::S;
        let through_queue = [mine, other]
            .into_iter()
            .flatten()
            .any(|block| block.step != Step::Buffer && block.step_time > earlier.time);
        let early = mine.is_some_and(|mine| {
            self.is_early(mine, access, hazard == Hazard::ReadAfterWrite)
                && earlier.time > mine.handed
        });
        let mine_at = mine.map(|mine| {
            let what = if mine.step == Step::Buffer {
                "the TBuf"
            } else {
                "the tensor was handed out here"
            };
            (if mine.step == Step::Buffer { mine.init_at } else { mine.handed_at }, what)
        });
        let name = self.table.name(access.block);
        let other_name = other
            .filter(|other| Some(other.id) != access.block)
            .map(|other| self.table.name(Some(other.id)));
        let race = hazard.check();
        let check = if scalar && through_queue { CheckId::ScalarUnordered } else { race };
        let remedy = remedy(access, earlier);
        let views = hazard == Hazard::WriteAfterWrite
            && earlier.tensor_at != access.tensor_at
            && mine.is_some_and(|mine| mine.step == Step::Buffer && earlier.block == Some(mine.id));
        self.findings.add(cause(check, access, earlier), || {
            let mut finding = describe(check, &format!("the {name}"), access, hazard, earlier)
                .range(of_span(span, bytes))
                .buffer(&name);
            if let Some((at, what)) = mine_at
                && at != access.place
                && at != earlier.place
            {
                finding = finding.at(at, what);
            }
            if let Some(other) = other_name {
                finding = finding
                    .note(format!("the bytes were those of the {other} then"))
                    .buffer(other);
            }
            if views {
                let shared = counted(bytes.len(), "byte");
                finding = finding.note(format!(
                    "the two are views of the TBuf that share {shared}: ordered, the later write still replaces the earlier one"
                ));
            }
            if check == CheckId::ScalarUnordered {
                return finding
                    .also(race)
                    .note("enque and deque order the pipes of their queue, not the scalar pipe")
                    .help(remedy);
            }
            if early {
                let (op, first) = (access.name, earlier.name);
                return finding.also(CheckId::WrongState).help(format!(
                    "enque the tensor after `{first}` and deque it before `{op}`: the queue orders {} and {}",
                    earlier.pipe, access.pipe
                ));
            }
            // What comes first stands further down, as when a round of a loop takes the buffer of
            // the one before.
            let by_flag = HardEvent::between(earlier.pipe, access.pipe).is_some();
            if hazard != Hazard::ReadAfterWrite && by_flag && access.place.is_above(earlier.place) {
                finding = finding.note(format!(
                    "if `{}` was in an earlier round of a loop: its first round has nothing to wait for, so set the flag once before the loop, and wait once after it",
                    earlier.name
                ));
            }
            finding.help(remedy)
        });
    }

    /// The other block is free, but its pool was not reset, and nothing else orders the two.
    fn sharing_pool_live(
        &mut self,
        span: &Span,
        bytes: Bytes,
        access: &Access,
        hazard: Hazard,
        earlier: &Access,
    ) {
        let owner = |block| self.table.owner(self.table.block(block)?.owner);
        let (Some(mine), Some(other)) =
            (access.block.and_then(owner), earlier.block.and_then(owner))
        else {
            return;
        };
        let (pool, other_pool) = (mine.name.clone(), other.name.clone());
        let (pool_at, other_at) = (mine.init_at, other.init_at);
        let (name, other_name) = (self.table.name(access.block), self.table.name(earlier.block));
        self.findings.add(cause(CheckId::SharingPoolLive, access, earlier), || {
            let (does, did, doing) = hazard.verbs();
            let (op, pipe) = (access.name, access.pipe);
            let (first, first_pipe) = (earlier.name, earlier.pipe);
            Finding::new(
                CheckId::SharingPoolLive,
                Severity::Error,
                format!("`{op}` on {pipe} {does} the {name} while `{first}` on {first_pipe} may still be {doing} the same bytes for another pool"),
            )
            .at(access.place, format!("{pipe} {does} them here"))
            .at(earlier.place, format!("{first_pipe} {did} them here, as bytes of the {other_name}"))
            .at(pool_at, format!("pool `{pool}`"))
            .at(other_at, format!("pool `{other_pool}`, which shares its bytes and was not reset"))
            .range(of_span(span, bytes))
            .buffer(name)
            .buffer(other_name)
            .buffer(pool)
            .buffer(other_pool.as_str())
            .also(hazard.check())
            .help(format!("reset pool `{other_pool}` (the last one named above) before the buffers of the other one are used"))
        });
    }

    pub(super) fn global_race(
        &mut self,
        bytes: Bytes,
        element: u32,
        access: &Access,
        hazard: Hazard,
        earlier: &Access,
    ) {
        let check = hazard.check();
        self.findings.add(cause(check, access, earlier), || {
            describe(check, "global memory", access, hazard, earlier)
                .range(ByteRange::global(bytes.start, bytes.end, element))
                .help(remedy(access, earlier))
        });
    }
}

fn cause(check: CheckId, access: &Access, earlier: &Access) -> Cause {
    let pipes = access.pipe as u64 * 8 + earlier.pipe as u64;
    Cause::new(check, access.place).and(earlier.place).detail(pipes)
}

/// Both accesses, and what each does.
fn describe(
    check: CheckId,
    what: &str,
    access: &Access,
    hazard: Hazard,
    earlier: &Access,
) -> Finding {
    let (does, did, doing) = hazard.verbs();
    let (op, pipe) = (access.name, access.pipe);
    let (first, first_pipe) = (earlier.name, earlier.pipe);
    let finding = Finding::new(
        check,
        Severity::Error,
        format!(
            "`{op}` on {pipe} {does} {what} while `{first}` on {first_pipe} may still be {doing} it"
        ),
    );
    let finding = if access.place == earlier.place {
        finding.at(
            access.place,
            format!("{pipe} {does} it here; in an earlier round, {first_pipe} {did} it here"),
        )
    } else {
        finding.at(access.place, format!("{pipe} {does} it here")).at(
            earlier.place,
            format!("{first_pipe} {did} it here, and nothing makes {pipe} wait for that"),
        )
    };
    if access.pipe == earlier.pipe {
        finding.note(format!("{pipe} starts an instruction before the one before it has finished"))
    } else {
        finding
    }
}

/// The least that would order the two.
fn remedy(access: &Access, earlier: &Access) -> String {
    let (from, to) = (earlier.pipe, access.pipe);
    let alike = access.name == earlier.name && from != to;
    let named = |name: &str, pipe| {
        if alike { format!("`{name}` on {pipe}") } else { format!("`{name}`") }
    };
    let (op, first) = (named(access.name, to), named(earlier.name, from));
    if from == to {
        return if access.place == earlier.place {
            format!("pipe_barrier(Pipe::{to}) between two rounds of {op}")
        } else {
            format!("pipe_barrier(Pipe::{to}) between {first} and {op}")
        };
    }
    match HardEvent::between(from, to) {
        Some(event) => format!(
            "set_flag(HardEvent::{event}, id) after {first} and wait_flag(HardEvent::{event}, id) before {op}"
        ),
        None => format!(
            "pipe_barrier_all() between {first} and {op}: no event goes from {from} to {to}"
        ),
    }
}

//! What the model refuses or never does, but another one might: the checks must not rely on it.

use crate::check::Checker;
use crate::chip::Chip;
use crate::event::HardEvent;
use crate::model::block::{BlockId, BlockState, OwnerId, QueueId, TBufHandle};
use crate::model::stream::{Ended, Event, FlagUser, Listener, Placement};
use crate::options::{OnFinding, Options};
use crate::place::Place;
use crate::position::{Hardware, TPosition};
use crate::report::{CheckId, Report};

struct Stream(Checker);

impl Stream {
    fn new() -> Self {
        Stream(Checker::new(Options::new(Chip::AtlasA2)))
    }

    #[track_caller]
    fn on(&mut self, event: Event<'_>) -> &mut Self {
        self.0.on(&event, Place::here());
        self
    }

    fn queue(&mut self, queue: u32) -> &mut Self {
        self.on(Event::Bound {
            queue: QueueId(queue),
            name: "VECIN queue",
            position: TPosition::VECIN,
            depth: Some(1),
            new: true,
            rebound_from: None,
        })
    }

    fn block(
        &mut self,
        queue: u32,
        owner: OwnerId,
        block: u32,
        addr: u32,
        before: BlockState,
    ) -> &mut Self {
        self.on(Event::BlockInit {
            block: BlockId(block),
            handle: TBufHandle { core: 0, owner, index: block as u8, epoch: 0 },
            queue: QueueId(queue),
            hardware: Hardware::UB,
            addr,
            len: 1024,
            placement: Placement::Handle,
            index: 0,
            before,
            moved: None,
        })
    }

    fn pool(&mut self, owner: OwnerId) -> &mut Self {
        self.on(Event::PoolInit {
            owner,
            name: "Pool",
            custom: true,
            hardware: Hardware::UB,
            start: 0,
            len: 65536,
            parent: OwnerId::PIPE,
            shares: None,
            asked: 65536,
            records: 4,
            count: 0,
        })
    }

    fn report(&mut self) -> Report {
        self.0.report().unwrap()
    }
}

const POOL: OwnerId = OwnerId(1);

#[test]
fn a_second_free_that_the_model_lets_through() {
    let (queue, block) = (QueueId(0), BlockId(0));
    let mut stream = Stream::new();
    stream.queue(0).block(0, OwnerId::PIPE, 0, 0, BlockState::Free);
    stream.on(Event::Alloc { queue, block, life: 1 }).on(Event::Free {
        queue,
        block,
        before: BlockState::Occupied,
    });
    assert!(!stream.report().has(CheckId::DoubleFree));
    stream.on(Event::Free { queue, block, before: BlockState::Free });
    assert!(stream.report().has(CheckId::DoubleFree));
}

#[test]
fn a_record_written_while_its_block_is_out() {
    for (before, found) in [(BlockState::Free, false), (BlockState::Deque, true)] {
        let mut stream = Stream::new();
        stream.pool(POOL).queue(0).block(0, POOL, 64, 0, BlockState::Free);
        stream.on(Event::Alloc { queue: QueueId(0), block: BlockId(64), life: 1 });
        stream.queue(1).block(1, POOL, 64, 0, before);
        assert_eq!(stream.report().has(CheckId::LiveBlockReinitialised), found);
    }
}

#[test]
fn flags_that_this_core_never_waits_for_are_not_missed() {
    let mut stream = Stream::new();
    for _ in 0..2 {
        stream.on(Event::SetFlag { event: HardEvent::MTE3_MTE1, id: 0, by: FlagUser::User });
    }
    stream.on(Event::Ended { owner: OwnerId::PIPE, how: Ended::Destroyed, ids_lost: 0 });
    assert!(stream.report().findings().is_empty());
}

#[test]
fn findings_of_one_cause_are_counted_and_their_number_is_bounded() {
    let mut stream = Stream::new();
    for _ in 0..1000 {
        stream.on(Event::SetFlag { event: HardEvent::MTE2_V, id: 0, by: FlagUser::User });
    }
    let report = stream.report();
    let counts: u64 = report.findings().iter().map(|finding| finding.count).sum();
    assert_eq!((report.findings().len(), counts), (1, 999));
}

#[test]
fn an_error_is_refused_once_where_that_is_asked_for() {
    let options = Options { on_finding: OnFinding::Error, ..Options::new(Chip::AtlasA2) };
    let mut stream = Stream(Checker::new(options));
    let set = Event::SetFlag { event: HardEvent::MTE2_V, id: 0, by: FlagUser::User };
    assert!(stream.on(set).0.take_refusal().is_none());
    let error = stream.on(set).0.take_refusal().unwrap();
    assert!(error.to_string().starts_with("error[duplicate-set]"), "{error}");
    assert!(stream.0.take_refusal().is_none());
    assert!(stream.report().has(CheckId::DuplicateSet));
}

//! Random programs against a naive model of one pipe: a list of blocks and nothing clever.

use bufpool_runtime::inspect::{PipeView, QueueView};
use bufpool_runtime::prelude::*;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::{option, prop_assert, prop_assert_eq};

const QUEUES: usize = 3;
/// Enough for some queues to fit and some not.
const POOL_BYTES: u32 = 4096;
const POOL_BLOCKS: u8 = 6;

/// One call on a random queue.
#[derive(Clone, Debug)]
enum Op {
    InitByPipe {
        que: usize,
        num: u32,
        len: u32,
    },
    InitByPool {
        que: usize,
        num: u32,
        len: u32,
    },
    Alloc(usize),
    /// The `n`th tensor that is out, of whatever queue it is.
    Enque {
        que: usize,
        tensor: usize,
    },
    Deque(usize),
    Free {
        que: usize,
        tensor: usize,
    },
    AllocEvent,
    ReleaseEvent(u8),
    PoolReset,
    PipeReset,
}

fn op() -> impl Strategy<Value = Op> {
    let que = 0..QUEUES;
    let len = prop_oneof![4 => 1_u32..2000, 1 => Just(0), 1 => Just(u32::MAX), 1 => Just(150_000)];
    let num = prop_oneof![6 => 1_u32..5, 1 => Just(0), 1 => 60_u32..70, 1 => Just(300)];
    prop_oneof![
        2 => (que.clone(), num.clone(), len.clone()).prop_map(|(que, num, len)| Op::InitByPipe { que, num, len }),
        2 => (que.clone(), num, len).prop_map(|(que, num, len)| Op::InitByPool { que, num, len }),
        8 => que.clone().prop_map(Op::Alloc),
        8 => (que.clone(), 0..8_usize).prop_map(|(que, tensor)| Op::Enque { que, tensor }),
        8 => que.clone().prop_map(Op::Deque),
        8 => (que, 0..8_usize).prop_map(|(que, tensor)| Op::Free { que, tensor }),
        2 => Just(Op::AllocEvent),
        2 => (0..10_u8).prop_map(Op::ReleaseEvent),
        1 => Just(Op::PoolReset),
        1 => Just(Op::PipeReset),
    ]
}

fn chip() -> impl Strategy<Value = Chip> {
    prop::sample::select(vec![Chip::AtlasA2, Chip::AtlasTraining, Chip::AtlasInferenceAiCore])
}

/// What of the core can be observed from outside.
#[derive(Debug, PartialEq)]
struct Observed {
    pipe: PipeView,
    queues: Vec<Option<QueueView>>,
    pool: bufpool_runtime::inspect::PoolView,
}

struct World {
    pipe: TPipe,
    pool: TBufPool<VECCALC, POOL_BLOCKS>,
    queues: Vec<TQue<VECIN, 2>>,
    /// Handles that were given out, with their queue.
    out: Vec<(usize, TBufHandle)>,
}

impl World {
    fn new(chip: Chip) -> Result<Self> {
        let pipe = TPipe::builder(chip).checks(Checks::Api).build()?;
        let mut pool = TBufPool::new();
        pipe.init_buf_pool(&mut pool, POOL_BYTES)?;
        Ok(World {
            pipe,
            pool,
            queues: (0..QUEUES).map(|_| TQueBind::new()).collect(),
            out: Vec::new(),
        })
    }

    fn observe(&self) -> Observed {
        Observed {
            pipe: self.pipe.inspect(),
            queues: self.queues.iter().map(TQueBind::inspect).collect(),
            pool: self.pool.inspect(),
        }
    }

    fn apply(&mut self, op: &Op) -> Result<()> {
        match *op {
            Op::InitByPipe { que, num, len } => {
                self.pipe.init_buffer(&mut self.queues[que], num, len)
            }
            Op::InitByPool { que, num, len } => {
                self.pool.init_buffer(&mut self.queues[que], num, len)
            }
            Op::Alloc(que) => {
                let handle = self.queues[que].alloc_buffer()?;
                self.out.push((que, handle));
                Ok(())
            }
            Op::Enque { que, tensor } => match self.out.get(tensor) {
                Some(&(_, handle)) => self.queues[que].enque_handle(handle),
                None => Ok(()),
            },
            Op::Deque(que) => self.queues[que].deque_handle().map(drop),
            Op::Free { que, tensor } => match self.out.get(tensor) {
                Some(&(_, handle)) => {
                    self.queues[que].free_buffer(handle)?;
                    self.out.remove(tensor);
                    Ok(())
                }
                None => Ok(()),
            },
            Op::AllocEvent => self.pipe.alloc_event_id(HardEvent::V_MTE2).map(drop),
            Op::ReleaseEvent(id) => self.pipe.release_event_id(HardEvent::V_S, id),
            Op::PoolReset => self.pool.reset(),
            Op::PipeReset => self.pipe.reset(),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn no_program_panics_and_an_error_changes_nothing(chip in chip(), ops in vec(op(), 1..60)) {
        let mut world = World::new(chip).expect("a pipe and a pool of 4096 bytes fit every chip");
        for op in &ops {
            let before = world.observe();
            if let Err(error) = world.apply(op) {
                prop_assert_eq!(before, world.observe(), "{:?}: {}", op, error);
                prop_assert!(!error.to_string().contains("bufpool bug"), "{}", error);
            }
        }
    }

    #[test]
    fn blocks_of_the_pipe_and_of_pools_never_overlap(
        sizes in vec((1_u32..5, 1_u32..9000, any::<bool>()), 1..12),
    ) {
        let pipe = TPipe::new(Chip::AtlasA2).expect("no other pipe");
        let mut pool = TBufPool::<VECIN, 255>::new();
        pipe.init_buf_pool(&mut pool, 65536).expect("64 KiB fit");
        let mut ranges: Vec<(u32, u32)> = Vec::new();
        for (num, len, by_pool) in sizes {
            let mut que = TQue::<VECIN, 1>::new();
            let done = if by_pool {
                pool.init_buffer(&mut que, num, len)
            } else {
                pipe.init_buffer(&mut que, num, len)
            };
            let Some(view) = que.inspect() else {
                prop_assert!(done.is_err());
                continue;
            };
            prop_assert_eq!(view.records.len(), num as usize, "as many blocks as declared");
            for record in view.records {
                let range = (record.addr, record.addr + record.len);
                prop_assert!(record.len >= len && record.len < len + 32 && range.0 % 32 == 0);
                prop_assert!(range.1 <= 196_608);
                prop_assert!(ranges.iter().all(|r| r.1 <= range.0 || range.1 <= r.0), "{:?} in {:?}", range, ranges);
                ranges.push(range);
            }
        }
    }

    #[test]
    fn what_was_freed_can_be_allocated_again(
        num in 1_u32..8,
        depth_first in vec(any::<bool>(), 1..40),
    ) {
        // A naive queue: the set of free blocks. Frees at once or after enque and deque.
        let pipe = TPipe::new(Chip::AtlasA2).expect("no other pipe");
        let mut que = TQue::<VECIN, 1>::new();
        pipe.init_buffer(&mut que, num, 64).expect("it fits");
        let mut out = Vec::new();
        for through_queue in depth_first {
            let result = que.alloc_tensor::<f32>();
            prop_assert_eq!(result.is_ok(), out.len() < num as usize);
            if let Ok(tensor) = result {
                out.push(tensor);
            }
            if through_queue && let Some(tensor) = out.pop() {
                que.enque(tensor).expect("depth 1 and nothing in the queue");
                let tensor = que.deque::<f32>().expect("one tensor in the queue");
                que.free_tensor(tensor).expect("eight ids suffice for seven blocks");
            }
        }
        for tensor in out.drain(..) {
            que.free_tensor(tensor).expect("eight ids suffice for seven blocks");
        }
        for _ in 0..num {
            out.push(que.alloc_tensor::<f32>().expect("all were freed"));
        }
        prop_assert!(que.alloc_tensor::<f32>().is_err());
    }

    #[test]
    fn views_of_a_tbuf_stay_inside_it(
        len in 1_u32..5000,
        count in 0_usize..3000,
        offset in option::of(0_u32..6000),
    ) {
        let pipe = TPipe::new(Chip::AtlasA2).expect("no other pipe");
        let mut buf = TBuf::<VECCALC>::new();
        pipe.init_tbuf(&mut buf, len).expect("it fits");
        let size = align_up(len);
        let bytes = count as u32 * 2;
        let (view, allowed) = match offset {
            Some(offset) => (
                buf.get_with_offset::<f16>(count, offset),
                offset.is_multiple_of(32) && offset + bytes <= size,
            ),
            None => (buf.get_len::<f16>(count), bytes.is_multiple_of(32) && bytes <= size),
        };
        prop_assert_eq!(view.is_ok(), allowed);
        if let Ok(view) = view {
            prop_assert_eq!((view.addr(), view.byte_len()), (offset.unwrap_or(0), bytes));
        }
    }
}

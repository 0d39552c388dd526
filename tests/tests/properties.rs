//! Random programs against a naive model of one pipe: a list of blocks and nothing clever.

use bufpool_runtime::inspect::{BufferView, PipeView, PoolView, QueueView};
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
    InitTBuf {
        len: u32,
        by_pool: bool,
    },
    Get {
        count: usize,
        offset: Option<u32>,
    },
    InitCustom(u32),
    SetCursor(u32),
    SetCount(u8),
    BindHandle {
        que: usize,
        index: u8,
        num: u8,
        len: u32,
    },
    WriteHandle {
        que: usize,
        index: u8,
        handle: u8,
        addr: u32,
        len: u32,
    },
    /// The same two calls for the TBuf.
    BindBuf {
        index: u8,
        num: u8,
        len: u32,
    },
    WriteBuf {
        index: u8,
        handle: u8,
        addr: u32,
        len: u32,
    },
    CustomReset,
    InitChild(u32),
    InitShared(u32),
    CarveChild {
        que: usize,
        num: u32,
        len: u32,
    },
    ChildReset,
    SharedReset,
}

/// Mostly small, and the ends of the type.
fn silly() -> impl Strategy<Value = u32> {
    prop_oneof![
        6 => (0_u32..300).prop_map(|n| n * 32),
        2 => 0_u32..9000,
        2 => prop::sample::select(vec![0, u32::MAX, u32::MAX - 1, u32::MAX - 31, i32::MAX as u32, 190_000]),
    ]
}

fn silly_count() -> impl Strategy<Value = usize> {
    prop_oneof![
        4 => 0_usize..3000,
        2 => prop::sample::select(vec![
            usize::MAX, usize::MAX - 1, usize::MAX / 4, u32::MAX as usize, (u32::MAX / 4) as usize, i32::MAX as usize,
        ]),
        1 => any::<usize>(),
    ]
}

fn silly_block() -> impl Strategy<Value = u8> {
    prop_oneof![6 => 0_u8..6, 1 => any::<u8>(), 1 => Just(255)]
}

fn handle_op() -> impl Strategy<Value = Op> {
    let que = 0..QUEUES;
    prop_oneof![
        1 => (silly(), any::<bool>()).prop_map(|(len, by_pool)| Op::InitTBuf { len, by_pool }),
        3 => (silly_count(), option::of(silly())).prop_map(|(count, offset)| Op::Get { count, offset }),
        2 => silly().prop_map(Op::InitCustom),
        1 => silly().prop_map(Op::SetCursor),
        1 => any::<u8>().prop_map(Op::SetCount),
        2 => (que.clone(), silly_block(), silly_block(), silly())
            .prop_map(|(que, index, num, len)| Op::BindHandle { que, index, num, len }),
        4 => (que.clone(), silly_block(), silly_block(), silly(), silly())
            .prop_map(|(que, index, handle, addr, len)| Op::WriteHandle { que, index, handle, addr, len }),
        2 => (silly_block(), 0_u8..3, silly()).prop_map(|(index, num, len)| Op::BindBuf { index, num, len }),
        3 => (0_u8..2, silly_block(), silly(), silly())
            .prop_map(|(index, handle, addr, len)| Op::WriteBuf { index, handle, addr, len }),
        1 => Just(Op::CustomReset),
        1 => silly().prop_map(Op::InitChild),
        1 => silly().prop_map(Op::InitShared),
        2 => (que, 0_u32..4, silly()).prop_map(|(que, num, len)| Op::CarveChild { que, num, len }),
        1 => Just(Op::ChildReset),
        1 => Just(Op::SharedReset),
    ]
}

#[extern_impl_bufpool(position = VECCALC, bufid_size = 6)]
#[derive(Default)]
struct Custom;

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
        24 => handle_op(),
    ]
}

fn chip() -> impl Strategy<Value = Chip> {
    let pools: Vec<Chip> = Chip::ALL.into_iter().filter(|chip| chip.spec().has_pools).collect();
    prop::sample::select(pools)
}

/// What of the core can be observed from outside.
#[derive(Debug, PartialEq)]
struct Observed {
    pipe: PipeView,
    queues: Vec<Option<QueueView>>,
    buf: Option<BufferView>,
    pools: [PoolView; 4],
}

struct World {
    pipe: TPipe,
    pool: TBufPool<VECCALC, POOL_BLOCKS>,
    custom: Custom,
    child: TBufPool<VECIN, 3>,
    shared: TBufPool<VECCALC, 4>,
    queues: Vec<TQue<VECIN, 2>>,
    buf: TBuf<VECCALC>,
    /// Handles that were given out, with their queue.
    out: Vec<(usize, TBufHandle)>,
    ids: Vec<EventId>,
}

impl World {
    fn new(chip: Chip) -> Result<Self> {
        let pipe = TPipe::builder(chip).checks(Checks::Full).trace(true).build()?;
        let mut pool = TBufPool::new();
        pipe.init_buf_pool(&mut pool, POOL_BYTES)?;
        Ok(World {
            pipe,
            pool,
            custom: Custom::default(),
            child: TBufPool::new(),
            shared: TBufPool::new(),
            queues: (0..QUEUES).map(|_| TQueBind::new()).collect(),
            buf: TBuf::new(),
            out: Vec::new(),
            ids: Vec::new(),
        })
    }

    fn observe(&self) -> Observed {
        Observed {
            pipe: self.pipe.inspect(),
            queues: self.queues.iter().map(TQueBind::inspect).collect(),
            buf: self.buf.inspect(),
            pools: [
                self.pool.inspect(),
                self.custom.inspect(),
                self.child.inspect(),
                self.shared.inspect(),
            ],
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
            Op::AllocEvent => {
                self.ids.push(self.pipe.alloc_event_id(HardEvent::V_S)?);
                Ok(())
            }
            Op::ReleaseEvent(id) => {
                let taken = self.ids.iter().position(|&other| other == id);
                let released = self.pipe.release_event_id(HardEvent::V_S, id);
                assert_eq!(released.is_ok(), taken.is_some(), "id {id} of {:?}", self.ids);
                if let Some(taken) = taken {
                    self.ids.remove(taken);
                }
                released
            }
            Op::PoolReset => self.pool.reset(),
            Op::PipeReset => {
                self.pipe.reset()?;
                self.ids.clear();
                Ok(())
            }
            _ => self.apply_handles(op),
        }
    }

    fn apply_handles(&mut self, op: &Op) -> Result<()> {
        match *op {
            Op::InitTBuf { len, by_pool: false } => self.pipe.init_tbuf(&mut self.buf, len),
            Op::InitTBuf { len, by_pool: true } => self.pool.init_tbuf(&mut self.buf, len),
            Op::Get { count, offset } => {
                let view = match offset {
                    Some(offset) => self.buf.get_with_offset::<f32>(count, offset)?,
                    None => self.buf.get_len::<f32>(count)?,
                };
                assert_eq!(view.len(), count, "{view:?}");
                // Where it lies past its block, it still lies in the memory.
                duplicate(&view, 1.0, count)?;
                assert!(view.slice(0..count).is_ok() && view.slice(0..usize::MAX).is_err());
                Ok(())
            }
            Op::InitCustom(len) => self.pipe.init_buf_pool(&mut self.custom, len),
            Op::SetCursor(addr) => {
                self.custom.set_cur_addr(addr);
                Ok(())
            }
            Op::SetCount(count) => {
                self.custom.set_cur_buf_size(count);
                Ok(())
            }
            Op::BindHandle { que, index, num, len } => {
                let first = self.custom.get_buf_handle(index)?;
                self.queues[que].init_start_buf_handle(first, num, len)
            }
            Op::WriteHandle { que, index, handle, addr, len } => {
                let handle = self.custom.get_buf_handle(handle)?;
                self.queues[que].init_buf_handle(&self.custom, index, handle, addr, len)
            }
            Op::BindBuf { index, num, len } => {
                let first = self.custom.get_buf_handle(index)?;
                self.buf.init_start_buf_handle(first, num, len)
            }
            Op::WriteBuf { index, handle, addr, len } => {
                let handle = self.custom.get_buf_handle(handle)?;
                self.buf.init_buf_handle(&self.custom, index, handle, addr, len)
            }
            Op::CustomReset => self.custom.reset(),
            Op::InitChild(len) => self.pool.init_buf_pool(&mut self.child, len),
            Op::InitShared(len) => {
                self.pipe.init_buf_pool_shared(&mut self.shared, len, &self.custom)
            }
            Op::CarveChild { que, num, len } => {
                self.child.init_buffer(&mut self.queues[que], num, len)
            }
            Op::ChildReset => self.child.reset(),
            _ => self.shared.reset(),
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
            world.pipe.take_trace();
            if let Err(error) = world.apply(op) {
                let flags = world.pipe.take_trace();
                prop_assert!(flags.is_empty(), "{:?} left {:?}: {}", op, flags, error);
                prop_assert_eq!(before, world.observe(), "{:?}: {}", op, error);
                prop_assert!(!error.to_string().contains("bufpool bug"), "{}", error);
            }
        }
        // What is shown must be shown for every state.
        let _ = (world.pipe.ledger(Hardware::UB).to_string(), format!("{:?}", world.buf));
        let _ = world.pipe.finish().to_string();
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
                bytes > 0 && offset.is_multiple_of(32) && offset + bytes <= size,
            ),
            None => (buf.get_len::<f16>(count), bytes > 0 && bytes.is_multiple_of(32) && bytes <= size),
        };
        prop_assert_eq!(view.is_ok(), allowed);
        if let Ok(view) = view {
            prop_assert_eq!((view.addr(), view.byte_len()), (offset.unwrap_or(0), bytes));
        }
    }
}

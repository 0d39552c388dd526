//! Random programs on Ascend950, both kinds of core: no panic ever, and what is refused changes
//! nothing that can be seen.

use bufpool_runtime::inspect::{PipeView, PoolView, QueueView};
use bufpool_runtime::prelude::*;
use proptest::collection::vec;
use proptest::prelude::*;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 8)]
#[derive(Default)]
struct Custom;

impl Custom {
    fn init_queue<S: Position, D: Position, const N: usize>(
        &mut self,
        que: &mut TQueBind<S, D, N>,
        num: u8,
        len: u32,
    ) -> Result<()> {
        let (first, addr) = (self.get_cur_buf_size(), self.get_cur_addr());
        que.init_start_buf_handle(self.get_buf_handle(first)?, num, len)?;
        for i in 0..num {
            let handle = self.get_buf_handle(first.saturating_add(i))?;
            que.init_buf_handle(
                self,
                i,
                handle,
                addr.saturating_add(u32::from(i) * align_up(len)),
                len,
            )?;
        }
        self.set_cur_addr(addr.saturating_add(u32::from(num) * align_up(len)));
        self.set_cur_buf_size(first.saturating_add(num));
        Ok(())
    }
}

#[derive(Clone, Copy, Debug)]
enum By {
    Pipe,
    Ub,
    Child,
    Custom,
    L1,
}

/// One call. `que` picks a VECIN, VECOUT, A1, TSCM or depth 0 queue.
#[derive(Clone, Debug)]
enum Op {
    Init { que: usize, by: By, num: u8, len: u32 },
    InitPool { by: By, len: u32, shares: bool },
    Reset(By),
    PipeReset,
    Alloc(usize),
    Enque { que: usize, tensor: usize, named: bool },
    Deque { que: usize, tensor: usize, named: bool },
    Free { que: usize, tensor: usize },
    FreeAllEvent(usize),
}

fn op() -> impl Strategy<Value = Op> {
    let by = prop::sample::select(vec![By::Pipe, By::Ub, By::Child, By::Custom, By::L1]);
    let que = 0..5_usize;
    let len = prop_oneof![6 => 1_u32..700, 1 => Just(0), 1 => Just(u32::MAX), 1 => Just(300_000)];
    let num = prop_oneof![8 => 1_u8..5, 1 => Just(0), 1 => Just(30), 1 => Just(255)];
    prop_oneof![
        4 => (que.clone(), by.clone(), num, len.clone()).prop_map(|(que, by, num, len)| Op::Init { que, by, num, len }),
        2 => (by.clone(), len, any::<bool>()).prop_map(|(by, len, shares)| Op::InitPool { by, len, shares }),
        1 => by.prop_map(Op::Reset),
        1 => Just(Op::PipeReset),
        8 => que.clone().prop_map(Op::Alloc),
        6 => (que.clone(), 0..6_usize, prop::bool::weighted(0.2)).prop_map(|(que, tensor, named)| Op::Enque { que, tensor, named }),
        6 => (que.clone(), 0..6_usize, prop::bool::weighted(0.2)).prop_map(|(que, tensor, named)| Op::Deque { que, tensor, named }),
        6 => (que.clone(), 0..6_usize).prop_map(|(que, tensor)| Op::Free { que, tensor }),
        1 => que.prop_map(Op::FreeAllEvent),
    ]
}

struct World {
    pipe: TPipe,
    ub: TBufPool<VECCALC, 6>,
    child: TBufPool<VECIN, 4>,
    custom: Custom,
    l1: TBufPool<A1, 4>,
    vecin: TQue<VECIN, 2>,
    vecout: TQue<VECOUT, 1>,
    a1: TQue<A1, 1>,
    tscm: TSCMQue<VECIN, 1>,
    in_place: TQue<VECIN, 0>,
    out: Vec<TBufHandle>,
}

/// All that can be observed from outside.
type Observed = (PipeView, [PoolView; 4], [Option<QueueView>; 5]);

macro_rules! queue {
    ($world:expr, $que:expr, $q:ident => $call:expr) => {
        match $que {
            0 => {
                let $q = &mut $world.vecin;
                $call
            }
            1 => {
                let $q = &mut $world.vecout;
                $call
            }
            2 => {
                let $q = &mut $world.a1;
                $call
            }
            _ => {
                let $q = &mut $world.tscm;
                $call
            }
        }
    };
}

impl World {
    fn new(kind: CoreKind) -> Result<Self> {
        Ok(World {
            pipe: TPipe::builder(Chip::Ascend950).core_kind(kind).checks(Checks::Api).build()?,
            ub: TBufPool::new(),
            child: TBufPool::new(),
            custom: Custom::default(),
            l1: TBufPool::new(),
            vecin: TQueBind::new(),
            vecout: TQueBind::new(),
            a1: TQueBind::new(),
            tscm: TQueBind::new(),
            in_place: TQueBind::new(),
            out: Vec::new(),
        })
    }

    fn observed(&self) -> Observed {
        (
            self.pipe.inspect(),
            [self.ub.inspect(), self.child.inspect(), self.custom.inspect(), self.l1.inspect()],
            [
                self.vecin.inspect(),
                self.vecout.inspect(),
                self.a1.inspect(),
                self.tscm.inspect(),
                self.in_place.inspect(),
            ],
        )
    }

    fn init(&mut self, que: usize, by: By, num: u8, len: u32) -> Result<()> {
        macro_rules! init {
            ($q:expr) => {
                match by {
                    By::Pipe => self.pipe.init_buffer($q, u32::from(num), len),
                    By::Ub => self.ub.init_buffer($q, u32::from(num), len),
                    By::Child => self.child.init_buffer($q, u32::from(num), len),
                    By::Custom => self.custom.init_queue($q, num, len),
                    By::L1 => self.l1.init_buffer($q, u32::from(num), len),
                }
            };
        }
        match que {
            0 => init!(&mut self.vecin),
            1 => init!(&mut self.vecout),
            2 => init!(&mut self.a1),
            3 => init!(&mut self.tscm),
            _ => init!(&mut self.in_place),
        }
    }

    fn apply(&mut self, op: &Op) -> Result<()> {
        let picked = |tensor: usize| self.out.get(tensor % self.out.len().max(1)).copied();
        match *op {
            Op::Init { que, by, num, len } => self.init(que, by, num, len),
            Op::InitPool { by, len, shares } => match (by, shares) {
                (By::Pipe | By::Ub, false) => self.pipe.init_buf_pool(&mut self.ub, len),
                (By::Pipe | By::Ub, true) => {
                    self.pipe.init_buf_pool_shared(&mut self.ub, len, &self.custom)
                }
                (By::Child, false) => self.ub.init_buf_pool(&mut self.child, len),
                (By::Child, true) => {
                    self.ub.init_buf_pool_shared(&mut self.child, len, &self.custom)
                }
                (By::Custom, false) => self.pipe.init_buf_pool(&mut self.custom, len),
                (By::Custom, true) => {
                    self.pipe.init_buf_pool_shared(&mut self.custom, len, &self.ub)
                }
                (By::L1, _) => self.pipe.init_buf_pool(&mut self.l1, len),
            },
            Op::Reset(By::Pipe | By::Ub) => self.ub.reset(),
            Op::Reset(By::Child) => self.child.reset(),
            Op::Reset(By::Custom) => self.custom.reset(),
            Op::Reset(By::L1) => self.l1.reset(),
            Op::PipeReset => self.pipe.reset(),
            Op::Alloc(4) => self.in_place.alloc_buffer().map(|handle| self.out.push(handle)),
            Op::Alloc(que) => {
                queue!(self, que, q => q.alloc_buffer()).map(|handle| self.out.push(handle))
            }
            Op::Enque { que, tensor, named } => match (picked(tensor), que, named) {
                (None, ..) => Ok(()),
                (Some(handle), 4, _) => self.in_place.enque_handle(handle),
                (Some(handle), 0, true) => self.vecin.enque_handle_at::<VECIN, GM>(handle),
                (Some(handle), ..) => queue!(self, que, q => q.enque_handle(handle)),
            },
            Op::Deque { que, tensor, named } => match (picked(tensor), que, named) {
                (None, 4, _) => Ok(()),
                (Some(handle), 4, _) => self.in_place.deque_handle_in_place(handle),
                (_, 0, true) => self.vecin.deque_handle_at::<VECIN, GM>().map(drop),
                _ => queue!(self, que, q => q.deque_handle()).map(drop),
            },
            Op::Free { que, tensor } => match (picked(tensor), que) {
                (None, _) => Ok(()),
                (Some(handle), 4) => self.in_place.free_buffer(handle),
                (Some(handle), _) => queue!(self, que, q => q.free_buffer(handle)),
            },
            Op::FreeAllEvent(que) => queue!(self, que, q => q.free_all_event()),
        }
    }
}

/// The user's own `init_queue` is several calls: those before the one that failed have happened.
fn is_one_call(op: &Op) -> bool {
    !matches!(op, Op::Init { by: By::Custom, .. })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn no_panic_and_an_error_changes_nothing(cube in any::<bool>(), ops in vec(op(), 1..60)) {
        let kind = if cube { CoreKind::AIC } else { CoreKind::AIV };
        let mut world = World::new(kind).expect("no other pipe");
        for op in &ops {
            let before = world.observed();
            let done = world.apply(op);
            if let Err(error) = done
                && is_one_call(op)
            {
                prop_assert!(world.observed() == before, "{op:?} was refused and changed something: {error}");
            }
            let view = world.pipe.inspect();
            prop_assert!(view.locks >> 28 == 0, "reserved lock ids were handed out: {:b}", view.locks);
        }
    }
}

//! Random kernels that order everything through queues, flags and barriers. A seed gives the same
//! kernel again.

pub mod faults;

use std::collections::BTreeSet;

use bufpool_runtime::declare_sharing;
use bufpool_runtime::prelude::*;

/// A small generator of numbers, so that a seed is enough to repeat a kernel.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(0x9E37_79B9_7F4A_7C15 ^ (seed << 20) ^ seed)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit
    }

    pub fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// Chips on which the kernels run, on the vector core.
pub const CHIPS: [Chip; 6] = [
    Chip::AtlasA2,
    Chip::AtlasA3,
    Chip::AtlasTraining,
    Chip::AtlasInferenceAiCore,
    Chip::Atlas200I500A2,
    Chip::Ascend950,
];

struct Queue<Q> {
    que: Q,
    blocks: usize,
    /// Tensors enqueued.
    used: usize,
}

type In = Queue<TQue<VECIN, 2>>;
type Out = Queue<TQue<VECOUT, 2>>;

/// A TBuf, and which pipes touched it since when.
struct Scratch {
    buf: TBuf<VECCALC>,
    touched: BTreeSet<Pipe>,
    written: bool,
    unread: bool,
}

/// What happens to a scratch buffer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Load,
    Fill,
    Compute,
    Store,
    Get,
    Set,
}

impl Use {
    const ALL: [Use; 6] = [Use::Load, Use::Fill, Use::Compute, Use::Store, Use::Get, Use::Set];

    fn pipe(self) -> Pipe {
        match self {
            Use::Load => Pipe::MTE2,
            Use::Fill | Use::Compute => Pipe::V,
            Use::Store => Pipe::MTE3,
            Use::Get | Use::Set => Pipe::S,
        }
    }

    fn reads(self) -> bool {
        matches!(self, Use::Compute | Use::Store | Use::Get)
    }
}

#[extern_impl_bufpool(position = VECCALC, bufid_size = 4)]
#[derive(Default)]
pub struct Custom;

/// What a kernel has besides its queues and TBufs.
enum Special {
    Nothing,
    /// Input and output on the same bytes, declared.
    Overlay(TQue<VECIN, 1>, TQue<VECOUT, 1>),
    /// Two queues on one record of a custom pool, which the two take in turns.
    Ring(Custom, [TQue<VECIN, 1>; 2]),
    /// A queue of depth 0.
    InPlace(TQue<VECIN, 0>),
}

impl Special {
    fn overlay(pipe: &TPipe) -> Result<Self> {
        let (mut x, mut z) = (TQue::<VECIN, 1>::new(), TQue::<VECOUT, 1>::new());
        pipe.init_buffer(&mut x, 1, BYTES)?;
        let at = pipe.used_bytes(Hardware::UB) - BYTES;
        pipe.init_buffer_at(&mut z, &[(at, BYTES)])?;
        declare_sharing(&[&x, &z])?;
        Ok(Special::Overlay(x, z))
    }

    fn ring(pipe: &TPipe) -> Result<Self> {
        let (mut pool, mut queues) = (Custom::default(), [TQueBind::new(), TQueBind::new()]);
        pipe.init_buf_pool(&mut pool, BYTES)?;
        let (record, addr) = (pool.get_buf_handle(0)?, pool.get_cur_addr());
        for que in &mut queues {
            que.init_start_buf_handle(record, 1, BYTES)?;
            que.init_buf_handle(&pool, 0, record, addr, BYTES)?;
        }
        pool.set_cur_buf_size(1);
        Ok(Special::Ring(pool, queues))
    }

    fn in_place(pipe: &TPipe) -> Result<Self> {
        let mut que = TQue::<VECIN, 0>::new();
        pipe.init_buffer(&mut que, 1, BYTES)?;
        Ok(Special::InPlace(que))
    }
}

/// A kernel in the making: it runs while it is made up.
pub struct Kernel<'p> {
    pub pipe: &'p TPipe,
    pub random: Random,
    ins: Vec<In>,
    outs: Vec<Out>,
    scratch: Vec<Scratch>,
    special: Special,
    pub pool: Option<TBufPool<VECCALC, 8>>,
    gm: GlobalTensor<f16>,
}

/// Elements of all tensors.
pub const LEN: usize = 128;
pub const BYTES: u32 = 2 * LEN as u32;
/// Tensors in the global memory that is read.
const PARTS: usize = 16;

/// One tile through two queues.
fn pass(
    x_que: &TQue<VECIN, 1>,
    z_que: &TQue<VECOUT, 1>,
    source: &GlobalTensor<f16>,
    target: &GlobalTensor<f16>,
) -> Result<()> {
    let x = x_que.alloc_tensor::<f16>()?;
    data_copy(&x, source)?;
    x_que.enque(x)?;
    let (x, z) = (x_que.deque::<f16>()?, z_que.alloc_tensor::<f16>()?);
    abs(&z, &x, LEN)?;
    x_que.free_tensor(x)?;
    z_que.enque(z)?;
    let z = z_que.deque::<f16>()?;
    data_copy(target, &z)?;
    z_que.free_tensor(z)
}

/// Global memory that nobody else writes.
fn output() -> GlobalTensor<f16> {
    GlobalTensor::zeros(LEN)
}

pub fn half(value: f32) -> f16 {
    f16::from_f32(value)
}

impl<'p> Kernel<'p> {
    pub fn new(pipe: &'p TPipe, seed: u64) -> Result<Self> {
        let mut random = Random::new(seed);
        // Four ids per event: three blocks that may hold one, and one for flags by hand.
        let most = if pipe.chip() == Chip::AtlasTraining { 1 } else { 2 };
        let mut ins = Vec::new();
        let mut outs = Vec::new();
        for _ in 0..=random.below(most) {
            let mut que = TQue::<VECIN, 2>::new();
            let blocks = 1 + random.below(2);
            pipe.init_buffer(&mut que, blocks as u32, BYTES)?;
            ins.push(Queue { que, blocks, used: 0 });
            let mut que = TQue::<VECOUT, 2>::new();
            let blocks = 1 + random.below(2);
            pipe.init_buffer(&mut que, blocks as u32, BYTES)?;
            outs.push(Queue { que, blocks, used: 0 });
        }
        let mut scratch = Vec::new();
        for _ in 0..=random.below(3) {
            let mut buf = TBuf::new();
            pipe.init_tbuf(&mut buf, BYTES)?;
            scratch.push(Scratch { buf, touched: BTreeSet::new(), written: false, unread: false });
        }
        let pools = pipe.chip().spec().has_pools && most > 1;
        let special = match random.below(4) {
            0 if most > 1 => Special::overlay(pipe)?,
            1 if pools => Special::ring(pipe)?,
            2 if most > 1 => Special::in_place(pipe)?,
            _ => Special::Nothing,
        };
        let pool = (pools && random.chance(2)).then(TBufPool::new);
        let gm = GlobalTensor::from_vec(vec![half(1.0); PARTS * LEN]);
        Ok(Kernel { pipe, random, ins, outs, scratch, special, pool, gm })
    }

    /// A part of global memory that is only read.
    pub fn input(&mut self) -> GlobalTensor<f16> {
        let part = self.random.below(PARTS);
        self.gm.slice(part * LEN..(part + 1) * LEN).unwrap().to_tensor()
    }

    /// One random step.
    pub fn step(&mut self) -> Result<()> {
        match self.random.below(16) {
            0..4 => self.load(),
            4..7 => self.compute(),
            7..10 => self.store(),
            10..13 => {
                let what = self.random.pick(&Use::ALL);
                self.scratch_step(what)
            }
            13 => self.sync(),
            14 => self.special(),
            _ => self.pooled(),
        }
    }

    /// Dequeues and frees all that is still in queues.
    pub fn drain(&mut self) -> Result<()> {
        while self.ins.iter().any(|q| q.used > 0) || self.outs.iter().any(|q| q.used > 0) {
            self.compute()?;
            self.store()?;
        }
        Ok(())
    }

    /// An input queue with a free block, if there is one.
    fn vacant_in(&mut self) -> Option<usize> {
        let vacant: Vec<_> =
            (0..self.ins.len()).filter(|&i| self.ins[i].used < self.ins[i].blocks).collect();
        (!vacant.is_empty()).then(|| self.random.pick(&vacant))
    }

    fn load(&mut self) -> Result<()> {
        let Some(index) = self.vacant_in() else { return Ok(()) };
        let source = self.input();
        let queue = &mut self.ins[index];
        let x = queue.que.alloc_tensor::<f16>()?;
        data_copy(&x, &source)?;
        queue.que.enque(x)?;
        queue.used += 1;
        Ok(())
    }

    fn compute(&mut self) -> Result<()> {
        let full: Vec<_> = (0..self.ins.len()).filter(|&i| self.ins[i].used > 0).collect();
        let vacant: Vec<_> =
            (0..self.outs.len()).filter(|&i| self.outs[i].used < self.outs[i].blocks).collect();
        if full.is_empty() || vacant.is_empty() {
            return Ok(());
        }
        let (from, to) = (self.random.pick(&full), self.random.pick(&vacant));
        let scalar = self.random.chance(4);
        let x = self.ins[from].que.deque::<f16>()?;
        self.ins[from].used -= 1;
        if scalar {
            self.flag(Pipe::MTE2, Pipe::S)?;
            x.get_value(self.random.below(LEN))?;
        }
        let z = self.outs[to].que.alloc_tensor::<f16>()?;
        match self.random.below(3) {
            0 => abs(&z, &x, LEN)?,
            1 => add(&z, &x, &x, LEN)?,
            _ => {
                // Two halves, and a second instruction on the result of the first.
                muls(&z.slice(0..LEN / 2)?, &x, half(2.0), LEN / 2)?;
                abs(&z.slice(LEN / 2..LEN)?, &x.slice(LEN / 2..LEN)?, LEN / 2)?;
                self.pipe.pipe_barrier(Pipe::V)?;
                relu(&z, &z, LEN)?;
            }
        }
        self.outs[to].que.enque(z)?;
        self.outs[to].used += 1;
        self.ins[from].que.free_tensor(x)
    }

    fn store(&mut self) -> Result<()> {
        let full: Vec<_> = (0..self.outs.len()).filter(|&i| self.outs[i].used > 0).collect();
        if full.is_empty() {
            return Ok(());
        }
        let (index, target) = (self.random.pick(&full), output());
        let queue = &mut self.outs[index];
        let z = queue.que.deque::<f16>()?;
        queue.used -= 1;
        data_copy(&target, &z)?;
        queue.que.free_tensor(z)
    }

    /// Makes `to` wait for all earlier work of `from`.
    pub fn flag(&mut self, from: Pipe, to: Pipe) -> Result<()> {
        let Some(event) = HardEvent::between(from, to).filter(|_| from != to) else {
            return self.pipe.pipe_barrier_all();
        };
        let id = self.pipe.alloc_event_id(event)?;
        self.pipe.set_flag(event, id)?;
        self.pipe.wait_flag(event, id)?;
        self.pipe.release_event_id(event, id)
    }

    /// Orders a scratch buffer for a use on a pipe.
    fn order(&mut self, index: usize, what: Use) -> Result<()> {
        let pipe = what.pipe();
        for from in self.scratch[index].touched.clone() {
            if from == pipe {
                if pipe != Pipe::S {
                    self.pipe.pipe_barrier(pipe)?;
                }
            } else {
                self.flag(from, pipe)?;
            }
        }
        Ok(())
    }

    fn scratch_step(&mut self, what: Use) -> Result<()> {
        let index = self.random.below(self.scratch.len());
        if what.reads() && !self.scratch[index].written {
            return Ok(());
        }
        // A whole write over a result that nobody read is a finding of its own.
        if !what.reads() && self.scratch[index].unread {
            return self.use_scratch(index, Use::Store);
        }
        self.use_scratch(index, what)
    }

    fn use_scratch(&mut self, index: usize, what: Use) -> Result<()> {
        self.order(index, what)?;
        self.touch_scratch(index, what)
    }

    fn touch_scratch(&mut self, index: usize, what: Use) -> Result<()> {
        let (source, target) = (self.input(), output());
        let at = self.random.below(LEN);
        let scratch = &mut self.scratch[index];
        let t = scratch.buf.get::<f16>()?;
        match what {
            Use::Load => data_copy(&t, &source)?,
            Use::Fill => duplicate(&t, half(1.0), LEN)?,
            Use::Compute => adds(&t, &t, half(1.0), LEN)?,
            Use::Store => data_copy(&target, &t)?,
            Use::Get => {
                t.get_value(at)?;
            }
            Use::Set if scratch.written => t.set_value(at, half(3.0))?,
            Use::Set => return Ok(()),
        }
        scratch.touched.insert(what.pipe());
        match what {
            Use::Load | Use::Fill | Use::Compute => {
                (scratch.written, scratch.unread) = (true, true);
            }
            // One element of many.
            Use::Set => scratch.unread = true,
            Use::Store => scratch.unread = false,
            Use::Get => {}
        }
        Ok(())
    }

    /// A flag or barrier that nothing needs.
    fn sync(&mut self) -> Result<()> {
        let pipes = [Pipe::V, Pipe::MTE2, Pipe::MTE3, Pipe::S];
        match self.random.below(4) {
            0 => self.pipe.pipe_barrier_all(),
            1 => {
                let pipe = self.random.pick(&pipes[..3]);
                self.pipe.pipe_barrier(pipe)
            }
            _ => {
                let (from, to) = (self.random.pick(&pipes), self.random.pick(&pipes));
                self.flag(from, to)
            }
        }
    }

    /// A round through what this kernel has besides.
    fn special(&mut self) -> Result<()> {
        let (source, target) = (self.input(), output());
        let special = std::mem::replace(&mut self.special, Special::Nothing);
        match &special {
            Special::Nothing => return Ok(()),
            Special::Overlay(x_que, z_que) => pass(x_que, z_que, &source, &target)?,
            Special::Ring(_, queues) => {
                let que = &queues[self.random.below(2)];
                let x = que.alloc_tensor::<f16>()?;
                data_copy(&x, &source)?;
                que.enque(x)?;
                let x = que.deque::<f16>()?;
                self.flag(Pipe::MTE2, Pipe::MTE3)?;
                data_copy(&target, &x)?;
                que.free_tensor(x)?;
            }
            Special::InPlace(que) => {
                let x = que.alloc_in_place::<f16>()?;
                data_copy(&x, &source)?;
                let x = que.enque_in_place(x)?;
                let x = que.deque_in_place(x)?;
                self.flag(Pipe::MTE2, Pipe::MTE3)?;
                data_copy(&target, &x)?;
                que.free_tensor(x)?;
            }
        }
        self.special = special;
        self.flag(Pipe::MTE3, Pipe::MTE2)
    }

    /// Two pools one after the other on the same bytes, with a reset between.
    fn pooled(&mut self) -> Result<()> {
        let Some(mut pool) = self.pool.take() else { return Ok(()) };
        let mut second = TBufPool::<VECCALC, 8>::new();
        self.pipe.init_buf_pool(&mut pool, 4 * BYTES)?;
        self.pipe.init_buf_pool_shared(&mut second, 4 * BYTES, &pool)?;
        for pool in [&mut pool, &mut second] {
            let (mut x_que, mut z_que) = (TQue::<VECIN, 1>::new(), TQue::<VECOUT, 1>::new());
            pool.init_buffer(&mut x_que, 1, BYTES)?;
            pool.init_buffer(&mut z_que, 1, BYTES)?;
            for _ in 0..=self.random.below(2) {
                let (source, target) = (self.input(), output());
                pass(&x_que, &z_que, &source, &target)?;
            }
            x_que.free_all_event()?;
            z_que.free_all_event()?;
            pool.reset()?;
            // Locks of one pool say nothing of the other's blocks.
            if self.pipe.chip() == Chip::Ascend950 {
                self.pipe.pipe_barrier_all()?;
            }
        }
        // Once: records and bytes are not given back before the pipe is reset.
        Ok(())
    }
}

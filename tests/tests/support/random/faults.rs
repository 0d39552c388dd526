//! Faults to plant in random kernels, each with the check that has to find it.

use bufpool_runtime::CheckId;
use bufpool_runtime::prelude::*;

use super::{BYTES, Custom, Kernel, LEN, Special, Use, half, output};

/// A fault to plant, named by the check that must find it.
pub type Fault = (CheckId, fn(&mut Kernel<'_>) -> Result<()>);

/// The faults, each with what plants it. All are whole in themselves, so that they can stand
/// anywhere in a kernel.
pub const FAULTS: &[Fault] = &[
    (CheckId::ReadRace, |k| {
        // Load, and compute at once.
        let i = k.random.below(k.scratch.len());
        k.settle(i)?;
        k.use_scratch(i, Use::Load)?;
        let after = k.random.pick(&[Use::Compute, Use::Store, Use::Get]);
        k.touch_scratch(i, after)?;
        k.settle(i)
    }),
    (CheckId::WriteRace, |k| {
        // Store, and overwrite at once.
        let i = k.random.below(k.scratch.len());
        k.settle(i)?;
        k.use_scratch(i, Use::Fill)?;
        k.use_scratch(i, Use::Store)?;
        let after = k.random.pick(&[Use::Load, Use::Fill, Use::Set]);
        k.touch_scratch(i, after)?;
        k.settle(i)
    }),
    (CheckId::ScalarUnordered, |k| {
        let source = k.input();
        let (mut que, mut z) = (TQue::<VECIN, 1>::new(), TBuf::<VECCALC>::new());
        k.pipe.init_buffer(&mut que, 1, BYTES)?;
        k.pipe.init_tbuf(&mut z, BYTES)?;
        let x = que.alloc_tensor::<f16>()?;
        data_copy(&x, &source)?;
        que.enque(x)?;
        let x = que.deque::<f16>()?;
        x.get_value(k.random.below(LEN))?;
        abs(&z.get()?, &x, LEN)?;
        que.free_tensor(x)
    }),
    (CheckId::ReadUninitialised, |k| {
        let (source, target) = (k.input(), output());
        let mut buf = TBuf::<VECIN>::new();
        k.pipe.init_tbuf(&mut buf, BYTES)?;
        let t = buf.get::<f16>()?;
        let part = 16 * (1 + k.random.below(LEN / 16 - 1));
        data_copy_n(&t, &source, part)?;
        k.flag(Pipe::MTE2, Pipe::MTE3)?;
        data_copy(&target, &t)
    }),
    (CheckId::ReadUnallocated, |k| freed(k, false)),
    (CheckId::WriteUnallocated, |k| freed(k, true)),
    (CheckId::ReadOutOfBounds, |k| {
        let target = GlobalTensor::<f16>::zeros(2 * LEN);
        let mut buf = TBuf::<VECOUT>::new();
        k.pipe.init_tbuf(&mut buf, BYTES)?;
        let t = buf.get::<f16>()?;
        duplicate(&t, half(1.0), LEN)?;
        k.flag(Pipe::V, Pipe::MTE3)?;
        data_copy_n(&target, &t, LEN + 16 * (1 + k.random.below(4)))
    }),
    (CheckId::WriteOutOfBounds, |k| {
        let mut buf = TBuf::<VECCALC>::new();
        k.pipe.init_tbuf(&mut buf, BYTES)?;
        let t = buf.get::<f16>()?;
        duplicate(&t, half(1.0), LEN + 16 * (1 + k.random.below(4)))
    }),
    (CheckId::ReadMisaligned, |k| misaligned(k, 1, 0)),
    (CheckId::WriteMisaligned, |k| misaligned(k, 0, 1)),
    (CheckId::OverwriteUnread, |k| {
        let i = k.random.below(k.scratch.len());
        k.settle(i)?;
        let (first, second) =
            (k.random.pick(&[Use::Load, Use::Fill]), k.random.pick(&[Use::Load, Use::Fill]));
        k.use_scratch(i, first)?;
        k.use_scratch(i, second)?;
        k.settle(i)
    }),
    (CheckId::Leak, |k| {
        let mut que = TQue::<VECIN, 1>::new();
        k.pipe.init_buffer(&mut que, 1, BYTES)?;
        let t = que.alloc_buffer()?;
        match k.random.below(3) {
            0 => return Ok(()),
            1 => return que.enque_handle(t),
            _ => que.enque_handle(t)?,
        }
        que.deque_handle().map(|_| ())
    }),
    (CheckId::Overlap, |k| {
        let (mut x, mut y) = (TQue::<VECIN, 1>::new(), TQue::<VECIN, 1>::new());
        let source = k.input();
        k.pipe.init_buffer(&mut x, 1, BYTES)?;
        let at = k.pipe.used_bytes(Hardware::UB) - BYTES + 32 * k.random.below(8) as u32;
        k.pipe.init_buffer_at(&mut y, &[(at, BYTES)])?;
        let (a, b) = (x.alloc_tensor::<f16>()?, y.alloc_tensor::<f16>()?);
        data_copy(if k.random.chance(2) { &a } else { &b }, &source)?;
        k.pipe.pipe_barrier_all()?;
        x.free_tensor(a)?;
        y.free_tensor(b)
    }),
    (CheckId::BadMemory, |k| {
        let at = k.pipe.used_bytes(Hardware::UB) + 4096 + 32 * k.random.below(64) as u32;
        let t = LocalTensor::<f16>::at(k.pipe, TPosition::VECCALC, at, LEN)?;
        duplicate(&t, half(1.0), LEN)
    }),
    (CheckId::UnmatchedSet, |k| {
        let event = k.random.pick(&[HardEvent::MTE2_V, HardEvent::V_MTE3, HardEvent::MTE3_V]);
        let id = k.pipe.alloc_event_id(event)?;
        k.pipe.set_flag(event, id)
    }),
    (CheckId::DuplicateSet, |k| {
        let event = k.random.pick(&[HardEvent::MTE2_V, HardEvent::V_MTE3, HardEvent::MTE3_V]);
        let id = k.pipe.alloc_event_id(event)?;
        k.pipe.set_flag(event, id)?;
        k.pipe.set_flag(event, id)?;
        k.pipe.wait_flag(event, id)
    }),
    (CheckId::FetchedIdInFlight, |k| {
        let event = k.random.pick(&[HardEvent::MTE2_V, HardEvent::V_MTE3, HardEvent::MTE3_V]);
        let id = k.pipe.fetch_event_id(event)?;
        k.pipe.set_flag(event, id)?;
        k.pipe.fetch_event_id(event)?;
        k.pipe.wait_flag(event, id)
    }),
    (CheckId::EventIdNotReserved, |k| {
        let mut que = TQue::<VECIN, 1>::new();
        k.pipe.init_buffer(&mut que, 1, BYTES)?;
        let t = que.alloc_buffer()?;
        let id = k.pipe.fetch_event_id(HardEvent::MTE2_V)?;
        que.enque_handle(t)?;
        let early = k.random.chance(2);
        if early {
            k.pipe.release_event_id(HardEvent::MTE2_V, id)?;
        }
        que.deque_handle()?;
        let id = k.pipe.fetch_event_id(HardEvent::V_MTE2)?;
        que.free_buffer(t)?;
        if !early {
            k.pipe.release_event_id(HardEvent::V_MTE2, id)?;
        }
        que.free_all_event()
    }),
    (CheckId::WrongQueue, |k| {
        let Special::Ring(_pool, [first, second]) = Special::ring(k.pipe)? else { return Ok(()) };
        let t = first.alloc_buffer()?;
        if k.random.chance(2) {
            let que = if k.random.chance(2) { &first } else { &second };
            que.enque_handle(t)?;
            que.deque_handle()?;
        }
        second.free_buffer(t)?;
        second.free_all_event()
    }),
    (CheckId::WrongState, |k| {
        let mut que = TQue::<VECIN, 2>::new();
        k.pipe.init_buffer(&mut que, 1, BYTES)?;
        let t = que.alloc_buffer()?;
        que.enque_handle(t)?;
        que.free_buffer(t)
    }),
    (CheckId::QueueRebound, |k| {
        let mut que = TQue::<VECIN, 1>::new();
        k.pipe.init_buffer(&mut que, 1, BYTES)?;
        k.pipe.init_buffer(&mut que, 1, BYTES)
    }),
    (CheckId::OverDocumentedUb, |k| {
        let free = k.pipe.free_bytes(Hardware::UB);
        let mut que = TQue::<VECIN, 1>::new();
        // Nothing is left for the pools of later steps.
        k.pool = None;
        k.pipe.init_buffer(&mut que, 1, free)
    }),
    (CheckId::SharingPoolLive, |k| {
        let (source, target) = (k.input(), output());
        let (mut first, mut second) =
            (TBufPool::<VECCALC, 2>::new(), TBufPool::<VECCALC, 2>::new());
        let (mut x, mut y) = (TQue::<VECOUT, 1>::new(), TQue::<VECIN, 1>::new());
        k.pipe.init_buf_pool(&mut first, BYTES)?;
        // Before the other one shares it: with the same lock ids the two would be ordered.
        first.init_buffer(&mut x, 1, BYTES)?;
        k.pipe.init_buf_pool_shared(&mut second, BYTES, &first)?;
        second.init_buffer(&mut y, 1, BYTES)?;
        let z = x.alloc_tensor::<f16>()?;
        duplicate(&z, half(1.0), LEN)?;
        x.enque(z)?;
        let z = x.deque::<f16>()?;
        data_copy(&target, &z)?;
        x.free_tensor(z)?;
        let t = y.alloc_tensor::<f16>()?;
        data_copy(&t, &source)?;
        y.free_tensor(t)
    }),
    (CheckId::StaleAfterReset, |k| {
        let (mut parent, mut child) =
            (TBufPool::<VECCALC, 4>::new(), TBufPool::<VECCALC, 2>::new());
        let (mut que, mut buf) = (TQue::<VECIN, 1>::new(), TBuf::<VECCALC>::new());
        k.pipe.init_buf_pool(&mut parent, 2 * BYTES)?;
        parent.init_buf_pool(&mut child, 2 * BYTES)?;
        if k.random.chance(2) {
            child.init_buffer(&mut que, 1, BYTES)?;
            parent.reset()?;
            let t = que.alloc_buffer()?;
            return que.free_buffer(t);
        }
        parent.reset()?;
        child.init_tbuf(&mut buf, BYTES)
    }),
    (CheckId::MixedFreeEvents, |k| {
        // Somebody else has set the flag that the second queue waits for: it does not even hang.
        let mut ring = MixedRing::new(k)?;
        k.pipe.set_flag(HardEvent::MTE3_V, ring.id)?;
        ring.x.free_buffer(ring.record)?;
        ring.z.alloc_buffer()?;
        ring.give_back(k, false)?;
        ring.x.free_buffer(ring.record)?;
        ring.pool.reset()
    }),
    (CheckId::PoolLongerThanAsked, |k| {
        let (mut pool, mut shorter) = (TBufPool::<VECCALC, 1>::new(), TBufPool::<VECIN, 1>::new());
        k.pipe.init_buf_pool(&mut pool, BYTES)?;
        let less = 32 * (1 + k.random.below(BYTES as usize / 32 - 1)) as u32;
        k.pipe.init_buf_pool_shared(&mut shorter, less, &pool)
    }),
    (CheckId::IdsLostByReset, |k| {
        let (mut pool, mut que) = (TBufPool::<VECCALC, 1>::new(), TQue::<VECIN, 1>::new());
        k.pipe.init_buf_pool(&mut pool, BYTES)?;
        pool.init_buffer(&mut que, 1, BYTES)?;
        let t = que.alloc_buffer()?;
        que.free_buffer(t)?;
        pool.reset()
    }),
    (CheckId::LiveBlockReinitialised, |k| {
        let (mut pool, mut que) = (Custom::default(), TQue::<VECIN, 1>::new());
        k.pipe.init_buf_pool(&mut pool, BYTES)?;
        let (handle, addr) = (pool.get_buf_handle(0)?, pool.get_cur_addr());
        que.init_start_buf_handle(handle, 1, BYTES)?;
        que.init_buf_handle(&pool, 0, handle, addr, BYTES)?;
        que.alloc_buffer()?;
        let mut other = TQue::<VECIN, 1>::new();
        other.init_start_buf_handle(handle, 1, BYTES)?;
        other.init_buf_handle(&pool, 0, handle, addr, BYTES)?;
        pool.reset()
    }),
    (CheckId::HandleInitialisedTwice, |k| {
        let slip = if k.random.chance(2) { Slip::SameHandle } else { Slip::CountStays };
        carve(k, slip)
    }),
    (CheckId::CursorNotAdvanced, |k| carve(k, Slip::CursorStays)),
    (CheckId::CursorBehind, |k| carve(k, Slip::CursorBack)),
];

/// What the author of a custom pool got wrong.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Slip {
    SameHandle,
    CountStays,
    CursorStays,
    CursorBack,
}

fn carve(k: &mut Kernel<'_>, slip: Slip) -> Result<()> {
    let mut pool = Custom::default();
    k.pipe.init_buf_pool(&mut pool, 4 * BYTES)?;
    let start = pool.get_cur_addr();
    let mut queues = [TQue::<VECIN, 1>::new(), TQue::<VECIN, 1>::new()];
    for que in &mut queues {
        let (first, addr) = (pool.get_cur_buf_size(), pool.get_cur_addr());
        que.init_start_buf_handle(pool.get_buf_handle(first)?, 2, BYTES)?;
        for i in 0..2 {
            let record = if slip == Slip::SameHandle { first } else { first + i };
            let handle = pool.get_buf_handle(record)?;
            que.init_buf_handle(&pool, i, handle, addr + u32::from(i) * BYTES, BYTES)?;
        }
        if slip != Slip::CountStays {
            pool.set_cur_buf_size(first + 2);
        }
        if slip != Slip::CursorStays {
            pool.set_cur_addr(addr + 2 * BYTES);
        }
    }
    if slip == Slip::CountStays {
        // The first queue goes on, with blocks that are elsewhere by now.
        let block = queues[0].alloc_buffer()?;
        queues[0].free_buffer(block)?;
        queues[0].free_all_event()?;
    }
    if slip == Slip::CursorBack {
        pool.set_cur_addr(start + 32 * k.random.below(16) as u32);
    }
    pool.reset()
}

/// A VECIN and a VECOUT queue on one record, which `x` has allocated. The id that its free event
/// will get is one that nobody has of the other queue's.
pub struct MixedRing {
    pub pool: Custom,
    pub x: TQue<VECIN, 1>,
    pub z: TQue<VECOUT, 1>,
    pub record: TBufHandle,
    /// The id that both have, and ids that are reserved to make it so.
    pub id: EventId,
    held: Vec<(HardEvent, EventId)>,
}

impl MixedRing {
    pub fn new(k: &Kernel<'_>) -> Result<Self> {
        let mut pool = Custom::default();
        k.pipe.init_buf_pool(&mut pool, BYTES)?;
        let (mut x, mut z) = (TQueBind::new(), TQueBind::new());
        let (record, addr) = (pool.get_buf_handle(0)?, pool.get_cur_addr());
        x.init_start_buf_handle(record, 1, BYTES)?;
        x.init_buf_handle(&pool, 0, record, addr, BYTES)?;
        z.init_start_buf_handle(record, 1, BYTES)?;
        pool.set_cur_buf_size(1);
        x.alloc_buffer()?;
        let mut held = Vec::new();
        for event in [HardEvent::V_MTE2, HardEvent::MTE3_V] {
            while let Ok(id) = k.pipe.alloc_event_id(event) {
                held.push((event, id));
            }
        }
        let is_common = |id: &EventId| {
            [HardEvent::V_MTE2, HardEvent::MTE3_V].iter().all(|&event| held.contains(&(event, *id)))
        };
        let id = (0..8)
            .find(is_common)
            .expect("ids are given out from the lowest on: one above those in use is free of both");
        held.retain(|&pair| pair != (HardEvent::V_MTE2, id));
        k.pipe.release_event_id(HardEvent::V_MTE2, id)?;
        Ok(MixedRing { pool, x, z, record, id, held })
    }

    /// Gives the reserved ids back, or all but the one that both have.
    pub fn give_back(&mut self, k: &Kernel<'_>, all: bool) -> Result<()> {
        for (event, id) in self.held.drain(..) {
            if all || id != self.id {
                k.pipe.release_event_id(event, id)?;
            }
        }
        Ok(())
    }
}

impl Kernel<'_> {
    /// Leaves a scratch buffer read and ordered for all.
    fn settle(&mut self, index: usize) -> Result<()> {
        if self.scratch[index].unread {
            self.use_scratch(index, Use::Store)?;
        }
        self.pipe.pipe_barrier_all()?;
        self.scratch[index].touched.clear();
        Ok(())
    }
}

fn freed(k: &mut Kernel<'_>, writes: bool) -> Result<()> {
    let (source, target) = (k.input(), output());
    let mut que = TQue::<VECIN, 1>::new();
    k.pipe.init_buffer(&mut que, 1, BYTES)?;
    let handle = que.alloc_buffer()?;
    let t = que.tensor_of::<f16>(handle)?;
    data_copy(&t, &source)?;
    que.free_buffer(handle)?;
    k.pipe.pipe_barrier_all()?;
    if writes { data_copy(&t, &source) } else { data_copy(&target, &t) }
}

fn misaligned(k: &mut Kernel<'_>, read: usize, write: usize) -> Result<()> {
    let mut buf = TBuf::<VECCALC>::new();
    k.pipe.init_tbuf(&mut buf, 2 * BYTES)?;
    let t = buf.get::<f16>()?;
    duplicate(&t, half(1.0), 2 * LEN)?;
    k.pipe.pipe_barrier(Pipe::V)?;
    let off = 1 + k.random.below(15);
    let (from, to) = (read * off, LEN + write * off);
    abs(&t.slice(to..to + 64)?, &t.slice(from..from + 64)?, 64)
}

//! Calls that cannot work on the device, planted in random kernels: each must be refused, with the
//! right id and with every place that its author needs, and change nothing.

use bufpool_runtime::CheckId;
use bufpool_runtime::prelude::*;

use super::random::faults::MixedRing;
use super::random::{BYTES, Custom, Kernel, LEN, half};

/// What became of a planted call.
pub struct Refused {
    /// None if the call went through.
    pub error: Option<BufPoolError>,
    /// Lines of this file that the error must name, the call's own first.
    pub lines: Vec<u32>,
}

#[allow(clippy::unnecessary_wraps, reason = "the last call of each planting")]
fn refused<T>((result, asked): (Result<T>, u32), others: &[u32]) -> Result<Refused> {
    let lines = std::iter::once(asked).chain(others.iter().copied()).collect();
    Ok(Refused { error: result.err(), lines })
}

/// A value, and the line on which it was made.
macro_rules! at {
    ($made:expr) => {
        ($made, line!())
    };
}

/// A call to plant, named by its check.
pub struct Refusal {
    pub check: CheckId,
    pub on: fn(Chip) -> bool,
    /// Sets the scene, makes the call, and puts all right again.
    pub plant: fn(&mut Kernel<'_>) -> Result<Refused>,
}

fn everywhere(chip: Chip) -> bool {
    chip.spec().has_pools
}

fn with_flags(chip: Chip) -> bool {
    everywhere(chip) && chip != Chip::Ascend950
}

fn with_eight_flags(chip: Chip) -> bool {
    with_flags(chip) && chip.spec().event_ids == 8
}

fn on_950(chip: Chip) -> bool {
    chip == Chip::Ascend950
}

fn without_pools(chip: Chip) -> bool {
    !chip.spec().has_pools
}

const fn anywhere(check: CheckId, plant: fn(&mut Kernel<'_>) -> Result<Refused>) -> Refusal {
    Refusal { check, on: everywhere, plant }
}

type In = TQue<VECIN, 1>;

fn queue(k: &Kernel<'_>, blocks: u32) -> Result<In> {
    let mut que = In::new();
    k.pipe.init_buffer(&mut que, blocks, BYTES)?;
    Ok(que)
}

fn tbuf(k: &Kernel<'_>) -> Result<TBuf<VECCALC>> {
    let mut buf = TBuf::new();
    k.pipe.init_tbuf(&mut buf, BYTES)?;
    Ok(buf)
}

/// Gives back a block that was taken for the scene, and its id.
fn give_back(que: &In, handle: TBufHandle) -> Result<()> {
    que.free_buffer(handle)?;
    que.free_all_event()
}

const EVENTS: [HardEvent; 4] =
    [HardEvent::MTE2_V, HardEvent::V_MTE3, HardEvent::MTE3_V, HardEvent::V_S];

/// A length that ends a tensor too late.
fn too_long(k: &mut Kernel<'_>) -> usize {
    LEN + 1 + k.random.below(LEN)
}

/// All of them.
pub const REFUSALS: &[Refusal] = &[
    // What hangs.
    anywhere(CheckId::NoFreeBlock, |k| {
        let que = queue(k, 2)?;
        let (first, taken) = at!(que.alloc_buffer()?);
        let (second, mut since) = at!(que.alloc_buffer()?);
        let queued = k.random.chance(2);
        if queued {
            ((), since) = at!(que.enque_handle(second)?);
        }
        let call = at!(que.alloc_buffer());
        if queued {
            que.deque_handle()?;
        }
        que.free_buffer(second)?;
        give_back(&que, first)?;
        refused(call, &[taken, since])
    }),
    anywhere(CheckId::QueueFull, |k| {
        let que = queue(k, 2)?;
        let (first, second) = (que.alloc_buffer()?, que.alloc_buffer()?);
        let ((), full) = at!(que.enque_handle(first)?);
        let call = at!(que.enque_handle(second));
        que.deque_handle()?;
        que.free_buffer(second)?;
        give_back(&que, first)?;
        refused(call, &[full])
    }),
    anywhere(CheckId::QueueEmpty, |k| {
        let que = queue(k, 2)?;
        let taken = que.alloc_buffer()?;
        if k.random.chance(2) {
            que.enque_handle(taken)?;
            que.deque_handle()?;
        }
        let call = at!(que.deque::<f16>());
        give_back(&que, taken)?;
        refused(call, &[])
    }),
    Refusal {
        check: CheckId::PositionsDiffer,
        on: with_flags,
        plant: |k| {
            let mut que = TQueBind::<VECIN, VECOUT, 1>::new();
            k.pipe.init_buffer(&mut que, 1, BYTES)?;
            let taken = que.alloc_buffer()?;
            let ((), sent) = at!(que.enque_handle_at::<GM, VECIN>(taken)?);
            let call = at!(que.deque::<f16>());
            que.deque_handle_at::<GM, VECIN>()?;
            que.free_buffer(taken)?;
            que.free_all_event()?;
            refused(call, &[sent])
        },
    },
    Refusal {
        check: CheckId::EnquePending,
        on: with_flags,
        plant: |k| {
            let que = queue(k, 1)?;
            let taken = que.alloc_buffer()?;
            let ((), sent) = at!(que.enque_handle(taken)?);
            let call = at!(que.free_all_event());
            que.deque_handle()?;
            give_back(&que, taken)?;
            refused(call, &[sent])
        },
    },
    anywhere(CheckId::UnmatchedWait, |k| {
        let event = k.random.pick(&EVENTS);
        let id = k.pipe.alloc_event_id(event)?;
        let mut others = Vec::new();
        // A set that was waited for once already does not do for two.
        if k.random.chance(2) {
            let ((), set) = at!(k.pipe.set_flag(event, id)?);
            k.pipe.wait_flag(event, id)?;
            others.push(set);
        }
        let call = at!(k.pipe.wait_flag(event, id));
        k.pipe.release_event_id(event, id)?;
        refused(call, &others)
    }),
    Refusal {
        check: CheckId::MixedFreeEvents,
        on: with_eight_flags,
        plant: |k| {
            let mut ring = MixedRing::new(k)?;
            let ((), freed) = at!(ring.x.free_buffer(ring.record)?);
            let call = at!(ring.z.alloc_buffer());
            // Put right: the queue that freed the block waits for its event.
            ring.x.alloc_buffer()?;
            ring.x.free_buffer(ring.record)?;
            ring.give_back(k, true)?;
            ring.pool.reset()?;
            refused(call, &[freed])
        },
    },
    // Ids.
    anywhere(CheckId::EventIdsExhausted, |k| {
        let event = k.random.pick(&EVENTS);
        let (first, held) = at!(k.pipe.alloc_event_id(event)?);
        let mut ids = vec![first];
        while let Ok(id) = k.pipe.alloc_event_id(event) {
            ids.push(id);
        }
        let call = if k.random.chance(2) {
            at!(k.pipe.alloc_event_id(event))
        } else {
            at!(k.pipe.fetch_event_id(event))
        };
        for id in ids {
            k.pipe.release_event_id(event, id)?;
        }
        refused(call, &[held])
    }),
    anywhere(CheckId::EventIdOutOfRange, |k| {
        let (event, over) = (k.random.pick(&EVENTS), k.random.below(200) as u8);
        let id = k.pipe.chip().spec().event_ids + over;
        let call = match k.random.below(3) {
            0 => at!(k.pipe.set_flag(event, id)),
            1 => at!(k.pipe.wait_flag(event, id)),
            _ => at!(k.pipe.release_event_id(event, id)),
        };
        refused(call, &[])
    }),
    anywhere(CheckId::EventIdNotReserved, |k| {
        let event = k.random.pick(&EVENTS);
        let (id, taken) = at!(k.pipe.alloc_event_id(event)?);
        k.pipe.release_event_id(event, id)?;
        refused(at!(k.pipe.release_event_id(event, id)), &[taken])
    }),
    Refusal {
        check: CheckId::LockIdsExhausted,
        on: on_950,
        plant: |k| {
            // Nothing is left for the pools of later steps.
            k.pool = None;
            let mut pools = Vec::new();
            loop {
                let mut pool = TBufPool::<VECCALC, 4>::new();
                let (made, asked) = at!(k.pipe.init_buf_pool(&mut pool, BYTES));
                match made {
                    Ok(()) => pools.push(pool),
                    Err(error) => return refused::<()>((Err(error), asked), &[asked]),
                }
            }
        },
    },
    Refusal {
        check: CheckId::NoLockId,
        on: on_950,
        plant: |k| {
            let (mut pool, mut que) = (TBufPool::<A1, 1>::new(), TQue::<A1, 1>::new());
            k.pipe.init_buf_pool(&mut pool, BYTES)?;
            pool.init_buffer(&mut que, 1, BYTES)?;
            refused(at!(que.alloc_buffer()), &[])
        },
    },
    Refusal {
        check: CheckId::NoReset,
        on: on_950,
        plant: |k| {
            let (mut pool, mut que) = (TBufPool::<A1, 1>::new(), TQue::<A1, 1>::new());
            let ((), made) = at!(k.pipe.init_buf_pool(&mut pool, BYTES)?);
            pool.init_buffer(&mut que, 1, BYTES)?;
            refused(at!(pool.reset()), &[made])
        },
    },
    // Memory.
    anywhere(CheckId::MemoryFull, |k| {
        let mut held = TQue::<VECIN, 1>::new();
        let ((), holder) = at!(k.pipe.init_buffer(&mut held, 1, BYTES)?);
        let more = k.pipe.free_bytes(Hardware::UB) + 1 + k.random.below(4096) as u32;
        let call = match k.random.below(3) {
            0 => at!(k.pipe.init_buffer(&mut In::new(), 1, more)),
            1 => at!(k.pipe.init_tbuf(&mut TBuf::<VECCALC>::new(), more)),
            _ => at!(k.pipe.init_buf_pool(&mut TBufPool::<VECIN>::new(), more)),
        };
        refused(call, &[holder])
    }),
    anywhere(CheckId::TooManyBlocks, |k| {
        let mut held = TQue::<VECIN, 1>::new();
        let ((), holder) = at!(k.pipe.init_buffer(&mut held, 1, BYTES)?);
        refused(at!(k.pipe.init_buffer(&mut In::new(), 63, 32)), &[holder])
    }),
    anywhere(CheckId::OutsideMemory, |k| {
        let end = k.pipe.chip().spec().capacity(Hardware::UB);
        let addr = end - 32 * k.random.below(8) as u32;
        let call = if k.random.chance(2) {
            at!(LocalTensor::<f16>::at(k.pipe, TPosition::VECCALC, addr, LEN).map(drop))
        } else {
            at!(k.pipe.init_buffer_at(&mut In::new(), &[(addr, BYTES)]))
        };
        refused(call, &[])
    }),
    anywhere(CheckId::BadBlockCount, |k| {
        let more = 65 + k.random.below(1000) as u32;
        let num = k.random.pick(&[0, more]);
        refused(at!(k.pipe.init_buffer(&mut In::new(), num, 32)), &[])
    }),
    anywhere(CheckId::BadLength, |k| {
        let call = match k.random.below(3) {
            0 => at!(k.pipe.init_buffer(&mut In::new(), 1, 0)),
            1 => at!(k.pipe.init_tbuf(&mut TBuf::<VECCALC>::new(), 0)),
            _ => at!(k.pipe.init_buf_pool(&mut Custom::default(), 0)),
        };
        refused(call, &[])
    }),
    anywhere(CheckId::ViewMisaligned, |k| {
        let buf = tbuf(k)?;
        let offset = 32 * k.random.below(3) as u32 + 1 + k.random.below(31) as u32;
        refused(at!(buf.get_with_offset::<f16>(16, offset)), &[])
    }),
    anywhere(CheckId::ViewOutOfBounds, |k| {
        let mut buf = TBuf::<VECCALC>::new();
        let ((), made) = at!(k.pipe.init_tbuf(&mut buf, BYTES)?);
        let count = LEN + 16 * (1 + k.random.below(8));
        if k.random.chance(2) {
            return refused(at!(buf.get_len::<f16>(count)), &[made]);
        }
        let (t, got) = at!(buf.get::<f16>()?);
        refused(at!(t.slice(16..count).map(drop)), &[got])
    }),
    anywhere(CheckId::NoBlock, |k| {
        let que = queue(k, 1)?;
        let fixed = LocalTensor::<f16>::at(k.pipe, TPosition::VECIN, 0, LEN)?;
        let call = match k.random.below(2) {
            0 => at!(que.enque(fixed)),
            _ => at!(que.free_tensor(fixed)),
        };
        refused(call, &[])
    }),
    // Use of queues and TBufs.
    anywhere(CheckId::NoInitBuffer, |k| {
        let call = match k.random.below(3) {
            0 => at!(In::new().alloc_tensor::<f16>().map(drop)),
            1 => at!(In::new().deque::<f16>().map(drop)),
            _ => at!(TBuf::<VECCALC>::new().get::<f16>().map(drop)),
        };
        refused(call, &[])
    }),
    anywhere(CheckId::WrongQueue, |k| {
        let (mut x, mut y) = (In::new(), In::new());
        let ((), first) = at!(k.pipe.init_buffer(&mut x, 1, BYTES)?);
        let ((), second) = at!(k.pipe.init_buffer(&mut y, 1, BYTES)?);
        let taken = x.alloc_buffer()?;
        let call =
            if k.random.chance(2) { at!(y.enque_handle(taken)) } else { at!(y.free_buffer(taken)) };
        give_back(&x, taken)?;
        refused(call, &[first, second])
    }),
    anywhere(CheckId::WrongState, |k| {
        let mut que = TQue::<VECIN, 2>::new();
        k.pipe.init_buffer(&mut que, 1, BYTES)?;
        let taken = que.alloc_buffer()?;
        if k.random.chance(2) {
            let ((), sent) = at!(que.enque_handle(taken)?);
            let call = at!(que.enque_handle(taken));
            que.deque_handle()?;
            que.free_buffer(taken)?;
            que.free_all_event()?;
            return refused(call, &[sent]);
        }
        let ((), freed) = at!(que.free_buffer(taken)?);
        let call = at!(que.enque_handle(taken));
        que.free_all_event()?;
        refused(call, &[freed])
    }),
    anywhere(CheckId::DoubleFree, |k| {
        let que = queue(k, 1)?;
        let taken = que.alloc_buffer()?;
        if k.random.chance(2) {
            que.enque_handle(taken)?;
            que.deque_handle()?;
        }
        let ((), freed) = at!(que.free_buffer(taken)?);
        let call = at!(que.free_buffer(taken));
        que.free_all_event()?;
        refused(call, &[freed])
    }),
    // Pools.
    anywhere(CheckId::PoolNotInitialised, |k| {
        let mut pool = TBufPool::<VECCALC, 2>::new();
        if k.random.chance(2) {
            return refused(at!(pool.init_buffer(&mut In::new(), 1, BYTES)), &[]);
        }
        k.pipe.init_buf_pool(&mut pool, BYTES)?;
        // On Ascend950 a reset keeps start and length.
        let mut custom = Custom::default();
        custom.init();
        if k.pipe.chip() == Chip::Ascend950 {
            return refused(at!(custom.get_buf_handle(0)), &[]);
        }
        let ((), reset) = at!(pool.reset()?);
        refused(at!(pool.init_tbuf(&mut TBuf::<VECCALC>::new(), BYTES)), &[reset])
    }),
    anywhere(CheckId::PoolOverflow, |k| {
        let mut pool = TBufPool::<VECCALC, 4>::new();
        let ((), made) = at!(k.pipe.init_buf_pool(&mut pool, 2 * BYTES)?);
        let (mut x, mut y) = (In::new(), In::new());
        let ((), held) = at!(pool.init_buffer(&mut x, 1, BYTES)?);
        let more = BYTES + 1 + k.random.below(4096) as u32;
        let call = at!(pool.init_buffer(&mut y, 1, more));
        pool.reset()?;
        refused(call, &[made, held])
    }),
    anywhere(CheckId::PoolIdsExhausted, |k| {
        let mut pool = TBufPool::<VECCALC, 2>::new();
        k.pipe.init_buf_pool(&mut pool, 4 * BYTES)?;
        let (mut x, mut y) = (In::new(), In::new());
        let ((), held) = at!(pool.init_buffer(&mut x, 1, BYTES)?);
        let call = at!(pool.init_buffer(&mut y, 2, BYTES));
        pool.reset()?;
        refused(call, &[held])
    }),
    anywhere(CheckId::HandleOutOfRange, |k| {
        let mut pool = Custom::default();
        k.pipe.init_buf_pool(&mut pool, BYTES)?;
        let over = 4 + k.random.below(250) as u8;
        let call = if k.random.chance(2) {
            at!(pool.get_buf_handle(over).map(drop))
        } else {
            // The last record, for a queue of two blocks.
            let last = pool.get_buf_handle(3)?;
            at!(In::new().init_start_buf_handle(last, 2, BYTES))
        };
        refused(call, &[])
    }),
    anywhere(CheckId::HandleNeverInitialised, |k| {
        let mut pool = Custom::default();
        k.pipe.init_buf_pool(&mut pool, 2 * BYTES)?;
        let (first, addr) = (pool.get_buf_handle(0)?, pool.get_cur_addr());
        let mut que = TQue::<VECIN, 1>::new();
        let ((), bound) = at!(que.init_start_buf_handle(first, 2, BYTES)?);
        que.init_buf_handle(&pool, 0, first, addr, BYTES)?;
        let taken = que.alloc_buffer()?;
        let call = at!(que.alloc_buffer());
        que.free_buffer(taken)?;
        que.free_all_event()?;
        refused(call, &[bound])
    }),
    anywhere(CheckId::OutsidePool, |k| {
        let mut pool = Custom::default();
        let ((), made) = at!(k.pipe.init_buf_pool(&mut pool, 2 * BYTES)?);
        let (handle, addr) = (pool.get_buf_handle(0)?, pool.get_cur_addr());
        let mut que = TQue::<VECIN, 1>::new();
        que.init_start_buf_handle(handle, 1, BYTES)?;
        let addr = addr + BYTES + 32 * (1 + k.random.below(40) as u32);
        refused(at!(que.init_buf_handle(&pool, 0, handle, addr, BYTES)), &[made])
    }),
    anywhere(CheckId::ForeignHandle, |k| {
        let (mut one, mut other) = (Custom::default(), Custom::default());
        k.pipe.init_buf_pool(&mut one, BYTES)?;
        k.pipe.init_buf_pool(&mut other, BYTES)?;
        let (handle, foreign) = (one.get_buf_handle(0)?, other.get_buf_handle(0)?);
        let (mut que, addr) = (In::new(), one.get_cur_addr());
        que.init_start_buf_handle(handle, 1, BYTES)?;
        // Of the right pool, and not one that the queue was bound to.
        let unbound = one.get_buf_handle(1 + k.random.below(3) as u8)?;
        let call = match k.random.below(3) {
            0 => at!(que.init_buf_handle(&one, 0, foreign, addr, BYTES)),
            1 => at!(que.init_buf_handle(&one, 0, unbound, addr, BYTES)),
            _ => at!(que.init_buf_handle(&other, 0, foreign, addr, BYTES)),
        };
        refused(call, &[])
    }),
    anywhere(CheckId::StaleAfterReset, |k| {
        let (mut pool, mut que) = (TBufPool::<VECCALC, 2>::new(), In::new());
        let mut buf = TBuf::<VECCALC>::new();
        k.pipe.init_buf_pool(&mut pool, 2 * BYTES)?;
        pool.init_buffer(&mut que, 1, BYTES)?;
        pool.init_tbuf(&mut buf, BYTES)?;
        let view = buf.get::<f16>()?;
        let taken = que.alloc_buffer()?;
        give_back(&que, taken)?;
        let ((), reset) = at!(pool.reset()?);
        let call = match k.random.below(6) {
            0 => at!(que.alloc_tensor::<f16>().map(drop)),
            1 => at!(que.deque::<f16>().map(drop)),
            2 => at!(que.free_buffer(taken)),
            3 => at!(buf.get::<f16>().map(drop)),
            4 => at!(duplicate(&view, half(1.0), LEN)),
            _ => at!(view.get_value(0).map(drop)),
        };
        refused(call, &[reset])
    }),
    anywhere(CheckId::WrongMemory, |k| {
        let mut pool = TBufPool::<VECCALC, 2>::new();
        let ((), made) = at!(k.pipe.init_buf_pool(&mut pool, 2 * BYTES)?);
        let call = match k.random.below(3) {
            0 => at!(pool.init_buffer(&mut TQue::<A1, 1>::new(), 1, BYTES)),
            1 => at!(pool.init_tbuf(&mut TBuf::<B1>::new(), BYTES)),
            _ => at!(pool.init_buf_pool(&mut TBufPool::<A1, 1>::new(), BYTES)),
        };
        pool.reset()?;
        refused(call, &[made])
    }),
    anywhere(CheckId::SharedTooShort, |k| {
        let (mut pool, mut longer) = (TBufPool::<VECCALC, 2>::new(), TBufPool::<VECIN, 2>::new());
        let ((), made) = at!(k.pipe.init_buf_pool(&mut pool, BYTES)?);
        let more = BYTES + 32 * (1 + k.random.below(99) as u32);
        let call = at!(k.pipe.init_buf_pool_shared(&mut longer, more, &pool));
        refused(call, &[made])
    }),
    Refusal {
        check: CheckId::DepthZeroInPool,
        on: with_flags,
        plant: |k| {
            let mut pool = TBufPool::<VECCALC, 2>::new();
            k.pipe.init_buf_pool(&mut pool, BYTES)?;
            refused(at!(pool.init_buffer(&mut TQue::<VECIN, 0>::new(), 1, BYTES)), &[])
        },
    },
    // The core.
    anywhere(CheckId::PipeLive, |k| refused(at!(TPipe::new(k.pipe.chip())), &[])),
    anywhere(CheckId::InsideInstruction, |k| {
        let (que, buf) = (queue(k, 1)?, tbuf(k)?);
        let t = buf.get::<f16>()?;
        let call = issue("fill", Pipe::V, (), (&t,), |(), (out,)| {
            out.fill(half(1.0));
            at!(que.alloc_buffer())
        })?;
        refused(call, &[])
    }),
    Refusal {
        check: CheckId::NotOnChip,
        on: without_pools,
        plant: |k| {
            let call = match k.random.below(2) {
                0 => at!(k.pipe.init_buf_pool(&mut TBufPool::<VECCALC, 2>::new(), BYTES)),
                _ => at!(k.pipe.init_buf_pool(&mut Custom::default(), BYTES)),
            };
            refused(call, &[])
        },
    },
    anywhere(CheckId::NoRoute, |k| {
        let que = queue(k, 1)?;
        let taken = que.alloc_buffer()?;
        let call = at!(que.enque_handle_at::<GM, GM>(taken));
        give_back(&que, taken)?;
        refused(call, &[])
    }),
    anywhere(CheckId::NoSuchPipe, |k| refused(at!(k.pipe.pipe_barrier(Pipe::S)), &[])),
    // Operations on data.
    anywhere(CheckId::CopyLength, |k| {
        let (source, t) = (k.input(), tbuf(k)?.get::<f16>()?);
        let count = 16 * k.random.below(8) + 1 + k.random.below(15);
        refused(at!(data_copy_n(&t, &source, count)), &[])
    }),
    anywhere(CheckId::CopyParameter, |k| {
        let (source, t) = (k.input(), tbuf(k)?.get::<f16>()?);
        let block_count = 4096 + k.random.below(60_000) as u16;
        let shape = DataCopyBlocks { block_count, block_len: 1, ..DataCopyBlocks::default() };
        refused(at!(data_copy_blocks(&t, &source, &shape)), &[])
    }),
    anywhere(CheckId::NoPath, |k| {
        if k.pipe.chip().spec().has_split_cores() && k.random.chance(2) {
            let source = k.input();
            let (to, there) = at!(LocalTensor::<f16>::at(k.pipe, TPosition::A1, 0, LEN)?);
            return refused(at!(data_copy(&to, &source)), &[there]);
        }
        let [from, to] =
            [0, 1].map(|i| LocalTensor::<f16>::at(k.pipe, TPosition::A1, i * BYTES, LEN));
        refused(at!(data_copy(&to?, &from?)), &[])
    }),
    anywhere(CheckId::NotInMemory, |k| {
        let (t, there) = at!(LocalTensor::<f16>::at(k.pipe, TPosition::A1, 0, LEN)?);
        refused(at!(duplicate(&t, half(1.0), LEN)), &[there])
    }),
    anywhere(CheckId::ElementMisaligned, |k| {
        let odd = 2 * k.random.below(32) as u32 + 1;
        let (t, there) = at!(LocalTensor::<f16>::at(k.pipe, TPosition::VECCALC, odd, LEN)?);
        refused(at!(duplicate(&t, half(1.0), LEN)), &[there])
    }),
    anywhere(CheckId::TooLong, |k| {
        let (source, t) = (k.input(), tbuf(k)?.get::<f16>()?);
        let count = usize::MAX / 2 - k.random.below(1 << 20);
        refused(at!(data_copy_n(&t, &source, count)), &[])
    }),
    anywhere(CheckId::PartialRepeat, |k| {
        let t = tbuf(k)?.get::<f16>()?;
        let count = 1 + k.random.below(127);
        let out = t.reinterpret::<u8>();
        refused(at!(compare(&out, &t, &t, CmpMode::LT, count)), &[])
    }),
    anywhere(CheckId::OverwritesSource, |k| {
        let t = tbuf(k)?.get::<f16>()?;
        let count = 32 + k.random.below(32);
        let single = t.reinterpret::<f32>();
        refused(at!(cast(&single, &t, RoundMode::CAST_NONE, count)), &[])
    }),
    anywhere(CheckId::UnsupportedOperation, |k| {
        let t = tbuf(k)?.get::<f16>()?;
        let single = t.reinterpret::<f32>();
        // From half to single nothing is rounded.
        let mode = k.random.pick(&[RoundMode::CAST_RINT, RoundMode::CAST_FLOOR]);
        refused(at!(cast(&single, &t, mode, LEN / 2)), &[])
    }),
    anywhere(CheckId::NoOperand, |k| {
        let source = k.input();
        refused(at!(issue("nothing", Pipe::V, (&source,), (), |_, ()| ())), &[])
    }),
    anywhere(CheckId::GlobalOutOfBounds, |k| {
        let (source, count) = (k.input(), too_long(k));
        if k.random.chance(2) {
            return refused(at!(source.slice(0..count).map(drop)), &[]);
        }
        let t = LocalTensor::<f16>::at(k.pipe, TPosition::VECCALC, 0, 8 * LEN)?;
        let whole = count.next_multiple_of(16);
        refused(at!(data_copy_n(&t, &source, whole)), &[])
    }),
    anywhere(CheckId::ReversedRange, |k| {
        let (source, start) = (k.input(), 1 + k.random.below(LEN));
        if k.random.chance(2) {
            return refused(at!(source.slice(start..start - 1).map(drop)), &[]);
        }
        let t = tbuf(k)?.get::<f16>()?;
        refused(at!(t.slice(start..start - 1).map(drop)), &[])
    }),
    anywhere(CheckId::GlobalTooLarge, |k| {
        let count = usize::MAX / 2 - k.random.below(1 << 20);
        refused(at!(GlobalTensor::<f16>::try_zeros(count)), &[])
    }),
];

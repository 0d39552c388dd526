//! Small kernels as their authors write them, right and wrong, and all that is said of each.

mod support;

use bufpool_runtime::prelude::*;
use bufpool_runtime::{CheckId, Severity, declare_sharing};
use support::ones;

const LEN: usize = 128;
const BYTES: u32 = 256;
const TILES: usize = 4;

type In = TQue<VECIN, 1>;
type Out = TQue<VECOUT, 1>;

fn zeros() -> GlobalTensor<f16> {
    GlobalTensor::zeros(LEN)
}

fn in_que(pipe: &TPipe, blocks: u32) -> Result<In> {
    let mut que = In::new();
    pipe.init_buffer(&mut que, blocks, BYTES)?;
    Ok(que)
}

fn out_que(pipe: &TPipe, blocks: u32) -> Result<Out> {
    let mut que = Out::new();
    pipe.init_buffer(&mut que, blocks, BYTES)?;
    Ok(que)
}

fn scratch<P: Position>(pipe: &TPipe) -> Result<TBuf<P>> {
    let mut buf = TBuf::new();
    pipe.init_tbuf(&mut buf, BYTES)?;
    Ok(buf)
}

fn load(que: &In, from: &GlobalTensor<f16>) -> Result<()> {
    let x = que.alloc_tensor::<f16>()?;
    data_copy(&x, from)?;
    que.enque(x)
}

fn store(que: &Out, to: &GlobalTensor<f16>) -> Result<()> {
    let z = que.deque::<f16>()?;
    data_copy(to, &z)?;
    que.free_tensor(z)
}

fn flag(pipe: &TPipe, event: HardEvent) -> Result<()> {
    let id = pipe.alloc_event_id(event)?;
    pipe.set_flag(event, id)?;
    pipe.wait_flag(event, id)?;
    pipe.release_event_id(event, id)
}

/// What a kernel ends with: ids of its findings, notes aside, and of the error that stopped it.
#[track_caller]
fn said(chip: Chip, kernel: impl FnOnce(&TPipe) -> Result<()>) -> Vec<&'static str> {
    said_on(CoreKind::AIV, chip, kernel)
}

#[track_caller]
fn said_on(
    kind: CoreKind,
    chip: Chip,
    kernel: impl FnOnce(&TPipe) -> Result<()>,
) -> Vec<&'static str> {
    let pipe = TPipe::builder(chip).core_kind(kind).checks(Checks::Full).build().unwrap();
    let ended = kernel(&pipe);
    let mut report = pipe.finish();
    if let Err(error) = &ended {
        report.add_error(error);
    }
    println!("{report}\n");
    let mut ids: Vec<_> = report
        .findings()
        .iter()
        .filter(|finding| finding.severity != Severity::Note)
        .map(|finding| finding.check.id())
        .collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

macro_rules! kernels {
    ($($(#[$meta:meta])* $name:ident on $chip:ident: $expected:expr, $kernel:expr;)*) => {$(
        #[test]
        $(#[$meta])*
        fn $name() {
            let expected: &[CheckId] = &$expected;
            let expected: Vec<_> = expected.iter().map(|check| check.id()).collect();
            assert_eq!(said(Chip::$chip, $kernel), expected);
        }
    )*};
}

// Pipelines.
kernels! {
    two_queues_double_buffered on AtlasA2: [], |pipe| {
        let (x_que, z_que) = (in_que(pipe, 2)?, out_que(pipe, 2)?);
        let (from, to) = (ones(LEN), ones(LEN));
        for _ in 0..TILES {
            load(&x_que, &from)?;
            let (x, z) = (x_que.deque::<f16>()?, z_que.alloc_tensor::<f16>()?);
            abs(&z, &x, LEN)?;
            x_que.free_tensor(x)?;
            z_que.enque(z)?;
            let z = z_que.deque::<f16>()?;
            data_copy(&to, &z)?;
            z_que.free_tensor(z)?;
            pipe.pipe_barrier(Pipe::MTE3)?;
        }
        Ok(())
    };
    a_tile_is_prefetched on AtlasA2: [], |pipe| {
        let mut x_que = TQue::<VECIN, 2>::new();
        pipe.init_buffer(&mut x_que, 2, BYTES)?;
        let z_que = out_que(pipe, 1)?;
        let from = ones(LEN);
        let fetch = || {
            let x = x_que.alloc_tensor::<f16>()?;
            data_copy(&x, &from)?;
            x_que.enque(x)
        };
        fetch()?;
        for tile in 0..TILES {
            if tile + 1 < TILES {
                fetch()?;
            }
            let (x, z) = (x_que.deque::<f16>()?, z_que.alloc_tensor::<f16>()?);
            abs(&z, &x, LEN)?;
            x_que.free_tensor(x)?;
            z_que.enque(z)?;
            store(&z_que, &zeros())?;
        }
        Ok(())
    };
    one_fetch_too_many on AtlasA2: [CheckId::Leak], |pipe| {
        let mut x_que = TQue::<VECIN, 2>::new();
        pipe.init_buffer(&mut x_que, 2, BYTES)?;
        let (from, z_que) = (ones(LEN), out_que(pipe, 1)?);
        let fetch = || {
            let x = x_que.alloc_tensor::<f16>()?;
            data_copy(&x, &from)?;
            x_que.enque(x)
        };
        fetch()?;
        for _ in 0..TILES {
            fetch()?;
            let (x, z) = (x_que.deque::<f16>()?, z_que.alloc_tensor::<f16>()?);
            abs(&z, &x, LEN)?;
            x_que.free_tensor(x)?;
            z_que.enque(z)?;
            store(&z_que, &zeros())?;
        }
        Ok(())
    };
    three_queues on AtlasA3: [], |pipe| {
        let (x_que, y_que, z_que) = (in_que(pipe, 2)?, in_que(pipe, 2)?, out_que(pipe, 2)?);
        let from = ones(LEN);
        for _ in 0..TILES {
            load(&x_que, &from)?;
            load(&y_que, &from)?;
            let (x, y) = (x_que.deque::<f16>()?, y_que.deque::<f16>()?);
            let z = z_que.alloc_tensor::<f16>()?;
            add(&z, &x, &y, LEN)?;
            x_que.free_tensor(x)?;
            y_que.free_tensor(y)?;
            z_que.enque(z)?;
            store(&z_que, &zeros())?;
        }
        Ok(())
    };
    freed_before_the_last_use on AtlasA2: [CheckId::ReadUnallocated], |pipe| {
        let (x_que, z_que) = (in_que(pipe, 1)?, out_que(pipe, 1)?);
        load(&x_que, &ones(LEN))?;
        let handle = x_que.deque_handle()?;
        let x = x_que.tensor_of::<f16>(handle)?;
        let z = z_que.alloc_tensor::<f16>()?;
        x_que.free_buffer(handle)?;
        abs(&z, &x, LEN)?;
        z_que.enque(z)?;
        store(&z_que, &zeros())
    };
    freed_and_loaded_again_before_the_last_use on AtlasA2: [CheckId::OverwriteUnread, CheckId::ReadRace], |pipe| {
        let (x_que, z_que) = (in_que(pipe, 1)?, out_que(pipe, 1)?);
        let from = ones(LEN);
        load(&x_que, &from)?;
        let handle = x_que.deque_handle()?;
        let x = x_que.tensor_of::<f16>(handle)?;
        let z = z_que.alloc_tensor::<f16>()?;
        x_que.free_buffer(handle)?;
        let y = x_que.alloc_tensor::<f16>()?;
        data_copy(&y, &from)?;
        abs(&z, &x, LEN)?;
        x_que.enque(y)?;
        let y = x_que.deque::<f16>()?;
        abs(&z, &y, LEN)?;
        x_que.free_tensor(y)?;
        z_que.enque(z)?;
        store(&z_que, &zeros())
    };
    both_queues_forgot_enque on AtlasA2: [CheckId::ReadRace], |pipe| {
        let (x_que, z_que) = (in_que(pipe, 1)?, out_que(pipe, 1)?);
        let (x, z) = (x_que.alloc_tensor::<f16>()?, z_que.alloc_tensor::<f16>()?);
        data_copy(&x, &ones(LEN))?;
        abs(&z, &x, LEN)?;
        data_copy(&zeros(), &z)?;
        x_que.free_tensor(x)?;
        z_que.free_tensor(z)
    };
    results_over_results on AtlasA2: [CheckId::WriteRace], |pipe| {
        // All tiles go to the same place in global memory.
        let (x_que, z_que, to) = (in_que(pipe, 2)?, out_que(pipe, 2)?, zeros());
        for _ in 0..TILES {
            load(&x_que, &ones(LEN))?;
            let (x, z) = (x_que.deque::<f16>()?, z_que.alloc_tensor::<f16>()?);
            abs(&z, &x, LEN)?;
            x_que.free_tensor(x)?;
            z_que.enque(z)?;
            store(&z_que, &to)?;
        }
        Ok(())
    };
    in_place_through_one_queue on AtlasA2: [], |pipe| {
        let mut que = TQueBind::<VECIN, VECOUT, 1>::new();
        pipe.init_buffer(&mut que, 2, BYTES)?;
        for _ in 0..TILES {
            let t = que.alloc_tensor::<f16>()?;
            data_copy(&t, &ones(LEN))?;
            que.enque(t)?;
            let t = que.deque::<f16>()?;
            data_copy(&zeros(), &t)?;
            que.free_tensor(t)?;
        }
        Ok(())
    };
    computed_in_between_without_positions on AtlasA2: [CheckId::ReadRace], |pipe| {
        let mut que = TQueBind::<VECIN, VECOUT, 1>::new();
        pipe.init_buffer(&mut que, 1, BYTES)?;
        let t = que.alloc_tensor::<f16>()?;
        data_copy(&t, &ones(LEN))?;
        abs(&t, &t, LEN)?;
        que.enque(t)?;
        let t = que.deque::<f16>()?;
        data_copy(&zeros(), &t)?;
        que.free_tensor(t)
    };
    computed_in_between_with_positions on AtlasA2: [], |pipe| {
        let mut que = TQueBind::<VECIN, VECOUT, 1>::new();
        pipe.init_buffer(&mut que, 1, BYTES)?;
        for _ in 0..TILES {
            let t = que.alloc_tensor::<f16>()?;
            data_copy(&t, &ones(LEN))?;
            que.enque_at::<GM, VECIN, _>(t)?;
            let t = que.deque_at::<GM, VECIN, f16>()?;
            abs(&t, &t, LEN)?;
            que.enque_at::<VECOUT, GM, _>(t)?;
            let t = que.deque_at::<VECOUT, GM, f16>()?;
            data_copy(&zeros(), &t)?;
            que.free_tensor(t)?;
        }
        Ok(())
    };
    depth_zero on AtlasA2: [], |pipe| {
        let (mut x_que, mut z_que) = (TQue::<VECIN, 0>::new(), TQue::<VECOUT, 0>::new());
        pipe.init_buffer(&mut x_que, 2, BYTES)?;
        pipe.init_buffer(&mut z_que, 2, BYTES)?;
        for _ in 0..TILES {
            let x = x_que.alloc_in_place::<f16>()?;
            data_copy(&x, &ones(LEN))?;
            let x = x_que.enque_in_place(x)?;
            let x = x_que.deque_in_place(x)?;
            let z = z_que.alloc_in_place::<f16>()?;
            abs(&z, &x, LEN)?;
            x_que.free_tensor(x)?;
            let z = z_que.enque_in_place(z)?;
            let z = z_que.deque_in_place(z)?;
            data_copy(&zeros(), &z)?;
            z_que.free_tensor(z)?;
        }
        Ok(())
    };
    depth_zero_without_enque on AtlasA2: [CheckId::ReadRace], |pipe| {
        let (mut x_que, z) = (TQue::<VECIN, 0>::new(), scratch::<VECCALC>(pipe)?);
        pipe.init_buffer(&mut x_que, 1, BYTES)?;
        let x = x_que.alloc_in_place::<f16>()?;
        data_copy(&x, &ones(LEN))?;
        abs(&z.get()?, &x, LEN)?;
        x_que.free_tensor(x)
    };
    depth_zero_leaks on AtlasA2: [CheckId::Leak], |pipe| {
        let mut x_que = TQue::<VECIN, 0>::new();
        pipe.init_buffer(&mut x_que, 2, BYTES)?;
        let x = x_que.alloc_in_place::<f16>()?;
        data_copy(&x, &ones(LEN))?;
        std::mem::forget(x);
        Ok(())
    };
}

// Flags by hand.
kernels! {
    ping_pong on AtlasA2: [], |pipe| {
        let bufs = [scratch::<VECIN>(pipe)?, scratch::<VECIN>(pipe)?];
        let z = scratch::<VECCALC>(pipe)?;
        let (z, from) = (z.get::<f16>()?, ones(LEN));
        for id in 0..2 {
            pipe.set_flag(HardEvent::V_MTE2, id)?;
        }
        for tile in 0..2 * TILES {
            let id = (tile % 2) as u8;
            let x = bufs[tile % 2].get::<f16>()?;
            pipe.wait_flag(HardEvent::V_MTE2, id)?;
            data_copy(&x, &from)?;
            pipe.set_flag(HardEvent::MTE2_V, id)?;
            pipe.wait_flag(HardEvent::MTE2_V, id)?;
            add(&z, &x, &x, LEN)?;
            pipe.set_flag(HardEvent::V_MTE2, id)?;
            // Somebody has to want the result.
            flag(pipe, HardEvent::V_MTE3)?;
            data_copy(&zeros(), &z)?;
            flag(pipe, HardEvent::MTE3_V)?;
        }
        for id in 0..2 {
            pipe.wait_flag(HardEvent::V_MTE2, id)?;
        }
        Ok(())
    };
    ping_pong_without_the_first_sets on AtlasA2: [CheckId::UnmatchedWait], |pipe| {
        let x = scratch::<VECIN>(pipe)?;
        pipe.wait_flag(HardEvent::V_MTE2, 0)?;
        data_copy(&x.get()?, &ones(LEN))
    };
    ping_pong_without_the_last_waits on AtlasA2: [CheckId::UnmatchedSet], |pipe| {
        let (x, z) = (scratch::<VECIN>(pipe)?, scratch::<VECCALC>(pipe)?);
        let (x, z, from) = (x.get::<f16>()?, z.get::<f16>()?, ones(LEN));
        pipe.set_flag(HardEvent::V_MTE2, 0)?;
        for _ in 0..TILES {
            pipe.wait_flag(HardEvent::V_MTE2, 0)?;
            data_copy(&x, &from)?;
            flag(pipe, HardEvent::MTE2_V)?;
            abs(&z, &x, LEN)?;
            pipe.set_flag(HardEvent::V_MTE2, 0)?;
            flag(pipe, HardEvent::V_MTE3)?;
            data_copy(&zeros(), &z)?;
            flag(pipe, HardEvent::MTE3_V)?;
        }
        Ok(())
    };
    ping_pong_with_the_same_buffer on AtlasA2: [CheckId::WriteRace], |pipe| {
        // The buffer alternates too slowly for its ids.
        let (x, z) = (scratch::<VECIN>(pipe)?, scratch::<VECCALC>(pipe)?);
        let (x, z, from) = (x.get::<f16>()?, z.get::<f16>()?, ones(LEN));
        for id in 0..2 {
            pipe.set_flag(HardEvent::V_MTE2, id)?;
        }
        for tile in 0..TILES {
            let id = (tile % 2) as u8;
            pipe.wait_flag(HardEvent::V_MTE2, id)?;
            data_copy(&x, &from)?;
            pipe.set_flag(HardEvent::MTE2_V, id)?;
            pipe.wait_flag(HardEvent::MTE2_V, id)?;
            abs(&z, &x, LEN)?;
            pipe.set_flag(HardEvent::V_MTE2, id)?;
            flag(pipe, HardEvent::V_MTE3)?;
            data_copy(&zeros(), &z)?;
            flag(pipe, HardEvent::MTE3_V)?;
        }
        for id in 0..2 {
            pipe.wait_flag(HardEvent::V_MTE2, id)?;
        }
        Ok(())
    };
    a_flag_across_rounds on AtlasA2: [], |pipe| {
        let (x, z) = (scratch::<VECIN>(pipe)?, scratch::<VECCALC>(pipe)?);
        let (x, z, from) = (x.get::<f16>()?, z.get::<f16>()?, ones(LEN));
        for tile in 0..TILES {
            if tile > 0 {
                pipe.wait_flag(HardEvent::V_MTE2, 3)?;
            }
            data_copy(&x, &from)?;
            flag(pipe, HardEvent::MTE2_V)?;
            abs(&z, &x, LEN)?;
            if tile + 1 < TILES {
                pipe.set_flag(HardEvent::V_MTE2, 3)?;
            }
            flag(pipe, HardEvent::V_MTE3)?;
            data_copy(&zeros(), &z)?;
            flag(pipe, HardEvent::MTE3_V)?;
        }
        Ok(())
    };
    the_id_of_a_queue_by_hand on AtlasA2: [CheckId::DuplicateSet, CheckId::Leak, CheckId::UnmatchedWait], |pipe| {
        // Id 0 belongs to the block that is in the queue.
        let que = in_que(pipe, 1)?;
        load(&que, &ones(LEN))?;
        pipe.set_flag(HardEvent::MTE2_V, 0)?;
        pipe.wait_flag(HardEvent::MTE2_V, 0)?;
        let x = que.deque::<f16>()?;
        que.free_tensor(x)
    };
    a_wait_that_takes_the_queues_flag on AtlasA2: [CheckId::Leak, CheckId::UnmatchedWait], |pipe| {
        let que = in_que(pipe, 1)?;
        load(&que, &ones(LEN))?;
        pipe.wait_flag(HardEvent::MTE2_V, 0)?;
        let x = que.deque::<f16>()?;
        que.free_tensor(x)
    };
    scalar_result_needs_a_flag on AtlasA2: [CheckId::ReadRace], |pipe| {
        let (x, z) = (scratch::<VECIN>(pipe)?, scratch::<VECCALC>(pipe)?);
        let (x, z) = (x.get::<f16>()?, z.get::<f16>()?);
        data_copy(&x, &ones(LEN))?;
        flag(pipe, HardEvent::MTE2_V)?;
        abs(&z, &x, LEN)?;
        z.get_value(0).map(drop)
    };
    scalar_result_with_a_flag on AtlasA2: [], |pipe| {
        let (x, z) = (scratch::<VECIN>(pipe)?, scratch::<VECCALC>(pipe)?);
        let (x, z) = (x.get::<f16>()?, z.get::<f16>()?);
        data_copy(&x, &ones(LEN))?;
        flag(pipe, HardEvent::MTE2_V)?;
        abs(&z, &x, LEN)?;
        flag(pipe, HardEvent::V_S)?;
        z.get_value(0).map(drop)
    };
    scalar_writes_then_vector_reads on AtlasA2: [CheckId::ReadRace], |pipe| {
        let (x, z) = (scratch::<VECCALC>(pipe)?, scratch::<VECCALC>(pipe)?);
        let (x, z) = (x.get::<f16>()?, z.get::<f16>()?);
        for i in 0..LEN {
            x.set_value(i, f16::ONE)?;
        }
        abs(&z, &x, LEN)
    };
    order_through_a_third_pipe on AtlasA2: [], |pipe| {
        let (x, z) = (scratch::<VECIN>(pipe)?, scratch::<VECCALC>(pipe)?);
        let (x, z) = (x.get::<f16>()?, z.get::<f16>()?);
        data_copy(&x, &ones(LEN))?;
        flag(pipe, HardEvent::MTE2_S)?;
        flag(pipe, HardEvent::S_V)?;
        abs(&z, &x, LEN)?;
        flag(pipe, HardEvent::V_MTE3)?;
        data_copy(&zeros(), &z)
    };
    a_barrier_is_no_flag on AtlasA2: [CheckId::ReadRace], |pipe| {
        let (x, z) = (scratch::<VECIN>(pipe)?, scratch::<VECCALC>(pipe)?);
        data_copy(&x.get::<f16>()?, &ones(LEN))?;
        pipe.pipe_barrier(Pipe::MTE2)?;
        abs(&z.get::<f16>()?, &x.get::<f16>()?, LEN)
    };
    ids_run_out_in_a_loop on AtlasTraining: [CheckId::EventIdsExhausted], |pipe| {
        for _ in 0..5 {
            let id = pipe.alloc_event_id(HardEvent::MTE2_V)?;
            pipe.set_flag(HardEvent::MTE2_V, id)?;
            pipe.wait_flag(HardEvent::MTE2_V, id)?;
        }
        Ok(())
    };
}

#[extern_impl_bufpool(position = VECCALC, bufid_size = 8)]
#[derive(Default)]
struct Pool;

impl Pool {
    /// Blocks at these offsets from the start of the pool.
    fn place<S: Position, D: Position, const N: usize>(
        &mut self,
        que: &mut TQueBind<S, D, N>,
        start: u32,
        offsets: &[u32],
    ) -> Result<()> {
        let first = self.get_cur_buf_size();
        que.init_start_buf_handle(self.get_buf_handle(first)?, offsets.len() as u8, BYTES)?;
        for (i, offset) in (0..).zip(offsets) {
            let handle = self.get_buf_handle(first + i)?;
            que.init_buf_handle(self, i, handle, start + offset, BYTES)?;
        }
        self.set_cur_buf_size(first + offsets.len() as u8);
        Ok(())
    }
}

fn add_one(x_que: &In, z_que: &Out) -> Result<()> {
    load(x_que, &ones(LEN))?;
    let (x, z) = (x_que.deque::<f16>()?, z_que.alloc_tensor::<f16>()?);
    abs(&z, &x, LEN)?;
    x_que.free_tensor(x)?;
    z_que.enque(z)?;
    store(z_que, &zeros())
}

// Pools.
kernels! {
    a_pool_with_holes on AtlasA2: [], |pipe| {
        let (mut pool, mut x, mut z) = (Pool::default(), In::new(), Out::new());
        pipe.init_buf_pool(&mut pool, 8 * BYTES)?;
        let start = pool.get_cur_addr();
        pool.place(&mut x, start, &[0, 4 * BYTES])?;
        pool.place(&mut z, start, &[2 * BYTES, 6 * BYTES])?;
        pool.set_cur_addr(start + 7 * BYTES);
        for _ in 0..TILES {
            add_one(&x, &z)?;
        }
        pool.reset()
    };
    holes_that_meet on AtlasA2: [CheckId::CursorNotAdvanced, CheckId::Overlap], |pipe| {
        let (mut pool, mut x, mut z) = (Pool::default(), In::new(), Out::new());
        pipe.init_buf_pool(&mut pool, 8 * BYTES)?;
        let start = pool.get_cur_addr();
        pool.place(&mut x, start, &[0, 4 * BYTES])?;
        pool.place(&mut z, start, &[2 * BYTES, 4 * BYTES + 128])?;
        for _ in 0..TILES {
            add_one(&x, &z)?;
        }
        pool.reset()
    };
    an_overlay_in_order on AtlasA2: [], |pipe| {
        let (mut pool, mut x, mut z) = (Pool::default(), In::new(), Out::new());
        pipe.init_buf_pool(&mut pool, 2 * BYTES)?;
        let start = pool.get_cur_addr();
        pool.place(&mut x, start, &[0])?;
        pool.place(&mut z, start, &[0])?;
        declare_sharing(&[&x, &z])?;
        for _ in 0..TILES {
            add_one(&x, &z)?;
            flag(pipe, HardEvent::MTE3_MTE2)?;
        }
        pool.reset()
    };
    an_overlay_in_a_loop_without_the_way_back on AtlasA2: [CheckId::WriteRace], |pipe| {
        let (mut pool, mut x, mut z) = (Pool::default(), In::new(), Out::new());
        pipe.init_buf_pool(&mut pool, 2 * BYTES)?;
        let start = pool.get_cur_addr();
        pool.place(&mut x, start, &[0])?;
        pool.place(&mut z, start, &[0])?;
        declare_sharing(&[&x, &z])?;
        for _ in 0..TILES {
            add_one(&x, &z)?;
        }
        pool.reset()
    };
    a_pool_for_each_phase on AtlasA2: [], |pipe| {
        for _ in 0..3 {
            let (mut pool, mut x, mut z) = (TBufPool::<VECCALC>::new(), In::new(), Out::new());
            pipe.init_buf_pool(&mut pool, 4 * BYTES)?;
            pool.init_buffer(&mut x, 2, BYTES)?;
            pool.init_buffer(&mut z, 2, BYTES)?;
            for _ in 0..TILES {
                add_one(&x, &z)?;
            }
            pool.reset()?;
            pipe.reset()?;
        }
        Ok(())
    };
    a_pipe_reset_between_phases on AtlasA2: [], |pipe| {
        for _ in 0..3 {
            let (x, z) = (in_que(pipe, 2)?, out_que(pipe, 2)?);
            for _ in 0..TILES {
                add_one(&x, &z)?;
            }
            pipe.reset()?;
        }
        Ok(())
    };
    a_queue_from_before_the_reset on AtlasA2: [CheckId::StaleAfterReset], |pipe| {
        let (x, z) = (in_que(pipe, 2)?, out_que(pipe, 2)?);
        add_one(&x, &z)?;
        pipe.reset()?;
        add_one(&x, &z)
    };
    a_reset_in_the_middle_of_a_tile on AtlasA2: [CheckId::Leak, CheckId::StaleAfterReset], |pipe| {
        let (mut pool, mut x) = (TBufPool::<VECCALC>::new(), In::new());
        pipe.init_buf_pool(&mut pool, 4 * BYTES)?;
        pool.init_buffer(&mut x, 2, BYTES)?;
        load(&x, &ones(LEN))?;
        pool.reset()?;
        x.deque::<f16>().map(drop)
    };
    children_of_a_pool on AtlasA2: [], |pipe| {
        let (mut parent, mut child) = (TBufPool::<VECCALC>::new(), TBufPool::<VECCALC>::new());
        let (mut x, mut z) = (In::new(), Out::new());
        pipe.init_buf_pool(&mut parent, 8 * BYTES)?;
        parent.init_buf_pool(&mut child, 2 * BYTES)?;
        parent.init_buffer(&mut z, 1, BYTES)?;
        child.init_buffer(&mut x, 2, BYTES)?;
        add_one(&x, &z)?;
        child.reset()?;
        parent.reset()
    };
    a_child_after_its_parents_reset on AtlasA2: [CheckId::StaleAfterReset], |pipe| {
        let (mut parent, mut child) = (TBufPool::<VECCALC>::new(), TBufPool::<VECCALC>::new());
        let mut x = In::new();
        pipe.init_buf_pool(&mut parent, 8 * BYTES)?;
        parent.init_buf_pool(&mut child, 2 * BYTES)?;
        parent.reset()?;
        child.init_buffer(&mut x, 2, BYTES)
    };
    a_childs_queue_after_its_parents_reset on AtlasA2: [CheckId::Leak, CheckId::StaleAfterReset], |pipe| {
        let (mut parent, mut child) = (TBufPool::<VECCALC>::new(), TBufPool::<VECCALC>::new());
        let mut x = In::new();
        pipe.init_buf_pool(&mut parent, 8 * BYTES)?;
        parent.init_buf_pool(&mut child, 2 * BYTES)?;
        child.init_buffer(&mut x, 2, BYTES)?;
        parent.reset()?;
        load(&x, &ones(LEN))
    };
    a_parent_carved_again_over_its_child on Ascend950: [CheckId::Overlap], |pipe| {
        let (mut parent, mut child) = (TBufPool::<VECCALC, 8>::new(), TBufPool::<VECCALC, 2>::new());
        let (mut x, mut y) = (In::new(), In::new());
        pipe.init_buf_pool(&mut parent, 8 * BYTES)?;
        parent.init_buf_pool(&mut child, 2 * BYTES)?;
        child.init_buffer(&mut x, 1, BYTES)?;
        let t = x.alloc_tensor::<f16>()?;
        parent.reset()?;
        parent.init_buffer(&mut y, 1, BYTES)?;
        let u = y.alloc_tensor::<f16>()?;
        data_copy(&u, &ones(LEN))?;
        y.free_tensor(u)?;
        x.free_tensor(t)
    };
    two_phases_that_share on AtlasA2: [], |pipe| {
        let (mut one, mut two) = (TBufPool::<VECCALC>::new(), TBufPool::<VECCALC>::new());
        pipe.init_buf_pool(&mut one, 4 * BYTES)?;
        pipe.init_buf_pool_shared(&mut two, 4 * BYTES, &one)?;
        let (mut x, mut z) = (In::new(), Out::new());
        one.init_buffer(&mut x, 2, BYTES)?;
        one.init_buffer(&mut z, 2, BYTES)?;
        add_one(&x, &z)?;
        one.reset()?;
        let (mut x, mut z) = (In::new(), Out::new());
        two.init_buffer(&mut x, 2, BYTES)?;
        two.init_buffer(&mut z, 2, BYTES)?;
        add_one(&x, &z)?;
        two.reset()
    };
    two_phases_that_share_without_a_reset on AtlasA2: [CheckId::SharingPoolLive], |pipe| {
        let (mut one, mut two) = (TBufPool::<VECCALC>::new(), TBufPool::<VECCALC>::new());
        pipe.init_buf_pool(&mut one, 4 * BYTES)?;
        pipe.init_buf_pool_shared(&mut two, 4 * BYTES, &one)?;
        let (mut x, mut z) = (In::new(), Out::new());
        one.init_buffer(&mut x, 2, BYTES)?;
        one.init_buffer(&mut z, 2, BYTES)?;
        add_one(&x, &z)?;
        let (mut x, mut z) = (In::new(), Out::new());
        two.init_buffer(&mut x, 2, BYTES)?;
        two.init_buffer(&mut z, 2, BYTES)?;
        add_one(&x, &z)?;
        two.reset()
    };
    a_pool_twice_in_a_row on AtlasA2: [CheckId::QueueRebound], |pipe| {
        let (mut pool, mut x) = (TBufPool::<VECCALC>::new(), In::new());
        pipe.init_buf_pool(&mut pool, 4 * BYTES)?;
        for _ in 0..2 {
            pool.init_buffer(&mut x, 1, BYTES)?;
        }
        Ok(())
    };
    a_record_of_another_queue on AtlasA2: [CheckId::ForeignHandle], |pipe| {
        let (mut pool, mut x, mut y) = (Pool::default(), In::new(), In::new());
        pipe.init_buf_pool(&mut pool, 4 * BYTES)?;
        let (start, other) = (pool.get_cur_addr(), pool.get_buf_handle(1)?);
        pool.place(&mut x, start, &[0])?;
        pool.place(&mut y, start, &[BYTES])?;
        x.init_buf_handle(&pool, 0, other, start + 2 * BYTES, BYTES)
    };
}

// Other chips.
kernels! {
    vector_on_vector_of_ascend950 on Ascend950: [], |pipe| {
        let z = scratch::<VECCALC>(pipe)?.get::<f16>()?;
        duplicate(&z, f16::ONE, LEN)?;
        adds(&z, &z, f16::ONE, LEN)?;
        flag(pipe, HardEvent::V_MTE3)?;
        data_copy(&zeros(), &z)
    };
    queues_of_ascend950 on Ascend950: [], |pipe| {
        let (x, z) = (in_que(pipe, 2)?, out_que(pipe, 2)?);
        for _ in 0..TILES {
            add_one(&x, &z)?;
        }
        Ok(())
    };
    a_lock_does_not_order_the_scalar_pipe on Ascend950: [CheckId::ScalarUnordered], |pipe| {
        let (que, z) = (in_que(pipe, 1)?, scratch::<VECCALC>(pipe)?);
        load(&que, &ones(LEN))?;
        let x = que.deque::<f16>()?;
        x.get_value(3)?;
        abs(&z.get()?, &x, LEN)?;
        que.free_tensor(x)
    };
    a_pool_where_there_are_none on Atlas200I500A2: [CheckId::NotOnChip], |pipe| {
        pipe.init_buf_pool(&mut TBufPool::<VECCALC>::new(), BYTES)
    };
    six_blocks_on_four_ids on AtlasTraining: [CheckId::EventIdsExhausted, CheckId::Leak], |pipe| {
        let que = in_que(pipe, 6)?;
        let taken: Vec<TBufHandle> = (0..6).map(|_| que.alloc_buffer()).collect::<Result<_>>()?;
        taken.into_iter().try_for_each(|handle| que.free_buffer(handle))
    };
}

// Operations and memories.
kernels! {
    halves_on_two_pipes on AtlasA2: [], |pipe| {
        let t = scratch::<VECCALC>(pipe)?.get::<f16>()?;
        data_copy(&t.slice(0..64)?, &ones(64))?;
        duplicate(&t.slice(64..128)?, f16::ONE, 64)?;
        pipe.pipe_barrier_all()?;
        data_copy(&zeros(), &t)
    };
    halves_that_meet on AtlasA2: [CheckId::WriteRace], |pipe| {
        let t = scratch::<VECCALC>(pipe)?.get::<f16>()?;
        data_copy(&t.slice(0..80)?, &ones(80))?;
        duplicate(&t.slice(64..128)?, f16::ONE, 64)?;
        pipe.pipe_barrier_all()?;
        data_copy(&zeros(), &t)
    };
    a_reduction_read_by_the_scalar_pipe on AtlasA2: [], |pipe| {
        let (x, z, work) =
            (scratch::<VECIN>(pipe)?, scratch::<VECCALC>(pipe)?, scratch::<VECCALC>(pipe)?);
        let (x, z, work) = (x.get::<f16>()?, z.get::<f16>()?, work.get::<f16>()?);
        data_copy(&x, &ones(LEN))?;
        flag(pipe, HardEvent::MTE2_V)?;
        reduce_sum(&z, &x, &work, LEN)?;
        flag(pipe, HardEvent::V_S)?;
        z.get_value(0).map(drop)
    };
    a_reduction_read_past_its_result on AtlasA2: [CheckId::ReadUninitialised], |pipe| {
        let (x, z, work) =
            (scratch::<VECIN>(pipe)?, scratch::<VECCALC>(pipe)?, scratch::<VECCALC>(pipe)?);
        let (x, z, work) = (x.get::<f16>()?, z.get::<f16>()?, work.get::<f16>()?);
        data_copy(&x, &ones(LEN))?;
        flag(pipe, HardEvent::MTE2_V)?;
        reduce_sum(&z, &x, &work, LEN)?;
        flag(pipe, HardEvent::V_S)?;
        z.get_value(40).map(drop)
    };
    one_output_read_by_the_next_phase on AtlasA2: [], |pipe| {
        let (x, z, gm) = (scratch::<VECIN>(pipe)?, scratch::<VECOUT>(pipe)?, zeros());
        let (x, z) = (x.get::<f16>()?, z.get::<f16>()?);
        duplicate(&z, f16::ONE, LEN)?;
        flag(pipe, HardEvent::V_MTE3)?;
        data_copy(&gm, &z)?;
        flag(pipe, HardEvent::MTE3_MTE2)?;
        data_copy(&x, &gm)?;
        flag(pipe, HardEvent::MTE2_V)?;
        flag(pipe, HardEvent::MTE3_V)?;
        abs(&z, &x, LEN)
    };
    one_output_read_at_once_by_the_next_phase on AtlasA2: [CheckId::ReadRace], |pipe| {
        let (x, z, gm) = (scratch::<VECIN>(pipe)?, scratch::<VECOUT>(pipe)?, zeros());
        let (x, z) = (x.get::<f16>()?, z.get::<f16>()?);
        duplicate(&z, f16::ONE, LEN)?;
        flag(pipe, HardEvent::V_MTE3)?;
        data_copy(&gm, &z)?;
        data_copy(&x, &gm)
    };
    sums_in_global_memory on AtlasA2: [], |pipe| {
        let (z, gm) = (scratch::<VECOUT>(pipe)?, zeros());
        let z = z.get::<f16>()?;
        duplicate(&z, f16::ONE, LEN)?;
        flag(pipe, HardEvent::V_MTE3)?;
        for _ in 0..TILES {
            data_copy_atomic_add(&gm, &z)?;
        }
        Ok(())
    };
    nothing_at_all on AtlasA2: [], |pipe| {
        let (x, z) = (scratch::<VECIN>(pipe)?, scratch::<VECCALC>(pipe)?);
        let (x, z) = (x.get::<f16>()?, z.get::<f16>()?);
        data_copy_n(&x, &ones(LEN), 0)?;
        abs(&z, &x, 0)
    };
    a_tensor_given_to_the_output_queue on AtlasA2: [CheckId::Leak, CheckId::WrongQueue], |pipe| {
        let (x_que, z_que) = (in_que(pipe, 1)?, out_que(pipe, 1)?);
        let x = x_que.alloc_tensor::<f16>()?;
        data_copy(&x, &ones(LEN))?;
        z_que.enque(x)
    };
    freed_in_another_order on AtlasA2: [], |pipe| {
        let mut que = TQue::<VECIN, 4>::new();
        pipe.init_buffer(&mut que, 4, BYTES)?;
        let z = scratch::<VECCALC>(pipe)?.get::<f16>()?;
        for _ in 0..TILES {
            for _ in 0..4 {
                let x = que.alloc_tensor::<f16>()?;
                data_copy(&x, &ones(LEN))?;
                que.enque(x)?;
            }
            let mut out = Vec::new();
            for _ in 0..4 {
                out.push(que.deque::<f16>()?);
            }
            add(&z, &out[0], &out[1], LEN)?;
            pipe.pipe_barrier(Pipe::V)?;
            add(&z, &z, &out[2], LEN)?;
            pipe.pipe_barrier(Pipe::V)?;
            add(&z, &z, &out[3], LEN)?;
            flag(pipe, HardEvent::V_MTE3)?;
            data_copy(&zeros(), &z)?;
            flag(pipe, HardEvent::MTE3_V)?;
            while let Some(x) = out.pop() {
                que.free_tensor(x)?;
            }
        }
        Ok(())
    };
    a_flag_left_at_a_pipe_reset on AtlasA2: [CheckId::UnmatchedSet], |pipe| {
        let id = pipe.alloc_event_id(HardEvent::MTE2_V)?;
        pipe.set_flag(HardEvent::MTE2_V, id)?;
        pipe.reset()
    };
    a_pool_that_gives_its_ids_back on AtlasTraining: [], |pipe| {
        let mut pool = TBufPool::<VECCALC>::new();
        pipe.init_buf_pool(&mut pool, 16 * BYTES)?;
        let mut shared = TBufPool::<VECCALC>::new();
        pipe.init_buf_pool_shared(&mut shared, 16 * BYTES, &pool)?;
        for pool in [&mut pool, &mut shared] {
            let (mut x, mut z) = (In::new(), Out::new());
            pool.init_buffer(&mut x, 2, BYTES)?;
            pool.init_buffer(&mut z, 2, BYTES)?;
            for _ in 0..TILES {
                add_one(&x, &z)?;
            }
            x.free_all_event()?;
            z.free_all_event()?;
            pool.reset()?;
        }
        Ok(())
    };
    three_phases_without_giving_ids_back on AtlasTraining: [CheckId::EventIdsExhausted, CheckId::Leak], |pipe| {
        let mut base = TBufPool::<VECCALC>::new();
        pipe.init_buf_pool(&mut base, 16 * BYTES)?;
        for _ in 0..3 {
            let (mut pool, mut x, mut z) = (TBufPool::<VECCALC>::new(), In::new(), Out::new());
            pipe.init_buf_pool_shared(&mut pool, 16 * BYTES, &base)?;
            pool.init_buffer(&mut x, 2, BYTES)?;
            pool.init_buffer(&mut z, 2, BYTES)?;
            for _ in 0..TILES {
                add_one(&x, &z)?;
            }
            pool.reset()?;
        }
        Ok(())
    };
    a_queue_that_outlives_its_pool on AtlasA2: [CheckId::StaleAfterReset], |pipe| {
        let mut x = In::new();
        {
            let mut pool = TBufPool::<VECCALC>::new();
            pipe.init_buf_pool(&mut pool, 4 * BYTES)?;
            pool.init_buffer(&mut x, 2, BYTES)?;
        }
        load(&x, &ones(LEN))
    };
    no_automatic_barriers_are_needed_between_different_tensors on AtlasA2: [], |pipe| {
        let (x, z) = (scratch::<VECIN>(pipe)?, scratch::<VECCALC>(pipe)?);
        let (x, z) = (x.get::<f16>()?, z.get::<f16>()?);
        duplicate(&x, f16::ONE, LEN)?;
        duplicate(&z, f16::ONE, LEN)?;
        pipe.pipe_barrier_all()?;
        data_copy(&zeros(), &x)?;
        data_copy(&zeros(), &z)
    };
    spm_and_back on AtlasA2: [], |pipe| {
        let (x, z) = (scratch::<VECIN>(pipe)?, scratch::<VECIN>(pipe)?);
        let (x, z) = (x.get::<f16>()?, z.get::<f16>()?);
        pipe.init_spm_buffer(&zeros(), 256)?;
        duplicate(&x, f16::ONE, LEN)?;
        flag(pipe, HardEvent::V_MTE3)?;
        pipe.write_spm_buffer(&x, LEN, 0)?;
        flag(pipe, HardEvent::MTE3_MTE2)?;
        pipe.read_spm_buffer(&z, LEN, 0)?;
        flag(pipe, HardEvent::MTE2_V)?;
        abs(&x, &z, LEN)
    };
    spm_and_back_at_once on AtlasA2: [CheckId::ReadRace], |pipe| {
        let (x, z) = (scratch::<VECIN>(pipe)?, scratch::<VECIN>(pipe)?);
        let (x, z) = (x.get::<f16>()?, z.get::<f16>()?);
        pipe.init_spm_buffer(&zeros(), 256)?;
        duplicate(&x, f16::ONE, LEN)?;
        flag(pipe, HardEvent::V_MTE3)?;
        pipe.write_spm_buffer(&x, LEN, 0)?;
        pipe.read_spm_buffer(&z, LEN, 0)
    };
    a_part_is_stored_and_the_whole_read on AtlasA2: [CheckId::ReadUninitialised], |pipe| {
        let (x, z) = (in_que(pipe, 1)?, scratch::<VECCALC>(pipe)?);
        let t = x.alloc_tensor::<f16>()?;
        data_copy_n(&t, &ones(LEN), 112)?;
        x.enque(t)?;
        let t = x.deque::<f16>()?;
        abs(&z.get()?, &t, LEN)?;
        x.free_tensor(t)
    };
    a_last_tile_with_padding on AtlasA2: [], |pipe| {
        let (x, z) = (in_que(pipe, 1)?, out_que(pipe, 1)?);
        let t = x.alloc_tensor::<f16>()?;
        data_copy_pad(&t, &ones(LEN), &DataCopyPad::bytes(26))?;
        x.enque(t)?;
        let (t, u) = (x.deque::<f16>()?, z.alloc_tensor::<f16>()?);
        abs(&u, &t, 13)?;
        x.free_tensor(t)?;
        z.enque(u)?;
        let u = z.deque::<f16>()?;
        data_copy_pad(&zeros(), &u, &DataCopyPad::bytes(26))?;
        z.free_tensor(u)
    };
    an_overlay_used_at_the_same_time on AtlasA2: [CheckId::WriteRace], |pipe| {
        let (mut pool, mut x, mut y) = (Pool::default(), In::new(), In::new());
        pipe.init_buf_pool(&mut pool, 2 * BYTES)?;
        let start = pool.get_cur_addr();
        pool.place(&mut x, start, &[0])?;
        pool.place(&mut y, start, &[0])?;
        declare_sharing(&[&x, &y])?;
        load(&x, &ones(LEN))?;
        load(&y, &ones(LEN))?;
        let (t, u) = (x.deque::<f16>()?, y.deque::<f16>()?);
        x.free_tensor(t)?;
        y.free_tensor(u)?;
        pool.reset()
    };
}

/// Which queue of a matrix kernel is left out of its enque and deque.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Forgot {
    Nothing,
    A1,
    A2,
    Result,
}

/// A1 and B1 to A2 and B2 to CO1 and out, as a matrix kernel goes.
fn matrix(pipe: &TPipe, forgot: Forgot) -> Result<()> {
    const L0: u32 = 512;
    let (mut a1, mut a2) = (TQue::<A1, 1>::new(), TQue::<A2, 1>::new());
    let (mut b2, mut co1) = (TQue::<B2, 1>::new(), TQue::<CO1, 1>::new());
    pipe.init_buffer(&mut a1, 2, L0)?;
    pipe.init_buffer(&mut a2, 2, L0)?;
    pipe.init_buffer(&mut b2, 2, L0)?;
    pipe.init_buffer(&mut co1, 1, L0)?;
    let pass = |que: &TQue<A1, 1>, t, forget| {
        if forget {
            return Ok(t);
        }
        que.enque(t)?;
        que.deque::<f16>()
    };
    for _ in 0..TILES {
        let x = a1.alloc_tensor::<f16>()?;
        data_copy(&x, &ones(256))?;
        let x = pass(&a1, x, forgot == Forgot::A1)?;
        let mut loaded = Vec::new();
        let a = a2.alloc_tensor::<f16>()?;
        issue("load_data", Pipe::MTE1, (&x,), (&a,), |(x,), (a,)| a.copy_from_slice(x))?;
        if forgot == Forgot::A2 {
            loaded.push(a);
        } else {
            a2.enque(a)?;
        }
        let b = b2.alloc_tensor::<f16>()?;
        issue("load_data", Pipe::MTE1, (&x,), (&b,), |(x,), (b,)| b.copy_from_slice(x))?;
        b2.enque(b)?;
        a1.free_tensor(x)?;
        let a = loaded.pop().map_or_else(|| a2.deque::<f16>(), Ok)?;
        let b = b2.deque::<f16>()?;
        let c = co1.alloc_tensor::<f32>()?;
        issue("mmad", Pipe::M, (&a, &b), (&c,), |_, (c,)| c.fill(1.0))?;
        a2.free_tensor(a)?;
        b2.free_tensor(b)?;
        let c = if forgot == Forgot::Result {
            c
        } else {
            co1.enque(c)?;
            co1.deque::<f32>()?
        };
        let gm = GlobalTensor::<f32>::zeros(128);
        issue("fixpipe", Pipe::FIX, (&c,), (&gm,), |(c,), (gm,)| gm.copy_from_slice(c))?;
        co1.free_tensor(c)?;
    }
    Ok(())
}

#[test]
fn a_matrix_kernel() {
    for (forgot, expected) in [
        (Forgot::Nothing, vec![]),
        // Nothing that MTE2 waits for has waited for its own last write.
        (Forgot::A1, vec!["read-race", "write-race"]),
        // The enque on B2 comes after the work for A2, on the same pipe: a note is all.
        (Forgot::A2, vec![]),
        (Forgot::Result, vec!["read-race"]),
    ] {
        for chip in [Chip::AtlasA2, Chip::AtlasA3, Chip::Ascend950, Chip::Atlas200I500A2] {
            let said = said_on(CoreKind::AIC, chip, |pipe| matrix(pipe, forgot));
            assert_eq!(said, expected, "{chip}");
        }
    }
}

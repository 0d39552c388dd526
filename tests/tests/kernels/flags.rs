//! Flags by hand: ping-pong, across rounds, and those of somebody else.

use super::*;

/// Flags of `V_MTE2` by hand: one id for each of `bufs`, or two ids for one of them.
fn ping_pong(pipe: &TPipe, bufs: usize, last_waits: bool) -> Result<()> {
    let tensors = [scratch::<VECIN>(pipe)?.get::<f16>()?, scratch::<VECIN>(pipe)?.get()?];
    let (z, from) = (scratch::<VECCALC>(pipe)?.get::<f16>()?, ones(LEN));
    for id in 0..2 {
        pipe.set_flag(HardEvent::V_MTE2, id)?;
    }
    for tile in 0..2 * TILES {
        let (id, x) = ((tile % 2) as u8, &tensors[tile % bufs]);
        pipe.wait_flag(HardEvent::V_MTE2, id)?;
        data_copy(x, &from)?;
        pipe.set_flag(HardEvent::MTE2_V, id)?;
        pipe.wait_flag(HardEvent::MTE2_V, id)?;
        add(&z, x, x, LEN)?;
        pipe.set_flag(HardEvent::V_MTE2, id)?;
        copy_out(pipe, &z)?;
    }
    for id in (0..2).filter(|_| last_waits) {
        pipe.wait_flag(HardEvent::V_MTE2, id)?;
    }
    Ok(())
}

kernels! {
    ping_pong_in_order on AtlasA2: [], |pipe| ping_pong(pipe, 2, true);
    ping_pong_without_the_last_waits on AtlasA2: [CheckId::UnmatchedSet], |pipe| {
        ping_pong(pipe, 2, false)
    };
    ping_pong_with_the_same_buffer on AtlasA2: [CheckId::WriteRace], |pipe| {
        // The buffer alternates too slowly for its ids.
        ping_pong(pipe, 1, true)
    };
    ping_pong_without_the_first_sets on AtlasA2: [CheckId::UnmatchedWait], |pipe| {
        let x = scratch::<VECIN>(pipe)?;
        pipe.wait_flag(HardEvent::V_MTE2, 0)?;
        data_copy(&x.get()?, &ones(LEN))
    };
    a_flag_across_rounds on AtlasA2: [], |pipe| {
        let ((x, z), from) = (two_tensors(pipe)?, ones(LEN));
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
            copy_out(pipe, &z)?;
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
        let (x, z) = two_tensors(pipe)?;
        data_copy(&x, &ones(LEN))?;
        flag(pipe, HardEvent::MTE2_V)?;
        abs(&z, &x, LEN)?;
        z.get_value(0).map(drop)
    };
    scalar_result_with_a_flag on AtlasA2: [], |pipe| {
        let (x, z) = two_tensors(pipe)?;
        data_copy(&x, &ones(LEN))?;
        flag(pipe, HardEvent::MTE2_V)?;
        abs(&z, &x, LEN)?;
        flag(pipe, HardEvent::V_S)?;
        z.get_value(0).map(drop)
    };
    scalar_writes_then_vector_reads on AtlasA2: [CheckId::ReadRace], |pipe| {
        let (x, z) = two_tensors(pipe)?;
        for i in 0..LEN {
            x.set_value(i, f16::ONE)?;
        }
        abs(&z, &x, LEN)
    };
    order_through_a_third_pipe on AtlasA2: [], |pipe| {
        let (x, z) = two_tensors(pipe)?;
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

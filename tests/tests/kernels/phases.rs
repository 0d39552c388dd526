//! What one phase or queue leaves to the next, and pipes that a queue does not order.

use super::*;

fn sharing(pipe: &TPipe) -> Result<(TBufPool<VECCALC>, TBufPool<VECCALC>)> {
    let (mut one, mut two) = (TBufPool::new(), TBufPool::new());
    pipe.init_buf_pool(&mut one, 4 * BYTES)?;
    pipe.init_buf_pool_shared(&mut two, 4 * BYTES, &one)?;
    Ok((one, two))
}

kernels! {
    a_tbuf_in_flight_over_the_reset_of_its_pool on AtlasA2: [CheckId::WriteRace], |pipe| {
        let (mut one, two) = sharing(pipe)?;
        let (mut x, mut y) = (TBuf::<VECCALC>::new(), TBuf::<VECCALC>::new());
        one.init_tbuf(&mut x, BYTES)?;
        data_copy(&x.get::<f16>()?, &ones(LEN))?;
        one.reset()?;
        two.init_tbuf(&mut y, BYTES)?;
        duplicate(&y.get::<f16>()?, f16::ONE, LEN)
    };
    the_same_on_the_chip_whose_reset_waits on Ascend950: [], |pipe| {
        let (mut one, two) = sharing(pipe)?;
        let (mut x, mut y) = (TBuf::<VECCALC>::new(), TBuf::<VECCALC>::new());
        one.init_tbuf(&mut x, BYTES)?;
        data_copy(&x.get::<f16>()?, &ones(LEN))?;
        one.reset()?;
        two.init_tbuf(&mut y, BYTES)?;
        duplicate(&y.get::<f16>()?, f16::ONE, LEN)
    };
    a_tbuf_in_flight_over_the_reset_of_the_pipe on AtlasA2: [CheckId::WriteRace], |pipe| {
        data_copy(&scratch::<VECCALC>(pipe)?.get::<f16>()?, &ones(LEN))?;
        pipe.reset()?;
        duplicate(&scratch::<VECCALC>(pipe)?.get::<f16>()?, f16::ONE, LEN)
    };
    a_tbuf_that_is_left_in_order on AtlasA2: [], |pipe| {
        data_copy(&scratch::<VECCALC>(pipe)?.get::<f16>()?, &ones(LEN))?;
        pipe.pipe_barrier_all()?;
        pipe.reset()?;
        duplicate(&scratch::<VECCALC>(pipe)?.get::<f16>()?, f16::ONE, LEN)
    };
    the_next_phase_reads_what_the_last_one_left on AtlasA2: [CheckId::ReadUninitialised], |pipe| {
        let x = scratch::<VECCALC>(pipe)?;
        duplicate(&x.get::<f16>()?, f16::ONE, LEN)?;
        pipe.pipe_barrier_all()?;
        pipe.reset()?;
        data_copy(&zeros(), &scratch::<VECCALC>(pipe)?.get::<f16>()?)
    };
    an_input_copied_out_at_once on AtlasA2: [CheckId::ReadRace], |pipe| {
        // enque and deque order MTE2 and V, and not MTE3.
        let que = in_que(pipe, 1)?;
        load(&que, &ones(LEN))?;
        let x = que.deque::<f16>()?;
        data_copy(&zeros(), &x)?;
        que.free_tensor(x)
    };
    an_input_copied_out_in_rounds on AtlasA2: [CheckId::WriteRace], |pipe| {
        // The free tells MTE2 to wait for V, and MTE3 may still be reading.
        let que = in_que(pipe, 1)?;
        for _ in 0..TILES {
            load(&que, &ones(LEN))?;
            let x = que.deque::<f16>()?;
            flag(pipe, HardEvent::MTE2_MTE3)?;
            data_copy(&zeros(), &x)?;
            que.free_tensor(x)?;
        }
        Ok(())
    };
    an_output_that_is_loaded on AtlasA2: [CheckId::ReadRace, CheckId::WriteRace], |pipe| {
        let que = out_que(pipe, 1)?;
        for _ in 0..2 {
            let z = que.alloc_tensor::<f16>()?;
            data_copy(&z, &ones(LEN))?;
            que.enque(z)?;
            store(&que, &zeros())?;
        }
        Ok(())
    };
    a_computation_after_the_free on AtlasA2: [CheckId::WriteUnallocated], |pipe| {
        let que = in_que(pipe, 1)?;
        load(&que, &ones(LEN))?;
        let handle = que.deque_handle()?;
        let x = que.tensor_of::<f16>(handle)?;
        que.free_buffer(handle)?;
        duplicate(&x, f16::ONE, LEN)
    };
    loaded_and_computed_at_once on AtlasA2: [CheckId::ReadRace], |pipe| {
        let (x, z) = two_tensors(pipe)?;
        data_copy(&x, &ones(LEN))?;
        abs(&z, &x, LEN)
    };
    a_flag_for_each_of_two_loads on AtlasA2: [], |pipe| {
        let (x, z) = two_tensors(pipe)?;
        let ids = [pipe.alloc_event_id(HardEvent::MTE2_V)?, pipe.alloc_event_id(HardEvent::MTE2_V)?];
        for (half, id) in ids.into_iter().enumerate() {
            data_copy(&x.slice(64 * half..64 * (half + 1))?, &ones(64))?;
            pipe.set_flag(HardEvent::MTE2_V, id)?;
        }
        for (half, id) in ids.into_iter().enumerate() {
            let range = 64 * half..64 * (half + 1);
            pipe.wait_flag(HardEvent::MTE2_V, id)?;
            abs(&z.slice(range.clone())?, &x.slice(range)?, 64)?;
        }
        Ok(())
    };
    a_flag_for_the_first_of_two_loads on AtlasA2: [CheckId::ReadRace], |pipe| {
        let (x, z) = two_tensors(pipe)?;
        let id = pipe.alloc_event_id(HardEvent::MTE2_V)?;
        data_copy(&x.slice(0..64)?, &ones(64))?;
        pipe.set_flag(HardEvent::MTE2_V, id)?;
        data_copy(&x.slice(64..128)?, &ones(64))?;
        pipe.wait_flag(HardEvent::MTE2_V, id)?;
        abs(&z, &x, LEN)
    };
    a_queue_id_released_by_hand on AtlasA2: [CheckId::DuplicateSet, CheckId::EventIdNotReserved, CheckId::Leak, CheckId::UnmatchedWait], |pipe| {
        let mut que = TQue::<VECIN, 2>::new();
        pipe.init_buffer(&mut que, 2, BYTES)?;
        for _ in 0..2 {
            let x = que.alloc_tensor::<f16>()?;
            data_copy(&x, &ones(LEN))?;
            que.enque(x)?;
            // The id is the queue's; it is given out again.
            pipe.release_event_id(HardEvent::MTE2_V, 0)?;
        }
        for _ in 0..2 {
            let x = que.deque::<f16>()?;
            que.free_tensor(x)?;
        }
        Ok(())
    };
}

//! Parts of tensors, global memory, results read by the scalar pipe.

use super::*;

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
        let (x, z) = two_tensors(pipe)?;
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
            copy_out(pipe, &z)?;
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
    no_automatic_barriers_are_needed_between_different_tensors on AtlasA2: [], |pipe| {
        let (x, z) = two_tensors(pipe)?;
        duplicate(&x, f16::ONE, LEN)?;
        duplicate(&z, f16::ONE, LEN)?;
        pipe.pipe_barrier_all()?;
        data_copy(&zeros(), &x)?;
        data_copy(&zeros(), &z)
    };
    spm_and_back on AtlasA2: [], |pipe| {
        let (x, z) = two_tensors(pipe)?;
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
        let (x, z) = two_tensors(pipe)?;
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
}

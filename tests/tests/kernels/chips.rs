//! Other chips, and the rules of their own.

use super::*;

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

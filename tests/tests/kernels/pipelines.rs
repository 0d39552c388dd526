//! Pipelines of two and three queues, in place and at depth 0.

use super::*;

kernels! {
    two_queues_double_buffered on AtlasA2: [], |pipe| {
        let (x_que, z_que) = (in_que(pipe, 2)?, out_que(pipe, 2)?);
        let (from, to) = (ones(LEN), ones(LEN));
        for _ in 0..TILES {
            load(&x_que, &from)?;
            compute(&x_que, &z_que)?;
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
            compute(&x_que, &z_que)?;
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
            compute(&x_que, &z_que)?;
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
    freed_and_loaded_again_before_the_last_use on AtlasA2: [CheckId::OverwriteUnread, CheckId::ReadUnallocated], |pipe| {
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
            compute(&x_que, &z_que)?;
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

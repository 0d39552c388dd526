//! Pools: holes, overlays, phases, children.

use super::*;

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

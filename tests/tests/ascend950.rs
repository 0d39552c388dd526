//! Ascend950: lock ids, pools that count their children, resets that rewind.

mod support;

use bufpool_runtime::prelude::*;
use bufpool_runtime::{BufPoolError, CheckId, Hardware, TraceEvent};
use support::Custom;

fn traced(chip: Chip) -> Result<TPipe> {
    TPipe::builder(chip).checks(Checks::Api).trace(true).build()
}

fn checked(chip: Chip) -> Result<TPipe> {
    TPipe::builder(chip).checks(Checks::Full).build()
}

fn seen(pipe: &TPipe) -> Vec<String> {
    pipe.take_trace().iter().map(TraceEvent::to_string).collect()
}

#[test]
fn a_queue_passes_one_lock_id_a_block_instead_of_flags() -> Result<()> {
    let pipe = traced(Chip::Ascend950)?;
    let mut que = TQue::<VECIN, 1>::new();
    pipe.init_buffer(&mut que, 2, 64)?;
    let x = que.alloc_tensor::<f32>()?;
    que.enque(x)?;
    let x = que.deque::<f32>()?;
    que.free_tensor(x)?;
    assert_eq!(
        seen(&pipe),
        [
            "get_buf MTE2 0 0",
            "rls_buf MTE2 0 0",
            "get_buf MTE2 0 1",
            "rls_buf MTE2 0 1",
            "get_buf V 0 0",
            "rls_buf V 0 0",
            "get_buf V 0 1",
            "rls_buf V 0 1",
        ]
    );
    let view = pipe.inspect();
    assert_eq!((view.locks, view.events.len()), (0b11, 0));
    Ok(())
}

#[test]
fn user_positions_say_which_pipes_pass_the_lock() -> Result<()> {
    let pipe = traced(Chip::Ascend950)?;
    let mut que = TQueBind::<GM, VECIN, 2>::new();
    pipe.init_buffer(&mut que, 1, 64)?;
    let x = que.alloc_buffer()?;
    seen(&pipe);
    que.enque_handle_at::<VECOUT, GM>(x)?;
    que.deque_handle_at::<VECOUT, GM>()?;
    assert_eq!(
        seen(&pipe),
        ["get_buf V 0 1", "rls_buf V 0 1", "get_buf MTE3 0 0", "rls_buf MTE3 0 0"]
    );
    Ok(())
}

#[test]
fn queues_of_the_pipe_run_out_of_lock_ids() -> Result<()> {
    let pipe = TPipe::new(Chip::Ascend950)?;
    pipe.init_buffer(&mut TQue::<VECIN, 1>::new().named("x"), 27, 64)?;
    let error = pipe.init_buffer(&mut TQue::<VECOUT, 1>::new().named("z"), 2, 64).unwrap_err();
    let first = "no lock id is left for the VECOUT queue `z`: 2 asked, 1 of 28 free";
    assert_eq!(error.to_string().lines().next(), Some(first), "{error}");
    assert!(error.to_string().contains("27 held by: "), "{error}");
    Ok(())
}

#[test]
fn each_pool_takes_as_many_lock_ids_as_it_declares() -> Result<()> {
    let pipe = TPipe::new(Chip::Ascend950)?;
    let mut pools: [TBufPool<VECCALC, 4>; 8] = std::array::from_fn(|_| TBufPool::new());
    let (last, first) = pools.split_last_mut().expect("eight");
    for (index, pool) in (1..).zip(first) {
        pipe.init_buf_pool(pool, 256)?;
        assert_eq!(pipe.inspect().locks.count_ones(), 4 * index);
    }
    let error = pipe.init_buf_pool(last, 256).unwrap_err();
    assert!(
        matches!(error, BufPoolError::LockIdsExhausted { asked: 4, free: 0, limit: 28, .. }),
        "{error}"
    );
    assert_eq!(error.to_string().matches("4 held by").count(), 7, "{error}");
    Ok(())
}

#[test]
fn a_reset_rewinds_the_pool_and_gives_no_lock_id_back() -> Result<()> {
    let pipe = traced(Chip::Ascend950)?;
    let (mut pool, mut que) = (TBufPool::<VECCALC, 4>::new(), TQue::<VECIN, 1>::new());
    pipe.init_buf_pool(&mut pool, 1024)?;
    pool.init_buffer(&mut que, 3, 64)?;
    seen(&pipe);
    pool.reset()?;
    assert_eq!(seen(&pipe), ["barrier MTE2", "barrier MTE3"]);
    let view = pool.inspect();
    assert_eq!((view.start, view.cursor, view.len, view.used), (0, 0, 1024, 0));
    pool.init_buffer(&mut que, 1, 64)?;
    let lock = que.inspect().and_then(|view| view.records[0].lock);
    assert_eq!(lock, Some(3));
    let error = pool.init_buffer(&mut TQue::<VECIN, 1>::new(), 1, 64).unwrap_err();
    assert!(
        matches!(error, BufPoolError::LockIdsExhausted { asked: 1, free: 0, limit: 4, .. }),
        "{error}"
    );
    Ok(())
}

#[test]
fn a_custom_pool_carves_for_ever_after_resets() -> Result<()> {
    let pipe = TPipe::new(Chip::Ascend950)?;
    let mut pool = Custom::default();
    pipe.init_buf_pool(&mut pool, 4096)?;
    for _ in 0..20 {
        let mut que = TQue::<VECIN, 1>::new();
        pool.init_queue(&mut que, 4, 1024)?;
        let locks: Vec<_> =
            que.inspect().into_iter().flat_map(|view| view.records).map(|r| r.lock).collect();
        assert_eq!(locks, [Some(0), Some(1), Some(2), Some(3)]);
        pool.reset()?;
    }
    Ok(())
}

#[test]
fn a_child_counts_against_the_blocks_of_its_parent() -> Result<()> {
    // A parent of 4, a child of 4, then a queue: right on AtlasA2, and one block too many here.
    let nested = |chip| {
        let pipe = TPipe::new(chip)?;
        let (mut parent, mut child) = (TBufPool::<VECCALC>::new(), TBufPool::<VECCALC>::new());
        pipe.init_buf_pool(&mut parent, 4096)?;
        parent.init_buf_pool(&mut child, 2048)?;
        parent.init_buffer(&mut TQue::<VECIN, 1>::new(), 1, 1024)
    };
    nested(Chip::AtlasA2)?;
    let error = nested(Chip::Ascend950).unwrap_err();
    assert!(
        matches!(error, BufPoolError::PoolIdsExhausted { asked: 1, free: 0, limit: 4, .. }),
        "{error}"
    );

    let pipe = TPipe::new(Chip::Ascend950)?;
    let (mut parent, mut child) = (TBufPool::<VECCALC, 6>::new(), TBufPool::<VECCALC, 4>::new());
    pipe.init_buf_pool(&mut parent, 4096)?;
    parent.init_buf_pool(&mut child, 2048)?;
    assert_eq!(parent.inspect().used, 4);
    parent.init_buffer(&mut TQue::<VECIN, 1>::new(), 2, 512)
}

#[test]
fn a_sharing_pool_may_not_declare_more_blocks_than_the_other() -> Result<()> {
    let shared = |chip| {
        let pipe = TPipe::new(chip)?;
        let (mut four, mut sixteen) =
            (TBufPool::<VECCALC, 4>::new(), TBufPool::<VECCALC, 16>::new());
        pipe.init_buf_pool(&mut four, 4096)?;
        pipe.init_buf_pool_shared(&mut sixteen, 4096, &four)
    };
    shared(Chip::AtlasA2)?;
    let error = shared(Chip::Ascend950).unwrap_err();
    assert!(matches!(error, BufPoolError::PoolIdsExhausted { asked: 16, limit: 4, .. }), "{error}");
    Ok(())
}

#[test]
fn a_tbufpool_in_l1_has_no_lock_ids_for_its_blocks() -> Result<()> {
    let pipe = TPipe::new(Chip::Ascend950)?;
    let (mut pool, mut que) = (TBufPool::<A1, 4>::new(), TQue::<A1, 1>::new());
    pipe.init_buf_pool(&mut pool, 4096)?;
    pool.init_buffer(&mut que, 2, 1024)?;
    let error = que.alloc_tensor::<f32>().map(drop).unwrap_err();
    assert!(matches!(error, BufPoolError::NoLockId { kind: CoreKind::AIV, .. }), "{error}");
    let error = pool.reset().unwrap_err();
    assert!(matches!(error, BufPoolError::NoReset { memory: Hardware::L1, .. }), "{error}");

    // The pipe's own queues in L1 have them.
    pipe.init_buffer(&mut que, 2, 1024)?;
    let x = que.alloc_tensor::<f32>()?;
    que.free_tensor(x)
}

#[test]
fn a_cube_core_goes_by_flags_and_a_pool_takes_lock_ids_all_the_same() -> Result<()> {
    let pipe = TPipe::builder(Chip::Ascend950)
        .core_kind(CoreKind::AIC)
        .checks(Checks::Api)
        .trace(true)
        .build()?;
    let (mut pool, mut que) = (TBufPool::<VECCALC, 4>::new(), TQue::<A1, 1>::new());
    pipe.init_buf_pool(&mut pool, 1024)?;
    pipe.init_buffer(&mut que, 1, 64)?;
    seen(&pipe);
    let x = que.alloc_tensor::<f32>()?;
    que.enque(x)?;
    let x = que.deque::<f32>()?;
    que.free_tensor(x)?;
    assert_eq!(seen(&pipe), ["set MTE2 MTE1 0", "wait MTE2 MTE1 0", "set MTE1 MTE2 0"]);
    assert_eq!(pipe.inspect().locks, 0b1111);
    Ok(())
}

#[test]
fn dropping_a_tbufpool_leaves_everything_and_a_custom_pool_is_reset() -> Result<()> {
    let pipe = traced(Chip::Ascend950)?;
    let mut pool = TBufPool::<VECCALC>::new();
    pipe.init_buf_pool(&mut pool, 1024)?;
    let mut que = TQue::<VECIN, 1>::new();
    pool.init_buffer(&mut que, 1, 64)?;
    pool.destroy()?;
    assert_eq!((pool.inspect().used, seen(&pipe).len()), (1, 0));
    assert!(matches!(que.alloc_tensor::<f32>().map(drop), Err(BufPoolError::Stale { .. })));
    drop(pool);
    assert_eq!(seen(&pipe).len(), 0);

    let mut pool = Custom::default();
    pipe.init_buf_pool(&mut pool, 1024)?;
    drop(pool);
    assert_eq!(seen(&pipe), ["barrier MTE2", "barrier MTE3"]);
    Ok(())
}

#[test]
fn the_order_checks_understand_lock_ids() -> Result<()> {
    let x_gm = GlobalTensor::from_vec(vec![1.0_f32; 256]);
    let z_gm = GlobalTensor::<f32>::zeros(256);
    let run = |through_queue: bool, late: bool| -> Result<Report> {
        let pipe = checked(Chip::Ascend950)?;
        let (mut x_que, mut z_que) = (TQue::<VECIN, 1>::new(), TQue::<VECOUT, 1>::new());
        let mut buf = TBuf::<VECIN>::new();
        pipe.init_buffer(&mut x_que, 2, 1024)?;
        pipe.init_buffer(&mut z_que, 1, 1024)?;
        pipe.init_tbuf(&mut buf, 1024)?;
        let y = buf.get::<f32>()?;
        for _ in 0..3 {
            let x = x_que.alloc_tensor::<f32>()?;
            if !late {
                data_copy(&y, &x_gm)?;
            }
            data_copy(&x, &x_gm)?;
            let x = if through_queue {
                x_que.enque(x)?;
                x_que.deque::<f32>()?
            } else {
                x
            };
            if late {
                data_copy(&y, &x_gm)?;
            }
            let z = z_que.alloc_tensor::<f32>()?;
            add(&z, &x, &y, 256)?;
            x_que.free_tensor(x)?;
            z_que.enque(z)?;
            let z = z_que.deque::<f32>()?;
            data_copy(&z_gm, &z)?;
            z_que.free_tensor(z)?;
            pipe.pipe_barrier_all()?;
        }
        Ok(pipe.finish())
    };
    run(true, false)?.assert_clean();
    let report = run(false, false)?;
    assert!(report.has(CheckId::ReadRace), "no enque and deque: {report}");
    let report = run(true, true)?;
    assert!(report.has(CheckId::ReadRace), "filled after the enque: {report}");
    Ok(())
}

#[test]
fn what_is_carved_after_a_reset_is_in_order() -> Result<()> {
    let pipe = checked(Chip::Ascend950)?;
    let gm = GlobalTensor::from_vec(vec![1.0_f32; 256]);
    let mut pool = TBufPool::<VECCALC, 16>::new();
    pipe.init_buf_pool(&mut pool, 4096)?;
    for _ in 0..4 {
        let (mut x_que, mut z_que) = (TQue::<VECIN, 1>::new(), TQue::<VECOUT, 1>::new());
        pool.init_buffer(&mut x_que, 1, 1024)?;
        pool.init_buffer(&mut z_que, 1, 1024)?;
        let x = x_que.alloc_tensor::<f32>()?;
        data_copy(&x, &gm)?;
        x_que.enque(x)?;
        let (x, z) = (x_que.deque::<f32>()?, z_que.alloc_tensor::<f32>()?);
        adds(&z, &x, 1.0, 256)?;
        x_que.free_tensor(x)?;
        z_que.enque(z)?;
        let z = z_que.deque::<f32>()?;
        data_copy(&gm, &z)?;
        z_que.free_tensor(z)?;
        // The next round reads what this one wrote.
        pipe.pipe_barrier_all()?;
        pool.reset()?;
    }
    drop(pool);
    pipe.finish().assert_clean();
    assert_eq!(gm.to_vec(), [5.0; 256]);
    Ok(())
}

#[test]
fn vector_work_after_vector_work_needs_no_barrier() -> Result<()> {
    let dependent = |chip| -> Result<Report> {
        let pipe = TPipe::builder(chip).checks(Checks::Full).auto_v_barriers(false).build()?;
        let mut buf = TBuf::<VECCALC>::new();
        pipe.init_tbuf(&mut buf, 2048)?;
        let (a, b) = (buf.get_len::<f32>(256)?, buf.get_with_offset::<f32>(256, 1024)?);
        duplicate(&a, 1.0, 256)?;
        adds(&b, &a, 1.0, 256)?;
        adds(&b, &b, 1.0, 256)?;
        Ok(pipe.finish())
    };
    assert!(dependent(Chip::AtlasA2)?.has(CheckId::ReadRace));
    dependent(Chip::Ascend950)?.assert_clean();
    Ok(())
}

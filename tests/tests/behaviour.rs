//! The buffer layer through its Rust front: what the recorded traces do not reach.

use bufpool_runtime::prelude::*;

fn pipe(chip: Chip) -> TPipe {
    TPipe::builder(chip)
        .checks(Checks::Api)
        .trace(true)
        .build()
        .expect("no other pipe on this thread")
}

#[extern_impl_bufpool(position = VECCALC, bufid_size = 4)]
#[derive(Default)]
struct Custom;

fn flags(pipe: &TPipe) -> Vec<String> {
    pipe.take_trace().iter().map(ToString::to_string).collect()
}

#[test]
fn user_positions_take_the_event_of_their_route() -> Result<()> {
    let pipe = pipe(Chip::AtlasA2);
    let mut que = TQueBind::<GM, VECIN, 2>::new();
    pipe.init_buffer(&mut que, 2, 64)?;
    let tensor = que.alloc_tensor::<f32>()?;
    que.enque_at::<VECIN, VECOUT, _>(tensor)?;
    let error = que.deque::<f32>().map(drop).unwrap_err();
    assert!(
        matches!(
            error,
            BufPoolError::PositionsDiffer {
                enqueued: HardEvent::MTE2_MTE3,
                asked: HardEvent::MTE2_V,
                ..
            }
        ),
        "{error}"
    );
    let tensor = que.deque_at::<VECIN, VECOUT, f32>()?;
    que.free_tensor(tensor)?;
    assert_eq!(flags(&pipe), ["set MTE2 MTE3 0", "wait MTE2 MTE3 0", "set V MTE2 0"]);
    let tensor = que.alloc_tensor::<f32>()?;
    let error = que.enque_at::<GM, GM, _>(tensor).unwrap_err();
    assert!(matches!(error, BufPoolError::NoRoute { .. }), "{error}");
    Ok(())
}

#[test]
fn depth_zero_holds_its_ids_and_queues_nothing() -> Result<()> {
    let pipe = pipe(Chip::AtlasA2);
    let mut que = TQue::<VECIN, 0>::new();
    pipe.init_buffer(&mut que, 2, 64)?;
    assert_eq!(flags(&pipe), ["set V MTE2 0", "set V MTE2 1"]);
    let tensor = que.alloc_in_place::<f32>()?;
    let tensor = que.enque_in_place(tensor)?;
    let tensor = que.deque_in_place(tensor)?;
    que.free_tensor(tensor)?;
    assert_eq!(flags(&pipe), ["wait V MTE2 0", "set MTE2 V 0", "wait MTE2 V 0", "set V MTE2 0"]);
    assert_eq!(pipe.inspect().events, [(HardEvent::MTE2_V, 3), (HardEvent::V_MTE2, 3)]);
    let (_a, _b) = (que.alloc_in_place::<f32>()?, que.alloc_in_place::<f32>()?);
    let error = que.alloc_in_place::<f32>().map(drop).unwrap_err();
    assert!(matches!(error, BufPoolError::NoFreeBlock { blocks: 2, .. }), "{error}");
    Ok(())
}

#[test]
fn free_all_event_gives_back_the_ids_of_free_blocks() -> Result<()> {
    let pipe = pipe(Chip::AtlasA2);
    let mut que = TQue::<VECOUT, 1>::new();
    pipe.init_buffer(&mut que, 2, 64)?;
    let (a, b) = (que.alloc_tensor::<f32>()?, que.alloc_tensor::<f32>()?);
    que.enque(a)?;
    que.free_tensor(b)?;
    let error = que.free_all_event().unwrap_err();
    assert!(matches!(error, BufPoolError::EnquePending { pending: 1, .. }), "{error}");
    let a = que.deque::<f32>()?;
    que.free_tensor(a)?;
    pipe.take_trace();
    que.free_all_event()?;
    assert_eq!(flags(&pipe), ["wait MTE3 V 1", "wait MTE3 V 0"]);
    assert!(pipe.inspect().events.is_empty());
    Ok(())
}

#[test]
fn a_queue_that_is_initialised_again_takes_new_blocks() -> Result<()> {
    let pipe = pipe(Chip::AtlasA2);
    let mut que = TQue::<VECIN, 1>::new();
    pipe.init_buffer(&mut que, 1, 64)?;
    pipe.init_buffer(&mut que, 2, 32)?;
    let view = que.inspect().expect("it has memory");
    assert_eq!(
        view.records.iter().map(|r| (r.index, r.addr)).collect::<Vec<_>>(),
        [(1, 64), (2, 96)]
    );
    assert_eq!((pipe.inspect().blocks, pipe.used_bytes(Hardware::UB)), (3, 128));
    Ok(())
}

#[test]
fn tensors_view_their_bytes() -> Result<()> {
    let pipe = pipe(Chip::AtlasA2);
    let mut que = TQue::<VECIN, 1>::new();
    pipe.init_buffer(&mut que, 2, 256)?;
    let _first = que.alloc_tensor::<f32>()?;
    let tensor = que.alloc_tensor::<f32>()?;
    assert_eq!((tensor.addr(), tensor.len(), tensor.byte_len()), (256, 64, 256));
    assert_eq!(tensor.handle().map(TBufHandle::index), Some(1));
    let part = tensor.slice(8..24)?;
    assert_eq!((part.addr(), part.len()), (256 + 32, 16));
    let halves = part.reinterpret::<f16>();
    assert_eq!((halves.addr(), halves.len()), (256 + 32, 32));
    assert_eq!(halves.slice(1..3)?.addr(), 256 + 34);
    assert_eq!(tensor.user_tag()?, -1);
    tensor.set_user_tag(7)?;
    que.enque(tensor)?;
    assert_eq!(que.deque::<f32>()?.user_tag()?, 7);
    Ok(())
}

#[test]
fn a_tensor_at_a_fixed_address_belongs_to_no_queue() -> Result<()> {
    let pipe = pipe(Chip::AtlasA2);
    let mut que = TQue::<VECIN, 1>::new();
    pipe.init_buffer(&mut que, 1, 64)?;
    let fixed = LocalTensor::<f32>::at(&pipe, TPosition::VECCALC, 1024, 16)?;
    assert_eq!((fixed.addr(), fixed.len(), fixed.handle()), (1024, 16, None));
    let error = que.enque(fixed).unwrap_err();
    assert!(matches!(error, BufPoolError::NoBlock { .. }), "{error}");
    let error =
        LocalTensor::<f32>::at(&pipe, TPosition::VECCALC, 196_600, 16).map(drop).unwrap_err();
    assert!(
        matches!(error, BufPoolError::OutsideMemory { end: 196_664, limit: 196_608, .. }),
        "{error}"
    );
    Ok(())
}

#[test]
fn the_bias_queue_lives_where_the_chip_keeps_it() -> Result<()> {
    for (chip, memory) in [(Chip::AtlasA2, Hardware::L1), (Chip::AtlasTraining, Hardware::UB)] {
        let pipe = TPipe::builder(chip).core_kind(CoreKind::AIC).checks(Checks::Api).build()?;
        let mut que = TQue::<C1, 1>::new();
        pipe.init_buffer(&mut que, 1, 64)?;
        assert_eq!(que.inspect().map(|view| view.hardware), Some(memory), "{chip}");
    }
    Ok(())
}

#[test]
fn nd2nz_goes_another_way_on_the_joined_cores() -> Result<()> {
    for (chip, set) in
        [(Chip::AtlasTraining, "set MTE3 MTE1 0"), (Chip::Atlas200I500A2, "set MTE2 MTE1 0")]
    {
        let pipe = pipe(chip);
        let mut que = TQue::<A1, 1>::new().nd2nz();
        pipe.init_buffer(&mut que, 1, 64)?;
        pipe.take_trace();
        let tensor = que.alloc_tensor::<f16>()?;
        que.enque(tensor)?;
        assert_eq!(flags(&pipe), [set], "{chip}");
    }
    Ok(())
}

#[test]
fn the_310b_reserves_cube_ids_and_has_queues_but_no_pools() -> Result<()> {
    let pipe = pipe(Chip::Atlas200I500A2);
    assert_eq!(flags(&pipe), ["set M MTE1 0", "set M MTE1 1", "set M MTE1 2"]);
    assert_eq!(pipe.inspect().events, [(HardEvent::M_MTE1, 7)]);
    let mut out = TQue::<CO2, 1>::new();
    pipe.init_buffer(&mut out, 1, 64)?;
    assert_eq!(out.inspect().map(|view| view.hardware), Some(Hardware::UB));
    pipe.take_trace();
    pipe.destroy()?;
    assert_eq!(flags(&pipe), ["wait M MTE1 0", "wait M MTE1 1", "wait M MTE1 2", "barrier ALL"]);
    Ok(())
}

#[test]
fn two_chips_disagree_on_what_a_pool_reset_leaves() -> Result<()> {
    for (chip, again) in [(Chip::AtlasA2, false), (Chip::Ascend950, true)] {
        let pipe = pipe(chip);
        let mut pool = TBufPool::<VECCALC>::new();
        pipe.init_buf_pool(&mut pool, 1024)?;
        pool.init_buffer(&mut TQue::<VECIN, 1>::new(), 1, 512)?;
        pool.reset()?;
        assert_eq!(pool.init_buffer(&mut TQue::<VECIN, 1>::new(), 1, 512).is_ok(), again, "{chip}");
    }
    Ok(())
}

#[test]
fn each_thread_is_a_core_of_its_own() {
    let here = pipe(Chip::AtlasA2);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let there = TPipe::new(Chip::AtlasTraining).expect("another core");
            assert_eq!(there.chip(), Chip::AtlasTraining);
        });
    });
    assert_eq!(here.chip(), Chip::AtlasA2);
}

#[test]
fn objects_of_another_pipe_are_refused() -> Result<()> {
    let mut pool = TBufPool::<VECCALC>::new();
    let mut que = TQue::<VECIN, 1>::new();
    let tensor = {
        let first = pipe(Chip::AtlasA2);
        first.init_buffer(&mut que, 2, 64)?;
        first.init_buf_pool(&mut pool, 1024)?;
        que.alloc_tensor::<f32>()?
    };
    let second = pipe(Chip::AtlasA2);
    let error = que.alloc_tensor::<f32>().map(drop).unwrap_err();
    assert!(matches!(error, BufPoolError::Stale { how: "dropped", .. }), "{error}");
    let mut partner = TBufPool::<VECCALC>::new();
    let error = second.init_buf_pool_shared(&mut partner, 512, &pool).unwrap_err();
    assert!(matches!(error, BufPoolError::OtherPipe { .. }), "{error}");
    second.init_buffer(&mut que, 2, 64)?;
    let error = que.free_tensor(tensor).unwrap_err();
    assert!(matches!(error, BufPoolError::OtherPipe { .. }), "{error}");
    Ok(())
}

#[test]
fn calls_from_inside_an_instruction_are_refused() -> Result<()> {
    let pipe = pipe(Chip::AtlasA2);
    let mut buf = TBuf::<VECCALC>::new();
    pipe.init_tbuf(&mut buf, 64)?;
    let tensor = buf.get::<f32>()?;
    let mut inner = None;
    issue("peek", Pipe::V, (), (&tensor,), |(), (_,)| inner = Some(buf.get::<f32>().map(drop)))?;
    assert!(matches!(inner, Some(Err(BufPoolError::InsideInstruction { .. }))), "{inner:?}");
    Ok(())
}

#[test]
fn what_cannot_fail_works_from_inside_an_instruction() -> Result<()> {
    let pipe = pipe(Chip::AtlasA2);
    let (mut buf, mut que) = (TBuf::<VECCALC>::new(), TQue::<VECIN, 1>::new());
    let (mut pool, mut gone) = (Custom::default(), TBufPool::<VECCALC>::new());
    pipe.init_tbuf(&mut buf, 64)?;
    pipe.init_buf_pool(&mut pool, 1024)?;
    pipe.init_buf_pool(&mut gone, 1024)?;
    gone.init_buffer(&mut que, 1, 64)?;
    let tensor = buf.get::<f32>()?;
    let start = pool.get_cur_addr();
    let used = pipe.used_bytes(Hardware::UB);
    let made = issue("peek", Pipe::V, (), (&tensor,), |(), (out,)| {
        out.fill(1.0);
        assert_eq!((pool.get_cur_addr(), pipe.used_bytes(Hardware::UB)), (start, used));
        assert_eq!(pipe.ledger(Hardware::UB).used, used);
        assert_eq!(que.inspect().map(|view| view.records.len()), Some(1));
        pool.set_cur_addr(start + 32);
        pool.set_cur_buf_size(1);
        assert_eq!((pool.get_cur_addr(), pool.get_cur_buf_size()), (start + 32, 1));
        drop(gone);
        assert!(matches!(que.alloc_buffer(), Err(BufPoolError::InsideInstruction { .. })));
        // Nor is there room for a second pipe.
        TPipe::new(Chip::AtlasA2).map(drop)
    })?;
    assert!(matches!(made, Err(BufPoolError::PipeLive { .. })), "{made:?}");
    assert_eq!((pool.get_cur_addr(), pool.get_cur_buf_size()), (start + 32, 1));
    assert!(matches!(que.alloc_buffer(), Err(BufPoolError::Stale { .. })));
    pipe.set_flag(HardEvent::V_S, 0)?;
    pipe.wait_flag(HardEvent::V_S, 0)?;
    assert_eq!(tensor.get_value(3)?.to_bits(), 1.0_f32.to_bits());
    Ok(())
}

#[test]
fn a_panic_inside_an_instruction_leaves_the_core_as_it_was() -> Result<()> {
    let pipe = pipe(Chip::AtlasA2);
    let mut buf = TBuf::<VECCALC>::new();
    pipe.init_tbuf(&mut buf, 64)?;
    let tensor = buf.get::<f32>()?;
    let fails = || issue("fail", Pipe::V, (), (&tensor,), |(), (_,)| panic!("on purpose"));
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(fails)).is_err());
    duplicate(&tensor, 2.0, 16)
}

#[test]
fn numbers_of_pools_and_queues_that_are_gone_serve_again() -> Result<()> {
    // More pools than 16 bits count, as a kernel has that makes one for each tile.
    const ROUNDS: u32 = 70_000;
    let pipe = TPipe::builder(Chip::AtlasA2).checks(Checks::Api).build()?;
    let mut base = TBufPool::<VECCALC>::new();
    pipe.init_buf_pool(&mut base, 1024)?;
    let mut last = None;
    for round in 0..ROUNDS {
        let mut pool = TBufPool::<VECCALC>::new();
        pipe.init_buf_pool_shared(&mut pool, 1024, &base)?;
        let mut que = TQue::<VECIN, 1>::new();
        pool.init_buffer(&mut que, 1, 64)?;
        let handle = que.alloc_buffer()?;
        que.free_buffer(handle)?;
        assert_eq!(pool.inspect().owner, 2, "round {round}");
        if let Some(stale) = last.replace(handle) {
            let error = que.free_buffer(stale).unwrap_err();
            assert!(matches!(error, BufPoolError::Stale { .. }), "{error}");
        }
        que.free_all_event()?;
    }
    Ok(())
}

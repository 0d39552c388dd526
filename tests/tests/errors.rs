//! What each error says: its first line and its help, and that it names the right places.

use bufpool_runtime::prelude::*;

/// The message without its places: first line, then the labels with what is no place.
#[allow(clippy::needless_pass_by_value, reason = "each error is checked and done with")]
fn check(error: BufPoolError, first: &str, labels: &[&str], help: &str) {
    let text = error.to_string();
    println!("{text}\n");
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some(first));
    let found: Vec<(&str, &str)> =
        lines.filter_map(|line| line.trim_start().split_once(": ")).collect();
    let mut named: Vec<&str> = found.iter().map(|(label, _)| *label).collect();
    let said = (named.last() == Some(&"help")).then(|| {
        named.pop();
        found[found.len() - 1].1
    });
    assert_eq!(named, labels, "{text}");
    assert_eq!(said.unwrap_or_default(), help, "{text}");
    for (label, place) in &found[..named.len()] {
        assert!(place.starts_with("tests/tests/errors.rs:"), "{label} names no place: {place}");
    }
}

#[extern_impl_bufpool(position = VECCALC, bufid_size = 4)]
#[derive(Default)]
struct MyBufPool;

type VecIn = TQue<VECIN, 1>;

fn pipe() -> TPipe {
    TPipe::builder(Chip::AtlasA2).checks(Checks::Api).build().expect("no other pipe on this thread")
}

fn pipe_with_queue(num: u32, len: u32) -> (TPipe, VecIn) {
    let pipe = pipe();
    let mut que = VecIn::new().named("x");
    pipe.init_buffer(&mut que, num, len).expect("it fits");
    (pipe, que)
}

#[test]
fn one_pipe_a_core() {
    let first = pipe();
    let error = TPipe::new(Chip::AtlasA2).unwrap_err();
    check(
        error,
        "a TPipe lives on this core already",
        &["asked at", "lives since"],
        "destroy the first TPipe, or drop it, before the second",
    );
    first.destroy().expect("nothing hangs");
    assert!(TPipe::new(Chip::AtlasA2).is_ok());
}

#[test]
fn products_without_pipe_or_pools() {
    let error = TPipe::new(Chip::AtlasInferenceVectorCore).unwrap_err();
    check(
        error,
        "AtlasInferenceVectorCore has no TPipe",
        &["asked at"],
        "pick one of the other six products",
    );
    let pipe = TPipe::new(Chip::Atlas200I500A2).expect("it has a TPipe");
    let error = pipe.init_buf_pool(&mut MyBufPool::default(), 1024).unwrap_err();
    check(
        error,
        "Atlas200I500A2 has no buffer pools",
        &["asked at"],
        "use TPipe::init_buffer on this chip",
    );
}

#[test]
fn a_full_memory_lists_the_holders() {
    let (pipe, _x) = pipe_with_queue(2, 65536);
    let mut y = VecIn::new().named("y");
    let error = pipe.init_buffer(&mut y, 2, 40000).unwrap_err();
    check(
        error,
        "UB cannot hold the VECIN queue `y` (2 x 40000): 80000 bytes asked, 65536 of 196608 free",
        &["asked at", "131072 held by"],
        "make the blocks smaller by 14464 bytes in all, or use fewer",
    );
    let error = pipe.init_buffer(&mut y, 2, 192_000).unwrap_err();
    check(
        error,
        "UB cannot hold the VECIN queue `y` (2 x 192000): 384000 bytes asked, 65536 of 196608 free",
        &["asked at", "131072 held by"],
        "UB of AtlasA2 has 196608 bytes: split the work into smaller tiles",
    );
}

#[test]
fn counts_and_lengths() {
    let pipe = pipe();
    let mut x = VecIn::new();
    check(
        pipe.init_buffer(&mut x, 0, 64).unwrap_err(),
        "the VECIN queue cannot have 0 blocks: 1 to 64",
        &["asked at"],
        "pass a number of blocks, not of bytes; 2 is double buffering",
    );
    check(
        pipe.init_buffer(&mut x, 1, 0).unwrap_err(),
        "a block of the VECIN queue cannot be 0 bytes long",
        &["asked at"],
        "pass the bytes of one block, at least 1; they are rounded up to 32",
    );
    pipe.init_buffer(&mut x, 60, 32).expect("60 of 64 blocks");
    check(
        pipe.init_buffer(&mut VecIn::new(), 5, 32).unwrap_err(),
        "the TPipe cannot hold the VECIN queue (5 x 32): 5 blocks asked, 4 of 64 free",
        &["asked at", "60 held by"],
        "use fewer blocks per queue, or a pool: its blocks do not count here",
    );
}

#[test]
fn an_allocation_that_would_hang_says_who_holds_each_block() {
    let (_pipe, x) = pipe_with_queue(2, 64);
    let first = x.alloc_tensor::<f32>().expect("free");
    x.enque(first).expect("room");
    let _second = x.alloc_tensor::<f32>().expect("free");
    check(
        x.alloc_tensor::<f32>().map(drop).unwrap_err(),
        "the VECIN queue `x` has no free block: all 2 are out, the device would wait for ever",
        &["asked at", "block 0", "block 1"],
        "enque or free_tensor the tensor that was allocated, or initialise the queue with 3 blocks",
    );
}

#[test]
fn queues_full_and_empty() {
    let (_pipe, x) = pipe_with_queue(2, 64);
    check(
        x.deque::<f32>().map(drop).unwrap_err(),
        "the VECIN queue `x` is empty: deque would wait for ever",
        &["asked at"],
        "enque one tensor for each deque",
    );
    let (a, b) = (x.alloc_tensor::<f32>().expect("free"), x.alloc_tensor::<f32>().expect("free"));
    x.enque(a).expect("room");
    check(
        x.enque(b).unwrap_err(),
        "the VECIN queue `x` is full: its depth is 1",
        &["asked at", "in the queue since"],
        "deque first, or give the queue depth 2",
    );
}

#[test]
fn tensors_of_another_queue() {
    let (pipe, x) = pipe_with_queue(2, 64);
    let mut y = VecIn::new().named("y");
    pipe.init_buffer(&mut y, 1, 64).expect("it fits");
    let tensor = x.alloc_tensor::<f32>().expect("free");
    check(
        y.enque(tensor).unwrap_err(),
        "a tensor of the VECIN queue `x` does not belong to the VECIN queue `y`",
        &["asked at", "its queue", "this queue"],
        "enque the tensor on the queue that allocated it",
    );
    let tensor = x.alloc_tensor::<f32>().expect("free");
    let named = y.enque(tensor).unwrap_err().to_string();
    assert!(!named.contains("note: "), "{named}");
}

#[test]
fn queues_of_one_name_are_told_apart_by_a_name() {
    let pipe = pipe();
    let (mut x, mut y) = (VecIn::new(), VecIn::new());
    pipe.init_buffer(&mut x, 1, 64).expect("it fits");
    pipe.init_buffer(&mut y, 1, 64).expect("it fits");
    let error = y.enque(x.alloc_tensor::<f32>().expect("free")).unwrap_err().to_string();
    assert!(error.starts_with("a tensor of the VECIN queue does not belong to the VECIN queue\n"));
    assert!(error.ends_with("note: `named` tells queues apart"), "{error}");
}

#[test]
fn handles_are_checked_at_run_time() {
    let (_pipe, x) = pipe_with_queue(1, 64);
    let handle = x.alloc_buffer().expect("free");
    x.free_buffer(handle).expect("it is out");
    check(
        x.free_buffer(handle).unwrap_err(),
        "the block is free already",
        &["asked at", "freed at"],
        "free each tensor once, after its last use",
    );
    check(
        x.enque_handle(handle).unwrap_err(),
        "enque needs a block that is OCCUPIED or DEQUE, this one is FREE",
        &["asked at", "FREE since"],
        "alloc_tensor first, and enqueue before free",
    );
}

#[test]
fn queues_without_memory() {
    let x = TQue::<VECOUT, 2>::new();
    check(
        x.alloc_tensor::<f16>().map(drop).unwrap_err(),
        "the VECOUT queue has no memory yet",
        &["asked at"],
        "give it memory first: init_buffer of the TPipe or of a pool",
    );
    check(
        TBuf::<VECCALC>::new().named("tmp").get::<f16>().map(drop).unwrap_err(),
        "the VECCALC TBuf `tmp` has no memory yet",
        &["asked at"],
        "give it memory first: init_tbuf of the TPipe or of a pool",
    );
}

#[test]
fn event_ids() {
    let pipe = TPipe::new(Chip::AtlasTraining).expect("no other pipe");
    for _ in 0..4 {
        pipe.alloc_event_id(HardEvent::V_MTE3).expect("four ids");
    }
    check(
        pipe.alloc_event_id(HardEvent::V_MTE3).unwrap_err(),
        "too few ids of V_MTE3: 1 asked, 0 of 4 free",
        &["asked at", "id 0", "id 1", "id 2", "id 3"],
        "release_event_id each id of alloc_event_id after its last wait_flag",
    );
    check(
        pipe.set_flag(HardEvent::MTE3_V, 4).unwrap_err(),
        "MTE3_V has no id 4 on AtlasTraining: ids are 0 to 3",
        &["asked at"],
        "take the id from alloc_event_id",
    );
    check(
        pipe.release_event_id(HardEvent::MTE2_V, 0).unwrap_err(),
        "id 0 of MTE2_V is not reserved",
        &["asked at"],
        "release an id once, after alloc_event_id gave it",
    );
    check(
        pipe.wait_flag(HardEvent::MTE2_V, 0).unwrap_err(),
        "wait_flag waits for flag MTE2_V 0, which is not set: it would wait for ever",
        &["asked at"],
        "set_flag(MTE2_V, 0) on pipe MTE2 first",
    );
}

#[test]
fn pipes_that_a_core_does_not_have() {
    let pipe = pipe();
    check(
        pipe.pipe_barrier(Pipe::M).unwrap_err(),
        "pipe M of AtlasA2 (AIV) is not on this core",
        &["asked at"],
        "build the pipe with `TPipe::builder(chip).core_kind(CoreKind::AIC)`",
    );
    check(
        pipe.pipe_barrier(Pipe::S).unwrap_err(),
        "pipe S of AtlasA2 (AIV) takes no barrier: scalar work is in order already",
        &["asked at"],
        "remove the barrier, or wait for a flag of S",
    );
}

#[test]
fn pools_without_memory() {
    let pipe = pipe();
    let mut pool = TBufPool::<VECCALC>::new().named("p");
    let mut x = VecIn::new();
    check(
        pool.init_buffer(&mut x, 1, 64).unwrap_err(),
        "pool `p` is not initialised: init_buf_pool was not called",
        &["asked at"],
        "call init_buf_pool first: of the TPipe, or of a pool around it",
    );
    pipe.init_buf_pool(&mut pool, 1024).expect("it fits");
    pool.init_buffer(&mut x, 1, 64).expect("it fits");
    pool.reset().expect("nothing hangs");
    check(
        pool.init_buffer(&mut VecIn::new(), 1, 64).unwrap_err(),
        "pool `p` is not initialised: its reset emptied it",
        &["asked at", "reset at"],
        "call TPipe::init_buf_pool before carving",
    );
    check(
        x.alloc_tensor::<f32>().map(drop).unwrap_err(),
        "the VECIN queue is gone: pool `p` was reset",
        &["asked at", "reset at"],
        "initialise the queues and buffers again after a reset",
    );
}

#[test]
fn what_took_the_memory_of_a_pool() {
    let pipe = pipe();
    let mut pool = MyBufPool::default();
    let refused = |pool: &MyBufPool, why: &str, labels: &[&str]| {
        let first = pool.get_buf_handle(0).expect("block 0 of 4");
        check(
            VecIn::new().init_start_buf_handle(first, 1, 64).unwrap_err(),
            &format!("pool `MyBufPool` is not initialised: {why}"),
            labels,
            "call TPipe::init_buf_pool before carving",
        );
    };
    pipe.init_buf_pool(&mut pool, 1024).expect("it fits");
    pool.init();
    refused(&pool, "its init emptied it", &["asked at"]);
    pipe.init_buf_pool(&mut pool, 1024).expect("it fits");
    pool.reset().expect("nothing hangs");
    refused(&pool, "its reset emptied it", &["asked at", "reset at"]);
    pipe.init_buf_pool(&mut pool, 1024).expect("it fits");
    pipe.reset().expect("nothing hangs");
    refused(&pool, "the TPipe was reset since", &["asked at", "reset at"]);
    pipe.init_buf_pool(&mut pool, 1024).expect("it fits");
    pool.init();
    refused(&pool, "its init emptied it", &["asked at"]);
}

#[test]
fn a_full_pool_is_a_ledger() {
    let pipe = pipe();
    let mut pool = TBufPool::<VECCALC>::new().named("p");
    pipe.init_buf_pool(&mut pool, 65536).expect("it fits");
    pool.init_buffer(&mut VecIn::new().named("x"), 2, 22528).expect("it fits");
    check(
        pool.init_buffer(&mut VecIn::new().named("y"), 2, 16384).unwrap_err(),
        "pool `p` (VECCALC) cannot hold the VECIN queue `y` (2 x 16384): 32768 bytes asked, 20480 of 65536 free",
        &["asked at", "pool from", "45056 held by"],
        "give the pool 77824 bytes in init_buf_pool, or use fewer or smaller blocks",
    );
    check(
        pool.init_buffer(&mut VecIn::new(), 3, 32).unwrap_err(),
        "pool `p` (VECCALC) has no block records left for the VECIN queue (3 x 32): 3 asked, 2 of 4 free",
        &["asked at", "2 held by"],
        "declare 5 blocks: TBufPool::<VECCALC, 5>",
    );
}

#[test]
fn pools_of_another_memory() {
    let pipe = pipe();
    let mut pool = TBufPool::<VECCALC>::new().named("p");
    let mut other = TBufPool::<A1>::new().named("q");
    pipe.init_buf_pool(&mut pool, 1024).expect("it fits");
    check(
        pool.init_buffer(&mut TQue::<A1, 1>::new(), 1, 64).unwrap_err(),
        "pool `p` manages UB (VECCALC), the A1 queue is in L1",
        &["asked at", "pool from"],
        "carve it from a pool at a position of L1",
    );
    check(
        pipe.init_buf_pool_shared(&mut other, 1024, &pool).unwrap_err(),
        "pool `p` manages UB (VECCALC), pool `q` (A1) is in L1",
        &["asked at", "pool from"],
        "share and nest pools within one memory",
    );
    let mut longer = TBufPool::<VECIN>::new().named("longer");
    check(
        pipe.init_buf_pool_shared(&mut longer, 2048, &pool).unwrap_err(),
        "pool `longer` cannot share `p`: 2048 bytes asked, `p` has 1024",
        &["asked at", "other pool from"],
        "initialise the longest pool first and share it with the shorter ones",
    );
}

#[test]
fn blocks_outside_their_pool() {
    let pipe = pipe();
    let (mut before, mut pool) = (TBufPool::<VECCALC>::new(), MyBufPool::default());
    pipe.init_buf_pool(&mut before, 4096).expect("it fits");
    pipe.init_buf_pool(&mut pool, 1024).expect("it fits");
    let mut x = VecIn::new().named("x");
    let first = pool.get_buf_handle(0).expect("block 0 of 4");
    x.init_start_buf_handle(first, 1, 256).expect("one record");
    for (addr, len, range, help) in [
        (
            0,
            256,
            "[0, 256)",
            "add 4096, the start of the pool: addresses count from the start of UB, as get_cur_addr does",
        ),
        (
            5000,
            256,
            "[5000, 5256)",
            "give the pool 1160 bytes in init_buf_pool, or make the block smaller",
        ),
        (196_608, 256, "[196608, 196864)", "let the block start at 4864 or below"),
        (196_608, 2048, "[196608, 198656)", "make the block smaller: the pool has 1024 bytes"),
    ] {
        check(
            x.init_buf_handle(&pool, 0, first, addr, len).unwrap_err(),
            &format!("{range} is not inside pool `MyBufPool`, which has [4096, 5120)"),
            &["asked at", "pool from"],
            help,
        );
    }
    x.init_buf_handle(&pool, 0, first, 4864, 256).expect("the last place in the pool");
}

#[test]
fn custom_pools() {
    let pipe = pipe();
    let mut pool = MyBufPool::default();
    pipe.init_buf_pool(&mut pool, 1024).expect("it fits");
    check(
        pool.get_buf_handle(4).map(drop).unwrap_err(),
        "pool `MyBufPool` has no block 4: it declares 4 blocks, 0 to 3",
        &["asked at"],
        "declare bufid_size = 5 or more",
    );
    check(
        pool.get_buf_handle(255).map(drop).unwrap_err(),
        "pool `MyBufPool` has no block 255: it declares 4 blocks, 0 to 3",
        &["asked at"],
        "use a second pool: a pool declares 255 blocks at most",
    );
    let mut x = VecIn::new().named("x");
    let first = pool.get_buf_handle(0).expect("block 0 of 4");
    x.init_start_buf_handle(first, 2, 256).expect("two records");
    x.init_buf_handle(&pool, 0, first, 0, 256).expect("inside the pool");
    check(
        x.init_buf_handle(&pool, 1, first, 900, 256).unwrap_err(),
        "[900, 1156) is not inside pool `MyBufPool`, which has [0, 1024)",
        &["asked at", "pool from", "256 held by"],
        "give the pool 1156 bytes in init_buf_pool, or make the block smaller",
    );
    let out = x.alloc_tensor::<f32>().expect("record 0 was written");
    check(
        x.alloc_tensor::<f32>().map(drop).unwrap_err(),
        "block 1 of the VECIN queue `x` was never written by init_buf_handle",
        &["asked at", "bound at"],
        "call init_buf_handle for each index 0 to 1, each with its own handle",
    );
    x.free_tensor(out).expect("it is out");
    let mut buf = TBuf::<VECCALC>::new();
    check(
        buf.init_start_buf_handle(first, 2, 64).unwrap_err(),
        "the VECCALC TBuf cannot have 2 blocks: it has 1",
        &["asked at"],
        "a TBuf has one block: pass 1",
    );
    let mut in_place = TQue::<VECIN, 0>::new();
    check(
        in_place.init_start_buf_handle(first, 1, 64).unwrap_err(),
        "a queue of depth 0 cannot live in a pool: its event ids are only taken by TPipe::init_buffer",
        &["asked at"],
        "use depth 1, or TPipe::init_buffer",
    );
}

#[test]
fn views() {
    let pipe = pipe();
    let mut buf = TBuf::<VECCALC>::new();
    pipe.init_tbuf(&mut buf, 1024).expect("it fits");
    assert!(buf.get_with_offset::<i32>(128, 64).is_ok());
    check(
        buf.get_with_offset::<i32>(128, 36).map(drop).unwrap_err(),
        "offset of a view of the VECCALC TBuf of 36 bytes is not a multiple of 32",
        &["asked at"],
        "use 32 or 64 bytes",
    );
    check(
        buf.get_with_offset::<i32>(256, 64).map(drop).unwrap_err(),
        "[64, 1088) ends 64 bytes past the VECCALC TBuf of 1024 bytes",
        &["asked at", "initialised at"],
        "keep offset + length within 1024 bytes",
    );
    let all = buf.get::<i32>().expect("it has memory");
    check(
        all.slice(200..300).map(drop).unwrap_err(),
        "[800, 1200) ends 176 bytes past the tensor of 1024 bytes",
        &["asked at", "tensor from"],
        "keep offset + length within 1024 bytes",
    );
}

/// All four ids of `V_MTE2`, each held by a block of a pool that the reset took, by a block since its
/// free, or by the user; then one more.
fn ids_run_out(lost: u8, freed: u8, allocated: u8) -> Result<BufPoolError> {
    let pipe = TPipe::new(Chip::AtlasTraining)?;
    let mut pool = MyBufPool::default();
    pipe.init_buf_pool(&mut pool, 4096)?;
    let (mut in_pool, mut que) = (VecIn::new().named("gone"), VecIn::new().named("x"));
    if lost > 0 {
        let first = pool.get_buf_handle(0)?;
        in_pool.init_start_buf_handle(first, lost, 64)?;
        for i in 0..lost {
            in_pool.init_buf_handle(&pool, i, pool.get_buf_handle(i)?, 64 * u32::from(i), 64)?;
        }
        pool.set_cur_buf_size(lost);
        free_blocks(&in_pool, lost)?;
        pool.reset()?;
    }
    if freed > 0 {
        pipe.init_buffer(&mut que, u32::from(freed), 64)?;
        free_blocks(&que, freed)?;
    }
    for _ in 0..allocated {
        pipe.alloc_event_id(HardEvent::V_MTE2)?;
    }
    Ok(pipe.alloc_event_id(HardEvent::V_MTE2).expect_err("there are four"))
}

fn free_blocks(que: &VecIn, num: u8) -> Result<()> {
    let handles: Vec<TBufHandle> = (0..num).map(|_| que.alloc_buffer()).collect::<Result<_>>()?;
    handles.into_iter().try_for_each(|handle| que.free_buffer(handle))
}

#[test]
fn ids_that_run_out_name_what_frees_one() -> Result<()> {
    let help = "release_event_id each id of alloc_event_id after its last wait_flag";
    let lost = "free_all_event on a pool's queues before its reset, or before their records are written again: \
                lost ids come back only with TPipe::reset";
    let blocks = "an id is held from enque to deque, and from free_tensor until the same block is allocated \
                  again: use fewer blocks, or one queue for what is used one after the other";
    for (held, help) in [
        ([0, 4, 0], blocks),
        ([0, 3, 1], help),
        ([1, 0, 3], help),
        ([4, 0, 0], lost),
        ([2, 2, 0], lost),
    ] {
        let error = ids_run_out(held[0], held[1], held[2])?;
        let text = error.to_string();
        let holders = ["by a block that is gone", "VECIN queue `x` block", "by alloc_event_id"];
        assert_eq!(
            holders.map(|holder| text.matches(&format!(" ({holder}")).count()),
            held.map(usize::from),
            "{text}"
        );
        check(
            error,
            "too few ids of V_MTE2: 1 asked, 0 of 4 free",
            &["asked at", "id 0", "id 1", "id 2", "id 3"],
            help,
        );
    }
    Ok(())
}

#[test]
fn a_dropped_pipe_has_no_place_where_it_went() {
    let (pipe, x) = pipe_with_queue(1, 64);
    let mut pool = MyBufPool::default();
    pipe.init_buf_pool(&mut pool, 64).expect("it fits");
    let fixed = LocalTensor::<f32>::at(&pipe, TPosition::VECCALC, 0, 8).expect("inside UB");
    drop(pipe);
    let keep = "use tensors and pools before the pipe is dropped or finished";
    let gone = "the TPipe was destroyed";
    check(fixed.get_value(0).map(drop).unwrap_err(), gone, &["asked at"], keep);
    check(
        x.alloc_tensor::<f32>().map(drop).unwrap_err(),
        "the VECIN queue `x` is gone: the TPipe was dropped",
        &["asked at"],
        "keep the pipe and the pools alive as long as what was made from them",
    );
}

#[test]
fn a_destroyed_pipe_is_gone() {
    let (pipe, x) = pipe_with_queue(1, 64);
    pipe.destroy().expect("nothing hangs");
    check(
        x.alloc_tensor::<f32>().map(drop).unwrap_err(),
        "the VECIN queue `x` is gone: the TPipe was destroyed",
        &["asked at", "destroyed at"],
        "call TPipe::init, then initialise queues and pools again",
    );
    check(
        pipe.alloc_event_id(HardEvent::V_S).map(drop).unwrap_err(),
        "the TPipe was destroyed",
        &["asked at", "destroyed at"],
        "call TPipe::init, then initialise queues and pools again",
    );
    pipe.init().expect("no other pipe");
    assert!(pipe.alloc_event_id(HardEvent::V_S).is_ok());
    let fixed = LocalTensor::<f32>::at(&pipe, TPosition::VECCALC, 0, 8).expect("inside UB");
    let _ = pipe.finish();
    check(
        fixed.get_value(0).map(drop).unwrap_err(),
        "the TPipe was destroyed",
        &["asked at", "destroyed at"],
        "use tensors and pools before the pipe is dropped or finished",
    );
}

#[test]
fn a_pool_that_is_initialised_again_and_again_loses_its_bytes() {
    let pipe = pipe();
    let mut pool = TBufPool::<VECCALC>::new().named("p");
    let mut round = || {
        pipe.init_buf_pool(&mut pool, 65536)?;
        pool.init_buffer(&mut VecIn::new(), 1, 1024)?;
        pool.reset()
    };
    for _ in 0..3 {
        round().expect("three times 65536 bytes");
    }
    let ledger = pipe.ledger(Hardware::UB);
    assert_eq!(ledger.rows.len(), 1, "{ledger}");
    assert_eq!((ledger.rows[0].start, ledger.rows[0].end), (0, 196_608));
    check(
        round().unwrap_err(),
        "UB cannot hold pool `p`: 65536 bytes asked, 0 of 196608 free",
        &["asked at", "196608 held by"],
        "TPipe::reset gives back 196608 bytes that were lost by resets of pools: call it between phases, or keep \
         the pool and share its bytes",
    );
}

#[test]
fn what_outlives_its_pool_or_pipe_says_so() {
    let mut x = VecIn::new().named("x");
    {
        let pipe = pipe();
        let mut pool = TBufPool::<VECCALC>::new().named("p");
        pipe.init_buf_pool(&mut pool, 1024).expect("it fits");
        pool.init_buffer(&mut x, 1, 64).expect("it fits");
        drop(pool);
        check(
            x.alloc_tensor::<f32>().map(drop).unwrap_err(),
            "the VECIN queue `x` is gone: pool `p` was dropped",
            &["asked at"],
            "keep the pipe and the pools alive as long as what was made from them",
        );
        let mut other = TBufPool::<VECCALC>::new().named("other");
        pipe.init_buf_pool(&mut other, 1024).expect("it fits");
        check(
            x.alloc_tensor::<f32>().map(drop).unwrap_err(),
            "the VECIN queue `x` is gone: its pool was dropped",
            &["asked at"],
            "keep the pipe and the pools alive as long as what was made from them",
        );
        pipe.init_buffer(&mut x, 1, 64).expect("it fits");
    }
    check(
        x.alloc_tensor::<f32>().map(drop).unwrap_err(),
        "the VECIN queue `x` is gone: the TPipe was dropped",
        &["asked at"],
        "keep the pipe and the pools alive as long as what was made from them",
    );
}

#[test]
fn stale_tensors_are_refused_by_instructions() {
    let pipe = pipe();
    let mut pool = TBufPool::<VECCALC>::new().named("p");
    let mut buf = TBuf::<VECCALC>::new();
    pipe.init_buf_pool(&mut pool, 1024).expect("it fits");
    pool.init_tbuf(&mut buf, 1024).expect("it fits");
    let tensor = buf.get::<f32>().expect("it has memory");
    pool.reset().expect("nothing hangs");
    check(
        duplicate(&tensor, 1.0, 64).unwrap_err(),
        "the tensor is gone: pool `p` was reset",
        &["asked at", "reset at"],
        "initialise again after the reset, and take a new tensor",
    );
}

#[test]
fn a_tbuf_is_no_longer_than_its_record() {
    let pipe = pipe();
    let mut pool = MyBufPool::default();
    pipe.init_buf_pool(&mut pool, 1024).expect("it fits");
    let handle = pool.get_buf_handle(0).expect("block 0 of 4");
    let mut buf = TBuf::<VECCALC>::new();
    buf.init_start_buf_handle(handle, 1, 512).expect("one block");
    buf.init_buf_handle(&pool, 0, handle, 992, 32).expect("inside the pool");
    check(
        buf.get::<f32>().map(drop).unwrap_err(),
        "[0, 512) ends 480 bytes past the VECCALC TBuf of 32 bytes",
        &["asked at", "initialised at"],
        "keep offset + length within 32 bytes",
    );
}

#[test]
fn destroy_that_would_hang_changes_nothing() {
    let pipe =
        TPipe::builder(Chip::AtlasA2).core_kind(CoreKind::AIC).build().expect("no other pipe");
    let mut que = TQue::<A1, 1>::new();
    pipe.init_buffer(&mut que, 1, 64).expect("it fits");
    let tensor = que.alloc_tensor::<f16>().expect("free");
    que.free_tensor(tensor).expect("it is out");
    pipe.wait_flag(HardEvent::M_MTE1, 2).expect("init set it");
    let before = (pipe.inspect(), que.inspect());
    let error = pipe.destroy().unwrap_err();
    assert!(
        matches!(error, BufPoolError::WaitNeverSet { event: HardEvent::M_MTE1, id: 2, .. }),
        "{error}"
    );
    assert_eq!(before, (pipe.inspect(), que.inspect()));
}

thread_local! {
    static KEPT: std::cell::RefCell<Option<TPipe>> = const { std::cell::RefCell::new(None) };
}

#[test]
fn a_pipe_may_live_in_a_thread_local() {
    let thread = std::thread::spawn(|| KEPT.set(Some(pipe())));
    assert!(thread.join().is_ok());
}

#[test]
fn a_sharing_pool_stands_beside_the_other_in_the_ledger() {
    let pipe = pipe();
    let mut first = TBufPool::<VECCALC>::new();
    let (mut second, mut child) = (TBufPool::<VECCALC>::new(), TBufPool::<VECCALC>::new());
    pipe.init_buf_pool(&mut first, 4096).expect("it fits");
    pipe.init_buf_pool_shared(&mut second, 4096, &first).expect("as long");
    first.init_buf_pool(&mut child, 1024).expect("it fits");
    let ledger = pipe.ledger(Hardware::UB);
    let pools: Vec<(u32, u32)> = ledger.rows.iter().map(|row| (row.end, row.level)).collect();
    assert_eq!(pools, [(4096, 0), (4096, 0), (1024, 1)], "{ledger}");
}

#[test]
fn a_ring_is_one_block_in_the_ledger_and_an_overlay_two() {
    let pipe = pipe();
    let mut pool = MyBufPool::default();
    pipe.init_buf_pool(&mut pool, 4096).expect("it fits");
    let names = ["x", "y", "z"];
    let mut queues = names.map(|name| VecIn::new().named(name));
    for (queue, record) in queues.iter_mut().zip([0, 0, 1]) {
        let handle = pool.get_buf_handle(record).expect("one of 4");
        queue.init_start_buf_handle(handle, 1, 1024).expect("one record");
        queue.init_buf_handle(&pool, 0, handle, 0, 1024).expect("inside the pool");
    }
    let rows: Vec<String> =
        pipe.ledger(Hardware::UB).rows.into_iter().map(|row| row.what).collect();
    assert_eq!(
        rows[1..],
        [
            "VECIN queue `x` block 0, FREE; VECIN queue `y` block 0, FREE",
            "VECIN queue `z` block 0, FREE"
        ]
    );
}

#[test]
fn a_copy_that_only_the_other_core_has_is_refused_unheard_too() {
    let gm = GlobalTensor::<f16>::zeros(64);
    let pipe = TPipe::builder(Chip::AtlasA2).checks(Checks::Api).build().expect("no other pipe");
    let mut que = TQue::<A1, 1>::new();
    pipe.init_buffer(&mut que, 1, 128).expect("it fits");
    let t = que.alloc_tensor::<f16>().expect("free");
    check(
        data_copy(&t, &gm).unwrap_err(),
        "data_copy does not go from GM to L1 on an AIV core of AtlasA2",
        &["asked at", "tensor from"],
        "build the pipe with `TPipe::builder(chip).core_kind(CoreKind::AIC)`",
    );
}

#[test]
fn what_init_of_a_live_pipe_dropped_says_so() {
    let pipe = pipe();
    let mut que = VecIn::new().named("x");
    let mut pool = TBufPool::<VECCALC>::new().named("p");
    pipe.init_buffer(&mut que, 1, 64).expect("it fits");
    pipe.init_buf_pool(&mut pool, 1024).expect("it fits");
    pipe.init().expect("it is this core's");
    check(
        que.alloc_tensor::<f16>().map(drop).unwrap_err(),
        "the VECIN queue `x` is gone: the TPipe was initialised again",
        &["asked at", "initialised again at"],
        "initialise the queues and buffers again after TPipe::init: it drops all of a live pipe",
    );
    check(
        pool.init_buffer(&mut que, 1, 64).unwrap_err(),
        "pool `p` is not initialised: the TPipe was initialised again since",
        &["asked at", "initialised again at"],
        "call TPipe::init_buf_pool before carving",
    );
    pipe.destroy().expect("nothing hangs");
    pipe.init().expect("it is this core's");
    check(
        pool.init_buffer(&mut que, 1, 64).unwrap_err(),
        "pool `p` is not initialised: the TPipe was destroyed since",
        &["asked at", "destroyed at"],
        "call TPipe::init_buf_pool before carving",
    );
}

#[test]
fn a_flag_that_init_of_a_live_pipe_left() {
    let pipe = TPipe::builder(Chip::AtlasA2).checks(Checks::Full).build().expect("no other pipe");
    let mut que = VecIn::new();
    pipe.init_buffer(&mut que, 1, 64).expect("it fits");
    let t = que.alloc_buffer().expect("free");
    que.free_buffer(t).expect("it is out");
    pipe.init().expect("it is this core's");
    let report = pipe.finish().to_string();
    assert!(report.contains("still set when the pipe is initialised again"), "{report}");
    assert!(report.contains("help: call TPipe::reset instead"), "{report}");
}

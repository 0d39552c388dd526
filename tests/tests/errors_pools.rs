//! What errors of pools say to do, where pools are in pools and outlive what was made from them.

mod support;

use bufpool_runtime::prelude::*;
use support::*;

type In = TQue<VECIN, 1>;

/// The help of an error, and whether its lines name all of these.
#[track_caller]
fn help_of<T>(result: Result<T>, named: &[&str]) -> String {
    let text = result.err().expect("an error").to_string();
    for name in named {
        assert!(text.contains(name), "no {name} in {text}");
    }
    text.rsplit("help: ").next().unwrap_or_default().to_owned()
}

#[test]
fn a_child_pool_holds_bytes_of_its_parent() -> Result<()> {
    let pipe = checked(Chip::AtlasA2);
    let (mut around, mut child) =
        (TBufPool::<VECCALC>::new(), TBufPool::<VECCALC>::new().named("child"));
    pipe.init_buf_pool(&mut around, 8192)?;
    around.init_buf_pool(&mut child, 4096)?;
    let full = around.init_buffer(&mut In::new(), 2, 4096);
    let help = help_of(full, &["4096 held by", "pool `child`"]);
    assert_eq!(help, "give the pool 12288 bytes in init_buf_pool, or use fewer or smaller blocks");
    around.reset()
}

#[test]
fn a_child_pool_holds_records_of_its_parent() -> Result<()> {
    let pipe = checked(Chip::Ascend950);
    let mut around = TBufPool::<VECCALC, 4>::new();
    let mut child = TBufPool::<VECCALC, 4>::new().named("child");
    pipe.init_buf_pool(&mut around, 8192)?;
    around.init_buf_pool(&mut child, 4096)?;
    let full = around.init_buffer(&mut In::new(), 1, 1024);
    let help = help_of(full, &["4 held by", "pool `child`"]);
    assert_eq!(help, "declare 5 blocks: TBufPool::<VECCALC, 5>");
    Ok(())
}

#[test]
fn a_child_pool_gets_memory_of_its_parent() -> Result<()> {
    let pipe = checked(Chip::AtlasA2);
    let (mut around, mut child) =
        (TBufPool::<VECCALC>::new().named("around"), TBufPool::<VECCALC>::new());
    pipe.init_buf_pool(&mut around, 8192)?;
    around.init_buf_pool(&mut child, 4096)?;
    child.reset()?;
    let help = help_of(child.init_buffer(&mut In::new(), 1, 64), &["its reset emptied it"]);
    assert_eq!(help, "call init_buf_pool of pool `around` before carving");
    around.reset()?;
    let help = help_of(child.init_buffer(&mut In::new(), 1, 64), &[]);
    assert_eq!(help, "call TPipe::init_buf_pool before carving");
    Ok(())
}

#[test]
fn a_pool_that_was_destroyed_was_not_reset() -> Result<()> {
    let pipe = checked(Chip::AtlasA2);
    let mut pool = TBufPool::<VECCALC>::new();
    pipe.init_buf_pool(&mut pool, 8192)?;
    pool.destroy()?;
    help_of(pool.init_buffer(&mut In::new(), 1, 64), &["it was destroyed", "destroyed at"]);
    Ok(())
}

#[test]
fn the_count_of_a_custom_pool_goes_on_over_a_reset_of_the_pipe() -> Result<()> {
    let pipe = checked(Chip::AtlasA2);
    let mut pool = Custom::default();
    pipe.init_buf_pool(&mut pool, 8192)?;
    pool.set_cur_buf_size(Custom::BUFID_SIZE);
    pipe.reset()?;
    pipe.init_buf_pool(&mut pool, 8192)?;
    let next = pool.get_buf_handle(pool.get_cur_buf_size());
    assert!(help_of(next, &[]).starts_with("the count of records goes on"));
    let size = Custom::BUFID_SIZE;
    pool.set_cur_buf_size(0);
    let help = help_of(pool.get_buf_handle(size), &[]);
    assert_eq!(help, format!("declare bufid_size = {} or more", size + 1));
    pool.reset()
}

#[test]
fn handles_from_before_a_reset_are_taken_again() -> Result<()> {
    let pipe = checked(Chip::AtlasA2);
    let mut pool = Custom::default();
    pipe.init_buf_pool(&mut pool, 8192)?;
    let handle = pool.get_buf_handle(0)?;
    pool.reset()?;
    pipe.init_buf_pool(&mut pool, 8192)?;
    let help = help_of(In::new().init_start_buf_handle(handle, 1, 64), &["the handle is gone"]);
    assert_eq!(help, "take the handle again after the reset, with get_buf_handle");
    pool.reset()
}

#[test]
fn records_are_written_once_they_are_bound() -> Result<()> {
    let pipe = checked(Chip::AtlasA2);
    let mut pool = Custom::default();
    pipe.init_buf_pool(&mut pool, 8192)?;
    let (mut x, mut tmp, handle) = (In::new(), TBuf::<VECCALC>::new(), pool.get_buf_handle(0)?);
    let bind = "bind it to records first: init_start_buf_handle";
    assert_eq!(help_of(x.init_buf_handle(&pool, 0, handle, 0, 64), &[]), bind);
    assert_eq!(help_of(tmp.init_buf_handle(&pool, 0, handle, 0, 64), &[]), bind);
    x.init_start_buf_handle(handle, 2, 64)?;
    let beyond = x.init_buf_handle(&pool, 2, handle, 0, 64);
    help_of(beyond, &["the VECIN queue has no block 2: it has 2, counted from 0"]);
    pool.reset()
}

/// What a parent handed out to pools that are gone is still handed out, and belongs to no pool that
/// is there now.
#[test]
fn pools_that_are_gone_hold_nothing() -> Result<()> {
    let pipe = checked(Chip::AtlasA2);
    let mut around = TBufPool::<VECCALC>::new().named("around");
    let mut child = TBufPool::<VECCALC>::new().named("child");
    pipe.init_buf_pool(&mut around, 8192)?;
    around.init_buf_pool(&mut child, 4096)?;
    child.reset()?;
    let full = around.init_buffer(&mut In::new(), 2, 4096).unwrap_err().to_string();
    assert!(
        !full.contains("held by") && full.contains("4096 more bytes went to pools inside"),
        "{full}"
    );
    around.init_buf_pool(&mut child, 2048)?;
    around.reset()?;
    pipe.init_buf_pool(&mut around, 8192)?;
    let full = around.init_buffer(&mut In::new(), 3, 4096).unwrap_err().to_string();
    assert!(!full.contains("held by") && !full.contains("went to pools"), "{full}");
    around.reset()
}

/// A number that a pool had before is not taken for it.
#[test]
fn a_pool_in_the_place_of_another_is_no_parent() -> Result<()> {
    let pipe = checked(Chip::AtlasA2);
    let mut child = TBufPool::<VECCALC>::new().named("child");
    {
        let mut around = TBufPool::<VECCALC>::new();
        pipe.init_buf_pool(&mut around, 8192)?;
        around.init_buf_pool(&mut child, 4096)?;
    }
    let mut other = TBufPool::<VECCALC>::new().named("other");
    pipe.init_buf_pool(&mut other, 1024)?;
    let full = other.init_buffer(&mut In::new(), 1, 2048).unwrap_err().to_string();
    assert!(!full.contains("child"), "{full}");
    child.reset()?;
    let help = help_of(child.init_buffer(&mut In::new(), 1, 64), &[]);
    assert_eq!(help, "call TPipe::init_buf_pool before carving");
    other.reset()
}

#[test]
fn a_pool_that_shares_takes_nothing() -> Result<()> {
    let pipe = checked(Chip::AtlasA2);
    let [mut around, mut one, mut other] =
        ["around", "one", "other"].map(|name| TBufPool::<VECCALC>::new().named(name));
    pipe.init_buf_pool(&mut around, 8192)?;
    around.init_buf_pool(&mut one, 4096)?;
    around.init_buf_pool_shared(&mut other, 4096, &one)?;
    let full = around.init_buffer(&mut In::new(), 2, 4096).unwrap_err().to_string();
    assert!(full.contains("pool `one`") && !full.contains("pool `other`"), "{full}");
    let full =
        pipe.init_buf_pool(&mut TBufPool::<VECCALC>::new(), 196_608).unwrap_err().to_string();
    assert_eq!(full.matches("held by").count(), 1, "{full}");
    other.reset()?;
    let help = help_of(other.init_buffer(&mut In::new(), 1, 64), &[]);
    assert_eq!(help, "call init_buf_pool_shared of pool `around` before carving");
    one.reset()?;
    around.reset()
}

/// A pool may be given bytes by one inside of it.
#[test]
fn pools_around_each_other() -> Result<()> {
    let pipe = checked(Chip::AtlasA2);
    let [mut a, mut b, mut c, mut d] = [(); 4].map(|()| TBufPool::<VECCALC>::new());
    pipe.init_buf_pool(&mut a, 8192)?;
    a.init_buf_pool(&mut b, 4096)?;
    b.init_buf_pool(&mut c, 2048)?;
    a.reset()?;
    pipe.init_buf_pool_shared(&mut a, 1024, &c)?;
    pipe.init_buf_pool(&mut d, 64)?;
    d.reset()?;
    a.init_buf_pool(&mut b, 64)?;
    b.init_buf_pool(&mut a, 32)?;
    pipe.init_buf_pool(&mut d, 64)?;
    d.reset()
}

#[test]
fn what_was_made_from_a_pool_that_was_destroyed() -> Result<()> {
    let pipe = checked(Chip::AtlasA2);
    let (mut pool, mut x) = (TBufPool::<VECCALC>::new().named("p"), In::new());
    pipe.init_buf_pool(&mut pool, 8192)?;
    pool.init_buffer(&mut x, 1, 64)?;
    pool.destroy()?;
    let help = help_of(x.alloc_tensor::<f32>(), &["pool `p` was destroyed", "destroyed at"]);
    assert_eq!(help, "initialise the pool again, and what was made from it");
    Ok(())
}

#[test]
fn a_tensor_from_before_a_reset_is_no_handle_of_the_user() -> Result<()> {
    let pipe = checked(Chip::AtlasA2);
    let mut x = In::new();
    pipe.init_buffer(&mut x, 2, 64)?;
    let tensor = x.alloc_tensor::<f32>()?;
    pipe.reset()?;
    pipe.init_buffer(&mut x, 2, 64)?;
    let help = help_of(x.free_tensor(tensor), &["the block is gone: the TPipe was reset"]);
    assert_eq!(help, "initialise again after the reset, and take a new tensor");
    Ok(())
}

#[test]
fn two_pools_of_one_type_are_told_apart_by_their_places() -> Result<()> {
    let pipe = checked(Chip::AtlasA2);
    let (mut one, mut other) = (Custom::default(), Custom::default());
    pipe.init_buf_pool(&mut one, 4096)?;
    pipe.init_buf_pool(&mut other, 4096)?;
    let mut x = In::new();
    x.init_start_buf_handle(one.get_buf_handle(0)?, 1, 64)?;
    let foreign = x.init_buf_handle(&other, 0, other.get_buf_handle(0)?, 4096, 64);
    help_of(foreign, &["the first from: ", "the other from: "]);
    one.reset()?;
    other.reset()
}

#[test]
fn lengths_of_views_are_said_in_elements() -> Result<()> {
    let pipe = checked(Chip::AtlasA2);
    let mut buf = TBuf::<VECCALC>::new();
    pipe.init_tbuf(&mut buf, 1024)?;
    assert_eq!(help_of(buf.get_len::<f32>(100), &[]), "use 96 or 104 elements");
    assert_eq!(help_of(buf.get_len::<f32>(300), &[]), "use 256 elements");
    assert_eq!(help_of(buf.get_with_offset::<f32>(8, 40), &[]), "use 32 or 64 bytes");
    assert_eq!(help_of(buf.get_with_offset::<f32>(8, 1030), &[]), "use 992 bytes");
    assert_eq!(help_of(buf.get_with_offset::<f32>(64, 1000), &[]), "use 768 bytes");
    Ok(())
}

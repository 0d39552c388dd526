//! Several cores: shared global memory, conflicts, failures by core.

mod support;

use std::collections::HashSet;
use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::ThreadId;

use bufpool_runtime::prelude::*;
use bufpool_runtime::{CheckId, CoreFailure, Launch, launch};
use support::assert_found;

const LEN: usize = 4096;

/// Adds one to each core's part of `x`, into `z` from `first(core)` on.
fn add_one(
    core: &bufpool_runtime::LaunchCore,
    x: &GlobalTensor<f32>,
    z: &GlobalTensor<f32>,
    first: usize,
) -> Result<()> {
    let pipe = core.pipe()?;
    let range = core.share(x.len(), 8);
    let bytes = 4 * range.len() as u32;
    let (mut x_que, mut z_que) = (TQue::<VECIN, 1>::new(), TQue::<VECOUT, 1>::new());
    pipe.init_buffer(&mut x_que, 1, bytes)?;
    pipe.init_buffer(&mut z_que, 1, bytes)?;
    let t = x_que.alloc_tensor::<f32>()?;
    data_copy(&t, &x.slice(range.clone())?)?;
    x_que.enque(t)?;
    let (t, u) = (x_que.deque::<f32>()?, z_que.alloc_tensor::<f32>()?);
    adds(&u, &t, 1.0, range.len())?;
    x_que.free_tensor(t)?;
    z_que.enque(u)?;
    let u = z_que.deque::<f32>()?;
    data_copy(&z.slice(first..first + range.len())?, &u)?;
    z_que.free_tensor(u)
}

fn checked(
    cores: u32,
    kernel: impl Fn(&bufpool_runtime::LaunchCore) -> Result<()> + Sync,
) -> Report {
    Launch::new(Chip::AtlasA2).checks(Checks::Full).run(cores, kernel).unwrap()
}

#[test]
fn a_conflict_names_all_cores_that_have_a_part_in_it() {
    let (x, z) = (GlobalTensor::zeros(LEN), GlobalTensor::zeros(LEN));
    let report = checked(4, |core| add_one(core, &x, &z, 0));
    assert_found(&report, &[CheckId::GmConflict]);
    let finding = &report.findings()[0];
    assert_eq!((finding.count, &finding.cores[..]), (6, &[0, 1, 2, 3][..]), "{report}");
}

#[test]
fn each_core_does_its_part() {
    let numbers: Vec<f32> = (0..4096_u16).map(f32::from).collect();
    let x = GlobalTensor::from_slice(&numbers);
    let z = GlobalTensor::<f32>::zeros(LEN);
    let report = checked(8, |core| {
        assert_eq!((core.block_num(), core.chip()), (8, Chip::AtlasA2));
        add_one(core, &x, &z, core.share(LEN, 8).start)
    });
    report.assert_clean();
    let expected: Vec<f32> = numbers.iter().map(|number| number + 1.0).collect();
    assert_eq!(z.to_vec(), expected);
}

#[test]
fn shares_cover_everything_once() {
    for (len, step, cores) in [(100, 8, 3), (4096, 16, 7), (5, 8, 4), (0, 8, 2), (64, 1, 64)] {
        let shares = Mutex::new(Vec::new());
        checked(cores, |core| {
            shares.lock().unwrap().push(core.share(len, step));
            Ok(())
        });
        let mut shares = shares.into_inner().unwrap();
        shares.sort_by_key(|share| (share.start, share.end));
        let mut at = 0;
        for share in shares {
            assert_eq!(share.start, at, "{len} {step} {cores}");
            assert!(share.start % step == 0 || share.is_empty());
            at = share.end;
        }
        assert_eq!(at, len);
    }
}

#[test]
fn two_cores_that_write_the_same_bytes() {
    let x = GlobalTensor::from_vec(vec![1.0f32; LEN]);
    let z = GlobalTensor::<f32>::zeros(LEN);
    // Each part starts 8 elements too early.
    let report =
        checked(4, |core| add_one(core, &x, &z, core.share(LEN, 8).start.saturating_sub(8)));
    assert_found(&report, &[CheckId::GmConflict]);
    let finding = report.of(CheckId::GmConflict).next().unwrap();
    // Cores 0 and 1 start together at 0: their parts overlap by 8 elements of 4 bytes.
    let range = finding.ranges[0];
    assert_eq!((range.bytes(), range.elements(), finding.cores.len()), (32, 8, 2));
    assert_eq!(range.first_element, Some(range.start / 4), "{report}");
    assert_eq!(finding.count, 1, "{report}");
}

#[test]
fn all_cores_that_write_everything() {
    let x = GlobalTensor::from_vec(vec![1.0f32; LEN]);
    let z = GlobalTensor::<f32>::zeros(LEN);
    let report = checked(4, |core| add_one(core, &x, &z, 0));
    assert_found(&report, &[CheckId::GmConflict]);
    assert_eq!(report.findings()[0].count, 6, "{report}");
}

#[test]
fn atomic_adds_are_excused() {
    let z = GlobalTensor::<f32>::zeros(64);
    let report = checked(8, |core| {
        let pipe = core.pipe()?;
        let mut buf = TBuf::<VECOUT>::new();
        pipe.init_tbuf(&mut buf, 256)?;
        let t = buf.get::<f32>()?;
        duplicate(&t, 1.0, 64)?;
        pipe.set_flag(HardEvent::V_MTE3, 0)?;
        pipe.wait_flag(HardEvent::V_MTE3, 0)?;
        data_copy_atomic_add(&z, &t)
    });
    report.assert_clean();
    assert_eq!(z.to_vec(), [8.0; 64]);
}

#[test]
fn findings_of_the_cores_are_one_with_the_cores_named() {
    let x = GlobalTensor::from_vec(vec![1.0f32; 64]);
    let report = checked(6, |core| {
        let pipe = core.pipe()?;
        let mut buf = TBuf::<VECIN>::new();
        pipe.init_tbuf(&mut buf, 256)?;
        let t = buf.get::<f32>()?;
        data_copy(&t, &x)?;
        abs(&t, &t, 64)
    });
    assert_found(&report, &[CheckId::ReadRace]);
    assert_eq!(report.findings()[0].cores, [0, 1, 2, 3, 4, 5]);
    assert!(report.to_string().contains("on 6 cores, 0 to 5"), "{report}");
}

#[test]
fn an_error_names_its_core() {
    let error = launch(4, Chip::AtlasA2, |core| {
        let pipe = core.pipe()?;
        let mut q = TQue::<VECIN, 1>::new();
        pipe.init_buffer(&mut q, 1, if core.block_idx() >= 2 { 1 << 20 } else { 1024 })
    })
    .unwrap_err();
    assert_eq!((error.core(), error.others()), (2, &[3][..]));
    assert!(matches!(error.failure(), CoreFailure::Error(BufPoolError::MemoryFull { .. })));
    let text = error.to_string();
    assert!(text.starts_with("core 2: UB cannot hold"), "{text}");
    assert!(text.contains("1 more core failed, the next is 3"), "{text}");
    let shown = format!("{error:?}");
    assert!(shown.starts_with(&text) && shown.contains("error[memory-full]: UB cannot"), "{shown}");
    assert_found(error.report(), &[CheckId::MemoryFull]);
    assert_eq!(error.report().findings()[0].cores, [2, 3], "one cause: {}", error.report());
}

#[test]
fn a_launch_without_checks_does_not_say_that_nothing_was_found() {
    let checks = |checks| Launch::new(Chip::AtlasA2).checks(checks).run(2, |_| Ok(())).unwrap();
    assert!(!checks(Checks::Api).is_checked());
    assert!(checks(Checks::Full).is_checked());
}

#[test]
fn a_panic_names_its_core_and_the_others_go_on() {
    let done = Mutex::new(Vec::new());
    let error = launch(4, Chip::AtlasA2, |core| {
        assert_ne!(core.block_idx(), 1, "not this one");
        done.lock().unwrap().push(core.block_idx());
        Ok(())
    })
    .unwrap_err();
    assert_eq!(error.core(), 1);
    assert!(
        error.to_string().contains("core 1 panicked") && error.to_string().contains("not this one")
    );
    let mut done = done.into_inner().unwrap();
    done.sort_unstable();
    assert_eq!(done, [0, 2, 3]);
}

#[test]
fn cores_run_on_the_threads_asked_for() {
    let threads = Mutex::new(Vec::<ThreadId>::new());
    Launch::new(Chip::AtlasA2)
        .threads(NonZero::new(2).unwrap())
        .run(16, |_| {
            threads.lock().unwrap().push(std::thread::current().id());
            Ok(())
        })
        .unwrap();
    let threads = threads.into_inner().unwrap();
    let distinct: HashSet<_> = threads.iter().collect();
    assert!(threads.len() == 16 && distinct.len() <= 2);
}

#[test]
fn cores_may_wait_for_each_other() {
    let all_here = std::sync::Barrier::new(24);
    checked(24, |core| {
        let pipe = core.pipe()?;
        all_here.wait();
        drop(pipe);
        all_here.wait();
        Ok(())
    });
}

#[test]
fn many_cores_run_on_few_threads() {
    let threads = Mutex::new(HashSet::<ThreadId>::new());
    let done = AtomicU32::new(0);
    let error = launch(5000, Chip::AtlasA2, |core| {
        threads.lock().unwrap().insert(std::thread::current().id());
        done.fetch_add(1, Ordering::Relaxed);
        let pipe = core.pipe()?;
        pipe.wait_flag(HardEvent::MTE2_V, 0).or_else(|error| match core.block_idx() {
            4000 => Err(error),
            _ => Ok(()),
        })
    })
    .unwrap_err();
    assert_eq!((error.core(), error.others(), done.into_inner()), (4000, &[][..], 5000));
    assert!(threads.into_inner().unwrap().len() <= 64);
}

#[test]
fn no_cores_is_nothing_to_do() {
    checked(0, |_| unreachable!()).assert_clean();
}

#[test]
fn conflicts_past_what_a_report_keeps_are_counted() {
    type Write = fn(&GlobalView<'_, f32>, &LocalTensor<f32>) -> Result<()>;
    macro_rules! w {
        () => {
            |z, t| data_copy(z, t)
        };
    }
    // Each at a place of its own: with one of core 0 and one of core 1, 17 x 17 causes.
    #[rustfmt::skip]
    let places: [Write; 17] = [
        w!(), w!(), w!(), w!(), w!(), w!(), w!(), w!(), w!(),
        w!(), w!(), w!(), w!(), w!(), w!(), w!(), w!(),
    ];
    let causes = places.len() * places.len();
    let z = GlobalTensor::<f32>::zeros(16 * causes);
    let report = checked(2, |core| {
        let pipe = core.pipe()?;
        let mut buf = TBuf::<VECCALC>::new();
        pipe.init_tbuf(&mut buf, 32)?;
        let t = buf.get::<f32>()?;
        duplicate(&t, 1.0, 8)?;
        pipe.pipe_barrier_all()?;
        (0..causes).try_for_each(|cause| {
            let place =
                if core.block_idx() == 0 { cause / places.len() } else { cause % places.len() };
            places[place](&z.slice(16 * cause..16 * cause + 8)?, &t)
        })
    });
    assert_eq!((report.of(CheckId::GmConflict).count(), report.not_kept()), (256, 33));
    assert!(
        report
            .to_string()
            .ends_with("256 errors; 33 more happened at places that this report has no room for")
    );
}

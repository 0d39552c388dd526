//! Accesses that go over many runs of bytes, part of what others wrote, or the same bytes twice.

mod support;

use bufpool_runtime::prelude::*;
use bufpool_runtime::{CheckId, Finding, Severity, declare_sharing};
use support::*;

const A2: Chip = Chip::AtlasA2;

/// A TBuf of f32 elements on a pipe.
fn floats(pipe: &TPipe, len: u32) -> Result<LocalTensor<f32>> {
    let mut buf = TBuf::<VECCALC>::new();
    pipe.init_tbuf(&mut buf, 4 * len)?;
    buf.get()
}

fn flag(pipe: &TPipe, event: HardEvent) -> Result<()> {
    pipe.set_flag(event, 0)?;
    pipe.wait_flag(event, 0)
}

#[track_caller]
fn run(pipe: &TPipe, kernel: impl FnOnce(&TPipe) -> Result<()>) {
    if let Err(error) = kernel(pipe) {
        panic!("the kernel failed: {error}");
    }
}

/// The only finding of a report that is not a note.
#[track_caller]
fn only(report: &Report, check: CheckId) -> &Finding {
    assert_found(report, &[check]);
    let mut findings = report.findings().iter().filter(|f| f.severity != Severity::Note);
    let finding = findings.next().unwrap();
    assert!(findings.next().is_none(), "more than one\n{report}");
    finding
}

#[test]
fn one_instruction_over_many_pieces_is_one_finding() {
    const PIECES: usize = 5000;
    let kernel = |flags: bool| {
        report_of(A2, |pipe| {
            let (piece, all) = (floats(pipe, 8)?, floats(pipe, 8)?);
            let gm = GlobalTensor::<f32>::zeros(16 * PIECES);
            duplicate(&piece, 1.0, 8)?;
            flag(pipe, HardEvent::V_MTE3)?;
            for i in 0..PIECES {
                data_copy(&gm.slice(16 * i..16 * i + 8)?, &piece)?;
            }
            if flags {
                flag(pipe, HardEvent::MTE3_MTE2)?;
            }
            issue("gather", Pipe::MTE2, (&gm,), (&all,), |_, _| ())
        })
    };
    let report = kernel(false);
    let finding = only(&report, CheckId::ReadRace);
    assert_eq!((finding.count, finding.ranges[0].end), (1, 32), "{report}");
    kernel(true).assert_clean();
}

#[test]
fn holes_in_what_was_written_are_counted_together() {
    let kernel = |holes: bool| {
        report_of(A2, |pipe| {
            let (x, z) = (floats(pipe, 256)?, floats(pipe, 256)?);
            for i in 0..16 {
                duplicate(&x.slice(16 * i..16 * i + 8)?, 1.0, 8)?;
                if !holes {
                    duplicate(&x.slice(16 * i + 8..16 * i + 16)?, 1.0, 8)?;
                }
            }
            abs(&z, &x, 256)
        })
    };
    let report = kernel(true);
    let finding = only(&report, CheckId::ReadUninitialised);
    assert_eq!(finding.count, 1, "{report}");
    assert!(finding.message.contains("reads 512 of 1024 bytes"), "{report}");
    kernel(false).assert_clean();
}

#[test]
fn bytes_never_written_and_bytes_of_an_earlier_life_are_one_fault() {
    let report = report_of(A2, |pipe| {
        let mut que = TQue::<VECIN, 1>::new();
        pipe.init_buffer(&mut que, 1, 256)?;
        let x = que.alloc_tensor::<f32>()?;
        data_copy(&x.slice(32..64)?, &GlobalTensor::<f32>::zeros(32))?;
        que.enque(x)?;
        let x = que.deque::<f32>()?;
        issue("look", Pipe::V, (&x.slice(32..64)?,), (), |_, ()| ())?;
        que.free_tensor(x)?;
        let x = que.alloc_tensor::<f32>()?;
        que.enque(x)?;
        let x = que.deque::<f32>()?;
        issue("look", Pipe::V, (&x,), (), |_, ()| ())?;
        que.free_tensor(x)
    });
    let finding = only(&report, CheckId::ReadUninitialised);
    assert!(finding.message.contains("reads 256 bytes"), "{report}");
    assert_eq!((finding.count, finding.ranges[0].bytes()), (1, 256), "{report}");
}

#[test]
fn an_operation_in_place_after_an_earlier_read() {
    let kernel = |in_place: bool, barrier: bool| {
        let pipe = without_auto_barriers(A2);
        run(&pipe, |pipe| {
            let (x, z) = (floats(pipe, 64)?, floats(pipe, 64)?);
            duplicate(&x, 1.0, 64)?;
            pipe.pipe_barrier(Pipe::V)?;
            adds(&z, &x, 1.0, 64)?;
            if barrier {
                pipe.pipe_barrier(Pipe::V)?;
            }
            if in_place {
                adds(&x, &x, 1.0, 64)?;
            } else {
                duplicate(&x, 1.0, 64)?;
            }
            flag(pipe, HardEvent::V_S)?;
            z.get_value(0)?;
            x.get_value(0).map(drop)
        });
        pipe.finish()
    };
    for in_place in [false, true] {
        let report = kernel(in_place, false);
        let finding = only(&report, CheckId::WriteRace);
        assert!(finding.help.as_ref().unwrap().contains("pipe_barrier(Pipe::V)"), "{report}");
        kernel(in_place, true).assert_clean();
    }
}

/// The reads of one instruction are not joined with older ones before its writes are looked at.
#[test]
fn histories_are_joined_between_instructions_only() {
    for pieces in 250..260 {
        let pipe = without_auto_barriers(A2);
        run(&pipe, |pipe| {
            let (x, z) = (floats(pipe, 32 * pieces)?, floats(pipe, 32 * pieces)?);
            let pieces = pieces as usize;
            for i in 0..pieces {
                duplicate(&x.slice(32 * i..32 * i + 32)?, 1.0, 32)?;
            }
            pipe.pipe_barrier(Pipe::V)?;
            let half = 32 * (pieces / 2) + 8;
            let (low, high) = (x.slice(0..half)?, x.slice(half..32 * pieces - 8)?);
            issue("low", Pipe::V, (&low,), (&z.slice(0..half)?,), |_, _| ())?;
            issue("high", Pipe::V, (&high,), (&high,), |_, _| ())?;
            flag(pipe, HardEvent::V_S)?;
            x.get_value(0)?;
            x.get_value(32 * pieces - 1)?;
            z.get_value(0).map(drop)
        });
        pipe.finish().assert_clean();
    }
}

#[test]
fn two_views_of_a_tbuf_that_overlap_by_a_part() {
    let kernel = |offset: u32, read_between: bool| {
        report_of(A2, |pipe| {
            let mut buf = TBuf::<VECCALC>::new();
            pipe.init_tbuf(&mut buf, 1024)?;
            let x = buf.get_with_offset::<f32>(72, 0)?;
            let y = buf.get_with_offset::<f32>(64, offset)?;
            duplicate(&x, 1.0, 72)?;
            if read_between {
                flag(pipe, HardEvent::V_S)?;
                x.get_value(71)?;
            }
            duplicate(&y, 2.0, 64)?;
            flag(pipe, HardEvent::V_S)?;
            x.get_value(0)?;
            y.get_value(0).map(drop)
        })
    };
    let report = kernel(256, false);
    let [finding] = report.findings() else { panic!("{report}") };
    assert_eq!((finding.check, finding.severity), (CheckId::OverwriteUnread, Severity::Note));
    assert_eq!((finding.ranges[0].start, finding.ranges[0].end), (256, 288), "{report}");
    assert!(finding.help.as_ref().unwrap().contains("get_with_offset"), "{report}");
    assert!(kernel(288, false).findings().is_empty());
    assert!(kernel(256, true).findings().is_empty());
}

/// With a flag and no more, the two would be ordered and the data wrong all the same.
#[test]
fn a_race_between_two_views_of_a_tbuf_says_that_they_overlap() {
    let report = report_of(A2, |pipe| {
        let mut buf = TBuf::<VECCALC>::new();
        pipe.init_tbuf(&mut buf, 1024)?;
        let x = buf.get_with_offset::<f32>(72, 0)?;
        let y = buf.get_with_offset::<f32>(64, 256)?;
        data_copy(&x, &GlobalTensor::<f32>::zeros(72))?;
        duplicate(&y, 2.0, 64)
    });
    let finding = only(&report, CheckId::WriteRace);
    let note = finding.notes.iter().find(|note| note.contains("views of the TBuf"));
    assert!(note.is_some_and(|note| note.contains("32 bytes")), "{report}");
}

#[test]
fn a_write_that_waits_for_no_read_is_told_the_flag_that_cures_it() {
    let kernel = |back: bool| {
        report_of(A2, |pipe| {
            let (x, gm) = (floats(pipe, 64)?, GlobalTensor::<f32>::zeros(64));
            for _ in 0..3 {
                data_copy(&x, &gm)?;
                flag(pipe, HardEvent::MTE2_V)?;
                issue("look", Pipe::V, (&x,), (), |_, ()| ())?;
                if back {
                    flag(pipe, HardEvent::V_MTE2)?;
                }
            }
            Ok(())
        })
    };
    let report = kernel(false);
    let help = only(&report, CheckId::WriteRace).help.as_ref().unwrap();
    assert!(help.contains("set_flag(HardEvent::V_MTE2, id)"), "{report}");
    kernel(true).assert_clean();
}

#[test]
fn one_flag_missing_between_two_copies_is_one_fault() {
    let kernel = |flags: bool| {
        report_of(A2, |pipe| {
            let (x, gm) = (floats(pipe, 64)?, GlobalTensor::<f32>::zeros(64));
            data_copy(&x, &gm)?;
            if flags {
                flag(pipe, HardEvent::MTE2_MTE3)?;
            }
            data_copy(&gm, &x)
        })
    };
    only(&kernel(false), CheckId::ReadRace);
    kernel(true).assert_clean();
}

/// Carves a queue of one block at the cursor, with a record of its own, and leaves the cursor.
fn at_cursor(pool: &mut Custom, record: u8) -> Result<TQue<VECIN, 1>> {
    let mut que = TQue::<VECIN, 1>::new();
    let handle = pool.get_buf_handle(record)?;
    que.init_start_buf_handle(handle, 1, 256)?;
    let addr = pool.get_cur_addr();
    que.init_buf_handle(pool, 0, handle, addr, 256)?;
    pool.set_cur_buf_size(record + 1);
    Ok(que)
}

#[test]
fn a_declaration_ends_with_its_queues() {
    let report = report_of(A2, |pipe| {
        let gm = GlobalTensor::<f32>::zeros(64);
        for declared in [true, false] {
            let mut pool = Custom::default();
            pipe.init_buf_pool(&mut pool, 4096)?;
            let (x, y) = (at_cursor(&mut pool, 0)?, at_cursor(&mut pool, 1)?);
            if declared {
                declare_sharing(&[&x, &y])?;
            } else {
                let (t, u) = (x.alloc_tensor::<f32>()?, y.alloc_tensor::<f32>()?);
                data_copy(&t, &gm)?;
                pipe.pipe_barrier_all()?;
                data_copy(&u, &gm)?;
                x.free_tensor(t)?;
                y.free_tensor(u)?;
            }
            pool.reset()?;
        }
        Ok(())
    });
    assert_found(&report, &[CheckId::CursorNotAdvanced, CheckId::Overlap]);
}

#[test]
fn an_overlap_once_found_hides_no_race_of_later_queues() {
    let kernel = |overlap_first: bool| {
        report_of(A2, |pipe| {
            let gm = GlobalTensor::<f32>::zeros(64);
            let pair = || -> Result<_> {
                let (mut x, mut y) = (TQue::<VECIN, 1>::new(), TQue::<VECIN, 1>::new());
                pipe.init_buffer_at(&mut x, &[(0, 256)])?;
                pipe.init_buffer_at(&mut y, &[(0, 256)])?;
                Ok((x, y))
            };
            if overlap_first {
                let (x, y) = pair()?;
                let (t, u) = (x.alloc_tensor::<f32>()?, y.alloc_tensor::<f32>()?);
                data_copy(&t, &gm)?;
                data_copy(&u, &gm)?;
                x.free_tensor(t)?;
                y.free_tensor(u)?;
                pipe.pipe_barrier_all()?;
            }
            pipe.reset()?;
            let (x, y) = pair()?;
            declare_sharing(&[&x, &y])?;
            for que in [&x, &y] {
                let t = que.alloc_tensor::<f32>()?;
                data_copy(&t, &gm)?;
                que.free_tensor(t)?;
            }
            Ok(())
        })
    };
    for overlap_first in [false, true] {
        let report = kernel(overlap_first);
        let races = report.findings().iter().filter(|f| f.check == CheckId::WriteRace);
        assert_eq!(races.count(), 1, "{report}");
    }
}

#[test]
fn an_error_is_kept_where_warnings_have_filled_the_report() {
    // 17 places that write the same bytes, one after the other in all orders: a warning for each pair.
    macro_rules! places {
        ($($n:literal)*) => { [$(|x| duplicate(x, $n, 64)),*] };
    }
    type Write = fn(&LocalTensor<f32>) -> Result<()>;
    let writes: [Write; 17] =
        places!(0.0 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 13.0 14.0 15.0 16.0);
    let kernel = |on_finding| {
        let pipe = TPipe::builder(A2).checks(Checks::Full).on_finding(on_finding).build().unwrap();
        let x = floats(&pipe, 64).unwrap();
        for first in writes {
            for second in writes {
                first(&x).unwrap();
                second(&x).unwrap();
            }
        }
        let result = data_copy(&GlobalTensor::<f32>::zeros(64), &x);
        (result, pipe.finish())
    };
    let (result, report) = kernel(OnFinding::Collect);
    assert!(result.is_ok());
    assert_eq!(report.of(CheckId::ReadRace).count(), 1, "{report}");
    assert_eq!(report.count(Severity::Error), 1);
    let (result, _) = kernel(OnFinding::Error);
    assert_eq!(result.unwrap_err().check(), CheckId::ReadRace);
}

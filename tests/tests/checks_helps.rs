//! What findings say to do where the usual remedy would lead on to the next fault.

mod support;

use bufpool_runtime::prelude::*;
use bufpool_runtime::{CheckId, Finding};
use support::*;

#[track_caller]
fn found(report: &Report, check: CheckId) -> Finding {
    let found = report.findings().iter().find(|finding| finding.check == check);
    found.unwrap_or_else(|| panic!("no {check} in {report}")).clone()
}

/// The flag of the first round has nobody to set it.
#[test]
fn a_race_with_an_earlier_round_needs_a_flag_before_the_loop() {
    let kernel = |ordered: bool| {
        report_of(Chip::AtlasA2, |pipe| {
            let gm = GlobalTensor::from_slice(&[1.0_f32; 64]);
            let mut buf = TBuf::<VECCALC>::new();
            pipe.init_tbuf(&mut buf, 512)?;
            let (x, sum) =
                (buf.get_with_offset::<f32>(64, 0)?, buf.get_with_offset::<f32>(64, 256)?);
            let (copied, added) = (0, 1);
            duplicate(&sum, 0.0, 64)?;
            if ordered {
                pipe.set_flag(HardEvent::V_MTE2, added)?;
            }
            for _ in 0..3 {
                if ordered {
                    pipe.wait_flag(HardEvent::V_MTE2, added)?;
                }
                data_copy(&x, &gm)?;
                pipe.set_flag(HardEvent::MTE2_V, copied)?;
                pipe.wait_flag(HardEvent::MTE2_V, copied)?;
                add(&sum, &sum, &x, 64)?;
                if ordered {
                    pipe.set_flag(HardEvent::V_MTE2, added)?;
                }
            }
            if ordered {
                pipe.wait_flag(HardEvent::V_MTE2, added)?;
            }
            Ok(())
        })
    };
    kernel(true).assert_clean();
    let report = kernel(false);
    let race = found(&report, CheckId::WriteRace);
    let note = race.notes.iter().find(|note| note.contains("earlier round"));
    let note = note.unwrap_or_else(|| panic!("nothing on rounds in {report}"));
    assert!(
        note.ends_with("set the flag once before the loop, and wait once after it"),
        "{report}"
    );
}

/// No name and no declaration tells the blocks of one queue apart.
#[test]
fn blocks_of_one_queue_on_the_same_bytes() {
    let kernel = |step: u32| {
        report_of(Chip::AtlasA2, |pipe| {
            let (mut pool, mut x) = (Custom::default(), TQue::<VECIN, 1>::new().named("x"));
            pipe.init_buf_pool(&mut pool, 4096)?;
            x.init_start_buf_handle(pool.get_buf_handle(0)?, 2, 1024)?;
            for i in 0..2 {
                let handle = pool.get_buf_handle(i)?;
                x.init_buf_handle(&pool, i, handle, u32::from(i) * step, 1024)?;
            }
            let block = x.alloc_buffer()?;
            x.free_buffer(block)?;
            x.free_all_event()
        })
    };
    kernel(1024).assert_clean();
    let report = kernel(0);
    let finding = found(&report, CheckId::CursorNotAdvanced);
    let help = "give each block of the queue bytes of its own, and bind it once";
    assert_eq!(finding.help.as_deref(), Some(help), "{report}");
    assert!(finding.notes.iter().all(|note| !note.contains("`named`")), "{report}");
}

#[test]
fn a_misaligned_block_is_found_where_it_is_placed() {
    let kernel = |addr: u32| {
        report_of(Chip::AtlasA2, |pipe| {
            let (mut pool, mut tmp) = (Custom::default(), TBuf::<VECCALC>::new());
            pipe.init_buf_pool(&mut pool, 4096)?;
            let handle = pool.get_buf_handle(0)?;
            tmp.init_start_buf_handle(handle, 1, 1024)?;
            tmp.init_buf_handle(&pool, 0, handle, addr, 1024)?;
            duplicate(&tmp.get::<f32>()?, 1.0, 8)
        })
    };
    kernel(32).assert_clean();
    let report = kernel(16);
    let finding = found(&report, CheckId::WriteMisaligned);
    assert!(
        finding.labels.iter().any(|label| label.text == "its block is placed here"),
        "{report}"
    );
    assert_eq!(finding.help.as_deref(), Some("let the block start at 0 or 32"), "{report}");
}

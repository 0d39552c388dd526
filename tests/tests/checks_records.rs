//! Records of custom pools that are written again for another queue or TBuf, both sides.

mod support;

use bufpool_runtime::prelude::*;
use bufpool_runtime::{CheckId, Finding};
use support::*;

const LEN: u32 = 1024;

/// Writes records 0 and on for a queue: blocks end to end from `addr`.
#[track_caller]
fn carve<S: Position, D: Position, const N: usize>(
    pool: &Custom,
    que: &mut TQueBind<S, D, N>,
    num: u8,
    addr: u32,
    len: u32,
) -> Result<()> {
    que.init_start_buf_handle(pool.get_buf_handle(0)?, num, len)?;
    for i in 0..num {
        let record = pool.get_buf_handle(i)?;
        que.init_buf_handle(pool, i, record, addr + u32::from(i) * len, len)?;
    }
    Ok(())
}

/// The same for the TBuf of one record.
#[track_caller]
fn carve_tbuf(pool: &Custom, buf: &mut TBuf<VECCALC>, addr: u32) -> Result<()> {
    let record = pool.get_buf_handle(0)?;
    buf.init_start_buf_handle(record, 1, LEN)?;
    buf.init_buf_handle(pool, 0, record, addr, LEN)
}

fn custom(kernel: impl FnOnce(&TPipe, &mut Custom) -> Result<()>) -> Report {
    report_of(Chip::AtlasA2, |pipe| {
        let mut pool = Custom::default();
        pipe.init_buf_pool(&mut pool, 16384)?;
        kernel(pipe, &mut pool)
    })
}

fn inputs() -> [TQue<VECIN, 1>; 2] {
    ["x", "y"].map(|name| TQue::<VECIN, 1>::new().named(name))
}

/// The line where `use_of` takes a block.
const USE: u32 = line!() + 3;

fn use_of(que: &TQue<VECIN, 1>) -> Result<()> {
    let block = que.alloc_buffer()?;
    que.free_buffer(block)?;
    que.free_all_event()
}

/// The same around some work.
fn use_around(que: &TQue<VECIN, 1>, work: impl FnOnce() -> Result<()>) -> Result<()> {
    let block = que.alloc_buffer()?;
    work()?;
    que.free_buffer(block)?;
    que.free_all_event()
}

#[track_caller]
fn only(report: &Report, check: CheckId) -> &Finding {
    assert_found(report, &[check]);
    assert_eq!(report.findings().len(), 1, "{report}");
    &report.findings()[0]
}

fn label_lines(finding: &Finding) -> Vec<(u32, &str)> {
    finding.labels.iter().map(|label| (label.place.line(), label.text.as_str())).collect()
}

#[test]
fn two_queues_on_one_record_at_different_bytes() {
    let line = line!();
    let report = custom(|_, pool| {
        let [mut x, mut y] = inputs();
        carve(pool, &mut x, 1, 0, LEN)?;
        carve(pool, &mut y, 1, LEN, LEN)?;
        use_of(&x)?;
        use_of(&y)
    });
    let finding = only(&report, CheckId::HandleInitialisedTwice);
    assert_eq!(
        finding.message,
        "record 0 of pool `Custom` is written for the VECIN queue `y`, and the VECIN queue `x` has it at other bytes"
    );
    assert_eq!(
        label_lines(finding),
        [
            (line + 4, "written as [1024, 2048) for the VECIN queue `y` here"),
            (line + 3, "written as [0, 1024) for the VECIN queue `x` here"),
            (USE, "used again here"),
        ]
    );
    assert_eq!(finding.buffers, ["VECIN queue `y`", "VECIN queue `x`", "Custom"]);
    assert_eq!(
        finding.help.as_deref(),
        Some(
            "set_cur_buf_size(1) after the VECIN queue `x` is initialised, so that the next one gets other \
             records, or reset the pool in between"
        )
    );
}

#[test]
fn a_record_of_its_own_is_clean() {
    custom(|_, pool| {
        let [mut x, mut y] = inputs();
        pool.init_queue(&mut x, 2, LEN)?;
        pool.init_queue(&mut y, 2, LEN)?;
        use_of(&x)?;
        use_of(&y)
    })
    .assert_clean();
}

#[test]
fn a_count_that_is_right_leads_to_another_handle() {
    let report = custom(|_, pool| {
        let [mut x, mut y] = inputs();
        carve(pool, &mut x, 2, 0, LEN)?;
        pool.set_cur_buf_size(2);
        carve(pool, &mut y, 2, 2 * LEN, LEN)?;
        use_of(&x)
    });
    let finding = only(&report, CheckId::HandleInitialisedTwice);
    assert_eq!(finding.count, 2);
    assert_eq!(
        finding.help.as_deref(),
        Some(
            "give the VECIN queue `y` other records, from get_buf_handle(2) on, or reset the pool in between"
        )
    );
}

/// A TBuf has no state that keeps it from the bytes of the queue: not even the same bytes are a ring.
#[test]
fn a_queue_and_a_tbuf_on_one_record() {
    for tbuf_first in [false, true] {
        let kernel = |addr: u32, goes_on: bool| {
            custom(|_, pool| {
                let ([mut x, _], mut tmp) = (inputs(), TBuf::<VECCALC>::new().named("tmp"));
                if tbuf_first {
                    carve_tbuf(pool, &mut tmp, 0)?;
                    carve(pool, &mut x, 1, addr, LEN)?;
                } else {
                    carve(pool, &mut x, 1, 0, LEN)?;
                    carve_tbuf(pool, &mut tmp, addr)?;
                }
                if tbuf_first == goes_on { tmp.get::<f32>().map(drop) } else { use_of(&x) }
            })
        };
        for addr in [0, LEN] {
            let report = kernel(addr, true);
            let (queue, tbuf) = ("VECIN queue `x`", "VECCALC TBuf `tmp`");
            let users = if tbuf_first { [queue, tbuf, "Custom"] } else { [tbuf, queue, "Custom"] };
            assert_eq!(only(&report, CheckId::HandleInitialisedTwice).buffers, users);
            kernel(addr, false).assert_clean();
        }
    }
}

/// A tensor that was taken before the queue came writes over its blocks all the same.
#[test]
fn a_tensor_of_a_tbuf_whose_record_a_queue_has() {
    let kernel = |used: bool| {
        custom(|_, pool| {
            let ([mut x, _], mut tmp) = (inputs(), TBuf::<VECCALC>::new().named("tmp"));
            carve_tbuf(pool, &mut tmp, 0)?;
            let view = tmp.get::<f32>()?;
            carve(pool, &mut x, 1, 0, LEN)?;
            use_around(&x, || if used { duplicate(&view, 1.0, 8) } else { Ok(()) })
        })
    };
    kernel(false).assert_clean();
    let report = kernel(true);
    let finding = only(&report, CheckId::WriteUnallocated);
    let text = "`duplicate` on V writes a tensor whose record is one of the VECIN queue `x` by now";
    assert_eq!(finding.message, text);
    let labels = label_lines(finding);
    let texts = labels.iter().map(|(_, text)| *text).collect::<Vec<_>>();
    let record = "record 0 is one of the VECIN queue `x` since here";
    assert_eq!(texts, ["V writes it here", "the tensor was taken here", record], "{report}");
}

/// The other way round.
#[test]
fn a_tensor_of_a_queue_whose_record_a_tbuf_has() {
    let report = custom(|_, pool| {
        let ([mut x, _], mut tmp) = (inputs(), TBuf::<VECCALC>::new().named("tmp"));
        carve(pool, &mut x, 1, 0, LEN)?;
        let tensor = x.alloc_tensor::<f32>()?;
        carve_tbuf(pool, &mut tmp, 0)?;
        duplicate(&tensor, 1.0, 8)
    });
    let found: Vec<_> = report.findings().iter().map(|finding| finding.message.as_str()).collect();
    let text =
        "`duplicate` on V writes a tensor whose record is one of the VECCALC TBuf `tmp` by now";
    assert!(found.contains(&text), "{report}");
}

/// A tensor over a block that was never handed out is the queue's all the same.
#[test]
fn a_tensor_of_a_handle_is_no_tensor_of_a_tbuf() {
    let kernel = |handed_out: bool| {
        custom(|_, pool| {
            let [mut x, _] = inputs();
            carve(pool, &mut x, 1, 0, LEN)?;
            let tensor = x.tensor_of::<f32>(pool.get_buf_handle(0)?)?;
            let work = || duplicate(&tensor, 1.0, 8);
            if handed_out { use_around(&x, work) } else { work() }
        })
    };
    kernel(true).assert_clean();
    let report = kernel(false);
    assert!(
        only(&report, CheckId::WriteUnallocated).message.ends_with("that nobody owns"),
        "{report}"
    );
}

#[test]
fn two_tbufs_on_one_record() {
    let kernel = |goes_on: bool| {
        custom(|_, pool| {
            let [mut y, mut w] = ["y", "w"].map(|name| TBuf::<VECCALC>::new().named(name));
            carve_tbuf(pool, &mut y, 0)?;
            carve_tbuf(pool, &mut w, 0)?;
            if goes_on {
                y.get::<f32>().map(drop)?;
            }
            w.get::<f32>().map(drop)
        })
    };
    let report = kernel(true);
    let finding = only(&report, CheckId::HandleInitialisedTwice);
    assert!(finding.message.ends_with("the VECCALC TBuf `y` stands on it too"), "{report}");
    kernel(false).assert_clean();
}

#[test]
fn a_view_on_bytes_that_its_record_no_longer_has() {
    let kernel = |used: bool| {
        custom(|_, pool| {
            let view = {
                let mut tmp = TBuf::<VECCALC>::new();
                carve_tbuf(pool, &mut tmp, 0)?;
                tmp.get::<f32>()?
            };
            let [mut x, _] = inputs();
            carve(pool, &mut x, 1, LEN, LEN)?;
            use_around(&x, || if used { duplicate(&view, 1.0, 8) } else { Ok(()) })
        })
    };
    kernel(false).assert_clean();
    let report = kernel(true);
    let finding = only(&report, CheckId::WriteUnallocated);
    assert!(finding.message.contains("on bytes that its record no longer has"), "{report}");
    assert!(finding.labels.iter().any(|label| label.text.contains("at [1024, 2048)")), "{report}");
}

#[test]
fn a_ring_is_clean_as_long_as_nobody_loses_bytes() {
    let kernel = |num: u8, addr: u32, len: u32| {
        custom(|_, pool| {
            let [mut x, mut y] = inputs();
            carve(pool, &mut x, 2, 0, LEN)?;
            carve(pool, &mut y, num, addr, len)?;
            pool.set_cur_buf_size(2);
            use_of(&x)?;
            use_of(&y)?;
            use_of(&x)
        })
    };
    kernel(2, 0, LEN).assert_clean();
    kernel(1, 0, LEN).assert_clean();
    only(&kernel(1, 0, LEN / 2), CheckId::HandleInitialisedTwice);
    only(&kernel(1, 2 * LEN, LEN), CheckId::HandleInitialisedTwice);
    let one = custom(|_, pool| {
        let [mut x, mut y] = inputs();
        carve(pool, &mut x, 1, 0, LEN)?;
        carve(pool, &mut y, 1, 0, 2 * LEN)?;
        use_of(&x)
    });
    one.assert_clean();
}

#[test]
fn records_that_the_first_user_is_done_with() {
    let phases = |between: fn(&TPipe, &mut Custom) -> Result<()>, goes_on: bool| {
        custom(|pipe, pool| {
            let [mut x, mut y] = inputs();
            carve(pool, &mut x, 1, 0, LEN)?;
            pool.set_cur_buf_size(1);
            use_of(&x)?;
            between(pipe, pool)?;
            let start = pool.get_cur_addr();
            carve(pool, &mut y, 1, start + LEN, LEN)?;
            use_of(&y)?;
            if goes_on { use_of(&x) } else { Ok(()) }
        })
    };
    let kernel = |between| phases(between, false);
    kernel(|pipe, pool| {
        pool.reset()?;
        pipe.init_buf_pool(pool, 8192)
    })
    .assert_clean();
    kernel(|pipe, pool| {
        pool.init();
        pipe.init_buf_pool(pool, 8192)
    })
    .assert_clean();
    kernel(|pipe, pool| {
        pipe.reset()?;
        pipe.init_buf_pool(pool, 8192)
    })
    .assert_clean();
    kernel(|_, _| Ok(())).assert_clean();
    only(&phases(|_, _| Ok(()), true), CheckId::HandleInitialisedTwice);

    // A queue that is gone misses nothing, nor does one that has other records by now.
    custom(|_, pool| {
        for addr in [0, LEN] {
            let [mut x, _] = inputs();
            carve(pool, &mut x, 1, addr, LEN)?;
            use_of(&x)?;
        }
        Ok(())
    })
    .assert_clean();
    let report = custom(|_, pool| {
        let [mut x, mut y] = inputs();
        carve(pool, &mut x, 1, 0, LEN)?;
        pool.set_cur_buf_size(1);
        pool.set_cur_addr(LEN);
        pool.init_queue(&mut x, 1, LEN)?;
        carve(pool, &mut y, 1, 2 * LEN, LEN)
    });
    only(&report, CheckId::QueueRebound);
}

#[test]
fn a_record_whose_block_is_out_is_one_fault() {
    let kernel = |addr: u32| {
        custom(|_, pool| {
            let [mut x, mut y] = inputs();
            carve(pool, &mut x, 1, 0, LEN)?;
            x.alloc_buffer()?;
            carve(pool, &mut y, 1, addr, LEN)
        })
    };
    for (addr, help) in [(0, "free the tensor before"), (LEN, "set_cur_buf_size(1) after")] {
        let report = kernel(addr);
        let said = only(&report, CheckId::LiveBlockReinitialised).help.as_deref().unwrap();
        assert!(said.starts_with(help), "{report}");
    }
}

#[test]
fn a_block_that_the_other_queue_has_out_is_no_want_of_blocks() -> Result<()> {
    for (names, users) in [
        (["x", "y"], "the VECIN queue `y` or the VECIN queue `x`"),
        (["x", "x"], "either VECIN queue `x`"),
    ] {
        let pipe = TPipe::new(Chip::AtlasA2)?;
        let mut pool = Custom::default();
        pipe.init_buf_pool(&mut pool, 4096)?;
        let [mut x, mut y] = names.map(|name| TQue::<VECIN, 1>::new().named(name));
        carve(&pool, &mut x, 1, 0, LEN)?;
        carve(&pool, &mut y, 1, LEN, LEN)?;
        x.alloc_buffer()?;
        let error = y.alloc_buffer().unwrap_err();
        assert!(matches!(error, BufPoolError::NoFreeBlock { blocks: 1, .. }), "{error}");
        let help = format!(
            "help: free a tensor of {users}, which have the same records, or give each its own: \
             set_cur_buf_size past those of the first before the next is bound"
        );
        assert!(error.to_string().ends_with(&help), "{error}");
    }
    Ok(())
}

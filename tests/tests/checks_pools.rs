//! Custom pools, pools in pools and shared pools: what the cases do not show, both sides.

mod support;

use bufpool_runtime::prelude::*;
use bufpool_runtime::{CheckId, Severity, declare_sharing};
use support::*;

const A2: Chip = Chip::AtlasA2;

#[extern_impl_bufpool(position = VECCALC, bufid_size = 8)]
#[derive(Default)]
struct Carver;

impl Carver {
    /// Binds two blocks of 1024 bytes at `addr`, with the records that `record` names.
    fn carve<S: Position, D: Position, const N: usize>(
        &mut self,
        que: &mut TQueBind<S, D, N>,
        addr: u32,
        records: [u8; 2],
    ) -> Result<()> {
        que.init_start_buf_handle(self.get_buf_handle(records[0].min(records[1]))?, 2, 1024)?;
        for (i, record) in (0..).zip(records) {
            que.init_buf_handle(
                self,
                i,
                self.get_buf_handle(record)?,
                addr + 1024 * u32::from(i),
                1024,
            )?;
        }
        Ok(())
    }
}

fn custom(kernel: impl FnOnce(&mut Carver) -> Result<()>) -> Report {
    report_of(A2, |pipe| {
        let mut pool = Carver::default();
        pipe.init_buf_pool(&mut pool, 8192)?;
        kernel(&mut pool)
    })
}

#[test]
fn the_bug_of_the_vendors_sample() {
    let kernel = |records| custom(|pool| pool.carve(&mut TQue::<VECIN, 1>::new(), 0, records));
    let report = kernel([0, 0]);
    assert_found(&report, &[CheckId::HandleInitialisedTwice]);
    assert!(report.findings()[0].message.contains("blocks 0 and 1"), "{report}");
    assert!(
        report.findings()[0].help.as_ref().unwrap().contains("a handle of its own"),
        "{report}"
    );
    kernel([0, 1]).assert_clean();
}

#[test]
fn init_of_a_pool_waits_for_no_flag() {
    let kernel = |empty: fn(&mut Custom) -> Result<()>| {
        report_of(A2, |pipe| {
            let (mut pool, mut x) = (Custom::default(), TQue::<VECIN, 1>::new());
            pipe.init_buf_pool(&mut pool, 4096)?;
            pool.init_queue(&mut x, 1, 1024)?;
            free_one(&x)?;
            empty(&mut pool)
        })
    };
    let start = bufpool_runtime::Place::here();
    let report = kernel(|pool| {
        pool.init();
        Ok(())
    });
    assert_found(&report, &[CheckId::UnmatchedSet]);
    let finding = &report.findings()[0];
    let emptied = finding.labels.iter().find(|label| label.text.starts_with("init empties"));
    assert_eq!(emptied.unwrap().place.line(), start.line() + 2, "{report}");
    let help = finding.help.as_deref().unwrap();
    assert!(help.starts_with("reset the pool instead of init"), "{report}");
    kernel(Custom::reset).assert_clean();
    // A new range does not make the flag known again, whatever the pool counts.
    let again = report_of(A2, |pipe| {
        let (mut pool, mut x) = (Custom::default(), TQue::<VECIN, 1>::new());
        pipe.init_buf_pool(&mut pool, 4096)?;
        pool.init_queue(&mut x, 1, 1024)?;
        free_one(&x)?;
        pool.init();
        pipe.init_buf_pool(&mut pool, 4096)
    });
    assert_found(&again, &[CheckId::UnmatchedSet]);
    assert_eq!(again.findings()[0].help.as_deref(), Some(help));
}

#[test]
fn a_count_set_after_init_is_not_behind() {
    let report = report_of(A2, |pipe| {
        let (mut pool, mut x) = (Custom::default(), TQue::<VECIN, 1>::new());
        pipe.init_buf_pool(&mut pool, 4096)?;
        pool.init_queue(&mut x, 2, 1024)?;
        free_one(&x)?;
        pool.init();
        pool.set_cur_buf_size(1);
        Ok(())
    });
    report.assert_clean();
}

/// Asserts that a report names only places of this file: a drop has none of its own.
#[track_caller]
fn assert_own_places(report: &Report) {
    let mut labels = report.findings().iter().flat_map(|finding| &finding.labels);
    let foreign = labels.find(|label| label.place.file() != file!());
    assert!(foreign.is_none(), "{foreign:?}\n{report}");
}

#[test]
fn a_pool_dropped_after_its_init_is_told_where_it_was_made() {
    let report = report_of(A2, |pipe| {
        let (mut pool, mut x) = (Custom::default(), TQue::<VECIN, 1>::new());
        pipe.init_buf_pool(&mut pool, 4096)?;
        let record = pool.get_buf_handle(0)?;
        x.init_start_buf_handle(record, 1, 1024)?;
        x.init_buf_handle(&pool, 0, record, 0, 1024)?;
        free_one(&x)?;
        pool.init();
        pool.set_cur_buf_size(1);
        Ok(())
    });
    assert!(report.has(CheckId::IdsLostByReset), "{report}");
    assert_own_places(&report);
}

#[test]
fn a_child_used_after_its_parent_says_how_the_parent_ended() {
    let kernel = |reset: bool, gone: bool| {
        report_of(A2, |pipe| {
            let mut parent = TBufPool::<VECCALC, 4>::new();
            let (mut child, mut x) = (TBufPool::<VECCALC, 2>::new(), TQue::<VECIN, 1>::new());
            pipe.init_buf_pool(&mut parent, 4096)?;
            parent.init_buf_pool(&mut child, 2048)?;
            child.init_buffer(&mut x, 1, 1024)?;
            if reset {
                parent.reset()?;
            }
            if gone {
                drop(parent);
            }
            free_one(&x)
        })
    };
    for (reset, gone, message, label) in [
        (true, false, "after the reset of", "is reset here"),
        (true, true, "after the reset of", "is reset here"),
        (false, true, "after the drop of", "no longer has the bytes"),
    ] {
        let report = kernel(reset, gone);
        assert_found(&report, &[CheckId::StaleAfterReset]);
        let finding = &report.findings()[0];
        assert!(finding.message.contains(message), "{report}");
        let labels = finding.labels.iter().filter(|of| of.text.contains(label));
        assert_eq!(labels.count(), 1, "{report}");
        assert_own_places(&report);
    }
    kernel(false, false).assert_clean();
}

#[test]
fn a_record_written_again_forgets_the_flag_of_its_block() {
    let kernel = |wait: bool| {
        custom(|pool| {
            let (mut x, mut y) = (TQue::<VECIN, 1>::new(), TQue::<VECIN, 1>::new());
            pool.carve(&mut x, 0, [0, 1])?;
            pool.set_cur_buf_size(2);
            free_one(&x)?;
            if wait {
                x.free_all_event()?;
            }
            pool.carve(&mut y, 0, [0, 1])
        })
    };
    let report = kernel(false);
    assert_found(&report, &[CheckId::UnmatchedSet]);
    let help = report.findings()[0].help.as_deref();
    assert_eq!(help, Some("free_all_event on the queue before its records are written again"));
    kernel(true).assert_clean();
}

#[test]
fn one_record_written_twice_for_the_same_block() {
    let kernel = |rounds| {
        custom(|pool| {
            let mut x = TQue::<VECIN, 1>::new();
            let first = pool.get_buf_handle(0)?;
            x.init_start_buf_handle(first, 1, 1024)?;
            (0..rounds).try_for_each(|i| x.init_buf_handle(pool, 0, first, 1024 * i, 1024))
        })
    };
    let report = kernel(2);
    assert_found(&report, &[CheckId::HandleInitialisedTwice]);
    let finding = &report.findings()[0];
    assert!(finding.message.contains("record of block 0") && finding.message.contains("twice"));
    assert!(finding.help.as_ref().unwrap().starts_with("write each record once"), "{report}");
    kernel(1).assert_clean();
}

#[test]
fn a_cursor_that_goes_back() {
    let kernel = |reset: bool, back: u32| {
        custom(|pool| {
            pool.carve(&mut TQue::<VECIN, 1>::new(), 0, [0, 1])?;
            pool.set_cur_addr(2048);
            pool.set_cur_buf_size(2);
            if reset {
                pool.reset()?;
            }
            pool.set_cur_addr(back);
            Ok(())
        })
    };
    assert_found(&kernel(false, 1024), &[CheckId::CursorBehind]);
    let far = custom(|pool| {
        pool.carve(&mut TQue::<VECIN, 1>::new(), 0, [0, 1])?;
        pool.set_cur_addr(8000);
        pool.set_cur_addr(0);
        Ok(())
    });
    assert!(
        far.findings()[0].help.as_ref().unwrap().starts_with("keep the cursor at 2048"),
        "{far}"
    );
    kernel(false, 2048).assert_clean();
    kernel(false, 4096).assert_clean();
    kernel(true, 0).assert_clean();
    let count = |back| {
        custom(|pool| {
            pool.set_cur_buf_size(3);
            pool.set_cur_buf_size(back);
            Ok(())
        })
    };
    assert_found(&count(2), &[CheckId::CursorBehind]);
    count(3).assert_clean();
}

#[test]
fn blocks_from_the_top_say_nothing_about_the_cursor() {
    custom(|pool| {
        pool.carve(&mut TQue::<VECIN, 1>::new(), 6144, [0, 1])?;
        pool.set_cur_addr(1024);
        pool.carve(&mut TQue::<VECIN, 1>::new(), 4096, [2, 3])?;
        pool.set_cur_addr(2048);
        Ok(())
    })
    .assert_clean();
}

#[test]
fn a_ring_needs_no_word_and_an_overlay_does() {
    let ring = custom(|pool| {
        pool.carve(&mut TQue::<VECIN, 1>::new(), 0, [0, 1])?;
        pool.carve(&mut TQue::<VECIN, 1>::new(), 0, [0, 1])
    });
    ring.assert_clean();
    let overlay = |declared: bool| {
        custom(|pool| {
            let (mut x, mut z) = (TQue::<VECIN, 1>::new(), TQue::<VECOUT, 1>::new());
            pool.carve(&mut x, 0, [0, 1])?;
            pool.carve(&mut z, 0, [2, 3])?;
            pool.set_cur_buf_size(4);
            if declared {
                declare_sharing(&[&x, &z])?;
            }
            let t = x.alloc_tensor::<f16>()?;
            x.free_tensor(t)
        })
    };
    assert_found(&overlay(false), &[CheckId::CursorNotAdvanced]);
    overlay(true).assert_clean();
}

#[test]
fn an_overlay_is_still_to_be_ordered() {
    let kernel = |flags: bool| {
        report_of(A2, |pipe| {
            let (mut x, mut z) = (TQue::<VECIN, 1>::new(), TQue::<VECOUT, 1>::new());
            pipe.init_buffer(&mut x, 1, 1024)?;
            pipe.init_buffer_at(&mut z, &[(0, 1024)])?;
            declare_sharing(&[&x, &z])?;
            let gm = GlobalTensor::zeros(1024);
            for round in 0..2 {
                let t = x.alloc_tensor::<f16>()?;
                data_copy(&t, &ones(512))?;
                x.enque(t)?;
                let (t, u) = (x.deque::<f16>()?, z.alloc_tensor::<f16>()?);
                abs(&u, &t, 512)?;
                x.free_tensor(t)?;
                z.enque(u)?;
                let u = z.deque::<f16>()?;
                data_copy(&gm.slice(512 * round..512 * (round + 1))?, &u)?;
                z.free_tensor(u)?;
                if flags {
                    pipe.set_flag(HardEvent::MTE3_MTE2, 0)?;
                    pipe.wait_flag(HardEvent::MTE3_MTE2, 0)?;
                }
            }
            Ok(())
        })
    };
    assert_found(&kernel(false), &[CheckId::WriteRace]);
    kernel(true).assert_clean();
}

#[test]
fn a_count_that_does_not_cover_the_records_in_use() {
    let kernel = |count| {
        custom(|pool| {
            let mut x = TQue::<VECIN, 1>::new();
            pool.carve(&mut x, 0, [0, 1])?;
            pool.set_cur_buf_size(count);
            let t = x.alloc_tensor::<f16>()?;
            x.free_tensor(t)
        })
    };
    let report = kernel(0);
    assert_found(&report, &[CheckId::UnmatchedSet]);
    assert!(report.findings()[0].help.as_ref().unwrap().contains("set_cur_buf_size"), "{report}");
    kernel(2).assert_clean();
}

#[test]
fn a_count_too_low_is_found_though_the_pool_outlives_the_pipe() {
    let kernel = |count| {
        let pipe = checked(A2);
        let (mut pool, mut x) = (Carver::default(), TQue::<VECIN, 1>::new());
        pipe.init_buf_pool(&mut pool, 8192).unwrap();
        pool.carve(&mut x, 0, [0, 1]).unwrap();
        pool.set_cur_buf_size(count);
        for _ in 0..2 {
            let t = x.alloc_tensor::<f16>().unwrap();
            x.free_tensor(t).unwrap();
        }
        pipe.finish()
    };
    for (count, missed) in [(0, 2), (1, 1)] {
        let report = kernel(count);
        assert_found(&report, &[CheckId::UnmatchedSet]);
        let finding = &report.findings()[0];
        assert_eq!(finding.count, missed, "{report}");
        assert!(finding.help.as_ref().unwrap().contains("set_cur_buf_size"), "{report}");
    }
    kernel(2).assert_clean();
}

#[test]
fn a_count_past_the_records_of_the_pool() {
    let kernel = |count| {
        custom(|pool| {
            pool.set_cur_buf_size(count);
            Ok(())
        })
    };
    let past = Carver::BUFID_SIZE + 1;
    let report = kernel(past);
    assert_found(&report, &[CheckId::PoolIdsExhausted]);
    let said = format!("{past} records are counted as used, and it declares {}", past - 1);
    assert!(report.findings()[0].message.contains(&said), "{report}");
    kernel(Carver::BUFID_SIZE).assert_clean();
}

#[test]
fn what_a_reset_takes_back_is_no_error() {
    let kernel = |of_pool: bool, enqued: bool| {
        report_of(A2, |pipe| {
            let (mut pool, mut q) = (TBufPool::<VECCALC>::new(), TQue::<VECIN, 1>::new());
            pipe.init_buf_pool(&mut pool, 4096)?;
            if of_pool {
                pool.init_buffer(&mut q, 1, 1024)?;
            } else {
                pipe.init_buffer(&mut q, 1, 1024)?;
            }
            let t = q.alloc_buffer()?;
            if enqued {
                q.enque_handle(t)?;
            }
            pool.reset()?;
            pipe.reset()
        })
    };
    let severity = |report: &Report| report.of(CheckId::Leak).next().unwrap().severity;
    assert_eq!(severity(&kernel(false, false)), Severity::Note);
    assert_eq!(severity(&kernel(true, false)), Severity::Warning);
    for of_pool in [false, true] {
        let report = kernel(of_pool, true);
        assert!(
            severity(&report) == Severity::Error && report.has(CheckId::UnmatchedSet),
            "{report}"
        );
    }
}

#[test]
fn a_child_that_shares_its_own_parent() {
    let kernel = |share: bool| {
        report_of(A2, |pipe| {
            let (mut parent, mut child) = (TBufPool::<VECCALC>::new(), Carver::default());
            let (mut x, mut y) = (TQue::<VECIN, 1>::new(), TQue::<VECIN, 1>::new());
            pipe.init_buf_pool(&mut parent, 8192)?;
            parent.init_buffer(&mut x, 1, 1024)?;
            if share {
                pipe.init_buf_pool_shared(&mut child, 4096, &parent)?;
            } else {
                parent.init_buf_pool(&mut child, 4096)?;
            }
            let start = child.get_cur_addr();
            child.carve(&mut y, start, [0, 1])?;
            child.set_cur_buf_size(2);
            let (a, b) = (x.alloc_tensor::<f16>()?, y.alloc_tensor::<f16>()?);
            data_copy(&b, &ones(512))?;
            x.free_tensor(a)?;
            y.free_tensor(b)
        })
    };
    assert_found(&kernel(true), &[CheckId::Overlap]);
    kernel(false).assert_clean();
}

#[test]
fn a_tensor_of_a_ring_freed_on_another_queue() {
    let kernel = |other: bool| {
        report_of(A2, |pipe| {
            let mut pool = Carver::default();
            let mut ring = ["a", "b"].map(|name| TQue::<VECIN, 1>::new().named(name));
            pipe.init_buf_pool(&mut pool, 1024)?;
            let (record, addr) = (pool.get_buf_handle(0)?, pool.get_cur_addr());
            for que in &mut ring {
                que.init_start_buf_handle(record, 1, 1024)?;
                que.init_buf_handle(&pool, 0, record, addr, 1024)?;
            }
            pool.set_cur_buf_size(1);
            // The two take turns; each frees what it allocated.
            for que in [0, 1, 0] {
                let t = ring[que].alloc_buffer()?;
                ring[que].free_buffer(t)?;
            }
            let t = ring[0].alloc_buffer()?;
            ring[usize::from(other)].free_buffer(t)?;
            assert_eq!(ring[0].has_idle_buffer()?, !other);
            ring[0].free_all_event()
        })
    };
    let report = kernel(true);
    assert_found(&report, &[CheckId::WrongQueue]);
    let finding = &report.findings()[0];
    assert_eq!(finding.severity, Severity::Warning);
    assert!(finding.message.contains("`a` is freed on the VECIN queue `b`"), "{report}");
    kernel(false).assert_clean();
}

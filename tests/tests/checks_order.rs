//! Order: the edges that flags, barriers, locks and the scalar pipe make, and no others.

mod support;

use bufpool_runtime::prelude::*;
use bufpool_runtime::{CheckId, Severity};
use support::*;

const A2: Chip = Chip::AtlasA2;

/// A TBuf of 512 f16 elements, loaded, and what `then` does with it.
fn loaded(chip: Chip, then: impl FnOnce(&TPipe, &LocalTensor<f16>) -> Result<()>) -> Report {
    report_of(chip, |pipe| {
        let mut buf = TBuf::<VECCALC>::new();
        pipe.init_tbuf(&mut buf, 1024)?;
        let t = buf.get::<f16>()?;
        data_copy(&t, &ones(512))?;
        then(pipe, &t)
    })
}

fn flag(pipe: &TPipe, event: HardEvent) -> Result<()> {
    pipe.set_flag(event, 0)?;
    pipe.wait_flag(event, 0)
}

#[test]
fn a_flag_between_other_pipes_orders_nothing_here() {
    let report = loaded(A2, |pipe, t| {
        flag(pipe, HardEvent::MTE2_MTE3)?;
        abs(t, t, 512)
    });
    assert_found(&report, &[CheckId::ReadRace]);
    assert_eq!(report.findings().len(), 1, "one instruction, one fault\n{report}");
    loaded(A2, |pipe, t| {
        flag(pipe, HardEvent::MTE2_MTE3)?;
        flag(pipe, HardEvent::MTE3_V)?;
        abs(t, t, 512)
    })
    .assert_clean();
}

#[test]
fn a_set_before_the_work_does_not_order_it() {
    let kernel = |late: bool| {
        report_of(A2, |pipe| {
            let mut buf = TBuf::<VECCALC>::new();
            pipe.init_tbuf(&mut buf, 1024)?;
            let t = buf.get::<f16>()?;
            if !late {
                pipe.set_flag(HardEvent::MTE2_V, 0)?;
            }
            data_copy(&t, &ones(512))?;
            if late {
                pipe.set_flag(HardEvent::MTE2_V, 0)?;
            }
            pipe.wait_flag(HardEvent::MTE2_V, 0)?;
            abs(&t, &t, 512)
        })
    };
    assert_found(&kernel(false), &[CheckId::ReadRace]);
    kernel(true).assert_clean();
}

#[test]
fn a_barrier_of_one_pipe_does_not_order_another() {
    let report = loaded(A2, |pipe, t| {
        pipe.pipe_barrier(Pipe::MTE2)?;
        pipe.pipe_barrier(Pipe::V)?;
        abs(t, t, 512)
    });
    assert_found(&report, &[CheckId::ReadRace]);
    loaded(A2, |pipe, t| {
        pipe.pipe_barrier_all()?;
        abs(t, t, 512)
    })
    .assert_clean();
}

#[test]
fn what_the_scalar_pipe_waited_for_is_ordered_for_work_issued_later() {
    loaded(A2, |pipe, t| {
        flag(pipe, HardEvent::MTE2_S)?;
        t.get_value(0)?;
        abs(t, t, 512)
    })
    .assert_clean();
}

#[test]
fn a_scalar_write_needs_a_flag_and_a_scalar_read_does_not() {
    let kernel = |write: bool, flags: bool| {
        loaded(A2, |pipe, t| {
            flag(pipe, HardEvent::MTE2_S)?;
            if write {
                t.set_value(3, f16::from_f32(2.0))?;
            } else {
                t.get_value(3)?;
            }
            if flags {
                flag(pipe, HardEvent::S_V)?;
            }
            abs(t, t, 512)
        })
    };
    let report = kernel(true, false);
    assert_found(&report, &[CheckId::ReadRace]);
    let range = report.findings()[0].ranges[0];
    assert_eq!((range.start, range.end, range.first_element), (6, 8, Some(3)));
    kernel(true, true).assert_clean();
    kernel(false, false).assert_clean();
}

#[test]
fn a_scalar_write_to_a_tensor_on_its_way_through_a_queue() {
    let kernel = |flags: bool| {
        report_of(A2, |pipe| {
            let (mut q, mut z) = (TQue::<VECIN, 1>::new(), TBuf::<VECCALC>::new());
            pipe.init_buffer(&mut q, 1, 1024)?;
            pipe.init_tbuf(&mut z, 1024)?;
            let t = q.alloc_tensor::<f16>()?;
            for i in 0..512 {
                t.set_value(i, f16::from_f32(1.0))?;
            }
            if flags {
                pipe.set_flag(HardEvent::S_V, 0)?;
            }
            q.enque(t)?;
            let t = q.deque::<f16>()?;
            if flags {
                pipe.wait_flag(HardEvent::S_V, 0)?;
            }
            abs(&z.get()?, &t, 512)?;
            q.free_tensor(t)
        })
    };
    let report = kernel(false);
    assert_found(&report, &[CheckId::ScalarUnordered]);
    assert_eq!(report.findings()[0].count, 1, "one read of all elements\n{report}");
    kernel(true).assert_clean();
}

#[test]
fn the_shared_range_is_exact() {
    // [1280, 9472) against [8192, 16384) is an overlap of 1280 bytes.
    let report = report_of(A2, |pipe| {
        let mut buf = TBuf::<VECCALC>::new();
        pipe.init_tbuf(&mut buf, 16_384)?;
        let t = buf.get::<f16>()?;
        duplicate(&t.slice(640..4736)?, f16::ZERO, 4096)?;
        data_copy(&t.slice(4096..8192)?, &ones(4096))
    });
    assert_found(&report, &[CheckId::WriteRace]);
    let range = report.findings()[0].ranges[0];
    assert_eq!((range.start, range.end, range.bytes()), (8192, 9472, 1280));
    assert_eq!((range.first_element, range.elements()), (Some(4096), 640));
    // [0, 64) against [64, 128) is none.
    report_of(A2, |pipe| {
        let mut buf = TBuf::<VECCALC>::new();
        pipe.init_tbuf(&mut buf, 128)?;
        let t = buf.get::<f16>()?;
        duplicate(&t.slice(0..32)?, f16::ZERO, 32)?;
        data_copy(&t.slice(32..64)?, &ones(32))
    })
    .assert_clean();
}

#[test]
fn global_memory_is_ordered_too() {
    let kernel = |flags: bool| {
        report_of(A2, |pipe| {
            let (mut a, mut b) = (TBuf::<VECCALC>::new(), TBuf::<VECCALC>::new());
            pipe.init_tbuf(&mut a, 1024)?;
            pipe.init_tbuf(&mut b, 1024)?;
            let (a, b, gm) = (a.get::<f16>()?, b.get::<f16>()?, GlobalTensor::zeros(512));
            duplicate(&a, f16::from_f32(1.0), 512)?;
            flag(pipe, HardEvent::V_MTE3)?;
            data_copy(&gm, &a)?;
            if flags {
                flag(pipe, HardEvent::MTE3_MTE2)?;
            }
            data_copy(&b.slice(0..256)?, &gm.slice(128..384)?)
        })
    };
    let report = kernel(false);
    assert_found(&report, &[CheckId::ReadRace]);
    assert_eq!(report.findings()[0].ranges[0].memory, Hardware::GM);
    let said = "GM bytes [256, 768): 512 bytes, elements 128..384 of 2 bytes each";
    assert!(report.to_string().contains(said), "{report}");
    kernel(true).assert_clean();
}

#[test]
fn copies_out_to_the_same_place_need_a_barrier_unless_they_add() {
    let kernel = |barrier: bool, atomic: bool| {
        report_of(A2, |pipe| {
            let mut a = TBuf::<VECCALC>::new();
            pipe.init_tbuf(&mut a, 1024)?;
            let (a, gm) = (a.get::<f32>()?, GlobalTensor::zeros(256));
            duplicate(&a, 1.0, 256)?;
            flag(pipe, HardEvent::V_MTE3)?;
            for _ in 0..2 {
                if atomic {
                    data_copy_atomic_add(&gm, &a)?;
                } else {
                    data_copy(&gm, &a)?;
                }
                if barrier {
                    pipe.pipe_barrier(Pipe::MTE3)?;
                }
            }
            Ok(())
        })
    };
    let report = kernel(false, false);
    assert_found(&report, &[CheckId::WriteRace]);
    let help = report.findings()[0].help.as_deref();
    assert_eq!(help, Some("pipe_barrier(Pipe::MTE3) between two rounds of `data_copy`"));
    kernel(true, false).assert_clean();
    kernel(false, true).assert_clean();
}

#[test]
fn lock_ids_order_what_flags_order_elsewhere() {
    for chip in [A2, Chip::Ascend950] {
        let kernel = |late: bool| {
            report_of(chip, |pipe| {
                let mut q = TQue::<VECIN, 1>::new();
                let mut buf = TBuf::<VECCALC>::new();
                pipe.init_buffer(&mut q, 2, 1024)?;
                pipe.init_tbuf(&mut buf, 1024)?;
                let (buf, gm) = (buf.get::<f16>()?, ones(512));
                for round in 0..3 {
                    let t = q.alloc_tensor::<f16>()?;
                    data_copy(&t, &gm)?;
                    if round == 0 && !late {
                        data_copy(&buf, &gm)?;
                    }
                    q.enque(t)?;
                    if round == 0 && late {
                        data_copy(&buf, &gm)?;
                    }
                    let t = q.deque::<f16>()?;
                    add(&t, &t, &buf, 512)?;
                    q.free_tensor(t)?;
                }
                Ok(())
            })
        };
        kernel(false).assert_clean();
        assert_found(&kernel(true), &[CheckId::ReadRace]);
    }
}

#[test]
fn the_help_names_the_event_or_the_queue_operation() {
    let report = loaded(A2, |_, t| abs(t, t, 512));
    let help = report.findings()[0].help.clone().unwrap();
    assert_eq!(
        help,
        "set_flag(HardEvent::MTE2_V, id) after `data_copy` and wait_flag(HardEvent::MTE2_V, id) before `abs`"
    );
    let report = report_of(A2, |pipe| {
        let mut q = TQue::<VECIN, 1>::new();
        pipe.init_buffer(&mut q, 1, 1024)?;
        let t = q.alloc_tensor::<f16>()?;
        data_copy(&t, &ones(512))?;
        abs(&t, &t, 512)?;
        q.free_tensor(t)
    });
    let help = report.findings()[0].help.clone().unwrap();
    assert!(
        help.starts_with("enque the tensor after `data_copy` and deque it before `abs`"),
        "{help}"
    );
}

#[test]
fn order_by_hand_on_a_queue_tensor_is_a_note() {
    let report = report_of(A2, |pipe| {
        let mut q = TQue::<VECIN, 1>::new();
        pipe.init_buffer(&mut q, 1, 1024)?;
        let t = q.alloc_tensor::<f16>()?;
        data_copy(&t, &ones(512))?;
        flag(pipe, HardEvent::MTE2_V)?;
        abs(&t, &t, 512)?;
        q.free_tensor(t)
    });
    report.assert_clean();
    let note = report.of(CheckId::WrongState).next().unwrap();
    assert_eq!((note.severity, note.buffers.len()), (Severity::Note, 1));
}

#[test]
fn many_places_do_not_make_many_reports() {
    let report = loaded(A2, |pipe, t| {
        for _ in 0..1000 {
            data_copy(t, &ones(512))?;
            abs(t, t, 512)?;
        }
        pipe.pipe_barrier_all()
    });
    assert!(report.findings().len() < 8, "{report}");
    assert!(report.findings().iter().any(|finding| finding.count > 900), "{report}");
}

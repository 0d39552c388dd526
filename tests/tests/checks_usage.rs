//! Use of queues, tensors and event ids: what the cases do not show, both sides.

mod support;

use bufpool_runtime::prelude::*;
use bufpool_runtime::{CheckId, Severity};
use support::*;

const A2: Chip = Chip::AtlasA2;

#[test]
fn a_queue_initialised_again() {
    let kernel = |reset: bool| {
        report_of(A2, |pipe| {
            let mut q = TQue::<VECIN, 1>::new();
            pipe.init_buffer(&mut q, 1, 1024)?;
            if reset {
                pipe.reset()?;
            }
            pipe.init_buffer(&mut q, 1, 1024)
        })
    };
    assert_found(&kernel(false), &[CheckId::QueueRebound]);
    kernel(true).assert_clean();
}

#[test]
fn a_tensor_freed_while_it_is_in_the_queue() {
    let kernel = |deque: bool| {
        report_of(A2, |pipe| {
            let mut q = TQue::<VECIN, 1>::new();
            pipe.init_buffer(&mut q, 1, 1024)?;
            let handle = q.alloc_buffer()?;
            q.enque_handle(handle)?;
            if deque {
                q.deque_handle()?;
            }
            q.free_buffer(handle)
        })
    };
    let report = kernel(false);
    assert_found(&report, &[CheckId::WrongState]);
    assert!(report.findings()[0].notes[0].contains("flag MTE2_V 0 stays set"), "{report}");
    kernel(true).assert_clean();
}

#[test]
fn a_tensor_used_while_it_is_in_the_queue() {
    let kernel = |late: bool| {
        report_of(A2, |pipe| {
            let mut q = TQue::<VECIN, 1>::new();
            pipe.init_buffer(&mut q, 1, 1024)?;
            let handle = q.alloc_buffer()?;
            let t = q.tensor_of::<f16>(handle)?;
            if !late {
                data_copy(&t, &ones(512))?;
            }
            q.enque_handle(handle)?;
            if late {
                data_copy(&t, &ones(512))?;
            }
            q.deque_handle()?;
            q.free_buffer(handle)
        })
    };
    assert_found(&kernel(true), &[CheckId::WrongState]);
    kernel(false).assert_clean();
}

#[test]
fn a_tensor_that_outlived_its_block() {
    let kernel = |writes: bool, rounds: usize, keep: bool| {
        report_of(A2, |pipe| {
            let mut x = TQue::<VECIN, 1>::new().named("x");
            let (mut buf, gm) = (TBuf::<VECCALC>::new(), ones(512));
            pipe.init_buffer(&mut x, 1, 1024)?;
            pipe.init_tbuf(&mut buf, 1024)?;
            let tmp = buf.get::<f16>()?;
            let old = x.alloc_tensor::<f16>()?;
            if !keep {
                x.free_buffer(old.handle().expect("of a queue"))?;
                for _ in 1..rounds {
                    free_one(&x)?;
                }
                x.alloc_buffer()?;
            }
            if writes {
                data_copy(&old, &gm)?;
            } else {
                data_copy(&x.tensor_of::<f16>(old.handle().expect("of a queue"))?, &gm)?;
                x.enque_handle(old.handle().expect("of a queue"))?;
                x.deque_handle()?;
                adds(&tmp, &old, f16::ONE, 512)?;
            }
            x.free_tensor(old)?;
            x.free_all_event()
        })
    };
    // Lives are counted in a byte.
    for rounds in [1, 254, 256, 300] {
        for (writes, check) in
            [(false, CheckId::ReadUnallocated), (true, CheckId::WriteUnallocated)]
        {
            kernel(writes, rounds, true).assert_clean();
            let report = kernel(writes, rounds, false);
            assert_found(&report, &[check]);
            let finding = &report.findings()[0];
            assert!(finding.message.contains("that was freed"), "{report}");
            assert_eq!(finding.labels.len(), 3, "{report}");
        }
    }
}

#[test]
fn a_leak_says_in_which_step_and_what_to_do() {
    for (steps, state, help) in [
        (0, "OCCUPIED", "free_tensor"),
        (1, "ENQUE", "deque and free"),
        (2, "DEQUE", "free_tensor"),
    ] {
        let report = report_of(A2, |pipe| {
            let mut q = TQue::<VECIN, 1>::new().named("x");
            pipe.init_buffer(&mut q, 1, 1024)?;
            let handle = q.alloc_buffer()?;
            if steps > 0 {
                q.enque_handle(handle)?;
            }
            if steps > 1 {
                q.deque_handle()?;
            }
            Ok(())
        });
        assert_found(&report, &[CheckId::Leak]);
        let finding = &report.findings()[0];
        assert_eq!(
            finding.message,
            format!("a block of the VECIN queue `x` is still {state} at the end")
        );
        assert!(finding.help.as_ref().unwrap().contains(help));
        assert_eq!(finding.is(CheckId::UnmatchedSet), steps == 1, "{report}");
    }
}

#[test]
fn flags_of_pool_blocks_at_a_pipe_reset() {
    let kernel = |reset: bool| {
        report_of(A2, |pipe| {
            let (mut pool, mut q) = (TBufPool::<VECCALC>::new(), TQue::<VECIN, 1>::new());
            pipe.init_buf_pool(&mut pool, 4096)?;
            pool.init_buffer(&mut q, 1, 1024)?;
            let t = q.alloc_tensor::<f16>()?;
            q.free_tensor(t)?;
            if reset {
                pool.reset()?;
            }
            pipe.reset()
        })
    };
    assert_found(&kernel(false), &[CheckId::UnmatchedSet]);
    kernel(true).assert_clean();
}

#[test]
fn a_pool_that_lives_longer_than_the_pipe_is_clean() {
    let pipe = checked(A2);
    let (mut pool, mut q) = (TBufPool::<VECCALC>::new(), TQue::<VECIN, 1>::new());
    pipe.init_buf_pool(&mut pool, 4096).unwrap();
    pool.init_buffer(&mut q, 1, 1024).unwrap();
    let t = q.alloc_tensor::<f16>().unwrap();
    q.free_tensor(t).unwrap();
    pipe.finish().assert_clean();
}

#[test]
fn ids_that_a_pool_reset_keeps_are_a_note() {
    let kernel = |chip, give_back: bool| {
        report_of(chip, |pipe| {
            let (mut pool, mut q) = (TBufPool::<VECCALC>::new(), TQue::<VECIN, 1>::new());
            pipe.init_buf_pool(&mut pool, 4096)?;
            pool.init_buffer(&mut q, 1, 1024)?;
            let t = q.alloc_tensor::<f16>()?;
            q.free_tensor(t)?;
            if give_back {
                q.free_all_event()?;
            }
            pool.reset()
        })
    };
    let report = kernel(A2, false);
    report.assert_clean();
    assert_eq!(report.of(CheckId::IdsLostByReset).next().unwrap().severity, Severity::Note);
    assert!(!kernel(A2, true).has(CheckId::IdsLostByReset));
    assert!(!kernel(Chip::Ascend950, false).has(CheckId::IdsLostByReset));
}

#[test]
fn part_of_a_tensor_read_past_what_was_written() {
    let kernel = |count| {
        report_of(A2, |pipe| {
            let (mut q, mut z) = (TQue::<VECIN, 1>::new(), TBuf::<VECCALC>::new());
            pipe.init_buffer(&mut q, 1, 1024)?;
            pipe.init_tbuf(&mut z, 1024)?;
            let t = q.alloc_tensor::<f16>()?;
            data_copy(&t, &ones(480))?;
            q.enque(t)?;
            let t = q.deque::<f16>()?;
            abs(&z.get()?, &t, count)?;
            q.free_tensor(t)
        })
    };
    let report = kernel(512);
    assert_found(&report, &[CheckId::ReadUninitialised]);
    let range = report.findings()[0].ranges[0];
    assert_eq!((range.start, range.end, range.first_element), (960, 1024, Some(480)));
    kernel(480).assert_clean();
}

#[test]
fn bytes_of_an_earlier_life_are_not_written() {
    let kernel = |fill: bool| {
        report_of(A2, |pipe| {
            let (mut q, mut z) = (TQue::<VECIN, 1>::new(), TBuf::<VECCALC>::new());
            pipe.init_buffer(&mut q, 1, 1024)?;
            pipe.init_tbuf(&mut z, 1024)?;
            let z = z.get::<f16>()?;
            for round in 0..2 {
                let t = q.alloc_tensor::<f16>()?;
                if round == 0 || fill {
                    data_copy(&t, &ones(512))?;
                }
                q.enque(t)?;
                let t = q.deque::<f16>()?;
                add(&z, &t, &t, 512)?;
                data_copy(&t, &z)?;
                q.free_tensor(t)?;
            }
            Ok(())
        })
    };
    assert_found(&kernel(false), &[CheckId::ReadUninitialised]);
    kernel(true).assert_clean();
}

#[test]
fn padding_before_a_shorter_copy_is_clean() {
    report_of(A2, |pipe| {
        let (mut q, mut z) = (TQue::<VECIN, 1>::new(), TBuf::<VECCALC>::new());
        pipe.init_buffer(&mut q, 1, 1024)?;
        pipe.init_tbuf(&mut z, 1024)?;
        let t = q.alloc_tensor::<f16>()?;
        duplicate(&t, f16::ZERO, 512)?;
        pipe.set_flag(HardEvent::V_MTE2, 0)?;
        pipe.wait_flag(HardEvent::V_MTE2, 0)?;
        data_copy(&t, &ones(400))?;
        q.enque(t)?;
        let t = q.deque::<f16>()?;
        abs(&z.get()?, &t, 512)?;
        q.free_tensor(t)
    })
    .assert_clean();
}

#[test]
fn a_tensor_at_a_fixed_address_beside_all_blocks() {
    let kernel = |blocks: bool, addr| {
        report_of(A2, |pipe| {
            let mut buf = TBuf::<VECCALC>::new();
            if blocks {
                pipe.init_tbuf(&mut buf, 1024)?;
            }
            let t = LocalTensor::<f16>::at(pipe, TPosition::VECCALC, addr, 64)?;
            duplicate(&t, f16::ZERO, 64)
        })
    };
    assert_found(&kernel(true, 8192), &[CheckId::BadMemory]);
    kernel(true, 512).assert_clean();
    kernel(false, 8192).assert_clean();
}

#[test]
fn bytes_and_elements_are_counted_one_by_one() {
    let kernel = |index| {
        report_of(A2, |pipe| {
            let mut buf = TBuf::<VECCALC>::new();
            pipe.init_tbuf(&mut buf, 64)?;
            let t = buf.get::<u8>()?;
            t.get_value(index).map(drop)
        })
    };
    let report = kernel(100);
    assert_found(&report, &[CheckId::ReadOutOfBounds]);
    let finding = &report.findings()[0];
    assert!(finding.message.contains("reads 1 byte past the end"), "{report}");
    assert!(finding.labels.iter().any(|label| label.text == "S reads 1 element here"), "{report}");
    assert_eq!((finding.ranges[0].start, finding.ranges[0].end), (100, 101));
    let report = kernel(63);
    assert_found(&report, &[CheckId::ReadUninitialised]);
    let said = "reads 1 byte of the VECCALC TBuf that nobody wrote since it was handed out";
    assert!(report.findings()[0].message.ends_with(said), "{report}");
}

#[test]
fn an_id_of_a_block_that_the_user_gives_back() {
    let kernel = |own: bool| {
        report_of(A2, |pipe| {
            let mut q = TQue::<VECIN, 1>::new().named("x");
            pipe.init_buffer(&mut q, 1, 1024)?;
            let handle = q.alloc_buffer()?;
            q.enque_handle(handle)?;
            let mut id = 0;
            if own {
                id = pipe.alloc_event_id(HardEvent::MTE2_V)?;
            }
            pipe.release_event_id(HardEvent::MTE2_V, id)?;
            q.deque_handle()?;
            q.free_buffer(handle)
        })
    };
    let report = kernel(false);
    assert_found(&report, &[CheckId::EventIdNotReserved]);
    let finding = &report.findings()[0];
    assert!(finding.message.contains("a block of the VECIN queue `x` holds it"), "{report}");
    assert_eq!(finding.labels.len(), 2, "{report}");
    kernel(true).assert_clean();
}

#[test]
fn an_id_that_a_block_of_depth_0_holds_all_its_life() {
    let kernel = |id: EventId| {
        report_of(A2, |pipe| {
            let mut q = TQue::<VECIN, 0>::new();
            pipe.init_buffer(&mut q, 1, 1024)?;
            let own = pipe.alloc_event_id(HardEvent::V_MTE2)?;
            assert_eq!(own, 1);
            pipe.release_event_id(HardEvent::V_MTE2, id)
        })
    };
    assert_found(&kernel(0), &[CheckId::EventIdNotReserved]);
    kernel(1).assert_clean();
}

#[test]
fn an_id_that_is_the_users_again_after_a_block_lost_it() {
    let report = report_of(A2, |pipe| {
        let mut q = TQue::<VECIN, 1>::new();
        pipe.init_buffer(&mut q, 1, 1024)?;
        let handle = q.alloc_buffer()?;
        q.free_buffer(handle)?;
        pipe.release_event_id(HardEvent::V_MTE2, 0)?;
        let id = pipe.alloc_event_id(HardEvent::V_MTE2)?;
        assert_eq!(id, 0);
        pipe.release_event_id(HardEvent::V_MTE2, id)
    });
    let found =
        report.of(CheckId::EventIdNotReserved).map(|finding| finding.count).collect::<Vec<_>>();
    assert_eq!(found, [1], "{report}");
}

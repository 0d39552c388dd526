//! Faults that people met, as small programs, each with its correct twin.

mod support;

use bufpool_runtime::prelude::*;
use bufpool_runtime::{CheckId, DataError, Severity, declare_sharing};
use support::*;

const A2: Chip = Chip::AtlasA2;

mod capacity {
    use super::*;

    #[test]
    fn c01_more_than_ub() {
        let pipe = checked(A2);
        let mut q = TQue::<VECIN, 1>::new();
        let error = pipe.init_buffer(&mut q, 2, 192_000).unwrap_err();
        let BufPoolError::MemoryFull { asked: 384_000, limit: 196_608, .. } = error else {
            panic!("{error}");
        };
        pipe.init_buffer(&mut q, 1, 192_000).unwrap();
        pipe.finish().assert_clean();
    }

    #[test]
    fn c02_full_ub_is_over_the_documented_size() {
        let pipe = checked(A2);
        let (mut a, mut b) = (TQue::<VECIN, 1>::new(), TQue::<VECOUT, 1>::new());
        pipe.init_buffer(&mut a, 2, 98_304).unwrap();
        let error = pipe.init_buffer(&mut b, 1, 32).unwrap_err();
        assert!(matches!(error, BufPoolError::MemoryFull { free: 0, .. }), "{error}");
        assert_found(&pipe.finish(), &[CheckId::OverDocumentedUb]);

        let second = |len| {
            report_of(Chip::Ascend950, |pipe| {
                let (mut a, mut b) = (TQue::<VECIN, 1>::new(), TQue::<VECOUT, 1>::new());
                pipe.init_buffer(&mut a, 2, 98_304)?;
                pipe.init_buffer(&mut b, 1, len)
            })
        };
        second(57_344).assert_clean();
        assert_found(&second(57_376), &[CheckId::OverDocumentedUb]);
    }

    #[test]
    fn c03_the_reserved_top_of_ub() {
        let kernel = |len| {
            report_of(A2, |pipe| {
                let mut t = TQue::<VECIN, 1>::new();
                pipe.init_buffer(&mut t, 1, len)?;
                let reserved = LocalTensor::<u8>::at(pipe, TPosition::VECCALC, 188_416, 8192)?;
                let x = t.alloc_tensor::<u8>()?;
                issue("sort", Pipe::V, (), (&reserved,), |(), (out,)| out.fill(0))?;
                t.free_tensor(x)
            })
        };
        let report = kernel(190_016);
        assert_found(&report, &[CheckId::Overlap]);
        let finding = report.of(CheckId::Overlap).next().unwrap();
        assert_eq!((finding.ranges[0].start, finding.ranges[0].end), (188_416, 190_016));
        kernel(187_648).assert_clean();
    }

    #[test]
    fn c09_l0b_is_65536_on_every_chip() {
        for chip in Chip::ALL.into_iter().filter(|chip| chip.spec().has_tpipe) {
            let pipe = TPipe::builder(chip).core_kind(CoreKind::AIC).build().unwrap();
            let mut b2 = TQue::<B2, 1>::new();
            let error = pipe.init_buffer(&mut b2, 1, 131_072).unwrap_err();
            assert!(matches!(error, BufPoolError::MemoryFull { limit: 65_536, .. }), "{error}");
            pipe.init_buffer(&mut b2, 1, 65_536).unwrap();
        }
    }

    #[test]
    fn c11_tensors_off_the_grid() {
        let kernel = |addresses: [u32; 3]| {
            report_of(A2, |pipe| {
                let [x, y, z] = addresses
                    .map(|addr| LocalTensor::<u8>::at(pipe, TPosition::VECCALC, addr, 12).unwrap());
                issue("fill", Pipe::V, (), (&x, &y), |(), (x, y)| {
                    x.fill(1);
                    y.fill(2);
                })?;
                pipe.pipe_barrier(Pipe::V)?;
                issue("join", Pipe::V, (&x, &y), (&z,), |(x, _), (z,)| z.copy_from_slice(x))
            })
        };
        let report = kernel([0, 12, 16]);
        assert!(
            report.has(CheckId::WriteMisaligned) && report.has(CheckId::ReadMisaligned),
            "{report}"
        );
        kernel([0, 32, 64]).assert_clean();
    }

    #[test]
    fn c12_views_of_a_tbuf() {
        let pipe = checked(A2);
        let mut buf = TBuf::<VECCALC>::new();
        pipe.init_tbuf(&mut buf, 1024).unwrap();
        assert_eq!(buf.get_with_offset::<i32>(128, 64).unwrap().addr(), 64);
        let error = buf.get_with_offset::<i32>(128, 36).unwrap_err();
        assert!(matches!(error, BufPoolError::ViewMisaligned { asked: 36, .. }), "{error}");
        let error = buf.get_with_offset::<i32>(256, 64).unwrap_err();
        assert!(
            matches!(error, BufPoolError::ViewOutOfBounds { end: 1088, limit: 1024, .. }),
            "{error}"
        );
        pipe.finish().assert_clean();
    }

    #[test]
    fn c15_a_copy_of_30_bytes() {
        let report = report_of(A2, |pipe| {
            let mut q = TQue::<VECIN, 1>::new();
            pipe.init_buffer(&mut q, 1, 32)?;
            let gm = ones(15);
            let x = q.alloc_tensor::<f16>()?;
            let error = data_copy(&x, &gm).unwrap_err();
            assert!(
                matches!(error, BufPoolError::Data(DataError::CopyLength { bytes: 30, .. })),
                "{error}"
            );
            assert!(error.to_string().contains("data_copy_pad"), "{error}");
            q.free_tensor(x)
        });
        report.assert_clean();
    }

    #[test]
    fn c17_blocks_are_rounded_up() {
        let report = report_of(A2, |pipe| {
            let (mut q, mut q2) = (TQue::<VECIN, 1>::new(), TQue::<VECIN, 1>::new());
            pipe.init_buffer(&mut q, 2, 100)?;
            pipe.init_buffer(&mut q2, 1, 32)?;
            let x = q2.alloc_tensor::<u8>()?;
            assert_eq!(x.addr(), 256);
            q2.free_tensor(x)
        });
        report.assert_clean();
    }

    #[test]
    fn c48_a_cast_over_its_own_source() {
        let report = report_of(A2, |pipe| {
            let mut buf = TBuf::<VECCALC>::new();
            pipe.init_tbuf(&mut buf, 1024)?;
            let half = buf.get::<f16>()?;
            let single = buf.get::<f32>()?;
            duplicate(&half, f16::from_f32(1.0), 128)?;
            let error = cast(&single, &half, RoundMode::CAST_NONE, 128).unwrap_err();
            assert!(
                matches!(error, BufPoolError::Data(DataError::OverwritesSource { .. })),
                "{error}"
            );
            // The other way each element is read before its bytes are written.
            duplicate(&single.slice(128..256)?, 1.0, 128)?;
            cast(&half.slice(256..512)?, &single.slice(128..256)?, RoundMode::CAST_RINT, 128)
        });
        report.assert_clean();
    }
}

mod life {
    use super::*;

    #[test]
    fn c18_no_free_block_names_who_holds_them() {
        let pipe = checked(A2);
        let mut q = TQue::<VECIN, 1>::new();
        pipe.init_buffer(&mut q, 2, 1024).unwrap();
        let mut out = Vec::new();
        for _ in 0..2 {
            let t = q.alloc_tensor::<f16>().unwrap();
            q.enque(t).unwrap();
            out.push(q.deque::<f16>().unwrap());
        }
        let dequeued = line!() - 2;
        let error = q.alloc_tensor::<f16>().unwrap_err();
        let BufPoolError::NoFreeBlock { blocks: 2, trail, .. } = &error else { panic!("{error}") };
        let lines: Vec<u32> = trail.places().iter().map(|at| at.line()).collect();
        assert_eq!(lines, [dequeued + 3, dequeued, dequeued], "{error}");
        for t in out {
            q.free_tensor(t).unwrap();
        }
        let t = q.alloc_tensor::<f16>().unwrap();
        q.free_tensor(t).unwrap();
        pipe.finish().assert_clean();
    }

    #[test]
    fn c19_write_after_free_by_handle() {
        let kernel = |late: bool| {
            report_of(A2, |pipe| {
                let mut q = TQue::<VECIN, 1>::new();
                pipe.init_buffer(&mut q, 1, 1024)?;
                let gm = ones(512);
                let handle = q.alloc_buffer()?;
                let t = q.tensor_of::<f16>(handle)?;
                if late {
                    q.free_buffer(handle)?;
                    data_copy(&t, &gm)?;
                } else {
                    data_copy(&t, &gm)?;
                    q.free_buffer(handle)?;
                }
                Ok(())
            })
        };
        assert_found(&kernel(true), &[CheckId::WriteUnallocated]);
        kernel(false).assert_clean();
    }

    #[test]
    fn c20_read_after_free_by_handle() {
        let kernel = |late: bool| {
            report_of(A2, |pipe| {
                let (mut q, mut z) = (TQue::<VECIN, 1>::new(), TBuf::<VECCALC>::new());
                pipe.init_buffer(&mut q, 1, 1024)?;
                pipe.init_tbuf(&mut z, 1024)?;
                let z = z.get::<f16>()?;
                let t = q.alloc_tensor::<f16>()?;
                data_copy(&t, &ones(512))?;
                q.enque(t)?;
                let handle = q.deque_handle()?;
                let t = q.tensor_of::<f16>(handle)?;
                if late {
                    q.free_buffer(handle)?;
                    abs(&z, &t, 512)
                } else {
                    abs(&z, &t, 512)?;
                    q.free_buffer(handle)
                }
            })
        };
        assert_found(&kernel(true), &[CheckId::ReadUnallocated]);
        kernel(false).assert_clean();
    }

    #[test]
    fn c21_free_twice_by_handle() {
        let pipe = checked(A2);
        let mut q = TQue::<VECIN, 1>::new();
        pipe.init_buffer(&mut q, 1, 1024).unwrap();
        let handle = q.alloc_buffer().unwrap();
        q.free_buffer(handle).unwrap();
        let error = q.free_buffer(handle).unwrap_err();
        assert!(matches!(error, BufPoolError::DoubleFree { .. }), "{error}");
        pipe.finish().assert_clean();
    }

    #[test]
    fn c22_deque_of_an_empty_queue() {
        let pipe = checked(A2);
        let mut q = TQue::<VECIN, 1>::new();
        pipe.init_buffer(&mut q, 2, 1024).unwrap();
        let error = q.deque::<f16>().unwrap_err();
        assert!(matches!(error, BufPoolError::QueueEmpty { .. }), "{error}");
        let t = q.alloc_tensor::<f16>().unwrap();
        q.enque(t).unwrap();
        let t = q.deque::<f16>().unwrap();
        let error = q.deque::<f16>().unwrap_err();
        assert!(matches!(error, BufPoolError::QueueEmpty { .. }), "{error}");
        q.free_tensor(t).unwrap();
        pipe.finish().assert_clean();
    }

    #[test]
    fn c23_depth_bounds_enque_without_deque() {
        let pipe = checked(A2);
        let (mut one, mut two) = (TQue::<VECOUT, 1>::new(), TQue::<VECOUT, 2>::new());
        pipe.init_buffer(&mut one, 2, 1024).unwrap();
        pipe.init_buffer(&mut two, 2, 1024).unwrap();
        let (a, b) = (one.alloc_buffer().unwrap(), one.alloc_buffer().unwrap());
        one.enque_handle(a).unwrap();
        let error = one.enque_handle(b).unwrap_err();
        assert!(matches!(error, BufPoolError::QueueFull { depth: 1, .. }), "{error}");
        one.free_buffer(b).unwrap();
        let a = one.deque_handle().unwrap();
        one.free_buffer(a).unwrap();
        for _ in 0..2 {
            let t = two.alloc_tensor::<f16>().unwrap();
            two.enque(t).unwrap();
        }
        for _ in 0..2 {
            let t = two.deque::<f16>().unwrap();
            two.free_tensor(t).unwrap();
        }
        pipe.finish().assert_clean();
    }

    #[test]
    fn c25_a_tensor_of_another_queue() {
        let pipe = checked(A2);
        let (mut x, mut y) = (TQue::<VECIN, 1>::new(), TQue::<VECIN, 1>::new());
        pipe.init_buffer(&mut x, 1, 1024).unwrap();
        pipe.init_buffer(&mut y, 1, 1024).unwrap();
        let handle = x.alloc_buffer().unwrap();
        let error = y.enque_handle(handle).unwrap_err();
        assert!(matches!(error, BufPoolError::WrongQueue { .. }), "{error}");
        let error = y.free_buffer(handle).unwrap_err();
        assert!(matches!(error, BufPoolError::WrongQueue { .. }), "{error}");
        x.free_buffer(handle).unwrap();
        pipe.finish().assert_clean();
    }

    #[test]
    fn c26_alloc_before_init_buffer() {
        let q = TQue::<VECIN, 1>::new();
        let error = q.alloc_tensor::<f16>().unwrap_err();
        assert!(matches!(error, BufPoolError::NoInitBuffer { .. }), "{error}");
    }

    #[test]
    fn c27_two_pipes_on_one_core() {
        let first = checked(A2);
        let error = TPipe::new(A2).unwrap_err();
        assert!(matches!(error, BufPoolError::PipeLive { .. }), "{error}");
        first.destroy().unwrap();
        let second = TPipe::new(A2).unwrap();
        drop(second);
        first.finish().assert_clean();
    }

    #[test]
    fn c28_a_tensor_still_out_at_the_end() {
        let kernel = |free: bool| {
            report_of(A2, |pipe| {
                let mut q = TQue::<VECIN, 1>::new();
                pipe.init_buffer(&mut q, 1, 1024)?;
                let handle = q.alloc_buffer()?;
                if free { q.free_buffer(handle) } else { Ok(()) }
            })
        };
        let allocated = line!() - 4;
        let report = kernel(false);
        assert_found(&report, &[CheckId::Leak]);
        assert_eq!(report.findings()[0].labels[0].place.line(), allocated, "{report}");
        kernel(true).assert_clean();
    }

    #[test]
    fn c13_two_views_of_one_tbuf() {
        let kernel = |offset| {
            report_of(A2, |pipe| {
                let (mut buf, mut out) = (TBuf::<VECCALC>::new(), TBuf::<VECCALC>::new());
                pipe.init_tbuf(&mut buf, 2048)?;
                pipe.init_tbuf(&mut out, 1024)?;
                let a = buf.get_with_offset::<f16>(512, 0)?;
                let c = buf.get_with_offset::<f16>(512, offset)?;
                let out = out.get::<f16>()?;
                duplicate(&a, f16::from_f32(1.0), 512)?;
                duplicate(&c, f16::from_f32(2.0), 512)?;
                abs(&out, &a, 512)
            })
        };
        assert_found(&kernel(0), &[CheckId::OverwriteUnread]);
        kernel(1024).assert_clean();
    }

    #[test]
    fn c29_addresses_over_an_automatic_block() {
        let kernel = |use_both: bool| {
            report_of(A2, |pipe| {
                let (mut a, mut b) = (TQue::<VECIN, 1>::new(), TQue::<VECIN, 1>::new());
                pipe.init_buffer(&mut a, 1, 4096)?;
                pipe.init_buffer_at(&mut b, &[(0, 1024), (2048, 2048), (8192, 4096)])?;
                if use_both {
                    let (x, y) = (a.alloc_tensor::<f16>()?, b.alloc_tensor::<f16>()?);
                    data_copy(&y, &ones(512))?;
                    a.free_tensor(x)?;
                    b.free_tensor(y)?;
                }
                Ok(())
            })
        };
        let report = kernel(false);
        assert_found(&report, &[CheckId::Overlap]);
        assert_eq!((report.count(Severity::Warning), report.count(Severity::Error)), (1, 0));
        let report = kernel(true);
        assert_eq!(report.count(Severity::Error), 1, "{report}");

        report_of(A2, |pipe| {
            let (mut a, mut b) = (TQue::<VECIN, 1>::new(), TQue::<VECIN, 1>::new());
            pipe.init_buffer(&mut a, 1, 4096)?;
            pipe.init_buffer_at(&mut b, &[(4096, 1024), (6144, 2048), (8192, 4096)])
        })
        .assert_clean();
    }
}

mod events {
    use super::*;

    #[test]
    fn c33_fetch_does_not_reserve() {
        let report = report_of(A2, |pipe| {
            let e1 = pipe.fetch_event_id(HardEvent::V_MTE3)?;
            pipe.set_flag(HardEvent::V_MTE3, e1)?;
            let e2 = pipe.fetch_event_id(HardEvent::V_MTE3)?;
            assert_eq!(e1, e2);
            pipe.set_flag(HardEvent::V_MTE3, e2)?;
            pipe.wait_flag(HardEvent::V_MTE3, e2)
        });
        assert_found(&report, &[CheckId::FetchedIdInFlight, CheckId::DuplicateSet]);

        let report = report_of(A2, |pipe| {
            let e1 = pipe.alloc_event_id(HardEvent::V_MTE3)?;
            pipe.set_flag(HardEvent::V_MTE3, e1)?;
            let e2 = pipe.alloc_event_id(HardEvent::V_MTE3)?;
            assert_ne!(e1, e2);
            pipe.set_flag(HardEvent::V_MTE3, e2)?;
            for id in [e1, e2] {
                pipe.wait_flag(HardEvent::V_MTE3, id)?;
                pipe.release_event_id(HardEvent::V_MTE3, id)?;
            }
            let fetched = pipe.fetch_event_id(HardEvent::V_MTE3)?;
            pipe.set_flag(HardEvent::V_MTE3, fetched)?;
            pipe.wait_flag(HardEvent::V_MTE3, fetched)
        });
        report.assert_clean();
    }

    #[test]
    fn c34_set_twice() {
        let report = report_of(A2, |pipe| {
            pipe.set_flag(HardEvent::MTE2_V, 0)?;
            pipe.set_flag(HardEvent::MTE2_V, 0)?;
            pipe.pipe_barrier(Pipe::MTE2)?;
            pipe.wait_flag(HardEvent::MTE2_V, 0)
        });
        assert_found(&report, &[CheckId::DuplicateSet]);
        report_of(A2, |pipe| {
            for _ in 0..2 {
                pipe.set_flag(HardEvent::MTE2_V, 0)?;
                pipe.wait_flag(HardEvent::MTE2_V, 0)?;
            }
            Ok(())
        })
        .assert_clean();
    }

    #[test]
    fn c35_ids_that_the_chip_does_not_have() {
        for (chip, first_bad) in [(A2, 8), (Chip::AtlasTraining, 4)] {
            let pipe = checked(chip);
            let error = pipe.set_flag(HardEvent::MTE3_V, first_bad).unwrap_err();
            assert!(matches!(error, BufPoolError::EventIdOutOfRange { .. }), "{error}");
            pipe.set_flag(HardEvent::MTE3_V, first_bad - 1).unwrap();
            pipe.wait_flag(HardEvent::MTE3_V, first_bad - 1).unwrap();
            pipe.finish().assert_clean();
        }
    }

    #[test]
    fn c36_an_id_that_a_block_holds() {
        let kernel = |id| {
            report_of(A2, |pipe| {
                let mut q = TQue::<VECOUT, 1>::new().named("z");
                pipe.init_buffer(&mut q, 1, 1024)?;
                let t = q.alloc_tensor::<f16>()?;
                q.free_tensor(t)?;
                pipe.set_flag(HardEvent::MTE3_V, id)?;
                if id != 0 {
                    pipe.wait_flag(HardEvent::MTE3_V, id)?;
                }
                Ok(())
            })
        };
        let report = kernel(0);
        assert_found(&report, &[CheckId::DuplicateSet]);
        let finding = &report.findings()[0];
        assert_eq!(finding.buffers, ["VECOUT queue `z`"]);
        // A wait in between would take the block's flag away.
        assert_eq!(
            finding.help.as_deref(),
            Some("take another id with alloc_event_id(HardEvent::MTE3_V)")
        );
        kernel(1).assert_clean();
    }

    #[test]
    fn c39_set_without_wait() {
        let kernel = |wait: bool| {
            report_of(A2, |pipe| {
                pipe.set_flag(HardEvent::MTE2_V, 0)?;
                if wait { pipe.wait_flag(HardEvent::MTE2_V, 0) } else { Ok(()) }
            })
        };
        assert_found(&kernel(false), &[CheckId::UnmatchedSet]);
        kernel(true).assert_clean();
    }
}

mod order {
    use super::*;

    fn copy_and_compute(queue: bool) -> Report {
        report_of(A2, |pipe| {
            let (mut q, mut z) = (TQue::<VECIN, 1>::new(), TBuf::<VECCALC>::new());
            pipe.init_buffer(&mut q, 1, 1024)?;
            pipe.init_tbuf(&mut z, 1024)?;
            let z = z.get::<f16>()?;
            let mut t = q.alloc_tensor::<f16>()?;
            data_copy(&t, &ones(512))?;
            if queue {
                q.enque(t)?;
                t = q.deque::<f16>()?;
            }
            abs(&z, &t, 512)?;
            q.free_tensor(t)
        })
    }

    #[test]
    fn c40_no_enque_and_deque() {
        let report = copy_and_compute(false);
        assert_found(&report, &[CheckId::ReadRace]);
        assert!(report.has(CheckId::WrongState));
        let finding = &report.findings()[0];
        assert_eq!((finding.ranges[0].start, finding.ranges[0].end), (0, 1024));
        assert_eq!(finding.ranges[0].elements(), 512);
        copy_and_compute(true).assert_clean();
    }

    fn two_buffers(late: bool) -> Report {
        report_of(A2, |pipe| {
            let mut q = TQue::<VECIN, 1>::new();
            let (mut buf, mut z) = (TBuf::<VECCALC>::new(), TBuf::<VECCALC>::new());
            pipe.init_buffer(&mut q, 1, 1024)?;
            pipe.init_tbuf(&mut buf, 1024)?;
            pipe.init_tbuf(&mut z, 1024)?;
            let (buf, z, gm) = (buf.get::<f16>()?, z.get::<f16>()?, ones(512));
            let t = q.alloc_tensor::<f16>()?;
            data_copy(&t, &gm)?;
            if !late {
                data_copy(&buf, &gm)?;
            }
            q.enque(t)?;
            if late {
                data_copy(&buf, &gm)?;
            }
            let t = q.deque::<f16>()?;
            add(&z, &t, &buf, 512)?;
            q.free_tensor(t)
        })
    }

    #[test]
    fn c41a_a_flag_orders_all_earlier_work() {
        two_buffers(false).assert_clean();
    }

    #[test]
    fn c41c_a_flag_orders_no_later_work() {
        let report = two_buffers(true);
        assert_found(&report, &[CheckId::ReadRace]);
        assert_eq!(report.findings()[0].buffers, ["VECCALC TBuf"]);
    }

    #[test]
    fn c42_scalar_access_is_not_ordered_by_queues() {
        let kernel = |flags: bool| {
            report_of(A2, |pipe| {
                let (mut q, mut y) = (TQue::<VECIN, 1>::new(), TBuf::<VECCALC>::new());
                pipe.init_buffer(&mut q, 1, 1024)?;
                pipe.init_tbuf(&mut y, 1024)?;
                let y = y.get::<f16>()?;
                let t = q.alloc_tensor::<f16>()?;
                data_copy(&t, &ones(512))?;
                if flags {
                    pipe.set_flag(HardEvent::MTE2_S, 0)?;
                }
                q.enque(t)?;
                let t = q.deque::<f16>()?;
                if flags {
                    pipe.wait_flag(HardEvent::MTE2_S, 0)?;
                }
                t.get_value(0)?;
                abs(&y, &t, 512)?;
                if flags {
                    pipe.set_flag(HardEvent::V_S, 0)?;
                    pipe.wait_flag(HardEvent::V_S, 0)?;
                }
                y.get_value(0)?;
                q.free_tensor(t)
            })
        };
        assert_found(&kernel(false), &[CheckId::ScalarUnordered, CheckId::ReadRace]);
        kernel(true).assert_clean();
    }

    #[test]
    fn c43_compute_and_copy_out() {
        let kernel = |flags: bool| {
            report_of(A2, |pipe| {
                let mut buf = TBuf::<VECCALC>::new();
                pipe.init_tbuf(&mut buf, 1024)?;
                let buf = buf.get::<f16>()?;
                duplicate(&buf, f16::from_f32(1.0), 512)?;
                if flags {
                    pipe.set_flag(HardEvent::V_MTE3, 0)?;
                    pipe.wait_flag(HardEvent::V_MTE3, 0)?;
                }
                data_copy(&GlobalTensor::<f16>::zeros(512), &buf)
            })
        };
        assert_found(&kernel(false), &[CheckId::ReadRace]);
        kernel(true).assert_clean();
    }

    #[test]
    fn c44_the_second_round_overwrites_what_is_copied_out() {
        let kernel = |back: bool| {
            report_of(A2, |pipe| {
                let mut a = TBuf::<VECCALC>::new();
                pipe.init_tbuf(&mut a, 1024)?;
                let a = a.get::<f16>()?;
                let out = GlobalTensor::<f16>::zeros(1024);
                for round in 0..2 {
                    duplicate(&a, f16::from_f32(1.0), 512)?;
                    pipe.set_flag(HardEvent::V_MTE3, 0)?;
                    pipe.wait_flag(HardEvent::V_MTE3, 0)?;
                    data_copy(&out.slice(round * 512..(round + 1) * 512)?, &a)?;
                    if back {
                        pipe.set_flag(HardEvent::MTE3_V, 0)?;
                        pipe.wait_flag(HardEvent::MTE3_V, 0)?;
                    }
                }
                Ok(())
            })
        };
        assert_found(&kernel(false), &[CheckId::WriteRace]);
        kernel(true).assert_clean();
    }

    #[test]
    fn c46_copies_over_each_other_need_a_barrier() {
        let kernel = |barrier: bool| {
            let pipe =
                TPipe::builder(A2).core_kind(CoreKind::AIC).checks(Checks::Full).build().unwrap();
            let mut a = TBuf::<A1>::new();
            pipe.init_tbuf(&mut a, 512).unwrap();
            let a = a.get::<f16>().unwrap();
            data_copy(&a, &ones(256)).unwrap();
            if barrier {
                pipe.pipe_barrier(Pipe::MTE2).unwrap();
            }
            data_copy(&a, &ones(240)).unwrap();
            pipe.finish()
        };
        let report = kernel(false);
        assert_found(&report, &[CheckId::WriteRace]);
        assert_eq!(
            (report.findings()[0].ranges[0].start, report.findings()[0].ranges[0].end),
            (0, 480)
        );
        kernel(true).assert_clean();
    }

    #[test]
    fn c46v_vector_work_on_vector_work() {
        let kernel = |pipe: TPipe, barrier: bool| {
            let mut buf = TBuf::<VECCALC>::new();
            pipe.init_tbuf(&mut buf, 3072).unwrap();
            let [x, a, b] = [0, 1024, 2048].map(|at| buf.get_with_offset::<f16>(512, at).unwrap());
            let id = 0;
            data_copy(&x, &ones(512)).unwrap();
            pipe.set_flag(HardEvent::MTE2_V, id).unwrap();
            pipe.wait_flag(HardEvent::MTE2_V, id).unwrap();
            abs(&a, &x, 512).unwrap();
            if barrier {
                pipe.pipe_barrier(Pipe::V).unwrap();
            }
            abs(&b, &a, 512).unwrap();
            pipe.finish()
        };
        assert_found(&kernel(without_auto_barriers(A2), false), &[CheckId::ReadRace]);
        kernel(without_auto_barriers(A2), true).assert_clean();
        kernel(checked(A2), false).assert_clean();
        kernel(without_auto_barriers(Chip::Ascend950), false).assert_clean();
    }
}

mod pools {
    use super::*;

    type UbPool<const N: u8> = TBufPool<VECCALC, N>;

    #[test]
    fn p01_a_sharing_pool_without_reset_between() {
        let kernel = |reset: bool| {
            report_of(A2, |pipe| {
                let (mut p1, mut p2) = (UbPool::<4>::new(), UbPool::<4>::new());
                let (mut a, mut b) = (TQue::<VECIN, 1>::new(), TQue::<VECIN, 1>::new());
                let mut z = TBuf::<VECCALC>::new();
                pipe.init_tbuf(&mut z, 1024)?;
                pipe.init_buf_pool(&mut p1, 65_536)?;
                pipe.init_buf_pool_shared(&mut p2, 65_536, &p1)?;
                p1.init_buffer(&mut a, 1, 1024)?;
                let (z, gm) = (z.get::<f16>()?, ones(512));
                let t = a.alloc_tensor::<f16>()?;
                data_copy(&t, &gm)?;
                a.enque(t)?;
                let t = a.deque::<f16>()?;
                abs(&z, &t, 512)?;
                a.free_tensor(t)?;
                if reset {
                    p1.reset()?;
                }
                p2.init_buffer(&mut b, 1, 1024)?;
                let t = b.alloc_tensor::<f16>()?;
                data_copy(&t, &gm)?;
                b.free_tensor(t)
            })
        };
        assert_found(&kernel(false), &[CheckId::SharingPoolLive]);
        kernel(true).assert_clean();
    }

    #[test]
    fn p02_live_tensors_of_two_sharing_pools() {
        let kernel = |one_after_the_other: bool| {
            report_of(A2, |pipe| {
                let (mut p1, mut p2) = (UbPool::<4>::new(), UbPool::<4>::new());
                let (mut x_que, mut y_que) = (TQue::<VECIN, 1>::new(), TQue::<VECIN, 1>::new());
                let mut z = TBuf::<VECCALC>::new();
                pipe.init_tbuf(&mut z, 1024)?;
                pipe.init_buf_pool(&mut p1, 65_536)?;
                pipe.init_buf_pool_shared(&mut p2, 65_536, &p1)?;
                p1.init_buffer(&mut x_que, 1, 1024)?;
                let (z, gm) = (z.get::<f16>()?, ones(512));
                let x = x_que.alloc_tensor::<f16>()?;
                data_copy(&x, &gm)?;
                x_que.enque(x)?;
                let x = x_que.deque::<f16>()?;
                if one_after_the_other {
                    abs(&z, &x, 512)?;
                    x_que.free_tensor(x)?;
                    p1.reset()?;
                    p2.init_buffer(&mut y_que, 1, 1024)?;
                    let y = y_que.alloc_tensor::<f16>()?;
                    data_copy(&y, &gm)?;
                    return y_que.free_tensor(y);
                }
                p2.init_buffer(&mut y_que, 1, 1024)?;
                let y = y_que.alloc_tensor::<f16>()?;
                pipe.pipe_barrier_all()?;
                data_copy(&y, &gm)?;
                abs(&z, &x, 512)?;
                y_que.free_tensor(y)?;
                x_que.free_tensor(x)
            })
        };
        assert_found(&kernel(false), &[CheckId::Overlap]);
        kernel(true).assert_clean();
    }

    #[test]
    fn p07_a_sharing_pool_gets_the_whole_length() {
        let report = report_of(A2, |pipe| {
            let (mut p1, mut p2, mut p3) =
                (UbPool::<4>::new(), UbPool::<4>::new(), UbPool::<4>::new());
            let mut q = TQue::<VECIN, 1>::new();
            pipe.init_buf_pool(&mut p1, 65_536)?;
            pipe.init_buf_pool_shared(&mut p2, 1024, &p1)?;
            p2.init_buffer(&mut q, 1, 4096)?;
            let error = pipe.init_buf_pool_shared(&mut p3, 65_568, &p1).unwrap_err();
            assert!(matches!(error, BufPoolError::SharedTooShort { limit: 65_536, .. }), "{error}");
            pipe.init_buf_pool_shared(&mut p3, 65_536, &p1)
        });
        assert_eq!(report.of(CheckId::PoolLongerThanAsked).count(), 1, "{report}");
        report.assert_clean();
    }

    #[test]
    fn p08_pools_stay_in_their_memory() {
        let pipe = checked(A2);
        let mut ub = TBufPool::<VECIN, 4>::new();
        let mut l1 = TBufPool::<A1, 4>::new();
        pipe.init_buf_pool(&mut ub, 65_536).unwrap();
        let error = pipe.init_buf_pool_shared(&mut l1, 1024, &ub).unwrap_err();
        assert!(matches!(error, BufPoolError::WrongMemory { .. }), "{error}");
        let mut a1 = TQue::<A1, 1>::new();
        let error = ub.init_buffer(&mut a1, 1, 1024).unwrap_err();
        assert!(matches!(error, BufPoolError::WrongMemory { .. }), "{error}");
        let mut out = TQue::<VECOUT, 1>::new();
        ub.init_buffer(&mut out, 1, 1024).unwrap();
        pipe.finish().assert_clean();
    }

    #[test]
    fn p09_a_pool_before_init_buf_pool() {
        let pipe = checked(A2);
        let (mut pool, mut q) = (UbPool::<4>::new(), TQue::<VECIN, 1>::new());
        let error = pool.init_buffer(&mut q, 1, 1024).unwrap_err();
        assert!(matches!(error, BufPoolError::PoolNotInitialised { .. }), "{error}");
        pipe.init_buf_pool(&mut pool, 65_536).unwrap();
        pool.init_buffer(&mut q, 1, 1024).unwrap();
        pipe.finish().assert_clean();
    }

    #[extern_impl_bufpool(position = VECCALC, bufid_size = 16)]
    #[derive(Default)]
    struct Custom {
        /// Whether the cursor is moved past what was handed out.
        lazy: bool,
    }

    impl Custom {
        fn init_queue<S: Position, D: Position, const N: usize>(
            &mut self,
            que: &mut TQueBind<S, D, N>,
            num: u8,
            len: u32,
        ) -> Result<()> {
            let len = align_up(len);
            let (first, addr) = (self.get_cur_buf_size(), self.get_cur_addr());
            que.init_start_buf_handle(self.get_buf_handle(first)?, num, len)?;
            for i in 0..num {
                let handle = self.get_buf_handle(first + i)?;
                que.init_buf_handle(self, i, handle, addr + u32::from(i) * len, len)?;
            }
            if !self.lazy {
                self.set_cur_addr(addr + u32::from(num) * len);
            }
            self.set_cur_buf_size(first + num);
            Ok(())
        }
    }

    fn custom(lazy: bool, declared: bool) -> Report {
        report_of(A2, |pipe| {
            let mut pool = Custom { lazy, ..Custom::default() };
            let (mut q1, mut q2) = (TQue::<VECIN, 1>::new(), TQue::<VECIN, 1>::new());
            pipe.init_buf_pool(&mut pool, 65_536)?;
            pool.init_queue(&mut q1, 1, 8192)?;
            pool.init_queue(&mut q2, 1, 8192)?;
            if declared { declare_sharing(&[&q1, &q2]) } else { Ok(()) }
        })
    }

    #[test]
    fn p11_the_cursor_was_not_moved() {
        assert_found(&custom(true, false), &[CheckId::CursorNotAdvanced]);
        custom(true, true).assert_clean();
        custom(false, false).assert_clean();
    }

    #[test]
    fn p12_a_handle_past_the_records() {
        let pipe = checked(A2);
        let mut pool = Custom::default();
        pipe.init_buf_pool(&mut pool, 65_536).unwrap();
        let error = pool.get_buf_handle(16).unwrap_err();
        assert!(
            matches!(error, BufPoolError::HandleOutOfRange { index: 16, limit: 16, .. }),
            "{error}"
        );
        pool.get_buf_handle(15).unwrap();
        pipe.finish().assert_clean();
    }

    #[test]
    fn p13_the_fourth_block_is_outside() {
        // The pool is all of UB on the one, and UB goes on behind it on the other.
        for (chip, found) in
            [(A2, &[CheckId::OverDocumentedUb][..]), (Chip::AtlasInferenceAiCore, &[])]
        {
            let pipe = checked(chip);
            let mut pool = Custom::default();
            let mut q = TQue::<VECIN, 1>::new();
            pipe.init_buf_pool(&mut pool, 196_608).unwrap();
            let error = pool.init_queue(&mut q, 4, 65_536).unwrap_err();
            let BufPoolError::OutsidePool { addr: 196_608, pool_end: 196_608, .. } = error else {
                panic!("{error}");
            };
            assert!(error.to_string().contains("196608 held by: "), "{error}");
            let mut pool = Custom::default();
            let mut q = TQue::<VECIN, 1>::new();
            pipe.reset().unwrap();
            pipe.init_buf_pool(&mut pool, 196_608).unwrap();
            pool.init_queue(&mut q, 3, 65_536).unwrap();
            assert_found(&pipe.finish(), found);
        }
    }

    #[test]
    fn p14_a_tbuf_has_one_block() {
        let pipe = checked(A2);
        let mut pool = Custom::default();
        let mut buf = TBuf::<VECCALC>::new();
        pipe.init_buf_pool(&mut pool, 65_536).unwrap();
        let handle = pool.get_buf_handle(0).unwrap();
        let error = buf.init_start_buf_handle(handle, 2, 1024).unwrap_err();
        assert!(matches!(error, BufPoolError::BadBlockCount { asked: 2, .. }), "{error}");
        buf.init_start_buf_handle(handle, 1, 1024).unwrap();
        pipe.finish().assert_clean();
    }

    #[test]
    fn p16_a_tbuf_over_part_of_a_sharing_pool() {
        let kernel = |reset: bool| {
            report_of(A2, |pipe| {
                let (mut scratch, mut other) = (UbPool::<4>::new(), UbPool::<4>::new());
                let (mut r, mut all) = (TBuf::<VECCALC>::new(), TBuf::<VECCALC>::new());
                let mut input = TQue::<VECIN, 1>::new().named("in");
                pipe.init_buf_pool(&mut scratch, 20_480)?;
                pipe.init_buf_pool_shared(&mut other, 16_384, &scratch)?;
                if reset {
                    other.init_tbuf(&mut all, 16_384)?;
                    duplicate(&all.get::<f16>()?, f16::ZERO, 8192)?;
                    other.reset()?;
                    pipe.set_flag(HardEvent::V_MTE2, 7)?;
                    pipe.wait_flag(HardEvent::V_MTE2, 7)?;
                }
                scratch.init_tbuf(&mut r, 4096)?;
                scratch.init_buffer(&mut input, 2, 8192)?;
                let _r = r.get::<f16>()?;
                let t = input.alloc_tensor::<f16>()?;
                if !reset {
                    other.init_tbuf(&mut all, 16_384)?;
                    duplicate(&all.get::<f16>()?, f16::ZERO, 8192)?;
                }
                data_copy(&t, &ones(4096))?;
                input.free_tensor(t)
            })
        };
        let report = kernel(false);
        assert_found(&report, &[CheckId::Overlap]);
        assert!(report.has(CheckId::WriteRace), "{report}");
        let with_r = report.of(CheckId::Overlap).any(|finding| finding.buffers == ["VECCALC TBuf"]);
        assert!(with_r, "{report}");
        kernel(true).assert_clean();
    }

    #[test]
    fn p17_a_slot_past_the_end() {
        let pipe =
            TPipe::builder(A2).core_kind(CoreKind::AIC).checks(Checks::Full).build().unwrap();
        let mut buf = TBuf::<A1>::new();
        pipe.init_tbuf(&mut buf, 131_072).unwrap();
        for slot in 0..2 {
            let _view = buf.get_with_offset::<f16>(32_768, slot * 65_536).unwrap();
        }
        let error = buf.get_with_offset::<f16>(32_768, 131_072).unwrap_err();
        assert!(matches!(error, BufPoolError::ViewOutOfBounds { end: 196_608, .. }), "{error}");
        pipe.finish().assert_clean();
    }
}

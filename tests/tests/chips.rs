//! What differs by chip: the product table, ways between memories, TSCM.

mod support;

use bufpool_runtime::prelude::*;
use bufpool_runtime::{BufPoolError, Hardware};
use support::Custom;

const WITH_TPIPE: [Chip; 6] = [
    Chip::Ascend950,
    Chip::AtlasA3,
    Chip::AtlasA2,
    Chip::Atlas200I500A2,
    Chip::AtlasInferenceAiCore,
    Chip::AtlasTraining,
];

mod products {
    use super::*;

    #[test]
    #[allow(clippy::too_many_lines, reason = "most of them are the table")]
    fn the_table_of_the_seven_products() {
        // chip, product, arch, UB, documented UB, L1, L0A and L0B, L0C, event ids, TPipe, pools
        let table = [
            (
                Chip::Ascend950,
                "Atlas 350, Ascend 950PR/950DT",
                3510,
                262_144,
                253_952,
                524_288,
                65_536,
                262_144,
                8,
                true,
                true,
            ),
            (
                Chip::AtlasA3,
                "Atlas A3 training/inference",
                2201,
                196_608,
                196_352,
                524_288,
                65_536,
                131_072,
                8,
                true,
                true,
            ),
            (
                Chip::AtlasA2,
                "Atlas A2 training/inference",
                2201,
                196_608,
                196_352,
                524_288,
                65_536,
                131_072,
                8,
                true,
                true,
            ),
            (
                Chip::Atlas200I500A2,
                "Atlas 200I/500 A2 inference",
                3002,
                262_144,
                253_952,
                1_048_576,
                65_536,
                131_072,
                8,
                true,
                false,
            ),
            (
                Chip::AtlasInferenceAiCore,
                "Atlas inference, AI Core",
                2002,
                262_144,
                262_144,
                1_048_576,
                65_536,
                262_144,
                8,
                true,
                true,
            ),
            (
                Chip::AtlasInferenceVectorCore,
                "Atlas inference, Vector Core",
                2002,
                262_144,
                262_144,
                1_048_576,
                65_536,
                262_144,
                8,
                false,
                false,
            ),
            (
                Chip::AtlasTraining,
                "Atlas training",
                1001,
                262_144,
                262_144,
                1_048_576,
                65_536,
                262_144,
                4,
                true,
                true,
            ),
        ];
        assert_eq!(table.map(|row| row.0), Chip::ALL);
        for (chip, product, arch, ub, documented, l1, l0, l0c, ids, has_tpipe, has_pools) in table {
            let spec = chip.spec();
            assert_eq!(
                (spec.product, spec.arch, spec.documented_ub),
                (product, arch, documented),
                "{chip}"
            );
            let capacity = |memory| spec.capacity(memory);
            assert_eq!(
                [Hardware::UB, Hardware::L1, Hardware::L0A, Hardware::L0B, Hardware::L0C]
                    .map(capacity),
                [ub, l1, l0, l0, l0c],
                "{chip}"
            );
            assert_eq!(
                (spec.event_ids, spec.has_tpipe, spec.has_pools),
                (ids, has_tpipe, has_pools),
                "{chip}"
            );
        }
    }

    /// What happens to a pool on a chip: it works, or "no TPipe", "no buffer pools".
    fn on(chip: Chip, work: impl Fn(&TPipe) -> Result<()>) -> String {
        match TPipe::new(chip).and_then(|pipe| work(&pipe)) {
            Ok(()) => "works".to_owned(),
            Err(BufPoolError::NotOnChip { what, .. }) => format!("no {what}"),
            Err(other) => panic!("{chip}: {other}"),
        }
    }

    #[test]
    fn pools_work_or_are_refused_as_documented() {
        let expected = ["works", "works", "works", "no buffer pools", "works", "no TPipe", "works"];
        let carved = |pipe: &TPipe| {
            let (mut pool, mut que) = (TBufPool::<VECCALC>::new(), TQue::<VECIN, 1>::new());
            pipe.init_buf_pool(&mut pool, 4096)?;
            pool.init_buffer(&mut que, 2, 1024)?;
            let x = que.alloc_tensor::<f32>()?;
            que.free_tensor(x)?;
            pool.reset()
        };
        assert_eq!(Chip::ALL.map(|chip| on(chip, carved)), expected, "TBufPool");
        let custom = |pipe: &TPipe| {
            let (mut pool, mut que) = (Custom::default(), TQue::<VECIN, 1>::new());
            pipe.init_buf_pool(&mut pool, 4096)?;
            pool.init_queue(&mut que, 2, 1024)?;
            let x = que.alloc_tensor::<f32>()?;
            que.free_tensor(x)?;
            pool.reset()
        };
        assert_eq!(Chip::ALL.map(|chip| on(chip, custom)), expected, "custom pool");
    }

    #[test]
    fn queues_and_tbufs_work_wherever_there_is_a_pipe() -> Result<()> {
        for chip in WITH_TPIPE {
            let pipe = TPipe::new(chip)?;
            let (mut que, mut buf) = (TQue::<VECIN, 2>::new(), TBuf::<VECCALC>::new());
            pipe.init_buffer(&mut que, 2, 1024)?;
            pipe.init_tbuf(&mut buf, 1024)?;
            for _ in 0..3 {
                let x = que.alloc_tensor::<f32>()?;
                que.enque(x)?;
                let x = que.deque::<f32>()?;
                que.free_tensor(x)?;
            }
            assert_eq!(buf.get::<f32>()?.addr(), 2048, "{chip}");
        }
        Ok(())
    }
}

mod ways {
    use super::*;

    /// Copies UB to L1; the pipe's error on the chip, if there is no such way.
    fn to_l1(chip: Chip) -> Result<Vec<f32>> {
        let pipe = TPipe::new(chip)?;
        let (mut ub, mut l1) = (TBuf::<VECCALC>::new(), TBuf::<A1>::new());
        pipe.init_tbuf(&mut ub, 1024)?;
        pipe.init_tbuf(&mut l1, 1024)?;
        let (ub, l1) = (ub.get::<f32>()?, l1.get::<f32>()?);
        duplicate(&ub, 2.5, 256)?;
        pipe.pipe_barrier_all()?;
        data_copy(&l1, &ub)?;
        issue("peek", Pipe::MTE3, (&l1,), (), |(l1,), ()| l1[..3].to_vec())
    }

    #[test]
    fn ub_to_l1_goes_by_mte3_where_the_chip_can() {
        for chip in WITH_TPIPE {
            let copied = to_l1(chip);
            match chip {
                Chip::AtlasA2 | Chip::AtlasA3 | Chip::Atlas200I500A2 => {
                    let error = copied.unwrap_err().to_string();
                    assert!(error.starts_with("data_copy does not go from UB to L1 on"), "{error}");
                }
                _ => assert_eq!(copied.unwrap_or_default(), [2.5; 3], "{chip}"),
            }
        }
    }

    #[test]
    fn l1_to_ub_goes_by_mte1_on_ascend950() -> Result<()> {
        let gm = GlobalTensor::from_vec(vec![7_i32; 64]);
        let pipe = TPipe::builder(Chip::Ascend950)
            .core_kind(CoreKind::AIC)
            .checks(Checks::Full)
            .build()?;
        let (mut ub, mut l1) = (TBuf::<VECCALC>::new(), TBuf::<A1>::new());
        pipe.init_tbuf(&mut ub, 256)?;
        pipe.init_tbuf(&mut l1, 256)?;
        let (ub, l1) = (ub.get::<i32>()?, l1.get::<i32>()?);
        data_copy(&l1, &gm)?;
        let id = pipe.alloc_event_id(HardEvent::MTE2_MTE1)?;
        pipe.set_flag(HardEvent::MTE2_MTE1, id)?;
        pipe.wait_flag(HardEvent::MTE2_MTE1, id)?;
        data_copy(&ub, &l1)?;
        pipe.pipe_barrier_all()?;
        assert_eq!(ub.get_value(63)?, 7);
        pipe.finish().assert_clean();

        // The vector core has no MTE1.
        let pipe = TPipe::new(Chip::Ascend950)?;
        let (mut ub, mut l1) = (TBuf::<VECCALC>::new(), TBuf::<A1>::new());
        pipe.init_tbuf(&mut ub, 256)?;
        pipe.init_tbuf(&mut l1, 256)?;
        let error = data_copy(&ub.get::<i32>()?, &l1.get::<i32>()?).unwrap_err();
        assert!(matches!(error, BufPoolError::NoSuchPipe { pipe: Pipe::MTE1, .. }), "{error}");
        Ok(())
    }
}

mod tscm {
    use super::*;

    #[test]
    fn blocks_come_from_the_top_of_l1_on_every_chip() -> Result<()> {
        for chip in WITH_TPIPE {
            let pipe = TPipe::new(chip)?;
            let mut que = TSCMQue::<GM, 1>::new();
            let top = pipe.inspect().tscm;
            pipe.init_buffer(&mut que, 1, 1024)?;
            let taken = top - pipe.inspect().tscm;
            // Each of two vector cores has its own copy.
            let copies = if chip.spec().has_split_cores() { 2 } else { 1 };
            assert_eq!(taken, 1024 * copies, "{chip}");
            let x = que.alloc_tensor::<f32>()?;
            assert_eq!(x.position(), TPosition::TSCM);
            que.free_tensor(x)?;
        }
        Ok(())
    }

    #[test]
    fn a_vector_core_of_ascend950_fills_blocks_by_ids_that_both_cores_know() -> Result<()> {
        for kind in [CoreKind::AIV, CoreKind::AIC] {
            let pipe = TPipe::builder(Chip::Ascend950).core_kind(kind).build()?;
            let (mut first, mut second) = (TSCMQue::<VECIN, 1>::new(), TSCMQue::<VECIN, 1>::new());
            pipe.init_buffer(&mut first, 2, 64)?;
            pipe.init_buffer(&mut second, 8, 64)?;
            let locks = |que: &TSCMQue<VECIN, 1>| -> Vec<u8> {
                que.inspect()
                    .into_iter()
                    .flat_map(|view| view.records)
                    .filter_map(|record| record.lock)
                    .collect()
            };
            assert_eq!((locks(&first), locks(&second)), (vec![11, 10], (2..10).rev().collect()));
            let error = pipe.init_buffer(&mut TSCMQue::<VECIN, 1>::new(), 3, 64).unwrap_err();
            assert!(
                matches!(
                    error,
                    BufPoolError::LockIdsExhausted { asked: 3, free: 2, limit: 12, .. }
                ),
                "{error}"
            );
        }
        Ok(())
    }
}

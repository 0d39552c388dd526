//! One kernel on every chip: what the matrix says of kernels that are portable, and of those that
//! are not.

use bufpool_runtime::matrix::{ChipMatrix, DifferenceKind, Outcome};
use bufpool_runtime::prelude::*;
use bufpool_runtime::{CheckId, CoreFailure, Hardware, Launch, Severity, on_chips, on_every_chip};

/// Chips by how the kernel ended.
fn outcomes(matrix: &ChipMatrix) -> [Vec<Chip>; 3] {
    let chips = |which: fn(&Outcome) -> bool| {
        matrix.rows().iter().filter(|row| which(&row.outcome)).map(|row| row.chip).collect()
    };
    [
        chips(|outcome| matches!(outcome, Outcome::Fits)),
        chips(|outcome| matches!(outcome, Outcome::Fails(_))),
        chips(|outcome| matches!(outcome, Outcome::Refused(_))),
    ]
}

fn checked(chip: Chip) -> Result<TPipe> {
    TPipe::builder(chip).checks(Checks::Full).build()
}

fn carved_again(chip: Chip) -> Result<()> {
    let pipe = checked(chip)?;
    let (mut pool, mut que) = (TBufPool::<VECCALC>::new(), TQue::<VECIN, 1>::new());
    pipe.init_buf_pool(&mut pool, 8192)?;
    pool.init_buffer(&mut que, 2, 1024)?;
    pool.reset()?;
    pool.init_buffer(&mut que, 2, 2048)
}

fn six_queues(chip: Chip) -> Result<()> {
    let pipe = checked(chip)?;
    let mut queues: [TQue<VECIN, 1>; 6] = std::array::from_fn(|_| TQue::<VECIN, 1>::new());
    for que in &mut queues {
        pipe.init_buffer(que, 1, 1024)?;
    }
    for que in &queues {
        let x = que.alloc_tensor::<f32>()?;
        que.free_tensor(x)?;
    }
    Ok(())
}

fn bias_at_c1(chip: Chip) -> Result<()> {
    let pipe = checked(chip)?;
    let (mut bias, mut x) = (TQue::<C1, 1>::new().named("bias"), TQue::<VECIN, 1>::new());
    pipe.init_buffer(&mut bias, 1, 1024)?;
    pipe.init_buffer(&mut x, 1, 1024)
}

#[test]
fn a_pool_carved_again_after_its_reset_fits_ascend950_alone() {
    let matrix = on_every_chip(carved_again);
    let [fits, fails, refused] = outcomes(&matrix);
    assert_eq!(fits, [Chip::Ascend950]);
    assert_eq!(
        fails,
        [Chip::AtlasA3, Chip::AtlasA2, Chip::AtlasInferenceAiCore, Chip::AtlasTraining]
    );
    assert_eq!(refused, [Chip::Atlas200I500A2, Chip::AtlasInferenceVectorCore]);
    for chip in fails {
        let Outcome::Fails(CoreFailure::Error(error)) = &matrix.row(chip).unwrap().outcome else {
            panic!()
        };
        assert!(matches!(error, BufPoolError::PoolNotInitialised { .. }), "{error}");
    }
    assert!(!matrix.is_portable());
    let report = matrix.report();
    assert_eq!(
        report.of(CheckId::DiffersByChip).filter(|f| f.severity == Severity::Error).count(),
        4,
        "{report}"
    );
}

#[test]
fn six_queues_exhaust_the_four_ids_of_atlas_training() {
    let matrix = on_every_chip(six_queues);
    let [fits, fails, refused] = outcomes(&matrix);
    assert_eq!(
        (fits.len(), fails, refused),
        (5, vec![Chip::AtlasTraining], vec![Chip::AtlasInferenceVectorCore])
    );
    let row = |chip| matrix.row(chip).unwrap();
    let Outcome::Fails(CoreFailure::Error(error)) = &row(Chip::AtlasTraining).outcome else {
        panic!()
    };
    assert!(
        matches!(error, BufPoolError::EventIdsExhausted { event: HardEvent::V_MTE2, limit: 4, .. }),
        "{error}"
    );
    assert_eq!(row(Chip::AtlasTraining).fullest_event(), Some((HardEvent::V_MTE2, 4)));
    assert_eq!(row(Chip::AtlasA2).fullest_event(), Some((HardEvent::V_MTE2, 6)));
    assert_eq!((row(Chip::Ascend950).fullest_event(), row(Chip::Ascend950).peak_locks), (None, 6));
    // The blocks that are out when the kernel fails are no leaks of its own.
    assert!(row(Chip::AtlasTraining).report.is_clean());
}

#[test]
fn c1_lies_in_ub_on_the_older_chips_and_in_l1_on_the_others() {
    let matrix = on_every_chip(bias_at_c1);
    assert_eq!(matrix.reference(), Some(Chip::Ascend950));
    for row in matrix.rows().iter().filter(|row| row.fits()) {
        let in_ub = matches!(row.chip, Chip::AtlasInferenceAiCore | Chip::AtlasTraining);
        let high = |memory: Hardware| row.high_water[memory as usize].1;
        assert_eq!(
            (high(Hardware::UB), high(Hardware::L1)),
            if in_ub { (2048, 0) } else { (1024, 1024) },
            "{}",
            row.chip
        );
        let kinds: Vec<_> = row.differs.iter().map(|difference| difference.kind).collect();
        assert_eq!(
            kinds,
            if in_ub { vec![DifferenceKind::Layout] } else { vec![] },
            "{}",
            row.chip
        );
    }
    let first = &matrix.row(Chip::AtlasTraining).unwrap().differs[0].first;
    let said = "block 0 of the C1 queue `bias` is in UB at [0, 1024), on Ascend950 in L1 at [0, 1024) (tests/tests/matrix.rs:";
    assert!(first.starts_with(said), "{first}");
    let report = matrix.report();
    assert_eq!(report.count(Severity::Warning), 2, "{report}");
}

#[test]
fn a_kernel_of_queues_alone_is_portable() {
    let x_gm = GlobalTensor::from_vec((0..256_u16).map(f32::from).collect());
    let matrix = on_every_chip(|chip| {
        let pipe = checked(chip)?;
        let z_gm = GlobalTensor::<f32>::zeros(256);
        let (mut x_que, mut z_que) = (TQue::<VECIN, 1>::new(), TQue::<VECOUT, 1>::new());
        pipe.init_buffer(&mut x_que, 2, 1024)?;
        pipe.init_buffer(&mut z_que, 2, 1024)?;
        let x = x_que.alloc_tensor::<f32>()?;
        data_copy(&x, &x_gm)?;
        x_que.enque(x)?;
        let (x, z) = (x_que.deque::<f32>()?, z_que.alloc_tensor::<f32>()?);
        muls(&z, &x, 2.0, 256)?;
        x_que.free_tensor(x)?;
        z_que.enque(z)?;
        let z = z_que.deque::<f32>()?;
        data_copy(&z_gm, &z)?;
        z_que.free_tensor(z)?;
        Ok((z_gm.to_vec(), "done".to_owned()))
    });
    matrix.assert_portable();
    for row in matrix.rows().iter().filter(|row| row.fits()) {
        assert!(
            row.report.is_checked() && row.report.is_clean() && row.differs.is_empty(),
            "{matrix}"
        );
        assert_eq!(row.high_water[Hardware::UB as usize], (Hardware::UB, 4096));
        assert_eq!(row.layout.len(), 4);
    }
}

#[test]
fn results_that_differ_are_named_by_their_first_element() {
    let matrix = on_chips(&[Chip::AtlasA2, Chip::AtlasA3, Chip::AtlasTraining], |chip| {
        let ids = f32::from(chip.spec().event_ids);
        Ok((chip.spec().has_pools, vec![1.0, ids, ids]))
    });
    assert_eq!(matrix.reference(), Some(Chip::AtlasA2));
    assert!(matrix.row(Chip::AtlasA3).unwrap().differs.is_empty());
    let differs = &matrix.row(Chip::AtlasTraining).unwrap().differs;
    assert_eq!(differs.len(), 1);
    assert_eq!(
        (differs[0].kind, &differs[0].first[..]),
        (DifferenceKind::Results, "element 1 of result 1 is 4.0, on AtlasA2 8.0")
    );
}

#[test]
fn findings_that_only_some_chips_have_are_a_difference() {
    // Dependent vector work without barriers: wrong everywhere but on Ascend950.
    let matrix = on_every_chip(|chip| {
        let pipe = TPipe::builder(chip).checks(Checks::Full).auto_v_barriers(false).build()?;
        let mut buf = TBuf::<VECCALC>::new();
        pipe.init_tbuf(&mut buf, 1024)?;
        let x = buf.get::<f32>()?;
        duplicate(&x, 1.0, 256)?;
        adds(&x, &x, 1.0, 256)
    });
    let row = matrix.row(Chip::AtlasA2).unwrap();
    assert_eq!(row.differs[0].kind, DifferenceKind::Findings);
    assert!(
        row.differs[0].first.starts_with("read-race is found not on Ascend950: "),
        "{}",
        row.differs[0].first
    );
    assert!(matrix.row(Chip::Ascend950).unwrap().report.is_clean());
}

#[test]
fn a_panic_on_one_chip_does_not_stop_the_others() {
    let matrix = on_every_chip(|chip| {
        assert!(chip != Chip::AtlasA2, "not on this one");
        Ok(())
    });
    let [fits, fails, _] = outcomes(&matrix);
    assert_eq!((fits.len(), fails), (6, vec![Chip::AtlasA2]));
    assert!(
        matrix.to_string().contains("fails on AtlasA2:\n    panicked: not on this one"),
        "{matrix}"
    );
}

#[test]
fn a_launch_inside_counts_as_the_kernel() {
    let gm = GlobalTensor::<f32>::zeros(1024);
    let matrix = on_chips(&[Chip::AtlasA2, Chip::Ascend950], |chip| {
        Launch::new(chip)
            .checks(Checks::Full)
            .run(4, |core| {
                let pipe = core.pipe()?;
                let mut que = TQue::<VECOUT, 1>::new();
                pipe.init_buffer(&mut que, 1, 4096)?;
                let x = que.alloc_tensor::<f32>()?;
                duplicate(&x, 1.0, 1024)?;
                que.enque(x)?;
                let x = que.deque::<f32>()?;
                data_copy(&gm, &x)?; // all cores to the same bytes
                que.free_tensor(x)
            })
            .map(drop)
            .map_err(|error| match error.failure() {
                CoreFailure::Error(error) => error.clone(),
                CoreFailure::Panic(text) => panic!("{text}"),
            })
    });
    for row in matrix.rows() {
        assert!(row.report.has(CheckId::GmConflict), "{}", row.report);
        assert_eq!((row.high_water[Hardware::UB as usize].1, row.layout.len()), (4096, 1));
    }
}

#[test]
fn the_table_has_a_row_a_chip_and_says_each_thing_once() {
    let text = on_every_chip(carved_again).to_string();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[0],
        "product                        result     UB at most   ids at most       findings  differs"
    );
    assert_eq!(
        lines[1],
        "Atlas 350, Ascend 950PR/950DT  fits         8192   4%  4 of 28 lock ids  clean     -"
    );
    assert_eq!(
        lines[3],
        "Atlas A2 training/inference    fails        8192   5%  -                 clean     -"
    );
    assert_eq!(
        lines[6],
        "Atlas inference, Vector Core   not there  -            -                 -         -"
    );
    assert_eq!(lines[9], "fails on AtlasA3, AtlasA2, AtlasInferenceAiCore, AtlasTraining:");
    assert_eq!(lines[10], "    pool `TBufPool` is not initialised: its reset emptied it");
    assert!(lines.iter().all(|line| line.len() <= 100 || line.starts_with("    ")), "{text}");
}

#[test]
fn the_json_holds_what_the_table_does() {
    let matrix = on_every_chip(six_queues);
    let json: serde_json::Value = serde_json::from_str(&matrix.to_json()).unwrap();
    assert_eq!(
        (&json["format"], &json["portable"], &json["compared_with"]),
        (&1.into(), &false.into(), &"Ascend950".into())
    );
    let chips = json["chips"].as_array().unwrap();
    assert_eq!(chips.len(), 7);
    let training = &chips[6];
    assert_eq!(training["product"], "Atlas training");
    assert_eq!(training["result"], "fails");
    assert!(training["error"].as_str().unwrap().starts_with("too few ids of V_MTE2"));
    assert_eq!(training["error_id"], "event-ids-exhausted");
    assert!(chips[0]["error_id"].is_null());
    assert_eq!(training["event_ids_at_most"], serde_json::json!({ "V_MTE2": 4 }));
    assert_eq!(
        training["memory_at_most"]["UB"],
        serde_json::json!({ "bytes": 6144, "of": 262_144 })
    );
    assert_eq!(chips[0]["lock_ids_at_most"], 6);
    assert_eq!(chips[5]["result"], "refused");
    assert_eq!(chips[2]["findings"]["clean"], true);
}

#[test]
fn no_chip_at_all_is_an_empty_table() {
    let matrix = on_chips(&[], |_| Ok(()));
    assert_eq!((matrix.rows().len(), matrix.reference()), (0, None));
    matrix.assert_portable();
}

//! No false alarms: random kernels that order everything are clean. No misses: what is planted in
//! them, faults and calls that cannot work, is all found.
//!
//! `cargo test --test checks_random -- --nocapture` prints what was planted and found.

mod support;

use bufpool_runtime::prelude::*;
use bufpool_runtime::{CheckId, Launch, Severity, on_chips};
use support::random::faults::{FAULTS, Fault};
use support::random::{CHIPS, Kernel, Random};
use support::refusals::{REFUSALS, Refusal};

/// A random kernel with something planted at a random step of it.
fn run(
    seed: u64,
    steps: std::ops::Range<usize>,
    on: impl Fn(Chip) -> bool,
    mut plant: impl FnMut(&mut Kernel<'_>) -> Result<()>,
) -> (Chip, Report) {
    let mut random = Random::new(seed);
    let chips: Vec<Chip> = CHIPS.into_iter().filter(|&chip| on(chip)).collect();
    let chip = random.pick(&chips);
    let pipe = TPipe::builder(chip)
        .checks(Checks::Full)
        .auto_v_barriers(random.chance(2))
        .build()
        .unwrap();
    let steps = steps.start + random.below(steps.len());
    let planted = random.below(steps);
    let mut kernel = Kernel::new(&pipe, seed).unwrap();
    let fails = |error: BufPoolError| panic!("seed {seed} on {chip}: {error}");
    for step in 0..steps {
        kernel.step().unwrap_or_else(fails);
        if step == planted {
            plant(&mut kernel).unwrap_or_else(fails);
        }
    }
    kernel.drain().unwrap_or_else(fails);
    drop(kernel);
    (chip, pipe.finish())
}

#[test]
fn ten_thousand_random_kernels_are_clean() {
    for seed in 0..10_000 {
        let (chip, report) = run(seed, 5..65, |_| true, |_| Ok(()));
        assert!(report.is_clean(), "seed {seed} on {chip}\n{report}");
    }
}

/// One row of the table: what became of the plantings of a check.
struct Row {
    check: CheckId,
    planted: u64,
    found: u64,
    /// What was wrong, by seed: a miss, a place that is not named, something else that was found.
    wrong: Vec<String>,
    alarms: u64,
}

impl Row {
    fn new(check: CheckId) -> Self {
        Row { check, planted: 0, found: 0, wrong: Vec::new(), alarms: 0 }
    }

    /// Counts a planting: found if nothing is wrong with it.
    fn count(&mut self, seed: u64, wrong: Option<String>) {
        self.planted += 1;
        self.found += u64::from(wrong.is_none());
        self.wrong.extend(wrong.map(|wrong| format!("{} seed {seed}: {wrong}", self.check)));
    }

    /// Counts what was found and not planted.
    fn alarm(&mut self, seed: u64, other: Option<String>) {
        self.alarms += u64::from(other.is_some());
        self.wrong.extend(other.map(|other| format!("{} seed {seed}, too: {other}", self.check)));
    }
}

/// The first finding that is neither a note nor of the check.
fn other_than(report: &Report, check: Option<CheckId>) -> Option<String> {
    let other = report.findings().iter().find(|finding| {
        finding.severity != Severity::Note && check.is_none_or(|check| !finding.is(check))
    });
    other.map(ToString::to_string)
}

/// Faults that happen at one place: there is nobody else to name.
const ONE_PLACE: &[CheckId] = &[CheckId::Leak, CheckId::UnmatchedSet, CheckId::OverDocumentedUb];

fn plant_fault(&(check, plant): &Fault, each: u64) -> Row {
    let mut row = Row::new(check);
    let on = |chip: Chip| {
        let spec = chip.spec();
        let has_limit = spec.documented_ub < spec.capacity(Hardware::UB);
        let needs_flags = matches!(
            check,
            CheckId::MixedFreeEvents | CheckId::IdsLostByReset | CheckId::EventIdNotReserved
        );
        spec.has_pools
            && (check != CheckId::OverDocumentedUb || has_limit)
            && (!needs_flags || chip != Chip::Ascend950)
            && (check != CheckId::MixedFreeEvents || spec.event_ids == 8)
    };
    for seed in 0..each {
        let (_, report) = run(seed, 5..65, on, plant);
        let found = report.of(check).any(|finding| {
            // In a loop both places may be one; then a note says so.
            let is_one = |note: &String| {
                note.contains("the same place") || note.contains("the same instruction")
            };
            match finding.labels.len() {
                0 => false,
                1 => ONE_PLACE.contains(&check) || finding.notes.iter().any(is_one),
                _ => true,
            }
        });
        row.count(seed, (!found).then(|| format!("missed, or a place is\n{report}")));
        row.alarm(seed, other_than(&report, Some(check)));
    }
    row
}

fn plant_refusal(refusal: &Refusal, each: u64) -> Row {
    let mut row = Row::new(refusal.check);
    for seed in 0..each {
        let mut wrong = None;
        // Without the call that was refused, the kernel is whole: it goes on, and ends clean.
        let (_, report) = run(seed, 5..25, refusal.on, |kernel| {
            let refused = (refusal.plant)(kernel)?;
            wrong = wrong_with(refused.error.as_ref(), refusal.check, &refused.lines);
            Ok(())
        });
        row.count(seed, wrong);
        row.alarm(seed, other_than(&report, None));
    }
    row
}

/// An error has the right id, names all the lines, the call's own first, and says what to do.
fn wrong_with(error: Option<&BufPoolError>, check: CheckId, lines: &[u32]) -> Option<String> {
    let Some(error) = error else { return Some("the call went through".to_owned()) };
    let named: Vec<u32> = error.trail()?.places().iter().map(|place| place.line()).collect();
    let wrong = if error.check() != check {
        "another check"
    } else if named.first() != lines.first() {
        "not the place of the call first"
    } else if let Some(line) = lines.iter().find(|line| !named.contains(line)) {
        return Some(format!("line {line} is not named: {error}"));
    } else if !error.to_string().contains("help: ") {
        "no help"
    } else {
        return None;
    };
    Some(format!("{wrong}: {error}"))
}

/// Two cores that write the same bytes somewhere.
fn plant_gm_conflict(each: u64) -> Row {
    const PART: usize = 16;
    let mut row = Row::new(CheckId::GmConflict);
    for seed in 0..each {
        let mut random = Random::new(seed);
        let cores = 2 + random.below(3);
        let (first, second) = (random.below(cores - 1), cores - 1);
        let store = |to: &GlobalTensor<f16>, parts: Vec<usize>| {
            Launch::new(Chip::AtlasA2)
                .checks(Checks::Full)
                .run(cores as u32, |core| {
                    let pipe = core.pipe()?;
                    let mut que = TQue::<VECOUT, 1>::new();
                    pipe.init_buffer(&mut que, 1, 32)?;
                    let z = que.alloc_tensor::<f16>()?;
                    duplicate(&z, f16::ONE, PART)?;
                    que.enque(z)?;
                    let z = que.deque::<f16>()?;
                    let part = parts[core.block_idx() as usize];
                    data_copy(&to.slice(part * PART..(part + 1) * PART)?, &z)?;
                    que.free_tensor(z)
                })
                .unwrap()
        };
        let to = GlobalTensor::zeros(cores * PART);
        let apart: Vec<usize> = (0..cores).collect();
        let mut meeting = apart.clone();
        meeting[second] = first;
        let report = store(&to, meeting);
        let cores_named = report.of(CheckId::GmConflict).any(|finding| {
            finding.cores == [first as u32, second as u32] && finding.ranges[0].bytes() == 32
        });
        row.count(seed, (!cores_named).then(|| format!("missed\n{report}")));
        row.alarm(seed, other_than(&report, Some(CheckId::GmConflict)));
        row.alarm(seed, other_than(&store(&to, apart), None));
    }
    row
}

/// A kernel that carves a pool again after its reset, which one chip of the two takes.
fn plant_difference(each: u64) -> Row {
    let mut row = Row::new(CheckId::DiffersByChip);
    let on_both = |seed: u64, planted: bool| {
        on_chips(&[Chip::AtlasA2, Chip::Ascend950], |chip| {
            let pipe = TPipe::builder(chip).checks(Checks::Full).build()?;
            let mut pool = TBufPool::<VECCALC, 4>::new();
            let len = 32 * (1 + Random::new(seed).below(64) as u32);
            pipe.init_buf_pool(&mut pool, 2 * len)?;
            pool.init_buffer(&mut TQue::<VECIN, 1>::new(), 1, len)?;
            if planted {
                pool.reset()?;
            }
            pool.init_buffer(&mut TQue::<VECIN, 1>::new(), 1, len)
        })
        .report()
    };
    for seed in 0..each {
        let (report, twin) = (on_both(seed, true), on_both(seed, false));
        let found = report.has(CheckId::DiffersByChip);
        row.count(seed, (!found).then(|| format!("missed\n{report}")));
        row.alarm(seed, other_than(&twin, None));
    }
    row
}

#[test]
fn what_is_planted_is_found() {
    let mut rows: Vec<Row> = FAULTS.iter().map(|fault| plant_fault(fault, 200)).collect();
    rows.push(plant_gm_conflict(50));
    rows.push(plant_difference(50));
    rows.extend(REFUSALS.iter().map(|refusal| plant_refusal(refusal, 100)));
    println!("{:<26} {:>8} {:>8} {:>12}", "check", "planted", "found", "false alarms");
    for row in &rows {
        println!("{:<26} {:>8} {:>8} {:>12}", row.check, row.planted, row.found, row.alarms);
    }
    let wrong: Vec<&str> =
        rows.iter().flat_map(|row| row.wrong.iter().take(1)).map(String::as_str).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Checks that no random kernel can have planted, and where else they are tested.
const ELSEWHERE: [(CheckId, &str); 4] = [
    (CheckId::PipeDestroyed, "errors.rs: it is the end of a kernel"),
    (CheckId::OtherPipe, "behaviour.rs: a core has one pipe at a time"),
    (CheckId::DifferentCores, "the unit tests of the operations: the same"),
    (CheckId::Bug, "nothing should bring it about"),
];

#[test]
fn every_check_is_planted() {
    let planted = FAULTS.iter().map(|fault| fault.0).chain(REFUSALS.iter().map(|r| r.check));
    let planted: Vec<CheckId> = planted
        .chain([CheckId::GmConflict, CheckId::DiffersByChip])
        .chain(ELSEWHERE.map(|(check, _)| check))
        .collect();
    let missing: Vec<_> = CheckId::ALL.iter().filter(|check| !planted.contains(check)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

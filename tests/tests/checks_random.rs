//! No false alarms: random kernels that order everything are clean. No misses: faults planted in
//! them are all found.

mod support;

use bufpool_runtime::prelude::*;
use bufpool_runtime::{CheckId, Severity};
use support::random::{CHIPS, FAULTS, Fault, Kernel, Random};

fn run(seed: u64, fault: Option<&Fault>) -> (Chip, Report) {
    let mut random = Random::new(seed);
    let can_have = |chip: &&Chip| {
        let (spec, check) = (chip.spec(), fault.map(|fault| fault.0));
        let has_limit = spec.documented_ub < spec.capacity(Hardware::UB);
        let needs_pools = fault.is_some();
        (!needs_pools || spec.has_pools) && (check != Some(CheckId::OverDocumentedUb) || has_limit)
    };
    let chips: Vec<Chip> = CHIPS.iter().filter(can_have).copied().collect();
    let chip = random.pick(&chips);
    let pipe = TPipe::builder(chip)
        .checks(Checks::Full)
        .auto_v_barriers(random.chance(2))
        .build()
        .unwrap();
    let steps = 5 + random.below(60);
    let planted = random.below(steps);
    let mut kernel = Kernel::new(&pipe, seed).unwrap();
    for step in 0..steps {
        kernel.step().unwrap_or_else(|error| panic!("seed {seed} on {chip}: {error}"));
        if let Some((check, plant)) = fault
            && step == planted
        {
            plant(&mut kernel)
                .unwrap_or_else(|error| panic!("{check} seed {seed} on {chip}: {error}"));
        }
    }
    kernel.drain().unwrap();
    drop(kernel);
    (chip, pipe.finish())
}

#[test]
fn ten_thousand_random_kernels_are_clean() {
    for seed in 0..10_000 {
        let (chip, report) = run(seed, None);
        assert!(report.is_clean(), "seed {seed} on {chip}\n{report}");
    }
}

#[test]
fn every_planted_fault_is_found() {
    const EACH: u64 = 200;
    println!("{:<24} {:>8} {:>8} {:>12}", "check", "planted", "found", "false alarms");
    let mut missed = 0;
    for fault in FAULTS {
        let check = fault.0;
        let (mut found, mut others) = (0, Vec::new());
        for seed in 0..EACH {
            let (_, report) = run(seed, Some(fault));
            found += u64::from(report.has(check));
            if !report.has(check) {
                println!("{check} seed {seed} missed\n{report}");
            }
            let other = report
                .findings()
                .iter()
                .find(|finding| !finding.is(check) && finding.severity != Severity::Note);
            others.extend(other.map(|other| (seed, other.clone())));
        }
        println!("{:<24} {:>8} {:>8} {:>12}", check.id(), EACH, found, others.len());
        if let Some((seed, other)) = others.first() {
            println!("first false alarm with seed {seed}: {other}");
        }
        missed += EACH - found + others.len() as u64;
    }
    assert_eq!(missed, 0);
}

//! The full checks on recorded programs: no finding that the program does not deserve.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use bufpool_runtime::{CheckId, Finding, Severity};
use bufpool_tests::{Checked, check_folder};

/// Whether a trace does what the finding says of it. The traces were made at random, and do much
/// that the layer lets through.
fn deserves(trace: &Checked, finding: &Finding) -> bool {
    let calls =
        |name: &str| trace.ops.iter().filter(|op| op.split(' ').next() == Some(name)).count();
    let words = |name: &str, count: usize| {
        trace.ops.iter().any(|op| op.starts_with(name) && op.split(' ').count() == count)
    };
    match finding.check {
        // Blocks by address, or a pool that shares another one.
        CheckId::Overlap => calls("pipe.init_buffer_addrs") > 0 || words("pool.init_pool", 5),
        CheckId::HandleInitialisedTwice => trace.ops.iter().any(|op| op.ends_with("smp16")),
        CheckId::CursorNotAdvanced | CheckId::CursorBehind => {
            calls("pool.set_cur_addr") + calls("pool.set_cur_buf_size") > 0
        }
        CheckId::QueueRebound => {
            let inits = trace.ops.iter().filter(|op| op.contains(".init_buf"));
            let names: Vec<&str> = inits
                .map(|op| op.split(' ').nth(if op.starts_with("pool") { 2 } else { 1 }))
                .map(Option::unwrap_or_default)
                .collect();
            names.iter().collect::<BTreeSet<_>>().len() < names.len()
        }
        // A child that goes on after the reset of its parent.
        CheckId::StaleAfterReset => calls("pool.init_pool") > 0 && calls("pool.reset") > 0,
        // Queues of different free events on the four records of one pool.
        CheckId::MixedFreeEvents => trace.ops.iter().any(|op| op.ends_with("circ4")),
        // More ids of an event released than allocated: the others were those of blocks.
        CheckId::EventIdNotReserved => {
            let of = |call: &str, event: &str| {
                let words = trace.ops.iter().map(|op| op.split(' ').collect::<Vec<_>>());
                words.filter(|words| words[..2.min(words.len())] == [call, event]).count()
            };
            let event = finding.message.split(' ').find(|word| word.contains('_'));
            event.is_some_and(|event| {
                of("pipe.release_event", event) > of("pipe.alloc_event", event)
            })
        }
        // Tensors in a queue, or flags of a pool's blocks, when the pipe or the pool is reset.
        CheckId::Leak | CheckId::UnmatchedSet => calls("pipe.reset") + calls("pool.reset") > 0,
        _ => false,
    }
}

#[test]
fn recorded_programs_get_only_findings_that_they_deserve() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/traces");
    let checked = check_folder(&folder).expect("the traces are readable");
    let (mut clean, mut found) = (0, BTreeMap::new());
    for trace in &checked {
        let mut is_clean = true;
        for finding in trace.report.findings() {
            // A trace just stops: what is out then is no leak.
            let stopped = finding.message.contains("at the end");
            if finding.severity == Severity::Note || stopped {
                continue;
            }
            is_clean = false;
            assert!(deserves(trace, finding), "{}\n{:#?}\n{finding}", trace.trace, trace.ops);
            *found.entry(finding.check.id()).or_insert(0) += 1;
        }
        clean += u32::from(is_clean);
    }
    println!("{} recorded programs, {clean} clean; found in the others: {found:?}", checked.len());
    assert!(checked.len() > 500 && clean > 400);
}

//! Replay of all golden traces of the repository.

use std::path::Path;

use bufpool_tests::{Listed, replay_folder};
use criterion::{Criterion, SamplingMode, criterion_group, criterion_main};

fn replay(c: &mut Criterion) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/traces");
    let listed = Listed::read(&folder.join("stricter.txt")).expect("the list is readable");
    let mut group = c.benchmark_group("replay of all golden traces");
    group.sampling_mode(SamplingMode::Flat).sample_size(10);
    group.bench_function("all", |b| {
        b.iter(|| {
            let summary = replay_folder(&folder, Some(&listed)).expect("the traces are readable");
            assert!(summary.traces > 0 && summary.differences.is_empty(), "{summary}");
        });
    });
}

criterion_group!(benches, replay);
criterion_main!(benches);

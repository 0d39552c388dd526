//! What one would write without this library: by hand, with nothing checked and nobody told.

#![allow(dead_code, reason = "each bench uses its part")]
#![allow(clippy::cast_precision_loss, reason = "small numbers to calculate with")]

pub mod pool;
pub mod queue;
pub mod tiles;

use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, SamplingMode};

/// Many short samples: where other programs share the machine, some of them are undisturbed.
pub fn settings() -> Criterion {
    Criterion::default()
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_secs(1))
        .sample_size(400)
        .nresamples(1000)
        .without_plots()
}

/// A group whose samples all have the same length.
pub fn group(c: &mut Criterion, name: impl Into<String>) -> BenchmarkGroup<'_, WallTime> {
    let mut group = c.benchmark_group(name);
    group.sampling_mode(SamplingMode::Flat);
    group
}

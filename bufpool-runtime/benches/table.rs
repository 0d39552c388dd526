//! Prints what the other benches measured as the table of README.md: `table.sh` runs them all.
//!
//! A figure is the fifth percentile of criterion's samples, in the best of the rounds that were
//! kept: other programs on the machine make samples slower, never faster.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// A row: the group, the measured and the baseline function, the target as a ratio.
struct Row(&'static str, &'static str, &'static str, Target);

/// What was asked for.
enum Target {
    AtMost(f64),
    AtLeast(f64),
    Seconds(f64),
    /// For comparison only.
    None,
}
use Target::{AtLeast, AtMost, Seconds};

const ROWS: &[Row] = &[
    Row("queue cycle, 1 block", "api", "bare", AtMost(2.5)),
    Row("queue cycle, 2 blocks", "api", "bare", AtMost(2.5)),
    Row("queue cycle, 1 block", "full", "bare", AtMost(20.0)),
    Row("queue cycle, 2 blocks", "full", "bare", AtMost(20.0)),
    Row("TBuf get", "api", "bare", AtMost(3.0)),
    Row("event alloc, release", "api", "bare", AtMost(3.0)),
    Row("custom pool_ carve 2, reset", "api", "bare", AtMost(4.0)),
    Row("TPipe new, drop", "api", "bare", AtMost(5.0)),
    Row("TPipe new, drop", "api", "zeroed", AtMost(5.0)),
    Row("add f32, tiles of 8 KiB", "api", "bare", AtMost(1.15)),
    Row("add f32, tiles of 16 KiB", "api", "bare", AtMost(1.15)),
    Row("add f32, tiles of 32 KiB", "api", "bare", AtMost(1.15)),
    Row("add f32, tiles of 64 KiB", "api", "bare", AtMost(1.15)),
    Row("add f16, tiles of 8 KiB", "api", "bare", AtMost(1.15)),
    Row("add f16, tiles of 16 KiB", "api", "bare", AtMost(1.15)),
    Row("add f16, tiles of 32 KiB", "api", "bare", AtMost(1.15)),
    Row("add f16, tiles of 64 KiB", "api", "bare", AtMost(1.15)),
    Row("add f32, tiles of 8 KiB", "full", "bare", AtMost(1.4)),
    Row("add f32, tiles of 16 KiB", "full", "bare", AtMost(1.4)),
    Row("add f32, tiles of 32 KiB", "full", "bare", AtMost(1.4)),
    Row("add f32, tiles of 64 KiB", "full", "bare", AtMost(1.4)),
    Row("add f16, tiles of 8 KiB", "full", "bare", AtMost(1.4)),
    Row("add f16, tiles of 16 KiB", "full", "bare", AtMost(1.4)),
    Row("add f16, tiles of 32 KiB", "full", "bare", AtMost(1.4)),
    Row("add f16, tiles of 64 KiB", "full", "bare", AtMost(1.4)),
    Row("exp f32, 16 KiB", "api", "bare", AtMost(1.2)),
    Row("cast f16 to f32, 16 KiB", "api", "bare", AtMost(1.2)),
    Row("cast f32 to f16, 16 KiB", "api", "bare", AtMost(1.2)),
    Row("reduce_sum f32, 16 KiB", "api", "bare", AtMost(1.2)),
    Row("reduce_sum f32, 16 KiB", "api", "lanes", Target::None),
    Row("launch of 8 cores, add f32", "two threads", "one thread", AtLeast(1.8)),
    Row("launch of 8 cores, add f16", "two threads", "one thread", AtLeast(1.8)),
    Row("replay of all golden traces", "all", "all", Seconds(1.0)),
];

fn main() {
    let home = criterion_home();
    println!("| what | measured | baseline | ratio | target |");
    println!("|---|---:|---:|---:|---|");
    for Row(group, function, baseline, target) in ROWS {
        let time = |function: &str| nanoseconds(&home.join(group).join(function));
        let (Some(time), Some(base)) = (time(function), time(baseline)) else {
            println!("| {group}: {function} | not measured | | | |");
            continue;
        };
        let group = group.replace("_ ", ": ");
        let (ratio, met) = match target {
            AtMost(most) => (time / base, Some((format!("at most {most}"), time / base <= *most))),
            AtLeast(least) => {
                (base / time, Some((format!("at least {least}"), base / time >= *least)))
            }
            Seconds(most) => (1.0, Some((format!("at most {most} s"), time <= most * 1e9))),
            Target::None => (time / base, None),
        };
        let met = met.map_or(String::new(), |(text, met)| {
            format!("{text}: {}", if met { "met" } else { "**not met**" })
        });
        println!(
            "| {group}: {function} to {baseline} | {} | {} | {ratio:.2} | {met} |",
            unit(time),
            unit(base)
        );
    }
}

/// Where criterion keeps its samples: in cargo's target folder, which this program runs from.
fn criterion_home() -> PathBuf {
    if let Some(home) = std::env::var_os("CRITERION_HOME") {
        return PathBuf::from(home);
    }
    let program = std::env::current_exe().unwrap_or_default();
    // target/release/deps/table
    program.ancestors().nth(3).unwrap_or(Path::new("target")).join("criterion")
}

/// Time of one iteration: the fifth percentile of the samples, of the best of the rounds.
fn nanoseconds(function: &Path) -> Option<f64> {
    let rounds = fs::read_dir(function).ok()?.flatten();
    rounds.filter_map(|round| of_round(&round.path())).min_by(f64::total_cmp)
}

fn of_round(round: &Path) -> Option<f64> {
    let text = fs::read_to_string(round.join("sample.json")).ok()?;
    let sample: Value = serde_json::from_str(&text).ok()?;
    let numbers = |key: &str| -> Option<Vec<f64>> {
        sample.get(key)?.as_array()?.iter().map(Value::as_f64).collect()
    };
    let mut each: Vec<f64> =
        numbers("times")?.iter().zip(numbers("iters")?).map(|(time, iters)| time / iters).collect();
    each.sort_by(f64::total_cmp);
    each.get(each.len() / 20).copied()
}

fn unit(ns: f64) -> String {
    match ns {
        ns if ns < 1e3 => format!("{ns:.1} ns"),
        ns if ns < 1e6 => format!("{:.2} us", ns / 1e3),
        ns => format!("{:.1} ms", ns / 1e6),
    }
}

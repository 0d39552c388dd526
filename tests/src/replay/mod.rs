//! From a folder of traces to a summary.
//!
//! [`trace`] reads, [`queues`] and [`pools`] are the objects that traces declare, [`world`] does one
//! operation, [`compare`] compares what was seen, [`listed`] knows where the model may refuse.

mod compare;
pub mod listed;
mod pools;
mod queues;
#[cfg(test)]
mod tests;
mod trace;
mod world;

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::Path;

use bufpool_runtime::{Checks, Report, TPipe};

use compare::Seen;
use listed::{Kind, Listed};
use trace::Trace;
use world::{Refusal, World};

/// What a replay compared.
#[derive(Debug, Default)]
pub struct Summary {
    /// Traces replayed.
    pub traces: usize,
    /// Steps whose result and state were compared and equal.
    pub steps: usize,
    /// Steps that the real layer refused and the model too.
    pub refused: usize,
    /// Steps that the layer accepted and the model refuses.
    pub stricter: Vec<Stricter>,
    /// Steps that follow one of these in their trace and were not compared: the layer went on in a
    /// state that the model does not have.
    pub not_compared: usize,
    /// Traces with such steps.
    pub cut_short: usize,
    /// Entries of the list that were not needed.
    pub not_needed: Vec<String>,
    /// What differs.
    pub differences: Vec<Difference>,
}

/// A step that the layer accepted and the model refuses.
#[derive(Debug)]
pub struct Stricter {
    /// File and name of the trace, number of the step.
    pub step: String,
    /// Why the model may.
    pub kind: Kind,
    /// The operation.
    pub op: String,
    /// The first line of the model's error.
    pub error: String,
}

impl fmt::Display for Stricter {
    /// As an entry of the list.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}: {}", self.step, self.kind.number(), self.op, self.error)
    }
}

/// The first step of a trace that differs.
#[derive(Debug)]
pub struct Difference {
    /// File and name of the trace, step number and operation.
    pub step: String,
    /// What the real layer did.
    pub expected: String,
    /// What the model did.
    pub found: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n  expected: {}\n     found: {}", self.step, self.expected, self.found)
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} traces, {} steps equal, {} steps refused by both",
            self.traces, self.steps, self.refused
        )?;
        let mut kinds = BTreeMap::new();
        for step in &self.stricter {
            *kinds.entry(step.kind).or_insert(0) += 1;
        }
        for (kind, steps) in kinds {
            writeln!(f, "  {steps:>4} refused by the model alone: {kind}")?;
        }
        if !self.stricter.is_empty() {
            writeln!(
                f,
                "{} steps not compared: after these, {} traces went on in a state that the model does not have",
                self.not_compared, self.cut_short
            )?;
        }
        for entry in &self.not_needed {
            writeln!(f, "not needed any more: {entry}")?;
        }
        for difference in &self.differences {
            writeln!(f, "{difference}")?;
        }
        Ok(())
    }
}

/// Replays every `*.jsonl` and `*.jsonl.gz` of a folder. With a list, the model may refuse only
/// what is listed, and every entry must be needed; without, it may refuse every listed kind.
///
/// # Errors
/// A file cannot be read or is not a trace.
pub fn replay_folder(folder: &Path, listed: Option<&Listed>) -> io::Result<Summary> {
    let mut summary = Summary::default();
    let mut used = Vec::new();
    for (file, traces) in trace::read_folder(folder)? {
        for trace in traces {
            replay(&file, &trace, listed, &mut used, &mut summary);
        }
    }
    if let Some(listed) = listed {
        summary.not_needed = listed.without(&used);
    }
    Ok(summary)
}

/// What the full checks say of a trace that the layer and the model both took whole.
#[derive(Debug)]
pub struct Checked {
    /// File and name of the trace.
    pub trace: String,
    /// Its operations.
    pub ops: Vec<String>,
    /// The findings. A trace just stops, so what is out at its end says nothing.
    pub report: Report,
}

/// Replays every trace of a folder that ran without a refusal, with full checks.
///
/// # Errors
/// A file cannot be read or is not a trace.
pub fn check_folder(folder: &Path) -> io::Result<Vec<Checked>> {
    let mut checked = Vec::new();
    for (file, traces) in trace::read_folder(folder)? {
        for trace in traces {
            let mut world = World::new(trace.arch, Checks::Full);
            let ran = trace
                .steps
                .iter()
                .all(|step| step.fails.is_none() && world.apply(&step.op).is_ok());
            let Some(report) = world.pipe.take().map(TPipe::finish) else { continue };
            if ran {
                checked.push(Checked {
                    trace: format!("{file} {}", trace.name),
                    ops: trace.steps.iter().map(|step| step.op.clone()).collect(),
                    report,
                });
            }
        }
    }
    Ok(checked)
}

fn replay(
    file: &str,
    trace: &Trace,
    listed: Option<&Listed>,
    used: &mut Vec<String>,
    summary: &mut Summary,
) {
    summary.traces += 1;
    let mut world = World::new(trace.arch, Checks::Api);
    let mut seen = Seen::default();
    let mut gone_on = false;
    let cut_short = |from: usize, summary: &mut Summary| {
        summary.not_compared += trace.steps.len() - from;
        summary.cut_short += usize::from(from < trace.steps.len());
    };
    for (number, step) in trace.steps.iter().enumerate() {
        let entry = format!("{file} {} {number}", trace.name);
        let place = format!("{entry}: {}", step.op);
        let differs =
            |expected: String, found: String| Difference { step: place.clone(), expected, found };
        match (world.apply(&step.op), &step.fails) {
            (Ok(_), Some(reason)) => {
                summary.differences.push(differs(format!("an error ({reason})"), "Ok".to_owned()));
                return;
            }
            // The tensor came from a step that the model refused.
            (Err(Refusal::NoTensor), _) if gone_on => {
                cut_short(number, summary);
                return;
            }
            (Err(error), fails) if error.is_ours() => {
                let expected =
                    fails.as_ref().map_or("Ok".to_owned(), |reason| format!("an error ({reason})"));
                let found = format!("the replayer does not know `{}`: {error}", step.op);
                summary.differences.push(differs(expected, found));
                return;
            }
            (Err(_), Some(reason)) => {
                summary.refused += 1;
                // A call that the compiler refuses never ran, and the trace goes on without it.
                if reason != trace::DOES_NOT_COMPILE {
                    return;
                }
            }
            (Err(error), None) => {
                let kind = error.kind();
                let allowed = kind.filter(|&kind| listed.is_none_or(|l| l.has(&entry, kind)));
                if let Some(kind) = allowed {
                    let text = error.to_string();
                    let error = text.lines().next().unwrap_or_default().to_owned();
                    let op = step.op.clone();
                    summary.stricter.push(Stricter { step: entry.clone(), kind, op, error });
                    used.push(entry);
                    // Where the layer has changed nothing either, both are still in one state.
                    if seen.compare_state(step, &world).is_ok() {
                        gone_on = true;
                        continue;
                    }
                    cut_short(number + 1, summary);
                } else {
                    let why = kind.map_or("of no allowed kind".to_owned(), |k| format!("{k}"));
                    summary
                        .differences
                        .push(differs("Ok".to_owned(), format!("{error}\n            ({why})")));
                }
                return;
            }
            (Ok(result), None) => {
                let found = seen.compare(step, &result, &world);
                if let Err((expected, found)) = found {
                    summary.differences.push(differs(expected, found));
                    return;
                }
                summary.steps += 1;
            }
        }
    }
}

//! Traces as files: JSON lines, plain or compressed.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use flate2::read::GzDecoder;
use serde_json::{Map, Value};

use super::world::Arch;

/// Why a step `fails` that the layer's compiler refused; all others end their trace.
pub const DOES_NOT_COMPILE: &str = "does not compile";

/// One recorded program.
pub struct Trace {
    pub name: String,
    pub arch: Arch,
    pub steps: Vec<Step>,
}

/// One call, and what was seen after it.
pub struct Step {
    pub op: String,
    /// Why the layer refused or hung.
    pub fails: Option<String>,
    pub seen: Value,
}

/// All traces of a folder, by file, in the order of the names. Blank lines are skipped; anything
/// else that is not a trace is an error with its file and line.
pub fn read_folder(folder: &Path) -> io::Result<Vec<(String, Vec<Trace>)>> {
    let mut paths: Vec<_> =
        folder.read_dir()?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    paths.sort();
    let mut files = Vec::new();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Some((stem, compressed)) = name.split_once(".jsonl") else { continue };
        let reader: Box<dyn Read> = match compressed {
            "" => Box::new(File::open(&path)?),
            ".gz" => Box::new(GzDecoder::new(File::open(&path)?)),
            _ => continue,
        };
        let stem = stem.to_owned();
        let mut traces = Vec::new();
        for (number, line) in BufReader::new(reader).lines().enumerate() {
            let at = |why: String| io::Error::other(format!("{name}, line {}: {why}", number + 1));
            let line = line.map_err(|error| at(error.to_string()))?;
            if !line.trim().is_empty() {
                traces.push(parse(&line).map_err(at)?);
            }
        }
        files.push((stem, traces));
    }
    Ok(files)
}

fn parse(line: &str) -> Result<Trace, String> {
    let value: Value =
        serde_json::from_str(line).map_err(|error| format!("not a trace: {error}"))?;
    let trace = value.as_object().ok_or("not a trace: not an object")?;
    let name = text(trace, "name").map_err(|why| format!("not a trace: {why}"))?;
    let whole = || {
        only(trace, &["name", "arch", "steps"])?;
        let arch = text(trace, "arch")?;
        let arch = Arch::of(&arch).ok_or_else(|| format!("unknown arch `{arch}`"))?;
        let steps = trace.get("steps").and_then(Value::as_array).ok_or("`steps` is not a list")?;
        let last = steps.len().checked_sub(1).ok_or("no step")?;
        let steps = steps.iter().enumerate().map(|(number, step)| {
            parse_step(step, number == last).map_err(|why| format!("step {number}: {why}"))
        });
        let steps = steps.collect::<Result<_, _>>()?;
        Ok(Trace { name: name.clone(), arch, steps })
    };
    whole().map_err(|why: String| format!("trace {name}: {why}"))
}

fn parse_step(seen: &Value, is_last: bool) -> Result<Step, String> {
    let step = seen.as_object().ok_or("not an object")?;
    let op = text(step, "op")?;
    let whole = || {
        let fails = step.contains_key("fails").then(|| text(step, "fails")).transpose()?;
        if let Some(reason) = &fails {
            // What a refused call left behind is not part of the record, nor is what came after it.
            only(step, &["op", "fails"])?;
            if reason != DOES_NOT_COMPILE && !is_last {
                return Err("a refused step that does not end its trace".to_owned());
            }
        }
        only(step, &["op", "ret", "flags", "queues", "tbufs", "pools", "pipe", "fails"])?;
        for key in ["queues", "tbufs", "pools"] {
            if step.get(key).is_some_and(|named| !named.is_object()) {
                return Err(format!("`{key}` is not an object"));
            }
        }
        Ok(fails)
    };
    let fails = whole().map_err(|why| format!("{op}: {why}"))?;
    Ok(Step { op, fails, seen: seen.clone() })
}

fn text(object: &Map<String, Value>, key: &str) -> Result<String, String> {
    let value = object.get(key).ok_or_else(|| format!("no `{key}`"))?;
    Ok(value.as_str().ok_or_else(|| format!("`{key}` is not a text"))?.to_owned())
}

/// Keys outside the format would be compared with nothing.
fn only(object: &Map<String, Value>, keys: &[&str]) -> Result<(), String> {
    match object.keys().find(|key| !keys.contains(&key.as_str())) {
        Some(key) => Err(format!("unknown key `{key}`")),
        None => Ok(()),
    }
}

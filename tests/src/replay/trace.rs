//! Traces as files: JSON lines, plain or compressed.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use flate2::read::GzDecoder;
use serde_json::Value;

/// One recorded program.
pub struct Trace {
    pub name: String,
    pub arch: String,
    pub steps: Vec<Step>,
}

/// One call, and what was seen after it.
pub struct Step {
    pub op: String,
    /// Why the layer refused or hung.
    pub fails: Option<String>,
    pub seen: Value,
}

/// All traces of a folder, by file, in the order of the names.
pub fn read_folder(folder: &Path) -> io::Result<Vec<(String, Vec<Trace>)>> {
    let mut paths: Vec<_> = folder.read_dir()?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
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
        let traces = BufReader::new(reader)
            .lines()
            .map(|line| parse(&line?).ok_or_else(|| io::Error::other(format!("{name} is not a trace"))))
            .collect::<io::Result<_>>()?;
        files.push((stem, traces));
    }
    Ok(files)
}

fn parse(line: &str) -> Option<Trace> {
    let value: Value = serde_json::from_str(line).ok()?;
    let text = |value: &Value, key: &str| value.get(key)?.as_str().map(str::to_owned);
    Some(Trace {
        name: text(&value, "name")?,
        arch: text(&value, "arch")?,
        steps: value
            .get("steps")?
            .as_array()?
            .iter()
            .map(|step| {
                Some(Step {
                    op: text(step, "op")?,
                    fails: text(step, "fails"),
                    seen: step.clone(),
                })
            })
            .collect::<Option<_>>()?,
    })
}

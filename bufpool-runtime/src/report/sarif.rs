//! The report as a SARIF 2.1.0 log: one run, one rule per check that found something.

use serde_json::{Value, json};

use super::json::vendor_code;
use super::{CheckId, Finding, Label, Report};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

pub(super) fn report(report: &Report) -> String {
    let mut rules: Vec<CheckId> = report.findings().iter().map(|finding| finding.check).collect();
    rules.sort_unstable();
    rules.dedup();
    let results: Vec<Value> = report
        .findings()
        .iter()
        .filter_map(|finding| {
            let index = rules.binary_search(&finding.check).ok()?;
            Some(result(finding, index))
        })
        .collect();
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "bufpool",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules.iter().map(|&check| rule(check)).collect::<Vec<_>>(),
            }},
            // `Location::column` counts characters.
            "columnKind": "unicodeCodePoints",
            "results": results,
            "properties": { "chip": report.chip().to_string(), "notKept": report.not_kept() },
        }],
    });
    format!("{log:#}")
}

fn rule(check: CheckId) -> Value {
    json!({
        "id": check.id(),
        "name": format!("{check:?}"),
        "shortDescription": { "text": check.about() },
        "properties": { "npuchk": vendor_code(check) },
    })
}

fn result(finding: &Finding, rule: usize) -> Value {
    let mut text = finding.message.clone();
    for line in finding.ranges.iter().map(ToString::to_string).chain(finding.notes.iter().cloned())
    {
        text.push('\n');
        text.push_str(&line);
    }
    if let Some(help) = &finding.help {
        text.push_str("\nhelp: ");
        text.push_str(help);
    }
    let location = |(id, label): (usize, &Label)| {
        json!({
            "id": id,
            "physicalLocation": {
                "artifactLocation": { "uri": uri(label.place.file()) },
                "region": {
                    "startLine": label.place.line(),
                    "startColumn": label.place.column(),
                },
            },
            "message": { "text": label.text },
        })
    };
    let mut locations = finding.labels.iter().enumerate().map(location);
    let first: Vec<Value> = locations.next().into_iter().collect();
    let related: Vec<Value> = locations.collect();
    json!({
        "ruleId": finding.check.id(),
        "ruleIndex": rule,
        "level": finding.severity.name(),
        "message": { "text": text },
        "locations": first,
        "relatedLocations": related,
        "occurrenceCount": finding.count,
        "properties": {
            "also": finding.also.iter().map(|check| check.id()).collect::<Vec<_>>(),
            "buffers": finding.buffers,
            "cores": finding.cores,
        },
    })
}

/// A path as a relative URI reference, or as a file URI if it is absolute.
fn uri(path: &str) -> String {
    use std::fmt::Write as _;

    let path = path.replace('\\', "/");
    let mut uri = String::with_capacity(path.len());
    if path.starts_with('/') {
        uri.push_str("file://");
    } else if path.as_bytes().get(1) == Some(&b':') {
        uri.push_str("file:///");
    }
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            b':' if uri.starts_with("file:///") => uri.push(':'),
            _ => {
                let _ = write!(uri, "%{byte:02X}");
            }
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn paths_become_uris() {
        assert_eq!(uri("src/main.rs"), "src/main.rs");
        assert_eq!(uri("/home/a b/ä.rs"), "file:///home/a%20b/%C3%A4.rs");
        assert_eq!(uri("C:\\k\\m.rs"), "file:///C:/k/m.rs");
        assert_eq!(uri("tests\\t.rs"), "tests/t.rs");
    }
}

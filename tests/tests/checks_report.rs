//! The report: what people read, JSON, SARIF, exit codes, findings as errors.

mod support;

use boon::{Compiler, Schemas};
use bufpool_runtime::prelude::*;
use bufpool_runtime::{CheckId, Finding, Place, Severity};
use serde_json::Value;
use support::{assert_found, checked, ones, report_of};

/// Findings of every severity, one with a count and a note of its own.
fn sample() -> Report {
    report_of(Chip::AtlasA2, |pipe| {
        let (mut p1, mut p2) = (TBufPool::<VECCALC>::new(), TBufPool::<VECCALC>::new());
        let (mut q, mut z) = (TQue::<VECIN, 1>::new().named("x"), TBuf::<VECCALC>::new());
        pipe.init_buf_pool(&mut p1, 1024)?;
        pipe.init_buf_pool_shared(&mut p2, 512, &p1)?;
        pipe.init_buffer(&mut q, 2, 1024)?;
        pipe.init_tbuf(&mut z, 1024)?;
        let z = z.get::<f16>()?;
        for _ in 0..3 {
            let t = q.alloc_tensor::<f16>()?;
            data_copy(&t, &ones(512))?;
            abs(&z, &t, 512)?;
            q.free_tensor(t)?;
        }
        let _ = pipe.fetch_event_id(HardEvent::S_V)?;
        pipe.init_buffer(&mut q, 1, 1024)
    })
}

#[test]
fn findings_come_with_the_worst_first() {
    let report = sample();
    let severities: Vec<_> = report.findings().iter().map(|finding| finding.severity).collect();
    assert!(severities.is_sorted_by(|a, b| a >= b), "{severities:?}");
    for severity in [Severity::Error, Severity::Warning, Severity::Note] {
        assert!(report.count(severity) > 0, "no {severity}\n{report}");
    }
    assert!(!report.is_clean() && report.is_checked());
    assert_eq!(report.chip(), Chip::AtlasA2);
}

#[test]
fn each_finding_starts_a_line_with_its_severity_and_quotes_the_source() {
    let report = sample();
    let text = report.to_string();
    for finding in report.findings() {
        let first = format!("{}[{}]: {}", finding.severity, finding.check, finding.message);
        assert!(text.lines().any(|line| line == first), "{first} is missing in\n{text}");
    }
    for part in [
        "tests/tests/checks_report.rs:",
        "abs(&z, &t, 512)?;",
        "MTE2 writes it here",
        "happened 3 times",
        "1024 bytes, elements 0..512 of 2 bytes each",
    ] {
        assert!(text.contains(part), "`{part}` is missing in\n{text}");
    }
    let last = text.lines().last().unwrap();
    assert!(last.starts_with("AtlasA2: ") && last.contains("error"), "{last}");
    assert!(!text.contains('\u{1b}') && report.to_text(true).contains('\u{1b}'));
}

#[test]
fn json_holds_what_the_text_holds() {
    let report = sample();
    let json: Value = serde_json::from_str(&report.to_json()).unwrap();
    assert_eq!(
        (&json["format"], &json["chip"], &json["clean"]),
        (&1.into(), &"AtlasA2".into(), &false.into())
    );
    let findings = json["findings"].as_array().unwrap();
    assert_eq!(findings.len(), report.findings().len());
    for (value, finding) in findings.iter().zip(report.findings()) {
        assert_eq!(value["id"], finding.check.id());
        assert_eq!(value["severity"], finding.severity.name());
        assert_eq!(value["count"], finding.count);
        let places = value["places"].as_array().unwrap();
        assert_eq!(places.len(), finding.labels.len());
        assert_eq!(places[0]["line"], finding.labels[0].place.line());
    }
    let race = findings.iter().find(|finding| finding["id"] == "read-race").unwrap();
    assert_eq!(race["npuchk"], "ErrorSync2");
    assert_eq!(race["ranges"][0]["memory"], "UB");
    assert_eq!(
        (&race["ranges"][0]["elements"], &race["ranges"][0]["element_bytes"]),
        (&512.into(), &2.into())
    );
}

/// Against the schema as OASIS publishes it.
fn validate_sarif(log: &str) -> std::result::Result<(), String> {
    let schema: Value =
        serde_json::from_str(include_str!("../assets/sarif-schema-2.1.0.json")).unwrap();
    let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
    compiler.enable_format_assertions();
    compiler.add_resource("sarif.json", schema).unwrap();
    let index = compiler.compile("sarif.json", &mut schemas).unwrap();
    let log: Value = serde_json::from_str(log).unwrap();
    schemas.validate(&log, index).map_err(|error| format!("{error:#}\n{log:#}"))
}

#[test]
fn sarif_is_valid() {
    let report = sample();
    let sarif = report.to_sarif();
    validate_sarif(&sarif).unwrap();
    let log: Value = serde_json::from_str(&sarif).unwrap();
    let run = &log["runs"][0];
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), report.findings().len());
    for result in results {
        let rule = &run["tool"]["driver"]["rules"][result["ruleIndex"].as_u64().unwrap() as usize];
        assert_eq!(rule["id"], result["ruleId"]);
        let uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].as_str();
        assert_eq!(uri, Some("tests/tests/checks_report.rs"));
    }
    let clean = report_of(Chip::AtlasA2, |_| Ok(()));
    validate_sarif(&clean.to_sarif()).unwrap();
}

#[test]
fn the_schema_tells_a_wrong_log() {
    let wrong = sample().to_sarif().replace("\"level\": \"error\"", "\"level\": \"fatal\"");
    let error = validate_sarif(&wrong).unwrap_err();
    assert!(error.contains("level"), "{error}");
}

#[test]
fn a_clean_report_says_so() {
    let report = report_of(Chip::Ascend950, |_| Ok(()));
    assert_eq!(report.to_string(), "Ascend950: no findings");
    report.assert_clean();
}

#[test]
fn assert_clean_shows_the_report() {
    let report = sample();
    let panic = std::panic::catch_unwind(|| report.assert_clean()).unwrap_err();
    let text = panic.downcast_ref::<String>().unwrap();
    assert!(text.starts_with("the kernel is not clean\n\nerror["), "{text}");
}

#[test]
fn without_checks_the_report_says_that_nothing_was_checked() {
    let pipe = TPipe::builder(Chip::AtlasA2).checks(Checks::Api).build().unwrap();
    let mut q = TQue::<VECIN, 1>::new();
    pipe.init_buffer(&mut q, 1, 1024).unwrap();
    q.alloc_buffer().unwrap();
    let report = pipe.finish();
    assert!(!report.is_checked() && report.findings().is_empty());
    assert_eq!(report.to_string(), "AtlasA2: not checked (Checks::Api)");
    assert!(report.is_clean());
}

#[test]
fn a_run_without_checks_does_not_pass_for_clean() {
    let report = TPipe::builder(Chip::AtlasA2).checks(Checks::Api).build().unwrap().finish();
    let panic = std::panic::catch_unwind(|| report.assert_clean()).unwrap_err();
    let text = panic.downcast_ref::<&str>().unwrap();
    assert!(text.starts_with("nothing was checked: "), "{text}");
    for way in ["TPipe::builder(chip).checks(Checks::Full)", "Launch::checks"] {
        assert!(text.contains(way), "{way} is missing in\n{text}");
    }
}

#[test]
fn findings_as_errors_stop_at_the_call() {
    let pipe = TPipe::builder(Chip::AtlasA2)
        .checks(Checks::Full)
        .on_finding(OnFinding::Error)
        .build()
        .unwrap();
    pipe.set_flag(HardEvent::MTE2_V, 0).unwrap();
    let error = pipe.set_flag(HardEvent::MTE2_V, 0).unwrap_err();
    let BufPoolError::Finding(finding) = &error else { panic!("{error}") };
    let finding: &Finding = finding;
    assert_eq!(finding.check, CheckId::DuplicateSet);
    assert!(error.to_string().starts_with("error[duplicate-set]"), "{error}");
    assert!(format!("{error:?}").starts_with("error[duplicate-set]"), "{error:?}");
    pipe.wait_flag(HardEvent::MTE2_V, 0).unwrap();
    // Warnings do not stop a kernel.
    let mut q = TQue::<VECIN, 1>::new();
    pipe.init_buffer(&mut q, 1, 1024).unwrap();
    pipe.init_buffer(&mut q, 1, 1024).unwrap();
    assert_found(&pipe.finish(), &[CheckId::DuplicateSet, CheckId::QueueRebound]);
}

#[test]
fn an_error_is_a_finding_for_people_and_machines() {
    let pipe = checked(Chip::AtlasA2);
    let mut q = TQue::<VECIN, 1>::new().named("x");
    pipe.init_buffer(&mut q, 1, 1024).unwrap();
    let taken = q.alloc_buffer().unwrap();
    let error = q.alloc_buffer().unwrap_err();
    // What `unwrap` and `main` show.
    let shown = format!("{error:?}");
    assert!(shown.starts_with("[no-free-block] the VECIN queue `x` has no free block"), "{shown}");
    q.free_buffer(taken).unwrap();
    let mut report = pipe.finish();
    report.add_error(&error);
    report.add_error(&error);
    assert_found(&report, &[CheckId::NoFreeBlock]);
    let places: Vec<Place> = report.findings()[0].labels.iter().map(|label| label.place).collect();
    assert_eq!(places, error.trail().unwrap().places());
    assert_eq!(places.len(), 2);
    let text = report.to_string();
    for part in [
        "error[no-free-block]: the VECIN queue `x` has no free block",
        "let error = q.alloc_buffer().unwrap_err();",
        "block 0: OCCUPIED, taken here",
        "help: enque or free_tensor the tensor",
    ] {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
    let json: Value = serde_json::from_str(&report.to_json()).unwrap();
    assert_eq!(json["findings"][0]["id"], "no-free-block");
    let sarif: Value = serde_json::from_str(&report.to_sarif()).unwrap();
    assert_eq!(sarif["runs"][0]["results"][0]["ruleId"], "no-free-block");
}

#[test]
fn what_ends_a_pipe_is_found_with_its_own_id() {
    let pipe = TPipe::builder(Chip::AtlasA2)
        .core_kind(CoreKind::AIC)
        .checks(Checks::Full)
        .build()
        .unwrap();
    pipe.wait_flag(HardEvent::M_MTE1, 2).unwrap();
    let report = pipe.finish();
    assert_found(&report, &[CheckId::UnmatchedWait]);
    let help = report.findings()[0].help.as_deref().unwrap();
    assert!(help.contains("as TPipe::init sets it"), "{help}");
}

#[test]
fn ids_are_stable_and_unique() {
    let ids: Vec<&str> = CheckId::ALL.iter().map(|check| check.id()).collect();
    let mut unique = ids.clone();
    unique.sort_unstable();
    unique.dedup();
    assert_eq!(unique.len(), ids.len());
    for check in CheckId::ALL {
        let kebab = check.id().chars().all(|c| c.is_ascii_lowercase() || c == '-');
        assert!(kebab && !check.about().is_empty(), "{check}");
    }
    assert_eq!(CheckId::WriteRace.npuchk(), Some("ErrorSync1"));
    assert_eq!(CheckId::Overlap.npuchk(), None);
}

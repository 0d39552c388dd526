//! The report for people: like the output of a compiler.

use super::{Finding, Report, Severity};

/// How text is rendered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    Plain,
    /// With ANSI escapes.
    Colour,
}

/// All findings, then a summary line.
pub(super) fn report(report: &Report, style: Style) -> String {
    let mut out = findings(report.findings(), style);
    if !out.is_empty() {
        out.push('\n');
    }
    out.push_str(&summary(report));
    out
}

/// One finding.
pub(super) fn finding(finding: &Finding, style: Style) -> String {
    findings(std::slice::from_ref(finding), style)
}

fn summary(report: &Report) -> String {
    let chip = report.chip();
    if !report.is_checked() {
        return format!("{chip}: not checked (Checks::Api)");
    }
    let parts: Vec<String> = [Severity::Error, Severity::Warning, Severity::Note]
        .into_iter()
        .filter_map(|severity| match report.count(severity) {
            0 => None,
            1 => Some(format!("1 {severity}")),
            n => Some(format!("{n} {severity}s")),
        })
        .collect();
    let found = if parts.is_empty() { "no findings".to_owned() } else { parts.join(", ") };
    match report.not_kept() {
        0 => format!("{chip}: {found}"),
        n => {
            format!("{chip}: {found}; {n} more happened at places that this report has no room for")
        }
    }
}

/// Lines below the quoted source: circumstances, other names of the fault, how often.
fn notes(finding: &Finding) -> Vec<String> {
    let mut notes: Vec<String> = finding.ranges.iter().map(ToString::to_string).collect();
    notes.extend(finding.notes.iter().cloned());
    if !finding.also.is_empty() {
        let also: Vec<&str> = finding.also.iter().map(|check| check.id()).collect();
        notes.push(format!("the same cause breaks {}", also.join(" and ")));
    }
    if finding.count > 1 {
        notes.push(format!("happened {} times", finding.count));
    }
    match &finding.cores[..] {
        [] => {}
        [core] => notes.push(format!("on core {core}")),
        [first, .., last] => {
            notes.push(format!("on {} cores, {first} to {last}", finding.cores.len()));
        }
    }
    notes
}

#[cfg(not(feature = "report"))]
fn findings(findings: &[Finding], _style: Style) -> String {
    use std::fmt::Write as _;

    let mut out = String::new();
    for finding in findings {
        let (severity, check) = (finding.severity, finding.check);
        let mut line = |text: std::fmt::Arguments<'_>| {
            let _ = writeln!(out, "{text}");
        };
        line(format_args!("{severity}[{check}]: {}", finding.message));
        for label in &finding.labels {
            line(format_args!("  --> {}: {}", label.place, label.text));
        }
        for note in notes(finding) {
            line(format_args!("   = note: {note}"));
        }
        if let Some(help) = &finding.help {
            line(format_args!("   = help: {help}"));
        }
        out.push('\n');
    }
    out.pop();
    out
}

#[cfg(feature = "report")]
use quoted::findings;

#[cfg(feature = "report")]
mod quoted {
    use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

    use super::{Finding, Severity, Style, notes};
    use crate::report::Label;
    use crate::report::source::{Sources, name_at};

    pub(super) fn findings(findings: &[Finding], style: Style) -> String {
        let mut sources = Sources::default();
        let renderer = match style {
            Style::Plain => Renderer::plain(),
            Style::Colour => Renderer::styled(),
        };
        findings
            .iter()
            .map(|finding| renderer.render(&[group(finding, &mut sources)]) + "\n")
            .collect::<Vec<_>>()
            .join("\n")
    }

    fn group<'f>(finding: &'f Finding, sources: &mut Sources) -> Group<'f> {
        let level = match finding.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Note => Level::NOTE,
        };
        let mut group = level
            .primary_title(finding.message.as_str())
            .id(finding.check.id())
            .elements(std::iter::empty::<Origin<'_>>());
        for file in files(finding) {
            group = quote(group, finding, file, sources);
        }
        for note in notes(finding) {
            group = group.element(Level::NOTE.message(note));
        }
        if let Some(help) = &finding.help {
            group = group.element(Level::HELP.message(help.as_str()));
        }
        group
    }

    /// The files that the labels are in, in their order.
    fn files(finding: &Finding) -> Vec<&'static str> {
        let mut files = Vec::new();
        for label in &finding.labels {
            if !files.contains(&label.place.file()) {
                files.push(label.place.file());
            }
        }
        files
    }

    /// The lines of one file that labels stand at; the bare places if it cannot be read.
    fn quote<'f>(
        group: Group<'f>,
        finding: &'f Finding,
        file: &'static str,
        sources: &mut Sources,
    ) -> Group<'f> {
        let labels = || finding.labels.iter().enumerate().filter(|(_, l)| l.place.file() == file);
        let spans: Option<Vec<_>> = sources.text(file).and_then(|text| {
            labels()
                .map(|(_, label)| name_at(text, label.place.line(), label.place.column()))
                .collect()
        });
        let (Some(spans), Some(text)) = (spans, sources.text(file)) else {
            return labels().fold(group, |group, (_, label)| bare(group, label));
        };
        let annotations = labels().zip(spans).map(|((index, label), span)| {
            let kind = if index == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
            kind.span(span).label(label.text.as_str())
        });
        group.element(Snippet::source(text.to_owned()).path(file).annotations(annotations))
    }

    fn bare<'f>(group: Group<'f>, label: &'f Label) -> Group<'f> {
        let place = label.place;
        group
            .element(
                Origin::path(place.file())
                    .line(place.line() as usize)
                    .char_column(place.column() as usize),
            )
            .element(Level::NOTE.message(label.text.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chip::Chip;
    use crate::place::Place;
    use crate::report::CheckId;

    fn sample() -> Finding {
        let first = Place::here();
        Finding::new(CheckId::ReadRace, Severity::Error, "V reads what MTE2 may still write")
            .at(Place::here(), "read here")
            .at(first, "written here")
            .note("a rule")
            .help("wait for MTE2")
    }

    #[test]
    fn a_finding_starts_with_its_severity_and_names_both_places() {
        let text = finding(&sample(), Style::Plain);
        assert!(text.starts_with("error[read-race]: V reads what MTE2 may still write"), "{text}");
        for part in ["read here", "written here", "note: a rule", "help: wait for MTE2", file!()] {
            assert!(text.contains(part), "{part} is missing in\n{text}");
        }
    }

    #[cfg(feature = "report")]
    #[test]
    fn the_users_line_is_quoted() {
        let text = finding(&sample(), Style::Plain);
        assert!(text.contains("let first = Place::here();"), "{text}");
        assert!(finding(&sample(), Style::Colour).contains("\u{1b}["));
        assert!(!text.contains('\u{1b}'));
    }

    #[test]
    fn the_summary_counts_by_severity() {
        let clean = Report::new(Chip::AtlasA2, Vec::new(), 0);
        assert_eq!(clean.to_string(), "AtlasA2: no findings");
        let found = Report::new(Chip::AtlasA2, vec![sample(), sample()], 3).to_string();
        assert!(found.contains("AtlasA2: 2 errors; 3 more happened"), "{found}");
        let unchecked = Report::unchecked(Chip::AtlasA2).to_string();
        assert_eq!(unchecked, "AtlasA2: not checked (Checks::Api)");
    }
}

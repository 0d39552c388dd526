//! Compiles each file of `ui`, `build` and `pass`, and compares what the compiler says.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The compiler whose words the `.stderr` files are.
const COMPILER: &str = "rustc 1.95.";

#[test]
fn wrong_uses() {
    if is_compiler() {
        trybuild::TestCases::new().compile_fail("ui/*/*.rs");
    }
}

/// What only `cargo build` sees.
#[test]
fn wrong_uses_of_what_is_built() {
    if is_compiler() {
        let cases = trybuild::TestCases::new();
        // Next to a program that is to run, the others are built too, and not only checked.
        cases.pass("pass/plain.rs");
        cases.compile_fail("build/*.rs");
    }
}

fn is_compiler() -> bool {
    let version = Command::new("rustc").arg("--version").output().expect("rustc runs");
    let version = String::from_utf8_lossy(&version.stdout);
    let same = version.starts_with(COMPILER);
    if !same {
        eprintln!("not compared: the expected outputs are those of {COMPILER}x, this is {version}");
    }
    same
}

#[test]
fn right_uses() {
    trybuild::TestCases::new().pass("pass/*.rs");
}

/// One mistake is one error. Files with several mistakes say how many errors they have.
#[test]
fn one_error_for_each_mistake() {
    let (mut files, mut single) = (0, 0);
    for path in sources("ui").into_iter().chain(sources("build")) {
        let source = fs::read_to_string(&path).expect("a source file");
        let output = fs::read_to_string(path.with_extension("stderr")).expect("an expected output");
        let errors = output.lines().filter(|line| line.starts_with("error")).count();
        let warnings = output.lines().filter(|line| line.starts_with("warning")).count();
        let first = source.lines().next().and_then(|line| line.strip_prefix("// "));
        let first =
            first.unwrap_or_else(|| panic!("{}: no comment says what is expected", path.display()));
        let several = path.parent().is_some_and(|area| area.ends_with("several"));
        let expected = if several {
            let number = first.split(' ').next().and_then(|number| number.parse().ok());
            number.unwrap_or_else(|| panic!("{}: does not say how many errors", path.display()))
        } else {
            single += 1;
            1
        };
        assert_eq!(errors, expected, "errors in {}", path.display());
        assert_eq!(warnings, 0, "warnings in {}", path.display());
        files += 1;
    }
    assert!(files >= 80, "only {files} files with mistakes");
    assert!(sources("pass").len() >= 15, "too few files without mistakes");
    println!(
        "{files} files with mistakes, {single} with a single one, 1.00 errors for each of these"
    );
}

/// All source files in the directories in `dir`, or in `dir` itself.
fn sources(dir: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(Path::new(dir)).expect("a directory").flatten() {
        let path = entry.path();
        if path.is_dir() {
            let inner = fs::read_dir(&path).expect("a directory").flatten();
            found.extend(inner.map(|entry| entry.path()).filter(|path| is_source(path)));
        } else if dir != "ui" && is_source(&path) {
            found.push(path);
        }
    }
    found
}

fn is_source(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "rs")
}

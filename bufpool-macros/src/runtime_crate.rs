//! Under which name the crate being compiled knows the runtime.
//!
//! `renamed = { package = "bufpool-runtime" }` in Cargo.toml makes `::bufpool_runtime` the wrong
//! path. This reads the manifest for such a line, that of the workspace too if the dependency is
//! inherited. Whatever cannot be read or found counts as "not renamed": if that is wrong the
//! compiler says that it cannot find `bufpool_runtime`.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use crate::manifest;

const PACKAGE: &str = "bufpool-runtime";
const DEFAULT: &str = "bufpool_runtime";

/// What was found, and in which manifest of which age.
struct Found {
    manifest: PathBuf,
    modified: Option<SystemTime>,
    name: String,
}

/// One compiler has one crate, so one entry is enough. A language server keeps this code loaded
/// while manifests change.
static LAST: Mutex<Option<Found>> = Mutex::new(None);

pub(crate) fn name() -> String {
    let Some(dir) = std::env::var_os("CARGO_MANIFEST_DIR") else {
        return DEFAULT.to_owned();
    };
    let manifest = Path::new(&dir).join("Cargo.toml");
    let modified = manifest.metadata().and_then(|data| data.modified()).ok();
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    match &*last {
        Some(found) if found.manifest == manifest && found.modified == modified => {
            found.name.clone()
        }
        _ => {
            let name = read(&manifest);
            *last = Some(Found { manifest, modified, name: name.clone() });
            name
        }
    }
}

fn read(manifest: &Path) -> String {
    let Ok(text) = std::fs::read_to_string(manifest) else {
        return DEFAULT.to_owned();
    };
    let dirs = || manifest.ancestors().skip(1);
    find(&text, || dirs().filter_map(|dir| std::fs::read_to_string(dir.join("Cargo.toml")).ok()))
}

/// The name in this manifest. `workspaces` gives this manifest and those of the directories around it,
/// nearest first, and is only asked if a dependency is inherited.
pub(crate) fn find<I: Iterator<Item = String>>(text: &str, workspaces: impl Fn() -> I) -> String {
    let entries = manifest::entries(text);
    let mut renamed = None;
    for (path, value) in &entries {
        let Some(dependency) = dependency(path) else {
            continue;
        };
        let name = match dependency {
            // `name = "1.0"` or any line of `name = { .. }` that is not about the package.
            [name, ..] if name == PACKAGE && !names_other_package(&entries, path, dependency) => {
                return DEFAULT.to_owned();
            }
            [name, key] if key == "package" && value == PACKAGE => name,
            [name, key]
                if key == "workspace" && value == "true" && inherited(name, &workspaces) =>
            {
                name
            }
            _ => continue,
        };
        renamed.get_or_insert_with(|| name.replace('-', "_"));
    }
    renamed.unwrap_or_else(|| DEFAULT.to_owned())
}

/// The part of a path of keys that comes after `dependencies` or `dev-dependencies`.
fn dependency(path: &[String]) -> Option<&[String]> {
    let is_list = |key: &String| key == "dependencies" || key == "dev-dependencies";
    match path {
        [list, rest @ ..] if is_list(list) => Some(rest),
        [target, _, list, rest @ ..] if target == "target" && is_list(list) => Some(rest),
        _ => None,
    }
}

/// Somebody may call another package by our name.
fn names_other_package(
    entries: &[(Vec<String>, String)],
    path: &[String],
    dependency: &[String],
) -> bool {
    let mut package: Vec<String> = path[..=path.len() - dependency.len()].to_vec();
    package.push("package".to_owned());
    entries.iter().any(|(path, value)| *path == package && value != PACKAGE)
}

/// Whether `[workspace.dependencies]` says that this name is the runtime.
fn inherited<I: Iterator<Item = String>>(name: &str, workspaces: &impl Fn() -> I) -> bool {
    let root = workspaces().map(|text| manifest::entries(&text)).find(|entries| {
        let is_root =
            |(path, _): &(Vec<String>, String)| path.first().is_some_and(|key| key == "workspace");
        entries.iter().any(is_root)
    });
    root.is_some_and(|entries| {
        let wanted = ["workspace", "dependencies", name, "package"];
        entries.iter().any(|(path, value)| *path == wanted && value == PACKAGE)
    })
}

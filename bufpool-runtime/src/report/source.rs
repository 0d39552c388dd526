//! The user's source files, to quote from.
//!
//! A [`Place`](crate::place::Place) has the path as the compiler was given it: absolute, or
//! relative to the root of the workspace that was built. A program does not know that root, and
//! many projects have a `src/main.rs`, so it is not searched for but worked out:
//!
//! ```text
//! package    CARGO_MANIFEST_DIR, which cargo sets where it runs a program or a test;
//!            else the folder of the program: target/debug, inside of the workspace
//! root       the nearest folder from there upwards that has a Cargo.lock
//! file       root / path of the place, and nowhere else
//! ```
//!
//! Without a root, or where the file has no such line and column, the place alone is told.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Files that were looked for, each read once.
#[derive(Default)]
pub(super) struct Sources {
    texts: HashMap<&'static str, Option<String>>,
}

impl Sources {
    /// The text of a file; none if it is not to be found or not text.
    pub fn text(&mut self, file: &'static str) -> Option<&str> {
        self.texts.entry(file).or_insert_with(|| find(file)).as_deref()
    }
}

fn find(file: &str) -> Option<String> {
    let path = Path::new(file);
    if path.is_absolute() {
        return std::fs::read_to_string(path).ok();
    }
    let package = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let within = package.or_else(|| std::env::current_exe().ok())?;
    std::fs::read_to_string(workspace(&within)?.join(path)).ok()
}

/// The root of the workspace that a path is in: cargo writes the lock file there, and only there.
fn workspace(within: &Path) -> Option<&Path> {
    within.ancestors().find(|folder| folder.join("Cargo.lock").is_file())
}

/// The bytes of a text from a line and column (from 1, in characters) to the end of the name
/// that starts there; none if the text has no such place.
pub(super) fn name_at(text: &str, line: u32, column: u32) -> Option<std::ops::Range<usize>> {
    let start: usize = text.split_inclusive('\n').take(line as usize - 1).map(str::len).sum();
    let row = text.get(start..)?.lines().next()?;
    let (offset, first) = row.char_indices().nth(column as usize - 1)?;
    let rest = &row[offset..];
    let name =
        rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')).unwrap_or(rest.len());
    let from = start + offset;
    // No name, if the file was changed since it was compiled: one character, of however many bytes.
    Some(from..from + name.max(first.len_utf8()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_goes_from_its_column_to_its_end() {
        let text = "fn f() {\n    que.alloc_tensor::<f16>()?;\n}\n";
        assert_eq!(&text[name_at(text, 2, 9).unwrap()], "alloc_tensor::");
        assert_eq!(&text[name_at(text, 2, 5).unwrap()], "que");
        assert_eq!(&text[name_at(text, 1, 5).unwrap()], "(");
    }

    #[test]
    fn a_place_with_no_name_is_one_whole_character() {
        let text = "a → b\n→";
        assert_eq!(&text[name_at(text, 1, 3).unwrap()], "→");
        assert_eq!(&text[name_at(text, 2, 1).unwrap()], "→");
    }

    #[test]
    fn places_that_the_text_does_not_have_are_none() {
        assert_eq!(name_at("one line", 2, 1), None);
        assert_eq!(name_at("one line", 1, 40), None);
        assert_eq!(name_at("", 1, 1), None);
    }

    #[test]
    fn this_file_is_found_from_the_folder_of_the_package() {
        assert!(Sources::default().text(file!()).is_some());
        assert!(Sources::default().text("no/such/file.rs").is_none());
    }

    #[test]
    fn folders_above_the_workspace_are_not_searched() {
        let above = std::env::temp_dir().join(format!("bufpool-source-{}", std::process::id()));
        let root = above.join("project");
        std::fs::create_dir_all(root.join("member/src")).unwrap();
        std::fs::create_dir_all(root.join("target/debug")).unwrap();
        std::fs::write(above.join("Cargo.lock"), "").unwrap();
        std::fs::write(root.join("Cargo.lock"), "").unwrap();
        for within in ["", "member", "target/debug/program"] {
            assert_eq!(workspace(&root.join(within)), Some(&*root), "{within}");
        }
        std::fs::remove_dir_all(&above).unwrap();
        assert_eq!(workspace(Path::new("/no/such/folder")), None);
    }

    #[test]
    fn a_path_that_fits_the_package_alone_is_another_file() {
        // Relative to the root of the workspace it would start with the folder of the package.
        assert!(Path::new("src/report/source.rs").is_file(), "cargo runs tests in the package");
        assert!(Sources::default().text("src/report/source.rs").is_none());
    }
}

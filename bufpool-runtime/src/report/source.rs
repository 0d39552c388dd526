//! The user's source files, to quote from.
//!
//! A [`Place`](crate::place::Place) has the path as the compiler was given it: relative to the
//! root of the workspace. A test runs in the folder of its package, so folders above are tried.

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
    let here = std::env::current_dir().ok();
    let roots = [package, here];
    roots
        .iter()
        .flatten()
        .flat_map(|root| root.ancestors())
        .find_map(|folder| std::fs::read_to_string(folder.join(path)).ok())
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
}

//! A reader of TOML that is just large enough to find dependencies: it gives every value with
//! the full path of its key, as `(["dependencies", "name", "package"], "bufpool-runtime")`.
//!
//! A TOML crate would cost every user more compile time than the whole macro. This one is not a
//! checker: cargo has accepted the file before we see it.

use std::iter::Peekable;
use std::str::Chars;

type Entry = (Vec<String>, String);

/// All values in order. Of lists and tables only the values in tables are given.
pub(crate) fn entries(text: &str) -> Vec<Entry> {
    let mut reader = Reader { chars: text.chars().peekable(), found: Vec::new() };
    let mut table = Vec::new();
    loop {
        reader.skip_blank();
        match reader.chars.peek() {
            None => return reader.found,
            Some('[') => {
                reader.take_while(|c| c == '[');
                table = reader.key();
                reader.take_while(|c| c != '\n');
            }
            Some(_) => {
                if !reader.key_and_value(&table) {
                    // Not TOML as we know it: go on with the next line.
                    reader.take_while(|c| c != '\n');
                }
            }
        }
    }
}

struct Reader<'a> {
    chars: Peekable<Chars<'a>>,
    found: Vec<Entry>,
}

impl Reader<'_> {
    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> String {
        let mut taken = String::new();
        while let Some(c) = self.chars.next_if(|c| wanted(*c)) {
            taken.push(c);
        }
        taken
    }

    /// Space, line ends, commas between values, and comments.
    fn skip_blank(&mut self) {
        loop {
            self.take_while(|c| c.is_whitespace() || c == ',');
            if self.chars.peek() != Some(&'#') {
                return;
            }
            self.take_while(|c| c != '\n');
        }
    }

    fn skip_space(&mut self) {
        self.take_while(|c| c == ' ' || c == '\t');
    }

    /// `a.b."c d"`
    fn key(&mut self) -> Vec<String> {
        let mut key = Vec::new();
        loop {
            self.skip_space();
            key.push(match self.chars.peek() {
                Some(&quote @ ('"' | '\'')) => self.string(quote),
                _ => self.take_while(|c| c.is_alphanumeric() || c == '-' || c == '_'),
            });
            self.skip_space();
            if self.chars.next_if_eq(&'.').is_none() {
                return key;
            }
        }
    }

    fn key_and_value(&mut self, table: &[String]) -> bool {
        let key = self.key();
        if self.chars.next_if_eq(&'=').is_none() {
            return false;
        }
        let path = [table, &key].concat();
        self.skip_space();
        self.value(path);
        true
    }

    fn value(&mut self, path: Vec<String>) {
        match self.chars.peek() {
            Some('{') => {
                self.chars.next();
                loop {
                    self.skip_blank();
                    let ended = matches!(self.chars.peek(), Some('}') | None);
                    if ended || !self.key_and_value(&path) {
                        break;
                    }
                }
                self.chars.next_if_eq(&'}');
            }
            Some('[') => {
                self.chars.next();
                loop {
                    self.skip_blank();
                    match self.chars.peek() {
                        Some(']') | None => break,
                        // Values in lists have no path of their own, and nobody asks for them.
                        Some(_) => {
                            let before = self.found.len();
                            self.value(Vec::new());
                            self.found.truncate(before);
                        }
                    }
                }
                self.chars.next_if_eq(&']');
                self.found.push((path, String::new()));
            }
            Some(&quote @ ('"' | '\'')) => {
                let value = self.string(quote);
                self.found.push((path, value));
            }
            _ => {
                let value = self.take_while(|c| !c.is_whitespace() && !",]}#".contains(c));
                if value.is_empty() {
                    // Never stand still.
                    self.chars.next();
                }
                self.found.push((path, value));
            }
        }
    }

    /// A string in one or three quotes. Escapes other than that of the quote stay as they are:
    /// no name of a package has one.
    fn string(&mut self, quote: char) -> String {
        let mut quotes = 0;
        while quotes < 3 && self.chars.next_if_eq(&quote).is_some() {
            quotes += 1;
        }
        if quotes == 2 {
            return String::new();
        }
        let mut text = String::new();
        let mut closing = 0;
        while let Some(c) = self.chars.next() {
            if c == quote {
                closing += 1;
                if closing == quotes {
                    break;
                }
                continue;
            }
            text.extend(std::iter::repeat_n(quote, closing));
            closing = 0;
            text.push(c);
            if c == '\\' && quote == '"' {
                text.extend(self.chars.next());
            }
        }
        text
    }
}

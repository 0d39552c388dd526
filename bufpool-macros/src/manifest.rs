//! A reader of TOML that is just large enough to find dependencies: it gives every value with
//! the full path of its key, as `(["dependencies", "name", "package"], "bufpool-runtime")`.
//!
//! A TOML crate would cost every user more compile time than the whole macro. This one is not a
//! checker: cargo has accepted the file before we see it.

type Entry = (Vec<String>, String);

/// All values in order. Of lists and tables only the values in tables are given.
pub(crate) fn entries(text: &str) -> Vec<Entry> {
    let mut reader = Reader { text, at: 0, found: Vec::new() };
    let mut table = Vec::new();
    loop {
        reader.skip_blank();
        match reader.peek() {
            0 => return reader.found,
            b'[' => {
                reader.take_while(|c| c == b'[');
                table = reader.key();
                reader.skip_line();
            }
            _ => {
                if !reader.key_and_value(&table) {
                    // Not TOML as we know it: go on with the next line.
                    reader.skip_line();
                }
            }
        }
    }
}

/// All that the grammar is about is ASCII. Other characters stop a word as a whole or are part
/// of it as a whole.
struct Reader<'a> {
    text: &'a str,
    at: usize,
    found: Vec<Entry>,
}

impl<'a> Reader<'a> {
    /// The next byte, 0 at the end.
    fn peek(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or(0)
    }

    fn eat(&mut self, wanted: u8) -> bool {
        let found = self.at < self.text.len() && self.peek() == wanted;
        self.at += usize::from(found);
        found
    }

    fn take_while(&mut self, wanted: fn(u8) -> bool) -> &'a str {
        let start = self.at;
        while self.at < self.text.len() && wanted(self.peek()) {
            self.at += 1;
        }
        self.text.get(start..self.at).unwrap_or_default()
    }

    fn skip_line(&mut self) {
        self.take_while(|c| c != b'\n');
    }

    /// Space, line ends, commas between values, and comments.
    fn skip_blank(&mut self) {
        loop {
            self.take_while(|c| c.is_ascii_whitespace() || c == b',');
            if self.peek() != b'#' {
                return;
            }
            self.skip_line();
        }
    }

    fn skip_space(&mut self) {
        self.take_while(|c| c == b' ' || c == b'\t');
    }

    /// `a.b."c d"`
    fn key(&mut self) -> Vec<String> {
        let mut key = Vec::new();
        loop {
            self.skip_space();
            let next = self.peek();
            key.push(if next == b'"' || next == b'\'' {
                self.string(next)
            } else {
                let bare = |c: u8| c.is_ascii_alphanumeric() || c == b'-' || c == b'_';
                self.take_while(bare).to_owned()
            });
            self.skip_space();
            if !self.eat(b'.') {
                return key;
            }
        }
    }

    fn key_and_value(&mut self, table: &[String]) -> bool {
        let mut path = table.to_vec();
        path.extend(self.key());
        if !self.eat(b'=') {
            return false;
        }
        self.skip_space();
        self.value(path);
        true
    }

    fn value(&mut self, path: Vec<String>) {
        match self.peek() {
            b'{' => {
                self.at += 1;
                loop {
                    self.skip_blank();
                    if matches!(self.peek(), b'}' | 0) || !self.key_and_value(&path) {
                        break;
                    }
                }
                self.eat(b'}');
            }
            b'[' => {
                self.at += 1;
                loop {
                    self.skip_blank();
                    if matches!(self.peek(), b']' | 0) {
                        break;
                    }
                    // Values in lists have no path of their own, and nobody asks for them.
                    let before = self.found.len();
                    self.value(Vec::new());
                    self.found.truncate(before);
                }
                self.eat(b']');
                self.found.push((path, String::new()));
            }
            quote @ (b'"' | b'\'') => {
                let value = self.string(quote);
                self.found.push((path, value));
            }
            _ => {
                let value = self.take_while(|c| !c.is_ascii_whitespace() && !b",]}#".contains(&c));
                self.found.push((path, value.to_owned()));
                if value.is_empty() {
                    // A brace or bracket out of place. Never stand still.
                    self.at += 1;
                }
            }
        }
    }

    /// A string in one or three quotes. Escapes stay as they are: no name of a package has one.
    fn string(&mut self, quote: u8) -> String {
        let quotes = self.quotes(quote, 3);
        if quotes == 2 {
            return String::new();
        }
        let start = self.at;
        while self.at < self.text.len() {
            let end = self.at;
            if self.quotes(quote, quotes) == quotes {
                return self.text.get(start..end).unwrap_or_default().to_owned();
            }
            // Behind a backslash a quote is none.
            let escaped = self.at == end && self.peek() == b'\\' && quote == b'"';
            self.at += if escaped { 2 } else { usize::from(self.at == end) };
        }
        String::new()
    }

    /// Takes quotes, at most so many, and says how many.
    fn quotes(&mut self, quote: u8, most: usize) -> usize {
        let mut taken = 0;
        while taken < most && self.eat(quote) {
            taken += 1;
        }
        taken
    }
}

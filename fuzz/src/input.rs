//! Choices and texts made of a fuzzer's bytes. When they are used up, all choices are the first.

/// Only bodies have it.
pub(crate) const OF_A_BODY: char = 'Ξ';
/// Only a file outside of the source has it.
pub(crate) const OUTSIDE: char = 'Ψ';
/// No text that is made of the bytes has them.
const MARKS: [char; 2] = [OF_A_BODY, OUTSIDE];

/// What is left of the bytes.
pub(crate) struct Input<'a>(&'a [u8]);

/// Pieces that files and paths are made of, so that a byte is enough to say one.
const PIECES: [&str; 48] = [
    "---\n",
    "name: ",
    "description: ",
    "disable-model-invocation: true\n",
    "user-invocable: false\n",
    "version: 1.10\n",
    "metadata:\n  ",
    "allowed-tools: Read, Bash(a b)\n",
    "license: ",
    "compatibility: ",
    "trigger: ",
    "x: ",
    "a",
    "demo",
    "\n",
    "\r\n",
    "  ",
    "- ",
    ": ",
    "|\n  ",
    ">-\n  ",
    "\"",
    "'",
    "[",
    "]",
    "{",
    "}",
    ",",
    "#",
    " # ",
    "&a ",
    "*a",
    "!!str ",
    "<<: ",
    "\\u{D800}",
    "\t",
    "\u{200B}",
    "\u{202E}",
    "\u{FEFF}",
    "\u{2028}",
    "\u{85}",
    "\0",
    "<skill_content>",
    "</available_skills>",
    "../",
    "[a](references/a.md)",
    "é",
    "SKILL.md",
];

impl<'a> Input<'a> {
    pub(crate) fn new(data: &'a [u8]) -> Self {
        Self(data)
    }

    fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else {
            return 0;
        };
        self.0 = rest;
        *first
    }

    /// A number below `bound`, which is at most 256.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        usize::from(self.byte()) % bound.max(1)
    }

    pub(crate) fn flag(&mut self) -> bool {
        self.byte() % 2 == 1
    }

    /// One of several.
    pub(crate) fn pick<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }

    /// A seed for what needs many choices.
    pub(crate) fn seed(&mut self) -> u64 {
        u64::from_le_bytes([(); 8].map(|()| self.byte()))
    }

    /// At most `most` bytes as they are.
    pub(crate) fn raw(&mut self, most: usize) -> &'a [u8] {
        let length = self.below(256).min(most).min(self.0.len());
        let (raw, rest) = self.0.split_at(length);
        self.0 = rest;
        raw
    }

    /// Bytes of some pieces, and of what is none.
    pub(crate) fn bytes(&mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for _ in 0..self.below(24) {
            match PIECES.get(self.below(64)) {
                Some(piece) => bytes.extend_from_slice(piece.as_bytes()),
                None => bytes.extend_from_slice(self.raw(8)),
            }
        }
        bytes
    }

    /// The same as text, without the [`MARKS`].
    pub(crate) fn text(&mut self) -> String {
        without_marks(&String::from_utf8_lossy(&self.bytes()))
    }

    /// JSON text whose keys and texts are mostly some of `words`; seldom something that is no JSON.
    pub(crate) fn json(&mut self, words: &[&str], depth: usize) -> String {
        match self.below(16) {
            0..4 if depth > 0 => {
                let items = 0..self.below(5);
                let item =
                    items.map(|_| format!("{}:{}", self.word(words), self.json(words, depth - 1)));
                format!("{{{}}}", item.collect::<Vec<_>>().join(","))
            }
            4..6 if depth > 0 => {
                let items = 0..self.below(4);
                let item = items.map(|_| self.json(words, depth - 1));
                format!("[{}]", item.collect::<Vec<_>>().join(","))
            }
            6 => self
                .pick(&["null", "true", "false", "0", "1e9", "-1", "1.5"])
                .to_owned(),
            7 if depth == 0 => self.text(),
            _ => self.word(words),
        }
    }

    /// One of `words`, or any text, in quotes.
    pub(crate) fn word(&mut self, words: &[&str]) -> String {
        if self.below(6) == 0 {
            return quoted(&self.text());
        }
        quoted(self.pick(words))
    }
}

/// Text in which only a leak can put a mark.
pub(crate) fn without_marks(text: &str) -> String {
    text.replace(MARKS, "")
}

/// Text in JSON.
pub(crate) fn quoted(text: &str) -> String {
    let mut json = String::from("\"");
    for unit in text.encode_utf16() {
        json.push_str(&format!("\\u{unit:04x}"));
    }
    json.push('"');
    json
}

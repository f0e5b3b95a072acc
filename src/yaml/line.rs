//! What a line of block-style YAML opens, told without a parser: for blocks that do not parse.

/// The beginning of a line of a list or a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Head {
    /// What the line opens.
    pub(super) kind: Kind,
    /// Offset in the line of what comes after the dash or the colon and its blanks.
    pub(super) value: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// `- value`
    Item,
    /// `key: value`
    Key {
        /// Offset in the line of what follows the colon.
        colon_end: usize,
    },
}

impl Head {
    /// Reads the beginning of `line`, which has no indentation and no end.
    pub(super) fn of(line: &str) -> Option<Self> {
        let after_dash = line.strip_prefix('-').filter(|rest| is_gap(rest));
        let (kind, rest) = if let Some(rest) = after_dash {
            (Kind::Item, rest)
        } else {
            let colon_end = key_end(line)?;
            (Kind::Key { colon_end }, &line[colon_end..])
        };
        let value = line.len() - rest.trim_start_matches(BLANKS).len();
        Some(Self { kind, value })
    }

    /// Reads the mark of an explicit key: `? key`, which is like `- item`.
    pub(super) fn of_key(line: &str) -> Option<Self> {
        let rest = line.strip_prefix('?').filter(|rest| is_gap(rest))?;
        Some(Self {
            kind: Kind::Item,
            value: line.len() - rest.trim_start_matches(BLANKS).len(),
        })
    }
}

pub(super) const BLANKS: [char; 2] = [' ', '\t'];

/// Whether `rest` is separated from what comes before it.
fn is_gap(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with(BLANKS)
}

/// The offset after the colon that ends a key.
fn key_end(line: &str) -> Option<usize> {
    let first = line.chars().next()?;
    let key = match first {
        '"' | '\'' => 1 + line[1..].find(first)? + 1,
        '#' | '[' | '{' | '?' | '|' | '>' => return None,
        _ => 0,
    };
    let mut from = key;
    loop {
        let colon = from + line[from..].find(':')?;
        if is_gap(&line[colon + 1..]) {
            let name = &line[key..colon];
            let is_key = if key > 0 {
                name.trim().is_empty()
            } else {
                !name.contains(" #")
            };
            return is_key.then_some(colon + 1);
        }
        from = colon + 1;
    }
}

/// Whether `value` opens a block scalar: `|`, `>-`, `|2+ # comment`.
pub(super) fn opens_block_scalar(value: &str) -> bool {
    let Some(rest) = value.strip_prefix(['|', '>']) else {
        return false;
    };
    let indicators = rest.trim_start_matches(|c: char| matches!(c, '+' | '-' | '1'..='9'));
    let comment = indicators.trim_start_matches(BLANKS);
    rest.len() - indicators.len() <= 2
        && (comment.is_empty() || (comment.starts_with('#') && comment.len() < indicators.len()))
}

/// The lines of a text with their byte offsets; a line has its end.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut offset = 0;
    text.split_inclusive('\n').map(move |line| {
        offset += line.len();
        (offset - line.len(), line)
    })
}

/// How many spaces a line begins with.
pub(super) fn indentation(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// Whether a line has neither key nor value: blank, or a comment.
pub(super) fn is_void(line: &str) -> bool {
    let content = line.trim_start();
    content.is_empty() || content.starts_with('#')
}

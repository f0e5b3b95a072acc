//! What a line of a Markdown document is, taken by itself (`CommonMark`): a heading, or one that opens or
//! closes a fence. Whether it is one depends on the lines above it, too.

/// How far a block may be indented and be none of code.
pub(crate) const NEAR: usize = 3;

/// The blanks before a line's text, and the text.
pub(crate) fn indented(line: &str) -> (&str, &str) {
    let text = line.trim_start_matches([' ', '\t']);
    (line.strip_suffix(text).unwrap_or_default(), text)
}

pub(crate) fn starts_blank(text: &str) -> bool {
    text.starts_with([' ', '\t'])
}

/// The column in which a text begins that has these blanks before it.
pub(crate) fn columns(indent: &str) -> usize {
    const TAB: usize = 4;
    indent.chars().fold(0, |column, blank| match blank {
        '\t' => (column / TAB + 1) * TAB,
        _ => column + 1,
    })
}

/// The level of a heading, and what follows its signs.
pub(crate) fn heading(text: &str) -> Option<(usize, &str)> {
    const DEEPEST: usize = 6;
    let rest = text.trim_start_matches('#');
    let level = text.len() - rest.len();
    let is_heading = (1..=DEEPEST).contains(&level) && (rest.is_empty() || starts_blank(rest));
    is_heading.then_some((level, rest))
}

/// A code fence.
#[derive(Debug)]
pub(crate) struct Fence {
    pub(crate) mark: char,
    pub(crate) length: usize,
}

impl Fence {
    pub(crate) fn opened_by(text: &str) -> Option<Self> {
        let mark = text
            .chars()
            .next()
            .filter(|mark| matches!(mark, '`' | '~'))?;
        let info = text.trim_start_matches(mark);
        let length = text.len() - info.len();
        // Three backticks and more of them in the same line are code in a text.
        let is_fence = length >= 3 && !(mark == '`' && info.contains('`'));
        is_fence.then_some(Self { mark, length })
    }

    /// Whether a line ends in the same way what this one has begun.
    pub(crate) fn is_closed_by(&self, text: &str) -> bool {
        let rest = text.trim_start_matches(self.mark);
        text.len() - rest.len() >= self.length && rest.trim_matches([' ', '\t']).is_empty()
    }
}

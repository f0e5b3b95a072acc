//! What of Markdown decides where a section begins: headings, code fences and comments.
//!
//! A section begins with a line `## name` that starts in the first column and is in no code fence
//! and no HTML comment. What is indented belongs to a list item or to code, and begins nothing.

use crate::hidden::{self, is_control};
use crate::text::one_line;

/// The level of the headings that begin sections.
const SECTION_LEVEL: usize = 2;

/// `text` as it stands in a prompt: every line ends in LF, control and hidden characters are left
/// out.
pub(super) fn cleaned(text: &str) -> String {
    let visible = hidden::strip(text);
    let mut out = String::with_capacity(visible.len());
    let mut after_return = false;
    for c in visible.chars() {
        match c {
            '\n' if after_return => {}
            '\r' | '\n' | '\u{B}' | '\u{C}' | '\u{85}' | '\u{2028}' | '\u{2029}' => out.push('\n'),
            '\t' => out.push(c),
            _ if is_control(c) => {}
            _ => out.push(c),
        }
        after_return = c == '\r';
    }
    out
}

/// `text` without blank lines at its ends; the indentation of its first line stays.
fn without_blank_ends(text: &str) -> &str {
    let text = text.trim_end();
    let indented = text.trim_start();
    let before = text.len() - indented.len();
    let line_start = text
        .get(..before)
        .and_then(|blanks| blanks.rfind('\n'))
        .map_or(0, |at| at + 1);
    text.get(line_start..).unwrap_or(indented)
}

/// The name in a line that begins a section, on one line. `None` for any other line.
pub(super) fn section_name(line: &str) -> Option<String> {
    let (level, rest) = heading(line)?;
    // White space of every kind is a blank before the closing signs are looked for.
    let rest = one_line(rest);
    let name = without_closing(&rest);
    (level == SECTION_LEVEL && !name.is_empty()).then(|| name.to_owned())
}

/// The level of a heading, and what follows its signs.
fn heading(line: &str) -> Option<(usize, &str)> {
    const DEEPEST: usize = 6;
    let rest = line.trim_start_matches('#');
    let level = line.len() - rest.len();
    let is_heading = (1..=DEEPEST).contains(&level) && (rest.is_empty() || starts_blank(rest));
    is_heading.then_some((level, rest))
}

fn starts_blank(text: &str) -> bool {
    text.starts_with([' ', '\t'])
}

/// A heading's text without the signs that may close it: `Rules ##` is `Rules`, `C#` stays. Written
/// again as a heading, what is left is read as itself.
fn without_closing(mut text: &str) -> &str {
    loop {
        let before = text.trim_end_matches('#');
        let is_closed = before.is_empty() || before.ends_with(' ');
        if before.len() == text.len() || !is_closed {
            return text;
        }
        text = before.trim_end();
    }
}

/// `text` as a part of a section, which it can neither leave nor keep open: headings of the first
/// two levels are of the third, and what is open at its end is closed.
pub(super) fn inside_section(text: &str) -> String {
    whole(&cleaned(text), true)
}

/// `text` without blank lines at its ends, and with what is open at its end closed.
pub(super) fn closed(text: &str) -> String {
    whole(text, false)
}

fn whole(text: &str, demotes: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut blocks = Blocks::default();
    for line in without_blank_ends(text).split('\n') {
        let is_plain = blocks.is_plain(line);
        if !is_plain || !demotes || !push_demoted(&mut out, line) {
            out.push_str(line);
        }
        out.push('\n');
    }
    if !blocks.push_closing(&mut out) {
        out.pop();
    }
    out
}

/// Adds a heading of one of the first two levels as one of the third, and nothing else. Indented by
/// up to three blanks it begins no section here, but is a heading to other readers of Markdown.
fn push_demoted(out: &mut String, line: &str) -> bool {
    let (indent, text) = indented(line);
    match heading(text) {
        Some((1 | 2, rest)) if is_near(indent) => {
            for part in [indent, "###", rest] {
                out.push_str(part);
            }
            true
        }
        _ => false,
    }
}

/// Whether what is indented so is no code of its own.
fn is_near(indent: &str) -> bool {
    indent.len() <= 3 && !indent.contains('\t')
}

/// Blocks in which a line is not a heading, whatever it looks like.
#[derive(Debug, Default)]
pub(super) enum Blocks {
    #[default]
    Outside,
    Fence(Fence),
    Comment,
}

/// A code fence that is open.
#[derive(Debug)]
pub(super) struct Fence {
    mark: char,
    length: usize,
    indent: String,
}

impl Blocks {
    /// Goes over a line. Tells whether it is outside of all blocks.
    pub(super) fn is_plain(&mut self, line: &str) -> bool {
        match self {
            Self::Comment => {
                if line.contains("-->") {
                    *self = Self::Outside;
                }
                return false;
            }
            // The fence of a list item ends with the item.
            Self::Fence(fence) if !fence.indent.is_empty() && begins_in_first_column(line) => {}
            Self::Fence(fence) => {
                if fence.is_closed_by(line) {
                    *self = Self::Outside;
                }
                return false;
            }
            Self::Outside => {}
        }
        *self = Self::opened_by(line);
        matches!(self, Self::Outside) && !line.starts_with("<!--")
    }

    fn opened_by(line: &str) -> Self {
        if let Some(fence) = Fence::opened_by(line) {
            return Self::Fence(fence);
        }
        match line.strip_prefix("<!--") {
            Some(rest) if !rest.contains("-->") => Self::Comment,
            _ => Self::Outside,
        }
    }

    /// Adds the line that closes what is open. Tells whether something was.
    fn push_closing(&self, out: &mut String) -> bool {
        match self {
            Self::Outside => return false,
            Self::Comment => out.push_str("-->"),
            Self::Fence(fence) => {
                out.push_str(&fence.indent);
                for _ in 0..fence.length {
                    out.push(fence.mark);
                }
            }
        }
        true
    }
}

fn begins_in_first_column(line: &str) -> bool {
    !line.is_empty() && !starts_blank(line)
}

impl Fence {
    fn opened_by(line: &str) -> Option<Self> {
        let (indent, text) = indented(line);
        let mark = text
            .chars()
            .next()
            .filter(|mark| matches!(mark, '`' | '~'))?;
        let info = text.trim_start_matches(mark);
        let length = text.len() - info.len();
        // Three backticks and more of them in the same line are code in a text.
        let is_fence = length >= 3 && !(mark == '`' && info.contains('`'));
        is_fence.then(|| Self {
            mark,
            length,
            indent: indent.to_owned(),
        })
    }

    fn is_closed_by(&self, line: &str) -> bool {
        let (indent, text) = indented(line);
        let rest = text.trim_start_matches(self.mark);
        // What is indented more is code in a fence of the first column.
        let is_near = !self.indent.is_empty() || is_near(indent);
        is_near && text.len() - rest.len() >= self.length && rest.trim().is_empty()
    }
}

/// The blanks before a line's text, and the text.
fn indented(line: &str) -> (&str, &str) {
    let text = line.trim_start_matches([' ', '\t']);
    (line.strip_suffix(text).unwrap_or_default(), text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_begins_with_two_signs_and_a_name_in_the_first_column() {
        for (line, name) in [
            ("## Rules", Some("Rules")),
            ("##\tRules", Some("Rules")),
            ("##   Rules \t", Some("Rules")),
            ("## Rules ##", Some("Rules")),
            ("## Rules #", Some("Rules")),
            ("## Rules # ##", Some("Rules")),
            ("## Rules#", Some("Rules#")),
            ("## In C#", Some("In C#")),
            ("## Known  issues", Some("Known issues")),
            ("## `rules`", Some("`rules`")),
            ("##Rules", None),
            ("##", None),
            ("## ", None),
            ("## ##", None),
            ("## #", None),
            ("# Rules", None),
            ("### Rules", None),
            (" ## Rules", None),
            ("\t## Rules", None),
            ("\\## Rules", None),
            ("> ## Rules", None),
            ("- ## Rules", None),
            ("\u{A0}## Rules", None),
            ("##\u{A0}Rules", None),
        ] {
            assert_eq!(section_name(line).as_deref(), name, "{line:?}");
        }
    }

    /// The lines that are outside of all blocks, and the one that closes what is open.
    fn plain_lines(text: &str) -> (Vec<&str>, String) {
        let mut blocks = Blocks::default();
        let plain = text.split('\n').filter(|line| blocks.is_plain(line));
        let plain = plain.collect();
        let mut closing = String::new();
        blocks.push_closing(&mut closing);
        (plain, closing)
    }

    #[test]
    fn lines_in_fences_and_comments_are_not_plain() {
        for (text, plain, closing) in [
            ("a\n```\n## b\n```\nc", vec!["a", "c"], ""),
            ("~~~ sh\n## b\n```\n~~~~ \nc", vec!["c"], ""),
            ("````\n```\n## b\n````\nc", vec!["c"], ""),
            ("```\n## b\n   ```\nc", vec!["c"], ""),
            ("```\n## b\n    ```\n## c", vec![], "```"),
            ("```\n\t```\n## c", vec![], "```"),
            ("```\n``` x\n## c", vec![], "```"),
            ("~~~~~\n## c", vec![], "~~~~~"),
            ("```a`b```\n## c", vec!["```a`b```", "## c"], ""),
            ("``\n## c", vec!["``", "## c"], ""),
            (
                "1. a\n   ```\n   ## b\n   ```\n## c",
                vec!["1. a", "## c"],
                "",
            ),
            (
                "- ```\n  ## b\n  ```\n## c",
                vec!["- ```", "  ## b", "## c"],
                "",
            ),
            ("  ```\n\n  ## b", vec![], "  ```"),
            ("<!--\n## b\n-->\nc", vec!["c"], ""),
            ("<!-- b -->\n## c", vec!["## c"], ""),
            ("<!--\n```\n-->\n## c", vec!["## c"], ""),
            ("```\n<!--\n```\n## c", vec!["## c"], ""),
            ("a <!--\n## c", vec!["a <!--", "## c"], ""),
            ("<!--\n## c", vec![], "-->"),
        ] {
            assert_eq!(plain_lines(text), (plain, closing.to_owned()), "{text:?}");
        }
    }

    #[test]
    fn a_part_of_a_section_stays_in_it() {
        for (text, inside) in [
            ("", ""),
            ("\n\n  a\n \n", "  a"),
            ("# A\n## B\n### C\n##\n#D", "### A\n### B\n### C\n###\n#D"),
            ("x\n   ## a\n    ## b", "x\n   ### a\n    ## b"),
            ("```\n# a", "```\n# a\n```"),
            ("1. x\n   ~~~\n   # a", "1. x\n   ~~~\n   # a\n   ~~~"),
            ("<!--\n## a", "<!--\n## a\n-->"),
            ("a\r## b\r\n## c\u{2028}## d", "a\n### b\n### c\n### d"),
            ("#\u{200B}# a\u{0}\n#\u{7}# b", "### a\n### b"),
        ] {
            assert_eq!(inside_section(text), inside, "{text:?}");
            assert_eq!(inside_section(inside), inside, "{text:?}: once is enough");
        }
    }

    #[test]
    fn lines_end_in_one_way() {
        assert_eq!(cleaned("a\r\nb\rc\n\r\nd\u{85}e\tf"), "a\nb\nc\n\nd\ne\tf");
        assert_eq!(
            cleaned("\u{FEFF}a\u{1B}[0m👩\u{200D}🚀"),
            "a[0m👩\u{200D}🚀"
        );
    }
}

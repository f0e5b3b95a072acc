//! What of Markdown decides where a section begins: headings, and how a text is kept inside of one.
//!
//! A section begins with a line `## name` that starts in the first column and is in no code fence
//! and no HTML block. What is indented belongs to a list item or to code, and begins nothing.

use crate::hidden::{self, is_control};
use crate::markdown_line::{heading, indented};
use crate::text::one_line;

use super::blocks::{Blocks, Step};

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
pub(super) fn without_blank_ends(text: &str) -> &str {
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
/// two levels are of the third or none, and what is open at its end is closed.
pub(super) fn inside_section(text: &str) -> String {
    let text = cleaned(text);
    let mut out = String::with_capacity(text.len());
    let mut blocks = Blocks::after_text();
    for line in without_blank_ends(&text).split('\n') {
        match blocks.step(line, &mut out) {
            Step::Block(line) => out.push_str(&line),
            Step::Plain { follows_text } => {
                if follows_text && is_underline(line) {
                    out.push('\n');
                }
                if !push_demoted(&mut out, line) {
                    out.push_str(line);
                }
            }
        }
        out.push('\n');
    }
    blocks.close(&mut out);
    out
}

/// Whether a line makes a heading of the text right above it.
fn is_underline(line: &str) -> bool {
    let (indent, text) = indented(line);
    let text = text.trim_end_matches([' ', '\t']);
    let is_of = |sign: char| text.chars().all(|c| c == sign);
    is_near(indent) && !text.is_empty() && (is_of('=') || is_of('-'))
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
            ("<!-->\n## a", "<!-->\n### a"),
            ("a\n---\nb\n==\nc", "a\n\n---\nb\n\n==\nc"),
            ("a\nb\n  -\nc", "a\nb\n\n  -\nc"),
            ("a\n\n---\n\n- b\n    ---", "a\n\n---\n\n- b\n    ---"),
            ("x\n  ```\ny\n```\n## a", "x\n  ```\ny\n```\n### a"),
            // What is above it may be a list.
            ("  ```\ny\n```\n## a", "  ```\n  ```\ny\n```\n## a\n```"),
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

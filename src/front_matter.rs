//! Where the front matter ends and the body begins. Only the fences are judged here, not the YAML
//! between them.
//!
//! A fence is a whole line of exactly three dashes, with blanks after it at most. The opening one
//! is the first line of the file; the first one after it closes. What stands in the way of that is
//! named, so that nobody has to guess why a skill did not load.

use std::borrow::Cow;

use crate::diagnostic::saturating_u32;
use crate::{Diagnostic, Mode, Position, Rule};

/// The file holds nothing but white space.
pub const EMPTY: Rule = Rule::error("file-empty");
/// The first line is not a fence, and nothing tells why.
pub const MISSING: Rule = Rule::error("front-matter-missing");
/// There is no closing fence.
pub const NOT_CLOSED: Rule = Rule::error("front-matter-not-closed");
/// The whole file is inside a Markdown code block.
pub const IN_CODE_BLOCK: Rule = Rule::error("front-matter-in-code-block");
/// The file begins with keys, but without the fence above them.
pub const WITHOUT_FENCE: Rule = Rule::error("front-matter-without-fence");
/// The opening fence is followed by text, such as the name of a language.
pub const LANGUAGE: Rule = Rule::error("front-matter-language");
/// A version control conflict was left in the file.
pub const CONFLICT: Rule = Rule::error("front-matter-conflict");
/// The block is larger than the limit.
pub const TOO_LARGE: Rule = Rule::error("front-matter-too-large");
/// Blank lines come before the fence.
pub const AFTER_BLANK_LINE: Rule = Rule::error("front-matter-after-blank-line");
/// An HTML comment comes before the fence.
pub const AFTER_COMMENT: Rule = Rule::error("front-matter-after-comment");
/// The bytes are not UTF-8.
pub const NOT_UTF8: Rule = Rule::error("not-utf-8");

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";
/// Where front matter begins, in every file that has any.
pub const OPENING_FENCE: Position = Position { line: 1, column: 1 };
/// The line of the block's first line in the file.
pub const BLOCK_LINE: u32 = OPENING_FENCE.line + 1;

const CONFLICT_MARKER: &[u8] = b"<<<<<<< ";

/// How much of a file without an opening fence is looked at to tell what is wrong with it. What is
/// known of a longer file is the same, whether all of it was read or only this much.
const WINDOW: usize = 4096;

/// What the beginning of a file is.
#[derive(Clone, Debug, PartialEq)]
pub enum Split<'a> {
    /// Both fences are in sight.
    Complete {
        /// The YAML between the fences.
        block: &'a str,
        /// Offset of the byte after the closing fence's line.
        body_start: usize,
    },
    /// The closing fence is not in sight, and there is more to read.
    Incomplete,
    /// The file cannot be a skill.
    Fault(Diagnostic),
}

/// Finds the front matter in `bytes`: the whole file, or (not `whole`) only its beginning, cut
/// anywhere. A beginning gives [`Split::Incomplete`], or what the whole file would give.
///
/// `limit` bounds the block, in bytes.
pub fn split(bytes: &[u8], whole: bool, limit: u32, mode: Mode) -> Split<'_> {
    let start = if bytes.starts_with(BYTE_ORDER_MARK) {
        BYTE_ORDER_MARK.len()
    } else {
        0
    };
    let first = Line::at(bytes, start);
    if !first.ended && !whole && bytes.len() < WINDOW {
        return Split::Incomplete;
    }
    if first.next <= WINDOW && is_fence(first.content) {
        return find_end(bytes, first.next, whole, limit as usize, mode);
    }
    if !whole && bytes.len() < WINDOW {
        return Split::Incomplete;
    }
    Split::Fault(explain(bytes, start, mode))
}

/// Whether a file begins like one with front matter: `---` in its first line.
pub fn begins(bytes: &[u8]) -> bool {
    bytes
        .strip_prefix(BYTE_ORDER_MARK)
        .unwrap_or(bytes)
        .starts_with(b"---")
}

/// Whether the first line begins with three dashes and no more: four are a rule across the page.
pub(crate) fn is_opened(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    text.starts_with(b"---") && !text.starts_with(b"----")
}

/// The body: what follows the closing fence, trimmed at both ends (Unicode white space) and
/// otherwise untouched.
///
/// # Errors
///
/// The body is not UTF-8; the message has the offset of the byte in the file.
pub fn body(bytes: &[u8], body_start: usize) -> Result<&str, Diagnostic> {
    let rest = bytes.get(body_start..).unwrap_or_default();
    match std::str::from_utf8(rest) {
        Ok(text) => Ok(text.trim()),
        Err(error) => Err(not_utf8(body_start + error.valid_up_to(), Mode::Lenient)),
    }
}

/// One line, without its end.
struct Line<'a> {
    content: &'a [u8],
    /// Offset of the next line, or of the end of the input.
    next: usize,
    /// Whether the line's end is in sight.
    ended: bool,
}

impl<'a> Line<'a> {
    fn at(bytes: &'a [u8], start: usize) -> Self {
        let rest = bytes.get(start..).unwrap_or_default();
        match rest.iter().position(|&byte| byte == b'\n') {
            Some(length) => Self {
                content: &rest[..length],
                next: start + length + 1,
                ended: true,
            },
            None => Self {
                content: rest,
                next: bytes.len(),
                ended: false,
            },
        }
    }
}

fn is_fence(line: &[u8]) -> bool {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    line.strip_prefix(b"---").is_some_and(is_blank)
}

fn is_blank(text: &[u8]) -> bool {
    text.iter().all(|byte| matches!(byte, b' ' | b'\t'))
}

/// Whether more bytes could make a fence of this line, or a conflict's marker.
fn may_become_end(line: &[u8]) -> bool {
    b"---".starts_with(line) || is_fence(line) || CONFLICT_MARKER.starts_with(line)
}

/// Looks for the closing fence, from the first byte of the block on.
fn find_end(bytes: &[u8], block_start: usize, whole: bool, limit: usize, mode: Mode) -> Split<'_> {
    let mut start = block_start;
    let mut number = BLOCK_LINE;
    loop {
        if start - block_start > limit {
            return Split::Fault(too_large(limit, mode));
        }
        let line = Line::at(bytes, start);
        // No other line is one of these.
        let may_end = matches!(line.content.first(), Some(b'-' | b'<'));
        if may_end {
            if line.content.starts_with(CONFLICT_MARKER) {
                return Split::Fault(conflict(number, mode));
            }
            if (line.ended || whole) && is_fence(line.content) {
                return between(bytes, block_start, start, line.next, mode);
            }
        }
        if !line.ended {
            let is_over = bytes.len() - block_start > limit;
            return match (whole, is_over) {
                (false, _) if may_become_end(line.content) => Split::Incomplete,
                (_, true) => Split::Fault(too_large(limit, mode)),
                (false, false) => Split::Incomplete,
                (true, false) => Split::Fault(not_closed(mode)),
            };
        }
        start = line.next;
        number += 1;
    }
}

fn between(
    bytes: &[u8],
    block_start: usize,
    block_end: usize,
    body_start: usize,
    mode: Mode,
) -> Split<'_> {
    match std::str::from_utf8(&bytes[block_start..block_end]) {
        Ok(block) => Split::Complete { block, body_start },
        Err(error) => Split::Fault(not_utf8(block_start + error.valid_up_to(), mode)),
    }
}

/// Tells why there is no opening fence on the first line.
fn explain(bytes: &[u8], start: usize, mode: Mode) -> Diagnostic {
    let is_all = bytes.len() < WINDOW;
    let window = &bytes[..bytes.len().min(WINDOW)];
    let readable = match std::str::from_utf8(window) {
        Ok(_) => window.len(),
        // A character that the window's end cuts is not a fault.
        Err(error) if error.error_len().is_some() || is_all => {
            return not_utf8(error.valid_up_to(), mode);
        }
        Err(error) => error.valid_up_to(),
    };
    let text = std::str::from_utf8(&window[start.min(readable)..readable]).unwrap_or_default();
    if text.trim().is_empty() && is_all {
        return Diagnostic::new(&EMPTY, mode, "the file is empty")
            .with_hint("write the front matter and the instructions");
    }
    let known = EXPLANATIONS.iter().find_map(|explain| explain(text, mode));
    known.unwrap_or_else(|| {
        at_start(&MISSING, mode, "the file has no front matter")
            .with_hint("begin the file with `---`, a name, a description, and `---`")
    })
}

/// What may be wrong with the beginning of a file that has no opening fence; the first that fits
/// is told.
const EXPLANATIONS: [fn(&str, Mode) -> Option<Diagnostic>; 5] = [
    conflict_at_start,
    language,
    fence_too_low,
    in_code_block,
    without_fence,
];

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

fn conflict_at_start(text: &str, mode: Mode) -> Option<Diagnostic> {
    let is_conflict = text.as_bytes().starts_with(CONFLICT_MARKER);
    is_conflict.then(|| conflict(1, mode))
}

fn language(text: &str, mode: Mode) -> Option<Diagnostic> {
    let rest = first_line(text).strip_prefix("---")?;
    (!rest.starts_with('-')).then(|| {
        Diagnostic::new(&LANGUAGE, mode, "text follows the opening fence")
            .with_hint("the first line must be `---` alone; front matter is always YAML")
            .at(Position { line: 1, column: 4 })
    })
}

fn fence_too_low(text: &str, mode: Mode) -> Option<Diagnostic> {
    let (line, rule, what) = fence_below(text)?;
    let message = [
        "front matter starts at line ",
        &line.to_string(),
        ", after ",
        what,
    ]
    .concat();
    let found = Diagnostic::new(rule, mode, message)
        .with_hint("move the opening `---` to the first line")
        .at(Position { line, column: 1 });
    Some(found)
}

fn in_code_block(text: &str, mode: Mode) -> Option<Diagnostic> {
    let mut lines = text.lines();
    let opens = lines
        .next()
        .is_some_and(|first| first.starts_with("```") || first.starts_with("~~~"));
    let fences = lines.next().is_some_and(|line| is_fence(line.as_bytes()));
    (opens && fences).then(|| {
        let message = "the whole file is wrapped in a code block";
        at_start(&IN_CODE_BLOCK, mode, message).with_hint("remove the code fences around the file")
    })
}

fn without_fence(text: &str, mode: Mode) -> Option<Diagnostic> {
    begins_with_keys(text).then(|| {
        let message = "the file begins with keys, but without a fence";
        at_start(&WITHOUT_FENCE, mode, message).with_hint("write a line `---` above the first key")
    })
}

/// The line of a fence below nothing but blank lines and HTML comments.
fn fence_below(text: &str) -> Option<(u32, &'static Rule, &'static str)> {
    let mut rest = text;
    let mut has_comment = false;
    loop {
        let line = rest.lines().next()?;
        if line.trim().is_empty() {
            rest = rest
                .get(line.len()..)?
                .trim_start_matches('\r')
                .strip_prefix('\n')?;
        } else if line.trim_start().starts_with("<!--") {
            has_comment = true;
            rest = rest.split_once("-->")?.1;
        } else if is_fence(line.as_bytes()) {
            let before = text.len() - rest.len();
            let line = Position::in_text(text, before).line;
            return Some(if has_comment {
                (line, &AFTER_COMMENT, "a comment")
            } else {
                (line, &AFTER_BLANK_LINE, "a blank line")
            });
        } else {
            return None;
        }
    }
}

/// Whether the file begins with front matter that lacks only its opening fence.
fn begins_with_keys(text: &str) -> bool {
    let mut has_known_key = false;
    for (index, line) in text.lines().enumerate() {
        if is_fence(line.as_bytes()) {
            return index > 0;
        }
        if line.trim().is_empty() {
            break;
        }
        let is_continuation = index > 0 && line.starts_with([' ', '\t', '-', '#']);
        if is_continuation {
            continue;
        }
        let Some((key, value)) = line.split_once(':') else {
            return false;
        };
        let is_key = key
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
        if !is_key || !(value.is_empty() || value.starts_with([' ', '\t'])) {
            return false;
        }
        has_known_key |= key == "name" || key == "description";
    }
    has_known_key
}

fn at_start(rule: &Rule, mode: Mode, message: &'static str) -> Diagnostic {
    Diagnostic::new(rule, mode, message).at(OPENING_FENCE)
}

fn not_closed(mode: Mode) -> Diagnostic {
    at_start(&NOT_CLOSED, mode, "the front matter is not closed")
        .with_hint("close it with a line of exactly three dashes")
}

fn too_large(limit: usize, mode: Mode) -> Diagnostic {
    let limit = saturating_u32(limit).to_string();
    let message = [
        "the front matter has no closing fence within ",
        &limit,
        " bytes, the limit `frontMatter`",
    ]
    .concat();
    Diagnostic::new(&TOO_LARGE, mode, message)
        .with_hint("close it with a line of exactly three dashes")
        .at(OPENING_FENCE)
}

fn conflict(line: u32, mode: Mode) -> Diagnostic {
    Diagnostic::new(
        &CONFLICT,
        mode,
        "a merge conflict was left in the front matter",
    )
    .with_hint("resolve the conflict and remove its markers")
    .at(Position { line, column: 1 })
}

fn not_utf8(offset: usize, mode: Mode) -> Diagnostic {
    let message = ["invalid UTF-8 at byte ", &offset.to_string()].concat();
    Diagnostic::new(&NOT_UTF8, mode, message).with_hint(Cow::Borrowed("save the file as UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Severity;

    const LIMIT: u32 = 64 * 1024;

    fn whole(bytes: &[u8]) -> Split<'_> {
        split(bytes, true, LIMIT, Mode::Lenient)
    }

    #[test]
    fn the_block_is_what_stands_between_the_fences() {
        for (file, block, rest) in [
            ("---\na: b\n---\nBody\n", "a: b\n", "Body"),
            ("---\r\na: b\r\n---\r\n\r\nBody\r\n", "a: b\r\n", "Body"),
            (
                "\u{FEFF}---\na: b\n---\n\u{FEFF}Body\n",
                "a: b\n",
                "\u{FEFF}Body",
            ),
            ("--- \na: b\n---\t\nBody\n", "a: b\n", "Body"),
            ("---\na: b\n---", "a: b\n", ""),
            ("---\na: b\n--- \t", "a: b\n", ""),
            ("---\n---\n", "", ""),
            ("---\nd: \"a---b\"\n---\n", "d: \"a---b\"\n", ""),
            (
                "---\nd: |\n  a\n  ----\n ---\n---\nB\n",
                "d: |\n  a\n  ----\n ---\n",
                "B",
            ),
            (
                "---\na: b\n---\n# One\n\n---\n\n# Two\n---\n",
                "a: b\n",
                "# One\n\n---\n\n# Two\n---",
            ),
            ("---\na: b\n---\n\u{3000}\n  x  y\u{A0}\n", "a: b\n", "x  y"),
        ] {
            let Split::Complete {
                block: found,
                body_start,
            } = whole(file.as_bytes())
            else {
                panic!("{file:?} has front matter");
            };
            assert_eq!(found, block, "{file:?}");
            assert_eq!(body(file.as_bytes(), body_start), Ok(rest), "{file:?}");
        }
    }

    /// Both modes refuse the file, by this rule, at this line.
    fn assert_fault(file: impl AsRef<[u8]>, rule: &Rule, line: u32, message: &str) {
        for mode in [Mode::Lenient, Mode::Strict] {
            let file = file.as_ref();
            let Split::Fault(fault) = split(file, true, LIMIT, mode) else {
                panic!("{:?} is no skill", String::from_utf8_lossy(file));
            };
            let position = fault.position.map_or(0, |position| position.line);
            let told = (fault.code, position, &*fault.message, fault.severity);
            assert_eq!(told, (rule.code, line, message, Severity::Error));
            assert!(fault.hint.is_some());
        }
    }

    #[test]
    fn a_file_without_a_fence_on_its_first_line_is_told_why() {
        for file in ["", " \n\t\n", "\u{FEFF}"] {
            assert_fault(file, &EMPTY, 0, "the file is empty");
        }
        for file in [
            "# My skill\n\nDo it.\n",
            "Note: this is prose.\n\n---\n",
            "----\na: b\n----\n",
            "```sh\nls\n```\n",
            "<!-- a -->\nBody\n",
            "<!-- never closed",
        ] {
            assert_fault(file, &MISSING, 1, "the file has no front matter");
        }
        for file in [
            "```markdown\n---\nname: x\n---\n```\n",
            "~~~\n---\nname: x\n---\n~~~\n",
        ] {
            assert_fault(
                file,
                &IN_CODE_BLOCK,
                1,
                "the whole file is wrapped in a code block",
            );
        }
        for file in [
            "name: x\ndescription: y\n\n---\nBody\n",
            "title: x\n---\nBody\n",
        ] {
            assert_fault(
                file,
                &WITHOUT_FENCE,
                1,
                "the file begins with keys, but without a fence",
            );
        }
        for file in [
            "---js\nname: x\n---\n",
            "--- yaml\nname: x\n---\n",
            "---#\n---\n",
        ] {
            assert_fault(file, &LANGUAGE, 1, "text follows the opening fence");
        }
        for (file, rule, line, after) in [
            ("\n---\na: b\n---\n", &AFTER_BLANK_LINE, 2, "a blank line"),
            (
                "\r\n \r\n---\r\na: b\r\n---\r\n",
                &AFTER_BLANK_LINE,
                3,
                "a blank line",
            ),
            (
                "<!-- origin -->\n---\na: b\n---\n",
                &AFTER_COMMENT,
                2,
                "a comment",
            ),
            (
                "\n<!-- a\nb -->\n\n---\na: b\n---\n",
                &AFTER_COMMENT,
                5,
                "a comment",
            ),
        ] {
            let message = format!("front matter starts at line {line}, after {after}");
            assert_fault(file, rule, line, &message);
        }
    }

    #[test]
    fn a_block_that_cannot_be_read_is_told_why() {
        for file in [
            "---\nname: c\n---END\nBody\n",
            "---\nname: c\n ---\n----\n",
            "---",
            "---\n",
        ] {
            assert_fault(file, &NOT_CLOSED, 1, "the front matter is not closed");
        }
        let message = "a merge conflict was left in the front matter";
        assert_fault("<<<<<<< HEAD\n---\nname: x\n---\n", &CONFLICT, 1, message);
        assert_fault(
            "---\na: 1\n<<<<<<< HEAD\nb: 1\n=======\nb: 2\n>>>>>>> b\n---\n",
            &CONFLICT,
            3,
            message,
        );
        for (file, offset) in [
            (&b"---\nd: caf\xE8\n---\nBody\n"[..], 10),
            (b"\xEF\xBB\xBF---\nd: \xE8\n---\n", 10),
            (b"\xFF\xFE-\0-\0-\0\n\0", 0),
        ] {
            assert_fault(
                file,
                &NOT_UTF8,
                0,
                &format!("invalid UTF-8 at byte {offset}"),
            );
        }
    }

    #[test]
    fn what_follows_the_closing_fence_is_not_judged() {
        let file = b"---\na: b\n---\nBody \xFF\n";
        let Split::Complete { body_start, .. } = whole(file) else {
            panic!("both fences are there")
        };
        assert_eq!(body_start, 13);
        let fault = body(file, body_start).unwrap_err();
        assert_eq!(
            (fault.code, &*fault.message),
            ("not-utf-8", "invalid UTF-8 at byte 18")
        );
    }

    #[test]
    fn a_block_may_be_as_large_as_the_limit() {
        let file = |size: usize| format!("---\n{}\n---\nBody", "#".repeat(size - 1));
        for (size, fits) in [(15, true), (16, true), (17, false), (40, false)] {
            let file = file(size);
            match split(file.as_bytes(), true, 16, Mode::Lenient) {
                Split::Complete { .. } => assert!(fits, "{size}"),
                Split::Fault(fault) => {
                    assert!(!fits, "{size}");
                    assert_eq!(fault.code, TOO_LARGE.code);
                    assert_eq!(
                        fault.message,
                        "the front matter has no closing fence within 16 bytes, the limit `frontMatter`"
                    );
                }
                Split::Incomplete => panic!("{size} is whole"),
            }
        }
    }

    #[test]
    fn a_beginning_says_what_the_whole_file_says_or_nothing() {
        let long = "x".repeat(5000);
        for file in [
            "---\na: é\n---\nBody".to_owned(),
            "---\r\na: b\r\n--- \r\nBody".to_owned(),
            "---\na: b\n---x\n--\n---\n".to_owned(),
            "\u{FEFF}---\na: b\n---\n".to_owned(),
            format!("---\na: {long}\n---\n"),
            format!("---\na: b\n<<<<<<< {long}\n---\n"),
            format!("# {long}\n"),
            format!("\n\n<!-- {long} -->\n---\n"),
            format!("name: x\n{long}\n---\n"),
            format!("---js\n{long}"),
            format!("---{}\na: b\n---\n", " ".repeat(5000)),
            " \n".repeat(3000),
        ] {
            let bytes = file.as_bytes();
            for limit in [4, 64, LIMIT] {
                let all = split(bytes, true, limit, Mode::Lenient);
                for end in 0..=bytes.len() {
                    match split(&bytes[..end], false, limit, Mode::Lenient) {
                        Split::Incomplete => {}
                        told => assert_eq!(told, all, "{end} bytes of {:?}", &file[..20]),
                    }
                }
            }
        }
    }

    #[test]
    fn a_scan_of_four_kilobytes_is_enough_to_know_a_file_that_is_no_skill() {
        for file in [
            "# Title\n\nText. ".repeat(500),
            format!("<!-- {}", "x".repeat(5000)),
        ] {
            let front = &file.as_bytes()[..4096];
            assert!(matches!(
                split(front, false, LIMIT, Mode::Lenient),
                Split::Fault(_)
            ));
        }
    }
}

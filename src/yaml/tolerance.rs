//! What other YAML parsers accept and ours does not, rewritten so that it does.
//!
//! In brackets, YAML has `{a:[b]}` (clause 7.4.2). Real files have surrogate pairs in double quotes (JSON written by machines), flow collections
//! and quoted text that go on at the left margin, tabs for indentation or after a colon, and byte
//! order marks inside text. This runs only for a block that did not parse. Lines stay lines; where columns move, the
//! original ones are kept in mind.

use std::borrow::Cow;

use super::line::{BLANKS, Head, Kind, indentation, is_void, lines, opens_block_scalar};
use crate::Position;
use crate::diagnostic::saturating_u32;

/// How many characters are looked at in vain, in search of the end of what does not end. Beyond
/// that, nothing more in the block is taken for flow style.
const MOST_SEARCHED: usize = 512 * 1024;

const BYTE_ORDER_MARK: char = '\u{FEFF}';

/// A block as the parser is to see it.
pub(super) struct Tolerated<'a> {
    pub(super) text: Cow<'a, str>,
    /// Escapes that are half of a pair, by line and column of the block.
    pub(super) lone_surrogates: Vec<Position>,
    /// The first line whose indentation other parsers refuse.
    pub(super) misindented: Option<Misindented>,
    shifts: Vec<Shift>,
    /// The character that stands for a byte order mark.
    stand_in: Option<char>,
}

/// A line whose indentation other parsers refuse.
#[derive(Clone, Copy)]
pub(super) struct Misindented {
    /// Where in the block.
    pub(super) position: Position,
    /// A tab stands there; else the line belongs to a value that began above, and is not indented.
    pub(super) has_tab: bool,
}

/// From `column` on, a line's columns were `by` larger in the original.
#[derive(Clone)]
struct Shift {
    line: u32,
    column: u32,
    by: i32,
}

impl<'a> Tolerated<'a> {
    pub(super) fn unchanged(text: &'a str) -> Self {
        Self {
            text: Cow::Borrowed(text),
            lone_surrogates: Vec::new(),
            misindented: None,
            shifts: Vec::new(),
            stand_in: None,
        }
    }

    /// The same with another text, whose lines and columns are those of this one.
    pub(super) fn with_text(&self, text: String) -> Tolerated<'static> {
        Tolerated {
            text: Cow::Owned(text),
            lone_surrogates: self.lone_surrogates.clone(),
            misindented: self.misindented,
            shifts: self.shifts.clone(),
            stand_in: self.stand_in,
        }
    }

    /// Where a place in the text was in the original.
    pub(super) fn original(&self, line: u32, column: u32) -> Position {
        let first = self.shifts.partition_point(|shift| shift.line < line);
        let by: i32 = self.shifts[first..]
            .iter()
            .take_while(|shift| shift.line == line && shift.column <= column)
            .map(|shift| shift.by)
            .sum();
        Position {
            line,
            column: column.saturating_add_signed(by).max(1),
        }
    }

    /// Text from the parser, with its byte order marks.
    pub(super) fn restore(&self, text: String) -> String {
        match self.stand_in {
            Some(stand_in) if text.contains(stand_in) => {
                text.replace(stand_in, BYTE_ORDER_MARK.encode_utf8(&mut [0; 4]))
            }
            _ => text,
        }
    }
}

/// Rewrites `block`, if there is anything to rewrite.
pub(super) fn rewrite(block: &str) -> Option<Tolerated<'static>> {
    let mut writer = Writer::new(block);
    let mut copied = 0;
    let mut searched = 0;
    let mut scalar_indent = None;
    for (start, line) in lines(block) {
        if start < copied {
            continue;
        }
        let indent = blanks(line);
        let is_beyond = |width: usize| scalar_indent.is_some_and(|outer| width > outer);
        if is_beyond(indentation(line)) || is_void(line) {
            writer.copy(line);
            continue;
        }
        writer.copy_indentation(&line[..indent]);
        if is_beyond(writer.width()) {
            writer.copy(&line[indent..]);
            continue;
        }
        scalar_indent = None;
        let (column, value) = writer.copy_head(line, indent);
        let rest = &block[start + value..];
        let margin = column.map_or(0, |column| column + 1);
        if opens_block_scalar(line[value..].trim_end()) {
            scalar_indent = column;
        } else if let Some(length) = flow_length(rest, margin, &mut searched) {
            let line_rest = rest[length..]
                .split_inclusive('\n')
                .next()
                .unwrap_or_default();
            // Where more follows, it is not what it looks like.
            if is_void(line_rest) {
                writer.copy_flow(&rest[..length], margin);
                writer.copy(line_rest);
                copied = start + value + length + line_rest.len();
                continue;
            }
        }
        writer.copy(&line[value..]);
    }
    writer.finish(block)
}

/// How many blanks and tabs a line begins with.
fn blanks(line: &str) -> usize {
    line.len() - line.trim_start_matches(BLANKS).len()
}

/// How many blanks a tab stands for: as many as the first line has that is indented with blanks.
fn tab_width(block: &str) -> usize {
    const USUAL: usize = 2;
    let indented = |(_, line): (usize, &str)| {
        let width = indentation(line);
        (width > 0 && width == blanks(line) && !is_void(line)).then_some(width)
    };
    lines(block).find_map(indented).unwrap_or(USUAL)
}

/// The length of the quoted text or flow collection that `text` begins with, if it ends. Where a
/// line left of `margin` looks like the next key, it was never meant to go on. `searched` counts the
/// characters that were looked at.
fn flow_length(text: &str, margin: usize, searched: &mut usize) -> Option<usize> {
    if !text.starts_with(['"', '\'', '[', '{']) {
        return None;
    }
    let mut scan = FlowScan::default();
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        *searched += 1;
        if *searched > MOST_SEARCHED {
            return None;
        }
        let next = characters.peek().map(|&(_, next)| next);
        if scan.step(character, next) {
            return Some(at + character.len_utf8());
        }
        let may_have_key = scan.quote.is_none() && scan.at_token;
        if character == '\n' && !may_have_key && is_next_key(&text[at + 1..], margin) {
            return None;
        }
    }
    None
}

/// Whether the line that `rest` begins with is an entry left of `margin`.
fn is_next_key(rest: &str, margin: usize) -> bool {
    let line = rest.lines().next().unwrap_or_default();
    let indent = indentation(line);
    let head = Head::of(&line[indent..]);
    indent < margin && head.is_some_and(|head| head.kind != Kind::Item)
}

/// Follows brackets, quotes and comments through flow-style YAML, character by character.
struct FlowScan {
    depth: usize,
    quote: Option<char>,
    /// The next character inside the quotes is escaped.
    is_escaped: bool,
    in_comment: bool,
    /// A quote here would open quoted text.
    at_token: bool,
    before: char,
}

impl Default for FlowScan {
    fn default() -> Self {
        Self {
            depth: 0,
            quote: None,
            is_escaped: false,
            in_comment: false,
            at_token: true,
            before: ' ',
        }
    }
}

impl FlowScan {
    /// Takes a character. Tells whether it ends the whole.
    fn step(&mut self, character: char, next: Option<char>) -> bool {
        let before = std::mem::replace(&mut self.before, character);
        if let Some(quote) = self.quote {
            self.step_in_quotes(quote, character, next);
            return self.quote.is_none() && self.depth == 0;
        }
        if self.in_comment {
            self.in_comment = character != '\n';
            return false;
        }
        match character {
            '"' | '\'' if self.at_token => self.quote = Some(character),
            '[' | '{' => {
                self.depth += 1;
                self.at_token = true;
            }
            ']' | '}' => {
                self.depth = self.depth.saturating_sub(1);
                self.at_token = false;
                return self.depth == 0;
            }
            ',' => self.at_token = true,
            ':' => {
                let is_after_quote = matches!(before, '"' | '\'' | ']' | '}');
                self.at_token = is_after_quote || next.is_none_or(char::is_whitespace);
            }
            '#' if before.is_whitespace() => self.in_comment = true,
            ' ' | '\t' | '\r' | '\n' => {}
            _ => self.at_token = false,
        }
        false
    }

    /// Whether a character here separates: it is in brackets, and neither in quotes nor in a comment.
    fn is_in_brackets(&self) -> bool {
        self.depth > 0 && self.quote.is_none() && !self.in_comment
    }

    fn step_in_quotes(&mut self, quote: char, character: char, next: Option<char>) {
        if self.is_escaped {
            self.is_escaped = false;
        } else if character == '\\' && quote == '"' {
            self.is_escaped = true;
        } else if character == quote {
            if quote == '\'' && next == Some('\'') {
                self.is_escaped = true;
            } else {
                self.quote = None;
                self.at_token = false;
            }
        }
    }
}

/// Writes the new text and keeps account of what moved.
struct Writer {
    text: String,
    lone_surrogates: Vec<Position>,
    misindented: Option<Misindented>,
    tab_width: usize,
    shifts: Vec<Shift>,
    stand_in: char,
    uses_stand_in: bool,
    line: u32,
    column: u32,
    /// How much larger the column is in the original.
    shift: i32,
}

impl Writer {
    fn new(block: &str) -> Self {
        // Noncharacters are for private use inside a program; one of them is free.
        let stand_in = ('\u{FDD0}'..='\u{FDEF}').find(|&free| !block.contains(free));
        Self {
            text: String::with_capacity(block.len() + 16),
            lone_surrogates: Vec::new(),
            misindented: None,
            tab_width: tab_width(block),
            shifts: Vec::new(),
            stand_in: stand_in.unwrap_or(BYTE_ORDER_MARK),
            uses_stand_in: false,
            line: 1,
            column: 1,
            shift: 0,
        }
    }

    fn finish(self, block: &str) -> Option<Tolerated<'static>> {
        (self.text != block).then_some(Tolerated {
            text: Cow::Owned(self.text),
            lone_surrogates: self.lone_surrogates,
            misindented: self.misindented,
            shifts: self.shifts,
            stand_in: self.uses_stand_in.then_some(self.stand_in),
        })
    }

    fn push(&mut self, character: char) {
        if character == '\n' {
            self.line += 1;
            self.column = 1;
            self.shift = 0;
        } else {
            self.column += 1;
        }
        // Before everything it is what the parser knows it as (clause 5.2).
        if character == BYTE_ORDER_MARK && !self.text.is_empty() {
            self.uses_stand_in = true;
            self.text.push(self.stand_in);
        } else {
            self.text.push(character);
        }
    }

    fn copy(&mut self, text: &str) {
        text.chars().for_each(|character| self.push(character));
    }

    /// How many characters of the line were written.
    fn width(&self) -> usize {
        self.column as usize - 1
    }

    /// Writes the blanks that a line begins with, and several for each tab among them.
    fn copy_indentation(&mut self, blanks: &str) {
        for (at, blank) in blanks.chars().enumerate() {
            if blank == ' ' {
                self.push(' ');
                continue;
            }
            self.misindented.get_or_insert(Misindented {
                position: Position {
                    line: self.line,
                    column: saturating_u32(at + 1),
                },
                has_tab: true,
            });
            for _ in 0..self.tab_width {
                self.push(' ');
            }
            self.moved(1 - i32::try_from(self.tab_width).unwrap_or_default());
        }
    }

    /// Copies a line from its content up to its value, with blanks for the tabs before it. Gives
    /// the column of the innermost dash or key, and the offset of the value.
    fn copy_head(&mut self, line: &str, indent: usize) -> (Option<usize>, usize) {
        let content = line.trim_end_matches(['\r', '\n']);
        let mut column = None;
        let mut at = indent;
        let mut tab = None;
        while let Some(head) = Head::of(&content[at..]).or_else(|| Head::of_key(&content[at..])) {
            // What is below it is indented by what stands between (clause 8.2.1, production 185).
            if let Some(position) = tab.take() {
                self.misindented.get_or_insert(Misindented {
                    position,
                    has_tab: true,
                });
            }
            let length = match head.kind {
                Kind::Item => 1,
                Kind::Key { colon_end } => colon_end,
            };
            let gap = at + length;
            // A dash, the mark of an explicit key, or the colon of its value.
            let is_indicator = length == 1;
            column = Some(self.width());
            self.copy_flow(&line[at..gap], 0);
            if line[gap..at + head.value].contains('\t') && is_indicator {
                tab = Some(Position {
                    line: self.line,
                    column: self.column.saturating_add_signed(self.shift),
                });
            }
            for _ in gap..at + head.value {
                self.push(' ');
            }
            at += head.value;
            if !is_indicator {
                break;
            }
        }
        (column, at)
    }

    /// Copies flow-style text: quoted, in brackets, or a key. Its further lines are indented by
    /// `margin` at least.
    fn copy_flow(&mut self, text: &str, margin: usize) {
        let mut scan = FlowScan::default();
        let mut characters = text.char_indices().peekable();
        while let Some((at, character)) = characters.next() {
            let opens_escape = scan.quote == Some('"') && !scan.is_escaped && character == '\\';
            // In text a tab stays one.
            let is_gap = character == '\t' && scan.before == ':' && scan.is_in_brackets();
            let next = characters.peek().map(|&(_, next)| next);
            scan.step(character, next);
            let escape = if opens_escape {
                surrogate(&text[at..])
            } else {
                None
            };
            match escape {
                Some(Surrogate::Pair(whole)) => {
                    self.push(whole);
                    self.moved(PAIR_LENGTH - 1);
                    // The rest of both escapes.
                    characters.nth(2 * ESCAPE_LENGTH - 2);
                    scan.is_escaped = false;
                }
                Some(Surrogate::Lone) => {
                    let column = self.column.saturating_add_signed(self.shift);
                    self.lone_surrogates.push(Position {
                        line: self.line,
                        column,
                    });
                    self.copy("\\\\");
                    self.moved(-1);
                }
                None => self.push(if is_gap { ' ' } else { character }),
            }
            if character == ':' && scan.is_in_brackets() && matches!(next, Some('[' | '{')) {
                self.push(' ');
                self.moved(-1);
            }
            if character == '\n' {
                let is_quoted = scan.quote.is_some();
                self.indent(&text[at + 1..], margin, is_quoted);
            }
        }
    }

    /// Indents the line that `rest` begins with, unless it is blank or indented enough.
    fn indent(&mut self, rest: &str, margin: usize, is_quoted: bool) {
        let Some(missing) = missing_indentation(rest, margin) else {
            return;
        };
        if self.misindented.is_none() {
            self.misindented = misindented(rest, is_quoted, self.line);
        }
        for _ in 0..missing {
            self.push(' ');
        }
        self.moved(-i32::try_from(missing).unwrap_or_default());
    }

    /// Notes that the original's columns are `by` larger from here on.
    fn moved(&mut self, by: i32) {
        self.shift += by;
        self.shifts.push(Shift {
            line: self.line,
            column: self.column,
            by,
        });
    }
}

/// How many blanks are missing to the line that `rest` begins with, of a value whose lines are
/// indented by `margin`. A blank line has none to miss.
pub(super) fn missing_indentation(rest: &str, margin: usize) -> Option<usize> {
    let missing = margin.saturating_sub(indentation(rest));
    let content = rest.trim_start_matches(BLANKS);
    let is_blank = content.is_empty() || content.starts_with(['\r', '\n']);
    (missing > 0 && !is_blank).then_some(missing)
}

/// What is wrong with a line of a value that is indented too little. A flow collection may close
/// at the left margin, and comments stand where they like.
pub(super) fn misindented(rest: &str, is_quoted: bool, line: u32) -> Option<Misindented> {
    let content = rest.trim_start_matches(BLANKS);
    if !is_quoted && content.starts_with(['}', ']', '#']) {
        return None;
    }
    let before = &rest[..rest.len() - content.len()];
    let tab = before.find('\t');
    Some(Misindented {
        position: Position {
            line,
            column: saturating_u32(tab.unwrap_or(before.len()) + 1),
        },
        has_tab: tab.is_some(),
    })
}

/// `\uD83E`
const ESCAPE_LENGTH: usize = 6;
/// Two of them.
const PAIR_LENGTH: i32 = 12;

enum Surrogate {
    Pair(char),
    Lone,
}

/// The surrogate, whole or half, whose escape `text` begins with.
fn surrogate(text: &str) -> Option<Surrogate> {
    let first = escaped_unit(text).filter(|unit| matches!(unit, 0xD800..=0xDFFF))?;
    let second = text.get(ESCAPE_LENGTH..).and_then(escaped_unit);
    let whole = char::decode_utf16([first].into_iter().chain(second)).next()?;
    Some(whole.map_or(Surrogate::Lone, Surrogate::Pair))
}

/// The code unit of an escape `\uXXXX`.
fn escaped_unit(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    if digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        u16::from_str_radix(digits, 16).ok()
    } else {
        None
    }
}

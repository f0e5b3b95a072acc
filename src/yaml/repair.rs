//! Values that cannot be YAML are taken as text.
//!
//! People write `description: Use when: …` and `argument-hint: [a] [b]`. A block that does not
//! parse is divided into its entries, by indentation alone; an entry that does not parse by itself
//! is divided further, and where that ends, its value with all its lines becomes quoted text. Lines
//! stay lines, so that places in the file stay right.

use super::line::{BLANKS, Head, Kind, indentation, is_void, lines, opens_block_scalar};
use super::parses;
use crate::Position;
use crate::diagnostic::{line_ends, saturating_u32};
use crate::stringify::push_quoted;

/// How many bytes are parsed for the repair of one block: eight times the largest block, since each
/// level of nesting is parsed twice. A hostile block is not repaired rather than parsed for seconds.
const MOST_PARSED: usize = 512 * 1024;

/// A block with values that were taken as text.
pub(super) struct Repaired {
    pub(super) text: String,
    /// Where those values begin, by line and column of the block.
    pub(super) places: Vec<Position>,
    /// Whether one of them may have been meant as something else than text.
    pub(super) is_guessed: bool,
}

/// Repairs a block that does not parse, descending at most `max_depth` collections.
pub(super) fn repair(block: &str, max_depth: usize) -> Option<Repaired> {
    let mut mender = Mender {
        block,
        text: String::with_capacity(block.len() + 64),
        values: Vec::new(),
        is_guessed: false,
        parsed: 0,
    };
    mender.mend_entries(
        Part {
            start: 0,
            end: block.len(),
            column: None,
        },
        max_depth,
    )?;
    let places = positions(block, &mender.values);
    Some(Repaired {
        text: mender.text,
        places,
        is_guessed: mender.is_guessed,
    })
}

/// The places of ascending `offsets`.
fn positions(block: &str, offsets: &[usize]) -> Vec<Position> {
    let mut offsets = offsets.iter().copied().peekable();
    let mut places = Vec::new();
    let mut before = 0;
    for (start, line) in lines(block) {
        while let Some(offset) = offsets.next_if(|&offset| offset < start + line.len()) {
            let place = Position::in_text(line, offset - start);
            places.push(Position {
                line: saturating_u32(before).saturating_add(place.line),
                ..place
            });
        }
        before += line_ends(line);
    }
    places
}

/// Lines of the block that belong together.
#[derive(Clone, Copy)]
struct Part {
    start: usize,
    end: usize,
    /// The column at which it starts, where that is inside of a line.
    column: Option<usize>,
}

struct Mender<'a> {
    block: &'a str,
    text: String,
    /// Offsets of the values that were taken as text.
    values: Vec<usize>,
    /// Whether one of them may have been meant as something else.
    is_guessed: bool,
    /// How many bytes were parsed.
    parsed: usize,
}

impl<'a> Mender<'a> {
    /// Mends the entries of one list or map.
    fn mend_entries(&mut self, part: Part, depth: usize) -> Option<()> {
        let void = self.leading_void(part);
        self.text
            .push_str(&self.block[part.start..part.start + void]);
        let mut rest = Part {
            start: part.start + void,
            ..part
        };
        let column = match part.column {
            Some(column) if void == 0 => column,
            _ => indentation(self.source(rest)),
        };
        while rest.start < rest.end {
            let entry = Part {
                end: self.entry_end(rest, column),
                ..rest
            };
            self.mend_entry(entry, column, depth)?;
            rest = Part {
                start: entry.end,
                column: None,
                ..rest
            };
        }
        Some(())
    }

    fn mend_entry(&mut self, entry: Part, column: usize, depth: usize) -> Option<()> {
        let source = self.source(entry);
        let margin = if entry.column.is_some() { 0 } else { column };
        self.count_parsed(source.len() + column - margin)?;
        if is_yaml(source, column - margin) {
            self.text.push_str(source);
            return Some(());
        }
        let first = source.lines().next()?;
        let head = Head::of(first.get(margin..)?)?;
        let value = entry.start + margin + head.value;
        let first_value = &first[margin + head.value..];
        let before_value = match head.kind {
            Kind::Item => entry.start + margin + 1,
            Kind::Key { colon_end } => entry.start + margin + colon_end,
        };
        let is_compact = head.kind == Kind::Item && Head::of(first_value).is_some();
        if is_compact {
            let column = column + self.block[before_value - 1..value].chars().count();
            self.text.push_str(&self.block[entry.start..value]);
            let inner = Part {
                start: value,
                end: entry.end,
                column: Some(column),
            };
            return self.mend_entries(inner, depth.checked_sub(1)?);
        }
        if opens_block_scalar(first_value) {
            return None;
        }
        if !is_void(first_value) {
            self.take_as_text(
                Part {
                    start: entry.start,
                    ..entry
                },
                before_value,
                value,
                column,
            );
            return Some(());
        }
        self.mend_nested(entry, before_value, column, depth)
    }

    /// Mends an entry whose value is on the lines below its first one.
    fn mend_nested(
        &mut self,
        entry: Part,
        before_value: usize,
        column: usize,
        depth: usize,
    ) -> Option<()> {
        let first = self.source(entry).split_inclusive('\n').next()?;
        let below = Part {
            start: entry.start + first.len(),
            column: None,
            ..entry
        };
        let content = below.start + self.leading_void(below);
        if content >= entry.end {
            return None;
        }
        let (text_before, values_before) = (self.text.len(), self.values.len());
        self.text.push_str(first);
        let entries = depth.checked_sub(1);
        let are_mended = entries.is_some_and(|depth| self.mend_entries(below, depth).is_some());
        let margin = entry.column.unwrap_or(0);
        self.count_parsed(self.text.len() - text_before + margin)?;
        let is_mended = are_mended && is_yaml(&self.text[text_before..], margin);
        if !is_mended {
            self.text.truncate(text_before);
            self.values.truncate(values_before);
            self.take_as_text(entry, before_value, content, column);
        }
        Some(())
    }

    /// Writes an entry with its value, which begins at `value`, as quoted text on the line of its
    /// key.
    fn take_as_text(&mut self, entry: Part, before_value: usize, value: usize, column: usize) {
        self.values.push(value + indentation(&self.block[value..]));
        self.text.push_str(&self.block[entry.start..before_value]);
        self.text.push(' ');
        let text = fold(&self.block[value..entry.end], column);
        self.is_guessed |= is_unfinished(&text);
        push_quoted(&mut self.text, &text);
        let line_ends = self.block[before_value..entry.end].matches('\n').count();
        for _ in 0..line_ends {
            self.text.push('\n');
        }
    }

    /// `None` when it is too much.
    fn count_parsed(&mut self, bytes: usize) -> Option<()> {
        /// What beginning to parse is worth.
        const BEGIN: usize = 32;
        self.parsed += BEGIN + bytes;
        (self.parsed <= MOST_PARSED).then_some(())
    }

    fn source(&self, part: Part) -> &'a str {
        &self.block[part.start..part.end]
    }

    /// The length of the blank lines and comments that a part begins with.
    fn leading_void(&self, part: Part) -> usize {
        lines(self.source(part))
            .take_while(|(_, line)| is_void(line))
            .map(|(_, line)| line.len())
            .sum()
    }

    /// Where the first entry of `rest` ends. Its further lines are indented more than `column`; a
    /// list may also stand directly below its key.
    fn entry_end(&self, rest: Part, column: usize) -> usize {
        let source = self.source(rest);
        let is_item = |line: &str| {
            Head::of(line.trim_end().trim_start_matches(' '))
                .is_some_and(|head| head.kind == Kind::Item)
        };
        let holds_items = !is_item(source.lines().next().unwrap_or_default());
        let end = lines(source).skip(1).find(|(_, line)| {
            let outside = indentation(line) <= column;
            let is_own_item = holds_items && indentation(line) == column && is_item(line);
            !is_void(line) && outside && !is_own_item
        });
        rest.start + end.map_or(source.len(), |(at, _)| at)
    }
}

/// Whether `source`, moved to the right by `column`, is YAML.
fn is_yaml(source: &str, column: usize) -> bool {
    if column == 0 {
        return parses(source);
    }
    let mut moved = " ".repeat(column);
    moved.push_str(source);
    parses(&moved)
}

/// Whether a value looks like a list, a map or quoted text that its author got wrong, and not like text
/// that begins so: nothing follows its end, or there is none.
fn is_unfinished(value: &str) -> bool {
    let mut rest = value.chars();
    let Some(first) = rest.next() else {
        return false;
    };
    if matches!(first, '"' | '\'') {
        return !rest.as_str().contains(first);
    }
    if !matches!(first, '[' | '{') {
        return false;
    }
    let mut depth = 1;
    for c in rest.by_ref() {
        match c {
            '[' | '{' => depth += 1,
            ']' | '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    rest.as_str().is_empty()
}

/// The lines of a value as one text, folded as YAML folds plain text.
fn fold(value: &str, column: usize) -> String {
    let mut text = String::with_capacity(value.len());
    let mut breaks = 0;
    for (start, line) in lines(value) {
        let content = line.trim_matches(BLANKS_AND_ENDS);
        let is_comment_outside = start > 0 && is_void(line) && indentation(line) <= column;
        if content.is_empty() {
            breaks += 1;
        } else if !is_comment_outside {
            match (text.is_empty(), breaks) {
                (true, _) => {}
                (false, 0) => text.push(' '),
                (false, _) => (0..breaks).for_each(|_| text.push('\n')),
            }
            breaks = 0;
            text.push_str(content);
        }
    }
    text
}

const BLANKS_AND_ENDS: [char; 4] = [BLANKS[0], BLANKS[1], '\r', '\n'];

//! The YAML that most front matter is made of, read in one pass: block-style maps and lists whose
//! keys and values are simple.
//!
//! This is a shortcut, not a second opinion: it reads only what has one meaning, gives what the
//! parser would have given, and leaves everything else, all errors too, to the parser.

use super::scalar::Scalar;
use super::{Field, MOST_VALUES};
use crate::diagnostic::saturating_u32;
use crate::{Map, Position, Value};

/// Maps with more keys are left to the parser, which finds duplicates faster.
const MOST_KEYS: usize = 32;
const LONGEST_KEY: usize = 128;
/// Longer blocks are left to the parser, which counts their values: each has two bytes at least,
/// but for keys of the outermost map without a value.
const LONGEST_BLOCK: usize = 2 * MOST_VALUES - 2 * MOST_KEYS;
const DEEPEST: usize = 8;

/// The fields of a block, if it is simple.
pub(super) fn read(block: &str, block_line: u32, max_depth: usize) -> Option<Vec<Field>> {
    let has_simple = has_simple_characters(block.as_bytes());
    has_simple.then(|| read_simple(block, block_line, max_depth))?
}

/// The same of a block that [`has_simple_characters`].
pub(super) fn read_simple(block: &str, block_line: u32, max_depth: usize) -> Option<Vec<Field>> {
    let is_ended = block.is_empty() || block.ends_with('\n');
    if !is_ended || block.len() > LONGEST_BLOCK {
        return None;
    }
    let mut reader = Reader {
        rest: block,
        number: block_line.saturating_sub(1),
        line: None,
    };
    reader.advance();
    let fields = reader.map(0, max_depth.min(DEEPEST))?;
    reader.line.is_none().then_some(fields)
}

/// Whether every byte is printable or a line end. A byte order mark is left to the parser.
fn has_simple_characters(block: &[u8]) -> bool {
    block.iter().enumerate().all(|(at, &byte)| match byte {
        b'\r' => block.get(at + 1) == Some(&b'\n'),
        0xEF => !block[at..].starts_with(b"\xEF\xBB\xBF"),
        _ => byte >= b' ' || byte == b'\n',
    })
}

/// A line that is neither blank nor a comment.
#[derive(Clone, Copy)]
struct Line<'a> {
    number: u32,
    indent: usize,
    /// Without indentation, and without blanks at its end.
    content: &'a str,
}

impl<'a> Line<'a> {
    /// What follows the dash of an item.
    fn item(&self) -> Option<&'a str> {
        self.content.strip_prefix("- ")
    }

    fn position(&self, offset: usize) -> Position {
        Position {
            line: self.number,
            column: saturating_u32(self.indent + offset + 1),
        }
    }

    /// The key, and what follows its colon.
    fn key(&self) -> Option<(&'a str, &'a str)> {
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        let length = self.content.bytes().position(|byte| !is_word(&byte))?;
        let (key, rest) = self.content.split_at(length);
        let value = rest.strip_prefix(':')?;
        let starts_well =
            key.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
        let is_separate = value.is_empty() || value.starts_with(' ');
        (starts_well && is_separate && length <= LONGEST_KEY).then_some((key, value))
    }
}

struct Reader<'a> {
    /// What comes after `line`.
    rest: &'a str,
    /// The number of the line before `rest`.
    number: u32,
    line: Option<Line<'a>>,
}

impl<'a> Reader<'a> {
    /// The next line as it is, without its end.
    fn raw(&mut self) -> Option<&'a str> {
        let (line, rest) = self.rest.split_once('\n')?;
        self.rest = rest;
        self.number += 1;
        Some(line.strip_suffix('\r').unwrap_or(line))
    }

    /// Goes to the next line that is neither blank nor a comment.
    fn advance(&mut self) {
        self.line = None;
        while let Some(raw) = self.raw() {
            let content = without_blanks(raw);
            if !content.is_empty() && !content.starts_with('#') {
                self.line = Some(Line {
                    number: self.number,
                    indent: raw.len() - content.len(),
                    content: without_blanks_after(content),
                });
                return;
            }
        }
    }

    /// The entries whose keys stand at `indent`, up to a line that stands further left.
    fn map(&mut self, indent: usize, depth: usize) -> Option<Vec<Field>> {
        let mut fields: Vec<Field> = Vec::with_capacity(8);
        while let Some(line) = self.line.filter(|line| line.indent >= indent) {
            let (key, value) = line.key()?;
            let is_new = fields.iter().all(|field| field.key != key);
            if line.indent > indent || !is_new || fields.len() == MOST_KEYS {
                return None;
            }
            let key_position = line.position(0);
            let value = without_blanks(value);
            let mut position = line.position(line.content.len() - value.len());
            let mut source = None;
            let value = match value.as_bytes().first() {
                None => {
                    self.advance();
                    let (value, start) = self.nested(indent, depth)?;
                    position = start.unwrap_or(key_position);
                    value
                }
                Some(b'|' | b'>') => {
                    let (value, start) = self.block_scalar(value, indent)?;
                    position = start;
                    value
                }
                Some(b'[') => {
                    self.advance();
                    depth.checked_sub(1)?;
                    flow_list(value)?
                }
                Some(_) => {
                    self.advance();
                    let scalar = self.scalar(value, indent, line.number)?;
                    source = scalar.source.filter(|_| scalar.value != Value::Null);
                    scalar.value
                }
            };
            fields.push(Field {
                key: key.to_owned(),
                key_position,
                value,
                source,
                position,
            });
        }
        Some(fields)
    }

    /// The value of a key at `indent` that begins on line `number`. One without quotes goes on with the
    /// lines below that are further to the right, as formatters wrap it.
    fn scalar(&mut self, value: &str, indent: usize, mut number: u32) -> Option<Scalar> {
        let is_below = |line: &Line<'_>| line.indent > indent;
        if !self.line.is_some_and(|line| is_below(&line)) || value.starts_with(['"', '\'']) {
            return scalar(value);
        }
        let mut text = String::new();
        let mut part = value;
        loop {
            // What a formatter wraps is words: what begins in another way may mean something else.
            let begins_well = part
                .as_bytes()
                .first()
                .is_some_and(|&byte| is_wrapped(byte));
            if !begins_well || !is_plain(part.as_bytes()) {
                return None;
            }
            text.push_str(part);
            let Some(line) = self.line.filter(is_below) else {
                text.shrink_to_fit();
                return Some(Scalar::text(text));
            };
            // An empty line is a line end in the text, and a comment ends it.
            number += 1;
            if line.number != number {
                return None;
            }
            text.push(' ');
            part = line.content;
            self.advance();
        }
    }

    /// What stands below a key at `indent`: a map, a list, or nothing; and where it begins.
    fn nested(&mut self, indent: usize, depth: usize) -> Option<(Value, Option<Position>)> {
        let Some(line) = self.line else {
            return Some((Value::Null, None));
        };
        let item = line.item();
        if line.indent < indent || (line.indent == indent && item.is_none()) {
            return Some((Value::Null, None));
        }
        let depth = depth.checked_sub(1)?;
        // To the parser, a list directly below its key begins with its first item, not its dash.
        let offset = match item {
            Some(item) if line.indent == indent => line.content.len() - without_blanks(item).len(),
            _ => 0,
        };
        let start = Some(line.position(offset));
        if item.is_some() {
            return Some((Value::List(self.list(line.indent)?), start));
        }
        let fields = self.map(line.indent, depth)?;
        // Collecting would keep the memory of the fields, several times what the entries need.
        let mut entries = Vec::with_capacity(fields.len());
        entries.extend(fields.into_iter().map(|field| (field.key, field.value)));
        Some((Value::Map(Map(entries)), start))
    }

    /// The simple items whose dashes stand at `indent`.
    fn list(&mut self, indent: usize) -> Option<Vec<Value>> {
        let mut items = Vec::new();
        while let Some(line) = self.line.filter(|line| line.indent >= indent) {
            let Some(item) = line.item().filter(|_| line.indent == indent) else {
                // A list directly below its key is followed by the next key.
                return (line.indent == indent).then_some(items);
            };
            items.push(scalar(without_blanks(item))?.value);
            self.advance();
        }
        Some(items)
    }

    /// The lines below a key at `indent` and the header of a block scalar; and where they begin.
    fn block_scalar(&mut self, header: &str, indent: usize) -> Option<(Value, Position)> {
        let (is_literal, is_stripped) = match header {
            "|" => (true, false),
            "|-" => (true, true),
            ">" => (false, false),
            ">-" => (false, true),
            _ => return None,
        };
        let first = self.rest;
        let margin = first.len() - without_blanks(first).len();
        let start = Position {
            line: self.number + 1,
            column: saturating_u32(margin + 1),
        };
        let mut text = String::new();
        let mut breaks = 0;
        loop {
            let (before, number) = (self.rest, self.number);
            let Some(raw) = self.raw() else { break };
            let content = without_blanks(raw);
            let width = raw.len() - content.len();
            if content.is_empty() && width <= margin && !text.is_empty() {
                breaks += 1;
                continue;
            }
            if width <= indent {
                (self.rest, self.number) = (before, number);
                break;
            }
            let is_even = width == margin && !raw.ends_with(' ');
            if content.is_empty() || width < margin || !(is_literal || is_even) {
                return None;
            }
            let line_ends = if is_literal && !text.is_empty() {
                breaks + 1
            } else {
                breaks
            };
            if line_ends == 0 && !text.is_empty() {
                text.push(' ');
            }
            text.extend(std::iter::repeat_n('\n', line_ends));
            text.push_str(&raw[margin..]);
            breaks = 0;
        }
        if text.is_empty() {
            return None;
        }
        if !is_stripped {
            text.push('\n');
        }
        text.shrink_to_fit();
        self.advance();
        Some((Value::String(text), start))
    }
}

/// `text` without the blanks it begins with. Bytes, since this is asked of every line and value, and
/// looking for a character is a dozen calls where the module is built to be small.
fn without_blanks(text: &str) -> &str {
    let blanks = text.bytes().take_while(|byte| *byte == b' ').count();
    text.get(blanks..).unwrap_or_default()
}

/// The same at its end.
fn without_blanks_after(text: &str) -> &str {
    let blanks = text.bytes().rev().take_while(|byte| *byte == b' ').count();
    text.get(..text.len() - blanks).unwrap_or_default()
}

/// A list in brackets, on one line, of words and quoted text.
fn flow_list(value: &str) -> Option<Value> {
    let inner = without_blanks(value.strip_prefix('[')?.strip_suffix(']')?);
    let mut items = Vec::new();
    if inner.is_empty() {
        return Some(Value::List(items));
    }
    for item in inner.split(',') {
        let item = without_blanks_after(without_blanks(item));
        let is_quoted = item.starts_with(['"', '\'']);
        if item.is_empty() || !is_quoted && item.bytes().any(is_special_in_flow) {
            return None;
        }
        items.push(scalar(item)?.value);
    }
    items.shrink_to_fit();
    Some(Value::List(items))
}

fn is_special_in_flow(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'' | b'[' | b']' | b'{' | b'}' | b':' | b'#')
}

/// Whether a word may begin with it that is not the first one of a text.
fn is_wrapped(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte >= 0x80 || br#""'(/.+=$<~_"#.contains(&byte)
}

/// A value that ends on its line and means the same to everyone.
fn scalar(value: &str) -> Option<Scalar> {
    match value.as_bytes().first()? {
        b'"' => {
            let text = value[1..].strip_suffix('"')?;
            if !text.bytes().any(|byte| matches!(byte, b'"' | b'\\')) {
                return Some(Scalar::text(text.to_owned()));
            }
            unescaped(text).map(Scalar::text)
        }
        b'\'' => {
            let text = value[1..].strip_suffix('\'')?;
            let is_whole = text.split("''").all(|part| !part.contains('\''));
            is_whole.then(|| Scalar::text(text.replace("''", "'")))
        }
        b'-' | b'?' | b':' | b',' | b'[' | b']' | b'{' | b'}' | b'#' | b'&' | b'*' | b'!'
        | b'|' | b'>' | b'%' | b'@' | b'`' => None,
        _ => is_plain(value.as_bytes()).then(|| Scalar::plain(value.to_owned())),
    }
}

/// Text from double quotes whose escapes are of quotes and backslashes.
fn unescaped(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut parts = text.split('\\');
    let mut part = parts.next()?;
    loop {
        if part.contains('"') {
            return None;
        }
        out.push_str(part);
        let Some(escaped) = parts.next() else {
            return Some(out);
        };
        part = match escaped.strip_prefix('"') {
            Some(rest) => {
                out.push('"');
                rest
            }
            None if escaped.is_empty() => {
                out.push('\\');
                parts.next()?
            }
            None => return None,
        };
    }
}

/// Whether nothing in a plain value ends it: no colon before a blank, no comment.
fn is_plain(value: &[u8]) -> bool {
    let mut before = 0;
    for &byte in value {
        if byte == b' ' && before == b':' || byte == b'#' && before == b' ' {
            return false;
        }
        before = byte;
    }
    before != b':'
}

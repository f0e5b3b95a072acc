//! The YAML of a front matter block, read into fields.
//!
//! A parser gives events; this module gives them their meaning, which is YAML 1.2 with fewer
//! powers: nothing is ever resolved, executed or expanded. What an alias, an anchor or a tag would
//! have done is not done, and said so.
//!
//! A block that does not parse is read again with what other parsers accept (`tolerance`) and
//! then, when loading, with the values that cannot be YAML taken as text (`repair`).

mod builder;
mod line;
mod repair;
mod scalar;
mod simple;
mod tolerance;

use saphyr_parser::Parser;

use crate::diagnostic::bound;
use crate::{Diagnostic, Limits, Map, Mode, Position, Rule, Value};
use builder::Builder;
use tolerance::Tolerated;

/// The block is not YAML.
pub const INVALID: Rule = Rule::error("yaml-invalid");
/// The block is not made of keys and values.
pub const NOT_A_MAP: Rule = Rule::error("yaml-not-a-map");
/// There are more keys and values than front matter has use for.
pub const TOO_MANY_VALUES: Rule = Rule::error("yaml-too-many-values");
/// A character that YAML has no place for.
pub const UNPRINTABLE: Rule = Rule::tolerated("yaml-unprintable");
/// A tab indents a line, or a line that goes on with a value is not indented.
pub const INDENTATION: Rule = Rule::tolerated("yaml-indentation");
/// A second document begins inside the block.
pub const MANY_DOCUMENTS: Rule = Rule::error("yaml-many-documents");
/// Collections are nested deeper than the limit.
pub const TOO_DEEP: Rule = Rule::error("yaml-too-deep");
/// A value that cannot be YAML was taken as text.
pub const REPAIRED: Rule = Rule::warning("yaml-repaired");
/// A key is there twice.
pub const DUPLICATE_KEY: Rule = Rule::tolerated("yaml-duplicate-key");
/// `*name`
pub const ALIAS: Rule = Rule::tolerated("yaml-alias");
/// `&name`
pub const ANCHOR: Rule = Rule::tolerated("yaml-anchor");
/// `!name`
pub const TAG: Rule = Rule::tolerated("yaml-tag");
/// `<<`
pub const MERGE_KEY: Rule = Rule::tolerated("yaml-merge-key");
/// A key is a list or a map.
pub const COMPLEX_KEY: Rule = Rule::tolerated("yaml-complex-key");
/// An escape is half of a surrogate pair.
pub const LONE_SURROGATE: Rule = Rule::tolerated("yaml-lone-surrogate");
/// A comment follows text that it may have been meant to be part of.
pub const COMMENT_AFTER_TEXT: Rule = Rule::warning("yaml-comment-after-text");

/// Deeper nesting is refused, whatever the limit says: values are walked by recursion.
const DEEPEST: usize = 256;
/// Keys and values of one block, at most. Each takes many times its two bytes of the file; of 3,660
/// real blocks the largest has 86.
const MOST_VALUES: usize = 4096;

/// The fields of a block, in their order, and what was found on the way.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// Top-level keys and values.
    pub fields: Vec<Field>,
    /// Warnings; when strict, errors too.
    pub diagnostics: Vec<Diagnostic>,
}

/// A top-level key and its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// The key.
    pub key: String,
    /// Where the key is.
    pub key_position: Position,
    /// The value as JSON.
    pub value: Value,
    /// The source of a boolean or a number, as written.
    pub source: Option<String>,
    /// Where the value is.
    pub position: Position,
}

impl Field {
    /// The text of a scalar that is not null, as written: `yes`, `1.10` and `True` stay what they
    /// are, without quotes and with lines folded.
    pub fn text(&self) -> Option<&str> {
        self.value.as_str().or(self.source.as_deref())
    }
}

impl Document {
    /// Where the value of `key` is.
    pub fn position_of(&self, key: &str) -> Option<Position> {
        self.fields
            .iter()
            .find(|field| field.key == key)
            .map(|field| field.position)
    }
}

/// Reads a block whose first line is line `block_line` of its file.
///
/// # Errors
///
/// The block is not YAML and, when loading, could not be repaired; or it is not a map, more than
/// one document, or nested too deeply.
pub fn read(
    block: &str,
    block_line: u32,
    mode: Mode,
    limits: &Limits,
) -> Result<Document, Diagnostic> {
    let max_depth = (limits.yaml_depth as usize).min(DEEPEST);
    let (unprintable, fields) = if has_usual_characters(block.as_bytes()) {
        (None, simple::read_simple(block, block_line, max_depth))
    } else {
        let unprintable = unprintable(block, block_line, mode);
        (unprintable, simple::read(block, block_line, max_depth))
    };
    if let Some(fields) = fields {
        return Ok(Document {
            fields,
            diagnostics: Vec::from_iter(unprintable),
        });
    }
    let reading = Reading {
        block_line,
        mode,
        max_depth,
        numbers: Numbers::AsWritten,
    };
    match (reading.read(block), unprintable) {
        // To the parser a character of code 0 is the end: it would say that something is missing.
        (Err(fault), Some(found)) if mode == Mode::Strict && fault.code == INVALID.code => {
            Err(found)
        }
        (Err(fault), _) => Err(fault),
        (Ok(mut document), unprintable) => {
            document.diagnostics.extend(unprintable);
            bound(&mut document.diagnostics, mode);
            Ok(document)
        }
    }
}

/// The same block as any reader of YAML 1.2 sees it: `1.10` is the number 1.1 there. `None` where it
/// is not YAML that means the same to everyone, or has what JSON has no form for.
pub(crate) fn read_as_others(block: &str, limits: &Limits) -> Option<Map> {
    let reading = Reading {
        block_line: 1,
        mode: Mode::Strict,
        max_depth: (limits.yaml_depth as usize).min(DEEPEST),
        numbers: Numbers::OfTheCoreSchema,
    };
    let document = reading.load(&Tolerated::unchanged(block)).ok()?;
    let is_off = document.diagnostics.iter().any(Diagnostic::is_error)
        || unprintable(block, 1, Mode::Strict).is_some();
    let mut fields = Vec::new();
    for field in document.fields {
        if is_off || !has_json_form(&field.value) {
            return None;
        }
        fields.push((field.key, field.value));
    }
    Some(Map(fields))
}

/// Whether no byte is one with which a control character, a byte order mark or what is no character
/// begins. One look at each byte tells nearly all blocks from those that need a closer one.
fn has_usual_characters(block: &[u8]) -> bool {
    let is_usual = |byte: &u8| {
        (b' '..=b'~').contains(byte) || matches!(byte, b'\n' | 0x80..=0xC1 | 0xC3..=0xEE | 0xF0..)
    };
    block.iter().all(is_usual)
}

/// Whether all numbers in a value are finite.
fn has_json_form(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.is_finite(),
        Value::List(items) => items.iter().all(has_json_form),
        Value::Map(map) => map.0.iter().all(|(_, value)| has_json_form(value)),
        _ => true,
    }
}

/// The finding for the first character that YAML has no place for (clause 5.1), if there is one. It
/// is YAML's own set: line separators, and most code points that are no characters, are fine there,
/// and are left to whoever shows them ([`crate::hidden::is_control`]).
fn unprintable(block: &str, block_line: u32, mode: Mode) -> Option<Diagnostic> {
    // Mostly the bytes tell; decoding them to characters takes five times as long.
    if !may_be_unprintable(block.as_bytes()) {
        return None;
    }
    let is_printable = |character: char| {
        matches!(character, '\t' | '\n' | '\r' | '\u{85}' | ' '..='~' | '\u{A0}'..='\u{FFFD}')
            || character > '\u{FFFF}'
    };
    let (offset, character) = block
        .char_indices()
        .find(|(_, character)| !is_printable(*character))?;
    let code_point = u32::from(character);
    let message = format!("the front matter has a character that YAML refuses, U+{code_point:04X}");
    let position = Position::in_text(block, offset);
    Some(
        Diagnostic::new(&UNPRINTABLE, mode, message)
            .with_hint("remove it, or write it as an escape in double quotes")
            .at(Position {
                line: position.line + block_line.saturating_sub(1),
                ..position
            }),
    )
}

/// Whether there is a control character, or what U+0080 to U+009F, U+FFFE and U+FFFF begin with.
fn may_be_unprintable(block: &[u8]) -> bool {
    for (at, &byte) in block.iter().enumerate() {
        // One comparison for nearly all of them.
        if (b' '..=b'~').contains(&byte) {
            continue;
        }
        let next = block.get(at + 1);
        let may_be = match byte {
            b'\t' | b'\n' | b'\r' => false,
            0xC2 => matches!(next, Some(..=0x9F)),
            0xEF => next == Some(&0xBF),
            _ => byte < b' ' || byte == 0x7F,
        };
        if may_be {
            return true;
        }
    }
    false
}

/// How one block is read.
struct Reading {
    block_line: u32,
    mode: Mode,
    max_depth: usize,
    numbers: Numbers,
}

/// What counts as a number.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Numbers {
    /// What prints back as it was written; all else stays text.
    AsWritten,
    /// All that is one in the core schema of YAML 1.2.
    OfTheCoreSchema,
}

impl Reading {
    /// As it is; else with what other parsers accept; else, when loading, repaired.
    fn read(&self, block: &str) -> Result<Document, Diagnostic> {
        let unchanged = Tolerated::unchanged(block);
        let fault = match self.load(&unchanged) {
            Err(fault) if fault.code == INVALID.code => fault,
            decided => return decided,
        };
        let tolerated = tolerance::rewrite(block);
        if let Some(tolerated) = &tolerated {
            match self.load(tolerated) {
                Err(fault) if fault.code == INVALID.code => {}
                decided => return decided,
            }
        }
        if self.mode == Mode::Strict {
            return Err(fault);
        }
        tolerated
            .and_then(|tolerated| self.load_repaired(&tolerated))
            .or_else(|| self.load_repaired(&unchanged))
            .ok_or(fault)
    }

    fn load(&self, block: &Tolerated) -> Result<Document, Diagnostic> {
        let mut builder = Builder::new(self, block);
        let mut parser = Parser::new_from_str(&block.text);
        while let Some(next) = parser.next_event() {
            match next {
                Ok((event, span)) => builder.take(event, span)?,
                Err(error) => return Err(builder.invalid(&error)),
            }
        }
        Ok(builder.finish())
    }

    fn load_repaired(&self, block: &Tolerated) -> Option<Document> {
        let repaired = repair::repair(&block.text, self.max_depth)?;
        let mut document = self.load(&block.with_text(repaired.text)).ok()?;
        for Position { line, column } in repaired.places {
            let message = "a value that is not valid YAML was taken as text";
            document.diagnostics.push(
                Diagnostic::new(&REPAIRED, self.mode, message)
                    .with_hint("put the value in quotes")
                    .at(self.in_file(block.original(line, column))),
            );
        }
        Some(document)
    }

    fn in_file(&self, position: Position) -> Position {
        Position {
            line: position.line + self.block_line.saturating_sub(1),
            ..position
        }
    }
}

/// A block that does not parse, with quotes around the values that loading takes as text. Nothing
/// where that is not all that is wrong, where the values would not be the same, or where one of them
/// may have been meant as a list, a map or quoted text that its author did not finish.
pub(crate) fn with_quotes(block: &str, limits: &Limits) -> Option<String> {
    let read = |block: &str, mode| read(block, 1, mode, limits).ok();
    let loaded = read(block, Mode::Lenient)?;
    if !loaded
        .diagnostics
        .iter()
        .any(|found| found.code == REPAIRED.code)
    {
        return None;
    }
    let max_depth = (limits.yaml_depth as usize).min(DEEPEST);
    let repaired = repair::repair(block, max_depth)?;
    if repaired.is_guessed {
        return None;
    }
    let repaired = repaired.text;
    // Lines of a value that is on one line now are left as empty ones.
    let lines = block
        .split_inclusive('\n')
        .zip(repaired.split_inclusive('\n'));
    let quoted: String = lines
        .filter(|(before, after)| !after.trim().is_empty() || before.trim().is_empty())
        .map(|(_, after)| after)
        .collect();
    let strict = read(&quoted, Mode::Strict)?;
    let values = |document: &Document| -> Vec<(String, Value)> {
        let fields = document.fields.iter();
        fields
            .map(|field| (field.key.clone(), field.value.clone()))
            .collect()
    };
    (values(&loaded) == values(&strict)).then_some(quoted)
}

/// Whether `text` is YAML of any kind.
fn parses(text: &str) -> bool {
    Parser::new_from_str(text).all(|event| event.is_ok())
}

#[cfg(test)]
mod tests;

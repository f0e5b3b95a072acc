//! Events of the YAML parser become fields, without recursion.

use saphyr_parser::{Event, Marker, ScalarStyle, ScanError, Span};

use super::line::{BLANKS, indentation, lines};
use super::scalar::Scalar;
use super::tolerance::{Misindented, Tolerated, misindented, missing_indentation};
use super::{
    ALIAS, ANCHOR, COMMENT_AFTER_TEXT, COMPLEX_KEY, DUPLICATE_KEY, Document, Field, INDENTATION,
    INVALID, LONE_SURROGATE, MANY_DOCUMENTS, MERGE_KEY, MOST_VALUES, NOT_A_MAP, Numbers, Reading,
    TAG, TOO_DEEP, TOO_MANY_VALUES,
};
use crate::diagnostic::saturating_u32;
use crate::text::{counted, quoted};
use crate::{Diagnostic, Map, Mode, Position, Rule, Value};

/// Fields whose text is prose: a `#` in it is rarely meant to begin a comment.
const PROSE: [&str; 4] = ["name", "description", "when_to_use", "compatibility"];

/// A collection that is not closed yet.
enum Frame {
    List { items: Vec<Value>, start: Start },
    Map { entries: Entries, start: Start },
}

/// Where a collection began.
#[derive(Clone, Copy)]
struct Start {
    position: Position,
    byte: usize,
    line: usize,
    /// The column of a block-style collection; in flow style there is none that counts.
    column: Option<usize>,
}

/// The entries of a map that is not closed yet.
#[derive(Default)]
struct Entries {
    fields: Vec<Field>,
    /// Indexes into `fields`, sorted by key: finds a duplicate among thousands.
    sorted: Vec<u32>,
    /// The key whose value comes next.
    pending: Option<PendingKey>,
}

struct PendingKey {
    name: String,
    position: Position,
    /// Where the key belongs in `sorted`; none for a key that was there before.
    rank: Option<usize>,
}

impl Entries {
    /// Takes a key. Tells whether it is new.
    fn open(&mut self, name: String, position: Position) -> bool {
        let found = self.sorted.binary_search_by(|&index| {
            let key = self
                .fields
                .get(index as usize)
                .map_or("", |field| field.key.as_str());
            key.cmp(&name)
        });
        let rank = found.err();
        self.pending = Some(PendingKey {
            name,
            position,
            rank,
        });
        rank.is_some()
    }

    /// Takes the value of the pending key; of a duplicate it is dropped.
    fn close(&mut self, scalar: Scalar, position: Position) {
        if let Some(PendingKey {
            name,
            position: key_position,
            rank: Some(rank),
        }) = self.pending.take()
        {
            self.sorted.insert(rank, saturating_u32(self.fields.len()));
            let Scalar { value, source } = scalar;
            let source = source.filter(|_| value != Value::Null);
            self.fields.push(Field {
                key: name,
                key_position,
                value,
                source,
                position,
            });
        }
    }

    fn into_map(self) -> Map {
        Map(self
            .fields
            .into_iter()
            .map(|field| (field.key, field.value))
            .collect())
    }
}

/// Makes a document of events.
pub(super) struct Builder<'a> {
    reading: &'a Reading,
    block: &'a Tolerated<'a>,
    /// A character's index and its byte offset, as far as was asked: indexes mostly grow.
    cursor: (usize, usize),
    frames: Vec<Frame>,
    documents: usize,
    /// Keys and values so far.
    values: usize,
    may_have_comments: bool,
    /// Whether a line may still be found whose indentation other parsers refuse: the first is said.
    may_be_misindented: bool,
    document: Document,
}

impl<'a> Builder<'a> {
    pub(super) fn new(reading: &'a Reading, block: &'a Tolerated<'a>) -> Self {
        let mut builder = Self {
            reading,
            block,
            cursor: (0, 0),
            frames: Vec::new(),
            documents: 0,
            values: 0,
            may_have_comments: block.text.contains('#'),
            may_be_misindented: true,
            document: Document::default(),
        };
        for &place in &block.lone_surrogates {
            builder.warn(
                &LONE_SURROGATE,
                "half of a surrogate pair is not a character; its escape was kept as text".into(),
                "write both halves, or the character itself",
                reading.in_file(place),
            );
        }
        if let Some(misindented) = block.misindented {
            builder.warn_of_indentation(misindented);
        }
        builder
    }

    pub(super) fn finish(self) -> Document {
        self.document
    }

    pub(super) fn take(&mut self, event: Event<'_>, span: Span) -> Result<(), Diagnostic> {
        self.count(&event, span)?;
        match event {
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => {}
            Event::DocumentStart(_) => {
                self.documents += 1;
                if self.documents > 1 {
                    let message = "a second YAML document begins inside the front matter".into();
                    let hint = "front matter is one document; close it with `---`";
                    return Err(self.diagnostic(&MANY_DOCUMENTS, message, hint, span.start));
                }
            }
            Event::Alias(_) => {
                let text = self.source_text(span);
                let message = ["the alias ", &quoted(&text), " was kept as text"].concat();
                self.warn_at(&ALIAS, message, "write the value itself", span.start);
                self.scalar(Scalar::text(text), false, span)?;
            }
            Event::Scalar(_, _, anchor, tag) if anchor > 0 || tag.is_some() => {
                let text = self.source_text(span);
                self.warn_of_marks(anchor > 0, tag.is_some(), span);
                self.scalar(Scalar::text(text), false, span)?;
            }
            Event::Scalar(text, style, ..) => {
                let text = self.block.restore(text.into_owned());
                let is_plain = style == ScalarStyle::Plain;
                if is_plain {
                    self.check_plain(&text, span)?;
                }
                if matches!(style, ScalarStyle::Literal | ScalarStyle::Folded) {
                    self.check_after_block_scalar(span.end);
                }
                let scalar = match self.reading.numbers {
                    _ if !is_plain => Scalar::text(text),
                    Numbers::AsWritten => Scalar::plain(text),
                    Numbers::OfTheCoreSchema => Scalar::of_the_core_schema(text),
                };
                self.scalar(scalar, is_plain, span)?;
            }
            Event::SequenceStart(anchor, tag) => {
                if self.frames.is_empty() {
                    return Err(self.not_a_map("a list", span));
                }
                self.warn_of_marks(anchor > 0, tag.is_some(), span);
                let start = self.open_collection(true, span)?;
                self.frames.push(Frame::List {
                    items: Vec::new(),
                    start,
                });
            }
            Event::MappingStart(anchor, tag) => {
                self.warn_of_marks(anchor > 0, tag.is_some(), span);
                let start = self.open_collection(false, span)?;
                self.frames.push(Frame::Map {
                    entries: Entries::default(),
                    start,
                });
            }
            Event::SequenceEnd | Event::MappingEnd => self.close_collection(span),
        }
        Ok(())
    }

    /// In brackets the parser takes for plain text what begins with the mark of a block scalar, or is the mark
    /// of a key (clause 7.3.3, production 126); in a plain text of many lines it drops a comment after a
    /// tab (production 134). Other readers refuse both.
    fn check_plain(&mut self, text: &str, span: Span) -> Result<(), Diagnostic> {
        if self.reading.mode == Mode::Lenient {
            return Ok(());
        }
        let has_indicator = text == "?" || text.starts_with(['|', '>']);
        let message = if has_indicator && self.is_in_flow() {
            "invalid YAML: a plain value in brackets begins with an indicator"
        } else if self.may_have_comments && self.has_comment_within(span) {
            "invalid YAML: a comment stands within a plain value"
        } else {
            return Ok(());
        };
        let hint = "put the value in quotes";
        Err(self.diagnostic(&INVALID, message.into(), hint, span.start))
    }

    fn has_comment_within(&mut self, span: Span) -> bool {
        let (start, end) = (self.byte(span.start), self.byte(span.end));
        let source = self.block.text.get(start..end).unwrap_or_default();
        let mut lines = source.split(['\n', '\r']).skip(1);
        lines.any(|line| line.trim_start_matches(BLANKS).starts_with('#'))
    }

    /// The diagnostic for what the parser refused.
    pub(super) fn invalid(&self, error: &ScanError) -> Diagnostic {
        let info = error.info();
        if info.starts_with("recursion") {
            return self.too_deep(*error.marker());
        }
        let message = match self.field_name() {
            Some(name) => ["invalid YAML in ", &quoted(name), ": ", info].concat(),
            None => ["invalid YAML: ", info].concat(),
        };
        let hint = if info.starts_with("mapping values") {
            "put the value in quotes: it contains a colon followed by a blank"
        } else if info.starts_with("tab") {
            "indent with blanks instead of tabs"
        } else if info.ends_with("<document start>") {
            "remove what is not part of the keys and values, such as a directive"
        } else {
            "correct the line, or put the value in quotes if it is text"
        };
        self.diagnostic(&INVALID, message, hint, *error.marker())
    }

    fn too_deep(&self, place: Marker) -> Diagnostic {
        let levels = counted(self.reading.max_depth, "level");
        let message = [
            "values are nested more than ",
            &levels,
            " deep, the limit `yamlDepth`",
        ]
        .concat();
        self.diagnostic(&TOO_DEEP, message, "make the value flatter", place)
    }

    /// Counts keys and values; an error when there are too many.
    fn count(&mut self, event: &Event<'_>, span: Span) -> Result<(), Diagnostic> {
        if matches!(
            event,
            Event::Scalar(..)
                | Event::Alias(_)
                | Event::SequenceStart(..)
                | Event::MappingStart(..)
        ) {
            self.values += 1;
        }
        if self.values <= MOST_VALUES {
            return Ok(());
        }
        let message = [
            "the front matter has more than ",
            &MOST_VALUES.to_string(),
            " keys and values",
        ]
        .concat();
        let hint = "put data into a file beside the skill file";
        Err(self.diagnostic(&TOO_MANY_VALUES, message, hint, span.start))
    }

    fn open_collection(&mut self, is_list: bool, span: Span) -> Result<Start, Diagnostic> {
        if self.frames.len() > self.reading.max_depth {
            return Err(self.too_deep(span.start));
        }
        let byte = self.byte(span.start);
        // In block style the parser gives a place, which may be that of what is in the first entry.
        let is_flow =
            self.is_in_flow() || !span.is_empty() && self.rest(byte).starts_with(['[', '{']);
        let is_indicator = ["-", "?"].iter().any(|indicator| {
            let rest = self.rest(byte).strip_prefix(indicator);
            rest.is_some_and(|rest| rest.starts_with(char::is_whitespace))
        });
        if !self.is_in_flow() && (is_flow || is_indicator) {
            self.check_beginning(byte, span.start, is_indicator);
        }
        let column = if is_list {
            self.column_of_list(byte, span.start.col())
        } else {
            span.start.col()
        };
        Ok(Start {
            position: self.position(span.start),
            byte,
            line: span.start.line(),
            column: (!is_flow).then_some(column),
        })
    }

    /// The column of the dashes of a list in block style. Directly below its key (clause 8.2.1) it begins,
    /// to the parser, after the first of them.
    fn column_of_list(&self, byte: usize, column: usize) -> usize {
        let Some(Frame::Map { start, .. }) = self.frames.last() else {
            return column;
        };
        match start.column {
            Some(of_key) if self.has_dash_at(byte, of_key) => of_key,
            _ => column,
        }
    }

    /// Whether the line of `byte` begins with a dash at this column.
    fn has_dash_at(&self, byte: usize, column: usize) -> bool {
        let before = self.block.text.get(..byte).unwrap_or_default();
        let line = before.rsplit('\n').next().unwrap_or_default();
        indentation(line) == column && line.trim_start().starts_with('-')
    }

    fn close_collection(&mut self, span: Span) {
        let closed = self.frames.pop();
        if let Some(Frame::Map { start, .. } | Frame::List { start, .. }) = closed.as_ref()
            && start.column.is_none()
            && !self.is_in_flow()
        {
            self.check_further_lines(start.byte, start.line, span.end, false);
        }
        let (value, start) = match closed {
            Some(Frame::Map { entries, .. }) if self.frames.is_empty() => {
                self.document.fields = entries.fields;
                return;
            }
            Some(Frame::Map { entries, start }) => (Value::Map(entries.into_map()), start),
            Some(Frame::List { items, start }) => (Value::List(items), start),
            None => return,
        };
        match self.frames.last_mut() {
            Some(Frame::Map { entries, .. }) if entries.pending.is_some() => {
                entries.close(
                    Scalar {
                        value,
                        source: None,
                    },
                    start.position,
                );
            }
            Some(Frame::Map { .. }) => self.complex_key(start, span),
            Some(Frame::List { items, .. }) => items.push(value),
            None => {}
        }
    }

    /// A collection in the place of a key: its source is the key.
    fn complex_key(&mut self, start: Start, span: Span) {
        let end = self.byte(span.end);
        let source = self.block.text.get(start.byte..end).unwrap_or_default();
        let name = self.block.restore(source.trim().to_owned());
        let message = ["the key ", &quoted(&name), " is not text"].concat();
        self.warn(
            &COMPLEX_KEY,
            message,
            "put the key in quotes",
            start.position,
        );
        self.key(name, start.position);
    }

    fn scalar(&mut self, scalar: Scalar, is_plain: bool, span: Span) -> Result<(), Diagnostic> {
        let position = self.position(span.start);
        self.check_scalar(is_plain, span);
        match self.frames.last_mut() {
            Some(Frame::List { items, .. }) => items.push(scalar.value),
            Some(Frame::Map { entries, .. }) => {
                if let Some(key) = &entries.pending {
                    let is_missing = scalar.is_missing();
                    let position = if is_missing { key.position } else { position };
                    entries.close(scalar, position);
                    if is_plain && self.may_have_comments {
                        self.warn_of_comment(span.end);
                    }
                } else {
                    self.scalar_key(scalar, is_plain, position);
                }
            }
            None if scalar.is_missing() => {}
            None => return Err(self.not_a_map(scalar.value.kind(), span)),
        }
        Ok(())
    }

    fn scalar_key(&mut self, scalar: Scalar, is_plain: bool, position: Position) {
        let name = scalar.into_key();
        if is_plain && name == "<<" {
            let message = "the merge key `<<` is a key like any other".into();
            self.warn(&MERGE_KEY, message, "write the values themselves", position);
        }
        self.key(name, position);
    }

    fn key(&mut self, name: String, position: Position) {
        let Some(Frame::Map { entries, .. }) = self.frames.last_mut() else {
            return;
        };
        if !entries.open(name, position) {
            let pending = entries.pending.as_ref();
            let name = pending.map(|key| quoted(&key.name)).unwrap_or_default();
            let message = ["the key ", &name, " is there twice; the first one counts"].concat();
            self.warn(&DUPLICATE_KEY, message, "remove one of the two", position);
        }
    }

    /// Whether what comes next is inside a flow collection.
    fn is_in_flow(&self) -> bool {
        match self.frames.last() {
            Some(Frame::Map { start, .. } | Frame::List { start, .. }) => start.column.is_none(),
            None => false,
        }
    }

    /// By how much the lines of a value are indented here at least.
    fn margin(&self) -> usize {
        let column = self.frames.last().and_then(|frame| match frame {
            Frame::Map { start, .. } | Frame::List { start, .. } => start.column,
        });
        column.map_or(0, |column| column + 1)
    }

    /// Looks at the indentation of a scalar, which is a key or a value of a block-style collection.
    fn check_scalar(&mut self, is_plain: bool, span: Span) {
        let is_key = match self.frames.last() {
            Some(Frame::Map { entries, .. }) => entries.pending.is_none(),
            _ => false,
        };
        if !self.may_be_misindented || self.is_in_flow() || span.is_empty() && !is_key {
            return;
        }
        let byte = self.byte(span.start);
        self.check_beginning(byte, span.start, is_key);
        let is_quoted = !is_plain && self.rest(byte).starts_with(['"', '\'']);
        if is_quoted {
            self.check_further_lines(byte, span.start.line(), span.end, true);
        }
    }

    /// Looks for a tab before what a block scalar ended at: a line of blanks or a comment after it has a
    /// place in its text, or no tab before its comment (clause 8.1.1.2, productions 167 and 169).
    fn check_after_block_scalar(&mut self, end: Marker) {
        let byte = self.byte(end);
        if self.may_be_misindented && self.rest(byte).starts_with('\t') {
            self.warn_of_indentation(Misindented {
                position: self
                    .block
                    .original(saturating_u32(end.line()), saturating_u32(end.col() + 1)),
                has_tab: true,
            });
        }
    }

    /// Looks for tabs before what begins at `byte`: a key or a dash has blanks alone before it, after
    /// what it is nested in (clause 8.2, production 185); a value on a line of its own enough of them.
    fn check_beginning(&mut self, byte: usize, at: Marker, is_structure: bool) {
        if !self.may_be_misindented {
            return;
        }
        let before = self.block.text.get(..byte).unwrap_or_default();
        let line = before.rsplit(['\n', '\r']).next().unwrap_or_default();
        // What stands between a `?` and the key separates them.
        let line = match line.rsplit_once('?') {
            Some((before, gap)) if is_structure && gap.trim_matches(BLANKS).is_empty() => before,
            _ => line,
        };
        let Some(tab) = line.chars().position(|character| character == '\t') else {
            return;
        };
        let rest = line.trim_start_matches(BLANKS);
        let is_indentation = if is_structure {
            rest.trim_start_matches(['-', '?', ':', ' ', '\t', '\u{FEFF}'])
                .is_empty()
        } else {
            rest.is_empty() && indentation(line) < self.margin()
        };
        if is_indentation {
            self.warn_of_indentation(Misindented {
                position: self
                    .block
                    .original(saturating_u32(at.line()), saturating_u32(tab + 1)),
                has_tab: true,
            });
        }
    }

    /// Looks at the lines of a value after its first one.
    fn check_further_lines(&mut self, byte: usize, line: usize, end: Marker, is_quoted: bool) {
        if !self.may_be_misindented || end.line() == line {
            return;
        }
        let margin = self.margin();
        let end = self.byte(end);
        let source = self.block.text.get(byte..end).unwrap_or_default();
        let found = lines(source)
            .enumerate()
            .skip(1)
            .filter(|(_, (_, text))| missing_indentation(text, margin).is_some())
            .find_map(|(at, (_, text))| misindented(text, is_quoted, saturating_u32(line + at)));
        if let Some(Misindented { position, has_tab }) = found {
            self.warn_of_indentation(Misindented {
                position: self.block.original(position.line, position.column),
                has_tab,
            });
        }
    }

    /// Says it once: who mends one line sees the others.
    fn warn_of_indentation(&mut self, Misindented { position, has_tab }: Misindented) {
        self.may_be_misindented = false;
        let (message, hint) = if has_tab {
            (
                "a tab is no indentation in YAML",
                "indent with blanks instead of tabs",
            )
        } else {
            (
                "a line that goes on with a value is not indented",
                "indent it further than the key of the value",
            )
        };
        let place = self.reading.in_file(position);
        self.warn(&INDENTATION, message.into(), hint, place);
    }

    /// After a plain value of a prose field: whether a comment follows on its line.
    fn warn_of_comment(&mut self, end: Marker) {
        let [Frame::Map { entries, .. }] = self.frames.as_slice() else {
            return;
        };
        let Some(field) = entries.fields.last() else {
            return;
        };
        if !PROSE.contains(&field.key.as_str()) || field.value == Value::Null {
            return;
        }
        let name = quoted(&field.key);
        let byte = self.byte(end);
        let rest = self.rest(byte);
        let comment = rest.trim_start_matches([' ', '\t']);
        if comment.starts_with('#') {
            let blanks = rest.len() - comment.len();
            let place = Marker::new(end.index(), end.line(), end.col() + blanks);
            let message = [name.as_str(), ": the text after # is a comment"].concat();
            self.warn_at(
                &COMMENT_AFTER_TEXT,
                message,
                "quote the value to keep it",
                place,
            );
        }
    }

    fn warn_of_marks(&mut self, has_anchor: bool, has_tag: bool, span: Span) {
        if has_anchor {
            let message = "an anchor (`&`) has no effect".into();
            self.warn_at(
                &ANCHOR,
                message,
                "remove the anchor, or quote the value",
                span.start,
            );
        }
        if has_tag {
            let message = "a tag (`!`) has no effect".into();
            self.warn_at(
                &TAG,
                message,
                "remove the tag, or quote the value",
                span.start,
            );
        }
    }

    fn not_a_map(&self, kind: &str, span: Span) -> Diagnostic {
        let message = ["the front matter is ", kind, ", not keys and values"].concat();
        self.diagnostic(
            &NOT_A_MAP,
            message,
            "write lines like `name: value`",
            span.start,
        )
    }

    fn warn_at(&mut self, rule: &Rule, message: String, hint: &'static str, place: Marker) {
        let position = self.position(place);
        self.warn(rule, message, hint, position);
    }

    fn warn(&mut self, rule: &Rule, message: String, hint: &'static str, position: Position) {
        let diagnostic = Diagnostic::new(rule, self.reading.mode, message);
        self.document
            .diagnostics
            .push(diagnostic.with_hint(hint).at(position));
    }

    fn diagnostic(
        &self,
        rule: &Rule,
        message: String,
        hint: &'static str,
        at: Marker,
    ) -> Diagnostic {
        Diagnostic::new(rule, self.reading.mode, message)
            .with_hint(hint)
            .at(self.position(at))
    }

    /// The top-level key whose value is being read.
    fn field_name(&self) -> Option<&str> {
        match self.frames.first() {
            Some(Frame::Map { entries, .. }) => {
                entries.pending.as_ref().map(|key| key.name.as_str())
            }
            _ => None,
        }
    }

    fn position(&self, marker: Marker) -> Position {
        let line = saturating_u32(marker.line());
        self.reading
            .in_file(self.block.original(line, saturating_u32(marker.col() + 1)))
    }

    /// What stands in the file from the beginning of `span` to its end.
    fn source_text(&mut self, span: Span) -> String {
        let (start, end) = (self.byte(span.start), self.byte(span.end));
        let source = self.block.text.get(start..end).unwrap_or_default();
        self.block.restore(source.trim_end().to_owned())
    }

    /// What stands from `byte` on.
    fn rest(&self, byte: usize) -> &'a str {
        self.block.text.get(byte..).unwrap_or_default()
    }

    /// The byte offset of a place that the parser counts in characters.
    fn byte(&mut self, marker: Marker) -> usize {
        let (index, mut offset) = self.cursor;
        if let Some(back) = index.checked_sub(marker.index() + 1) {
            // From where it was, not from the beginning: a block may be made of such steps.
            let before = self.block.text.get(..offset).unwrap_or_default();
            let start = before.char_indices().rev().nth(back);
            offset = start.map_or(0, |(at, _)| at);
        } else {
            let rest = self.block.text.get(offset..).unwrap_or_default();
            let wanted = rest.char_indices().nth(marker.index() - index);
            offset += wanted.map_or(rest.len(), |(at, _)| at);
        }
        self.cursor = (marker.index(), offset);
        offset
    }
}

//! What a search knows of the skills of a catalog: for each its words, as numbers. Nothing of a text
//! can be read back from it.

use std::ops::Range;
use std::rc::{Rc, Weak};

use crate::order::sort_by;
use crate::record::{Record, RecordId};
use crate::skill::Skill;
use crate::snapshot::Snapshot;
use crate::value::Value;

use super::markdown;
use super::normal;
use super::stem::stem;
use super::tokens::{self, Kind, Token};
use super::vocabulary::{Vocabulary, WordId, is_stop_word};

/// Where a word stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    Name,
    /// `trigger`, `when_to_use` and tags.
    Hints,
    Description,
    Heading,
    Body,
}

impl Field {
    pub(super) const COUNT: usize = 5;
    /// How many of them are no body's. They come first.
    pub(super) const OF_FRONT: usize = 3;
}

/// How often a word stands in two or three fields, in four bits: each field has its own, and of
/// more than they can hold they hold the most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts(u8);

impl Counts {
    const BITS: u32 = 4;

    /// The lowest bit of a field, and the most it can hold.
    fn place(field: Field) -> (u8, u8) {
        match field {
            Field::Name => (0, 1),
            Field::Hints => (1, 1),
            Field::Heading => (0, 3),
            Field::Description | Field::Body => (2, 3),
        }
    }

    pub(super) fn get(self, field: Field) -> u8 {
        let (shift, most) = Self::place(field);
        self.0 >> shift & most
    }

    fn add(&mut self, field: Field) {
        let (shift, most) = Self::place(field);
        if self.get(field) < most {
            self.0 += 1 << shift;
        }
    }
}

/// The words of a text in the order of their numbers, each with its counts: two bytes for most.
#[derive(Debug, Default)]
pub(super) struct Words(Box<[u8]>);

impl Words {
    fn of(mut found: Vec<(WordId, Field)>) -> Self {
        sort_by(&mut found, |a, b| a.0.cmp(&b.0));
        let mut bytes = Vec::new();
        let mut before = 0;
        for of_word in found.chunk_by(|a, b| a.0 == b.0) {
            let mut counts = Counts::default();
            let mut id = 0;
            for &(word, field) in of_word {
                id = word;
                counts.add(field);
            }
            let mut value = u64::from(id - before) << Counts::BITS | u64::from(counts.0);
            before = id;
            while value >= 0x80 {
                bytes.push((value & 0x7f) as u8 | 0x80);
                value >>= 7;
            }
            bytes.push((value & 0x7f) as u8);
        }
        Self(bytes.into_boxed_slice())
    }

    /// Each word that has a meaning, with its counts.
    pub(super) fn each(&self, meanings: &[u16], give: &mut dyn FnMut(u16, Counts)) {
        let mut id = 0;
        let (mut value, mut shift) = (0_u64, 0);
        for &byte in &self.0 {
            value |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte < 0x80 {
                id += usize::try_from(value >> Counts::BITS).unwrap_or_default();
                match meanings.get(id) {
                    None | Some(0) => {}
                    Some(&meaning) => give(meaning, Counts((value & 0xf) as u8)),
                }
                (value, shift) = (0, 0);
            }
        }
    }
}

/// What is known of a body.
#[derive(Debug, Default)]
enum Body {
    /// Nobody has read it.
    #[default]
    Unread,
    /// It could not be read.
    Failed,
    Read(Words),
}

/// A skill, by one reading of it.
#[derive(Debug, Default)]
pub(super) struct Document {
    id: RecordId,
    /// Of name, description and hints; `None` where these are not in NFKC and nobody has asked for it.
    front: Option<Words>,
    body: Body,
    /// Words in each field.
    lengths: [u16; Field::COUNT],
}

/// What one search looks at of a document.
#[derive(Debug)]
pub(super) struct Shown<'a> {
    front: Option<&'a Words>,
    body: Option<&'a Words>,
    pub(super) lengths: [u16; Field::COUNT],
}

impl Shown<'_> {
    /// Each word that has a meaning, with its counts and the fields that these are of.
    pub(super) fn each(&self, meanings: &[u16], give: &mut dyn FnMut(u16, Counts, Range<usize>)) {
        if let Some(front) = self.front {
            front.each(meanings, &mut |meaning, counts| {
                give(meaning, counts, 0..Field::OF_FRONT);
            });
        }
        if let Some(body) = self.body {
            body.each(meanings, &mut |meaning, counts| {
                give(meaning, counts, Field::OF_FRONT..Field::COUNT);
            });
        }
    }
}

/// The skills of a snapshot, in its order, and the words in them.
#[derive(Debug, Default)]
pub(crate) struct Index {
    pub(super) vocabulary: Vocabulary,
    pub(super) documents: Vec<Document>,
    of: Weak<Snapshot>,
    /// How many documents were added since it was begun, beyond the first ones: as many of which the
    /// words are still in the vocabulary.
    replaced: usize,
}

impl Index {
    /// Brings it to a snapshot: what has not changed stays as it is.
    pub(super) fn update(&mut self, snapshot: &Rc<Snapshot>) {
        if std::ptr::eq(self.of.as_ptr(), Rc::as_ptr(snapshot)) {
            return;
        }
        // Words of what is gone are forgotten once they are as many as the others.
        if self.replaced > self.documents.len() {
            *self = Self::default();
        }
        let is_new = self.documents.is_empty();
        let mut before = std::mem::take(&mut self.documents);
        sort_by(&mut before, |a, b| a.id.cmp(&b.id));
        self.documents.reserve_exact(snapshot.entries.len());
        for entry in &snapshot.entries {
            let record = &entry.record;
            let known = before.binary_search_by(|document| document.id.cmp(&record.id));
            let document = match known.ok().and_then(|place| before.get_mut(place)) {
                Some(known) => std::mem::take(known).once_more(),
                None => {
                    self.replaced += usize::from(!is_new);
                    self.front_of(record, &entry.skill)
                }
            };
            self.documents.push(document);
        }
        self.of = Rc::downgrade(snapshot);
    }

    fn front_of(&mut self, record: &Record, skill: &Skill) -> Document {
        let mut document = Document {
            id: record.id,
            ..Document::default()
        };
        let mut is_normal = true;
        each_front_text(skill, &mut |_, text| is_normal &= normal::is_normal(text));
        if is_normal {
            let mut text = Text::new(&mut self.vocabulary);
            each_front_text(skill, &mut |field, of_skill| text.read(field, of_skill));
            document.take_front(text);
        }
        document
    }

    /// Whether the front of the skill at a place is to be read in NFKC.
    pub(super) fn lacks_front(&self, place: usize) -> bool {
        let document = self.documents.get(place);
        document.is_some_and(|document| document.front.is_none())
    }

    /// Takes the texts of a reading that is at a place, in NFKC. What has moved meanwhile stays
    /// without.
    pub(super) fn add_front(&mut self, place: usize, id: RecordId, texts: &[(Field, String)]) {
        let document = self.documents.get_mut(place);
        if let Some(document) = document.filter(|document| document.id == id) {
            let mut text = Text::new(&mut self.vocabulary);
            for (field, of_skill) in texts {
                text.read(*field, of_skill);
            }
            document.take_front(text);
        }
    }

    /// Whether nobody has tried to read the body of the skill at a place.
    pub(super) fn lacks_body(&self, place: usize) -> bool {
        let document = self.documents.get(place);
        document.is_some_and(|document| matches!(document.body, Body::Unread))
    }

    /// Takes the body of a reading that is at a place; `None` where it cannot be had. What has moved
    /// meanwhile stays without.
    pub(super) fn add_body(&mut self, place: usize, id: RecordId, body: Option<&str>) {
        let document = self.documents.get_mut(place);
        let Some(document) = document.filter(|document| document.id == id) else {
            return;
        };
        let Some(body) = body else {
            document.body = Body::Failed;
            return;
        };
        let mut text = Text::new(&mut self.vocabulary);
        markdown::each_line(body, &mut |line, is_heading| {
            text.read(
                if is_heading {
                    Field::Heading
                } else {
                    Field::Body
                },
                line,
            );
        });
        document.add_lengths(&text.lengths);
        document.body = Body::Read(Words::of(text.found));
    }
}

impl Document {
    fn take_front(&mut self, text: Text<'_>) {
        self.add_lengths(&text.lengths);
        self.front = Some(Words::of(text.found));
    }

    /// Takes the lengths of the fields that were read: the others have none.
    fn add_lengths(&mut self, read: &[u16; Field::COUNT]) {
        for (length, &read) in self.lengths.iter_mut().zip(read) {
            if read > 0 {
                *length = read;
            }
        }
    }

    /// The document to a search that looks at its body, or does not: then it is as if nobody had
    /// read that.
    pub(super) fn shown(&self, with_body: bool) -> Shown<'_> {
        let body = match &self.body {
            Body::Read(words) if with_body => Some(words),
            _ => None,
        };
        let mut lengths = self.lengths;
        if body.is_none()
            && let Some(of_body) = lengths.get_mut(Field::OF_FRONT..)
        {
            of_body.fill(0);
        }
        Shown {
            front: self.front.as_ref(),
            body,
            lengths,
        }
    }

    /// The same after a refresh: what could not be read may be readable now.
    fn once_more(mut self) -> Self {
        if matches!(self.body, Body::Failed) {
            self.body = Body::Unread;
        }
        self
    }
}

/// A text that is being read.
struct Text<'a> {
    vocabulary: &'a mut Vocabulary,
    found: Vec<(WordId, Field)>,
    lengths: [u16; Field::COUNT],
}

impl<'a> Text<'a> {
    fn new(vocabulary: &'a mut Vocabulary) -> Self {
        Self {
            vocabulary,
            found: Vec::new(),
            lengths: [0; Field::COUNT],
        }
    }

    fn read(&mut self, field: Field, text: &str) {
        tokens::each(text, &mut |token: &Token<'_>| {
            let word = self.vocabulary.add(&stem(token.text));
            // A name is looked for by whatever it is.
            if is_stop_word(word) && field != Field::Name {
                return;
            }
            let is_extra = matches!(token.kind, Kind::Joined | Kind::LastLetter);
            if !is_extra && let Some(length) = self.lengths.get_mut(field as usize) {
                *length = length.saturating_add(1);
            }
            self.found.push((word, field));
        });
    }
}

/// Gives the texts of a skill beside its body, each with its field.
pub(super) fn each_front_text(skill: &Skill, give: &mut dyn FnMut(Field, &str)) {
    give(Field::Name, &skill.name);
    give(Field::Description, &skill.description);
    each_hint(skill, &mut |hint| give(Field::Hints, hint));
}

/// Gives the texts that say when a skill is of use, beside its description.
fn each_hint(skill: &Skill, give: &mut dyn FnMut(&str)) {
    const KEYS: [&str; 6] = [
        "trigger",
        "triggers",
        "when_to_use",
        "when-to-use",
        "tags",
        "keywords",
    ];
    for map in [&skill.front_matter, &skill.metadata] {
        for key in KEYS {
            match map.get(key) {
                Some(Value::String(text)) => give(text),
                Some(Value::List(items)) => {
                    items.iter().filter_map(Value::as_str).for_each(&mut *give);
                }
                _ => {}
            }
        }
    }
}

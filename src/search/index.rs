//! What a search knows of the skills of a catalog: for each its words, as numbers. Nothing of a text
//! can be read back from it.

use std::rc::{Rc, Weak};

use crate::order::sort_by;
use crate::record::{Record, RecordId};
use crate::skill::Skill;
use crate::snapshot::Snapshot;
use crate::value::Value;

use super::markdown;
use super::normal;
use super::query::{Meaning, Meanings};
use super::stem::stem;
use super::tokens::{self, Kind, Token};
use super::vocabulary::{Vocabulary, WordId, is_stop_word};

/// Where a word stands. What is told of each field is in this order.
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
    pub(super) const ALL: [Self; Self::COUNT] = [
        Self::Name,
        Self::Hints,
        Self::Description,
        Self::Heading,
        Self::Body,
    ];

    fn is_of_body(self) -> bool {
        matches!(self, Self::Heading | Self::Body)
    }
}

/// How often a word stands in the fields of a front, or in those of a body, in four bits: each field
/// has its own, and of more than they can hold they hold the most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts(u8);

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

    fn get(self, field: Field) -> u8 {
        let (shift, most) = Self::place(field);
        self.0 >> shift & most
    }

    /// The counts of all fields: those of a body, or the others.
    fn in_fields(self, of_body: bool) -> InFields {
        Field::ALL.map(|field| {
            if field.is_of_body() == of_body {
                self.get(field)
            } else {
                0
            }
        })
    }

    fn add(&mut self, field: Field) {
        let (shift, most) = Self::place(field);
        if self.get(field) < most {
            self.0 += 1 << shift;
        }
    }
}

/// How often a word stands in each field.
pub(super) type InFields = [u8; Field::COUNT];

/// The words of a text in the order of their numbers, each with its counts: two bytes for most.
#[derive(Debug, Default)]
struct Words(Box<[u8]>);

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
    fn each(&self, meanings: &Meanings, give: &mut dyn FnMut(Meaning, Counts)) {
        let mut id = 0;
        let (mut value, mut shift) = (0_u64, 0);
        for &byte in &self.0 {
            value |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte < 0x80 {
                id += usize::try_from(value >> Counts::BITS).unwrap_or_default();
                if let Some(&Some(meaning)) = meanings.get(id) {
                    give(meaning, Counts((value & 0xf) as u8));
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
    /// Each word that has a meaning, with how often it stands in each field; one that is in front and
    /// body twice.
    pub(super) fn each(&self, meanings: &Meanings, give: &mut dyn FnMut(Meaning, InFields)) {
        for (words, of_body) in [(self.front, false), (self.body, true)] {
            if let Some(words) = words {
                words.each(meanings, &mut |meaning, counts| {
                    give(meaning, counts.in_fields(of_body));
                });
            }
        }
    }
}

/// The skills of a snapshot, in its order, and the words in them.
#[derive(Debug, Default)]
pub(crate) struct Index {
    pub(super) vocabulary: Vocabulary,
    pub(super) documents: Vec<Document>,
    of: Weak<Snapshot>,
    /// How many documents have come in the place of others since it was begun. The words of those
    /// others are in the vocabulary still.
    replaced: usize,
}

impl Index {
    /// Brings it to a snapshot: what has not changed stays as it is.
    pub(super) fn update(&mut self, snapshot: &Rc<Snapshot>) {
        if std::ptr::eq(self.of.as_ptr(), Rc::as_ptr(snapshot)) {
            return;
        }
        // Words of what is gone are forgotten once they are as many as the others, or the only ones.
        if self.replaced > self.documents.len() || self.documents.is_empty() {
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
        if body.is_none() {
            for (length, field) in lengths.iter_mut().zip(Field::ALL) {
                if field.is_of_body() {
                    *length = 0;
                }
            }
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
    for map in [&skill.written, skill.metadata()] {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::define::SkillSpec;
    use crate::snapshot::Entry;

    /// A snapshot of skills from code, by their descriptions.
    fn snapshot(descriptions: &[&str]) -> Rc<Snapshot> {
        let entries = descriptions.iter().map(|description| {
            let spec = format!(r#"{{"name":"a","description":"{description}","content":"b"}}"#);
            let spec = SkillSpec::from_json(&spec).expect("a skill");
            let record = Rc::new(spec.into_record(None));
            let skill = Rc::clone(record.skill.as_ref().expect("it has one"));
            Entry { record, skill }
        });
        let mut snapshot = Snapshot::default();
        snapshot.entries = entries.collect();
        Rc::new(snapshot)
    }

    #[test]
    fn words_of_what_is_gone_are_forgotten_also_where_all_was_gone() {
        let mut fresh = Index::default();
        fresh.update(&snapshot(&["zebra"]));
        for changes in [
            vec![&["one two"][..], &[], &["zebra"]],
            vec![&["one"][..], &["two"], &["three"], &["zebra"]],
        ] {
            let mut index = Index::default();
            for descriptions in &changes {
                index.update(&snapshot(descriptions));
            }
            assert_eq!(
                index.vocabulary.len(),
                fresh.vocabulary.len(),
                "{changes:?}"
            );
        }
    }
}

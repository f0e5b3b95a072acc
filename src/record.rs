//! What is known of one skill: where its file is, what it said when it was last read, and how to
//! tell that it has changed.

use std::borrow::Cow;
use std::cell::Cell;
use std::hash::Hasher;
use std::rc::Rc;

use rustc_hash::FxHasher;

use crate::diagnostic::Diagnostic;
use crate::host::HostId;
use crate::jail::Jail;
use crate::own_files::Inner;
use crate::path;
use crate::places::Places;
use crate::skill::Skill;
use crate::skill_file::Place;

/// Names one reading of one skill; never used twice.
pub type RecordId = u32;

/// A path at which a skill file is, or may be.
#[derive(Clone, Debug)]
pub(crate) struct SkillFile {
    /// Its path on the host.
    pub(crate) path: String,
    /// What messages call it.
    pub(crate) shown: Rc<str>,
    /// What its directory is called, where it has one of its own: real where the host tells it.
    pub(crate) shown_directory: Option<Rc<str>>,
    /// [`Self::directory_name`], where it is not the last one of its path.
    pub(crate) source_name: Option<String>,
    /// For a loose file: its name without the ending.
    pub(crate) stem: Option<String>,
    /// The real path of its directory, where it is known.
    pub(crate) real_directory: Option<Rc<str>>,
    /// What the file must stay in.
    pub(crate) jail: Rc<Jail>,
    /// Where it is from.
    pub(crate) label: Rc<str>,
    /// What is off with the path itself.
    pub(crate) finding: Option<Diagnostic>,
}

impl SkillFile {
    /// Its last segment.
    pub(crate) fn name(&self) -> &str {
        path::base_name(&self.path).unwrap_or(&self.path)
    }

    /// What a skill is called whose file tells no name.
    pub(crate) fn stand_in(&self) -> &str {
        let name = self.directory_name().or(self.stem.as_deref());
        name.unwrap_or_default()
    }

    /// The name that the skill's name must be equal to: of its directory, or what is known of it.
    pub(crate) fn directory_name(&self) -> Option<&str> {
        if !self.has_directory() {
            return None;
        }
        let name = self.source_name.as_deref();
        name.or_else(|| path::base_name(&self.jail.directory))
    }

    /// Whether its directory is its own, with files beside it.
    pub(crate) fn has_directory(&self) -> bool {
        self.stem.is_none()
    }

    /// As far as the rules of its content ask.
    pub(crate) fn place(&self) -> Place<'_> {
        Place {
            path: Some(&self.shown),
            directory: self.directory_name(),
            file_stem: self.stem.as_deref(),
        }
    }

    /// Whether what was opened, by its real path, is not the file itself but what a link led to. How
    /// the name is written is judged elsewhere.
    pub(crate) fn is_link_to(&self, real: &str) -> bool {
        let plain = self.plain_real_path();
        plain.is_some_and(|plain| !plain.eq_ignore_ascii_case(real))
    }

    /// The real path of what was opened, if it is not the plain one.
    pub(crate) fn elsewhere(&self, real: Option<&str>) -> Option<String> {
        let real = real.filter(|real| self.plain_real_path().as_deref() != Some(*real));
        real.map(str::to_owned)
    }

    /// Its real path, if no link leads to the file itself.
    pub(crate) fn plain_real_path(&self) -> Option<String> {
        Some(path::join_real(
            self.real_directory.as_deref()?,
            self.name(),
        ))
    }
}

/// A skill that was given in code.
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    pub(crate) content: String,
    /// The directory of its files, where it has one.
    pub(crate) files: Option<Rc<Jail>>,
    /// Its real path, as it was when the catalog was put together, where it is known.
    pub(crate) real_directory: Option<Rc<str>>,
    /// What that directory is called.
    pub(crate) shown_directory: Option<String>,
}

/// Where a skill's text is.
#[derive(Clone, Debug)]
pub(crate) enum Origin {
    /// In a file.
    File(Rc<SkillFile>),
    /// In code.
    Defined(Rc<Definition>),
}

/// Tells whether a file has changed since it was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stamp {
    /// The host's own version.
    pub(crate) version: Option<String>,
    /// Of the bytes that were read.
    pub(crate) hash: u64,
    /// Whether these were the whole file.
    pub(crate) whole: bool,
}

impl Stamp {
    pub(crate) fn of(bytes: &[u8], version: Option<String>, whole: bool) -> Self {
        let mut hasher = FxHasher::default();
        hasher.write(bytes);
        Self {
            version,
            hash: hasher.finish(),
            whole,
        }
    }

    /// Whether both stand for the same content, as far as it was read.
    pub(crate) fn same_bytes(&self, other: &Self) -> bool {
        self.hash == other.hash && self.whole == other.whole
    }
}

/// One reading of one skill.
#[derive(Clone, Debug)]
pub struct Record {
    pub(crate) id: RecordId,
    pub(crate) origin: Origin,
    /// The file's real path, where it is known and not [`SkillFile::plain_real_path`].
    pub(crate) real_elsewhere: Option<String>,
    pub(crate) stamp: Stamp,
    /// The last reading that could be used.
    pub(crate) skill: Option<Rc<Skill>>,
    /// [`Self::key`], where it is not the skill's very name.
    pub(crate) other_key: Option<String>,
    /// Whether its directory has its name.
    pub(crate) named_as_directory: bool,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// What in its directory is another skill's, as the catalogs knew it that it went through.
    pub(crate) inner: Vec<Inner>,
}

impl Record {
    /// The same reading, beside other skills.
    pub(crate) fn with_inner(record: &Rc<Self>, inner: &[Inner]) -> Rc<Self> {
        if record.inner == inner {
            return Rc::clone(record);
        }
        Rc::new(Self {
            inner: inner.to_vec(),
            ..(**record).clone()
        })
    }

    /// The same record of a skill from code, whose files really are in this directory.
    pub(crate) fn with_real_directory(record: &Rc<Self>, real: Option<Rc<str>>) -> Rc<Self> {
        match &record.origin {
            Origin::Defined(definition) if definition.real_directory != real => Rc::new(Self {
                origin: Origin::Defined(Rc::new(Definition {
                    real_directory: real,
                    ..(**definition).clone()
                })),
                ..(**record).clone()
            }),
            _ => Rc::clone(record),
        }
    }

    /// Its name in NFKC: what it is looked up by. Where a broken file tells none, its directory's.
    pub(crate) fn key(&self) -> &str {
        let name = self.skill.as_ref().map(|skill| skill.name.as_str());
        self.other_key.as_deref().or(name).unwrap_or_default()
    }

    /// Notes its key; the skill is known.
    pub(crate) fn set_key(&mut self, key: &str) {
        let name = self.skill.as_ref().map(|skill| skill.name.as_str());
        self.other_key = (name != Some(key)).then(|| key.to_owned());
    }

    /// Host and path of its file. Two records with the same are of the same file.
    pub(crate) fn location(&self) -> Option<(HostId, &str)> {
        match &self.origin {
            Origin::File(file) => Some((file.jail.host, &file.path)),
            Origin::Defined(_) => None,
        }
    }

    /// Its file's real path, where it is known: one file reached twice is one skill.
    pub(crate) fn real_file(&self) -> Option<Cow<'_, str>> {
        match (&self.real_elsewhere, &self.origin) {
            (Some(real), _) => Some(Cow::Borrowed(real)),
            (None, Origin::File(file)) => file.plain_real_path().map(Cow::Owned),
            (None, Origin::Defined(_)) => None,
        }
    }

    /// What its files must stay in, where it has a directory.
    pub(crate) fn files(&self) -> Option<&Rc<Jail>> {
        match &self.origin {
            Origin::File(file) => Some(&file.jail).filter(|_| file.has_directory()),
            Origin::Defined(definition) => definition.files.as_ref(),
        }
    }

    /// Whether it was reached through a link.
    pub(crate) fn is_through_link(&self) -> bool {
        match &self.origin {
            Origin::File(file) => file.jail.linked_to.is_some(),
            Origin::Defined(_) => false,
        }
    }

    /// What its directory is called, where it has one.
    pub(crate) fn shown_directory(&self) -> Option<&str> {
        match &self.origin {
            Origin::File(file) => file.shown_directory.as_deref(),
            Origin::Defined(definition) => definition.shown_directory.as_deref(),
        }
    }

    /// The directories between its source and its own directory, such as `documents/office`.
    pub(crate) fn group(&self) -> &str {
        let Origin::File(file) = &self.origin else {
            return "";
        };
        let below = path::below(&file.jail.directory, &file.jail.root).unwrap_or_default();
        below.rsplit_once('/').map_or("", |(group, _)| group)
    }

    /// What its source is called.
    pub(crate) fn label(&self) -> Option<&str> {
        match &self.origin {
            Origin::File(file) => Some(&file.label),
            Origin::Defined(_) => None,
        }
    }

    /// What messages call its file.
    pub(crate) fn shown(&self) -> Option<&Rc<str>> {
        match &self.origin {
            Origin::File(file) => Some(&file.shown),
            Origin::Defined(_) => None,
        }
    }
}

/// What was read before, by host and path. What is beside it may be something else by now.
#[derive(Clone, Debug, Default)]
pub(crate) struct Previous {
    records: Vec<Rc<Record>>,
    places: Places,
}

impl Previous {
    /// Adds records; of a file that is known already, the first one stays.
    pub(crate) fn add<'a>(&mut self, records: impl IntoIterator<Item = &'a Rc<Record>>) {
        for record in records {
            if let Some((host, path)) = record.location()
                && self
                    .places
                    .add(path::on_host(host, path), self.records.len())
            {
                self.records.push(Record::with_inner(record, &[]));
            }
        }
    }

    /// The record of a file.
    pub(crate) fn get(&self, host: HostId, path: &str) -> Option<&Rc<Record>> {
        if self.records.is_empty() {
            return None;
        }
        let place = self.places.get(&path::on_host(host, path))?;
        self.records.get(place)
    }

    /// The records of all files below `directory`, of a source that begins at `root`.
    pub(crate) fn below(&self, host: HostId, root: &str, directory: &str) -> Vec<Rc<Record>> {
        let is_below = |record: &&Rc<Record>| match &record.origin {
            Origin::File(file) => {
                let same_source = file.jail.host == host && *file.jail.root == *root;
                same_source && (directory.is_empty() || path::is_inside(&file.path, directory))
            }
            Origin::Defined(_) => false,
        };
        self.records.iter().filter(is_below).cloned().collect()
    }
}

thread_local! {
    static NEXT_ID: Cell<RecordId> = const { Cell::new(0) };
}

/// An id that no other record has.
pub(crate) fn next_id() -> RecordId {
    NEXT_ID.with(|next| {
        let id = next.get();
        next.set(id.wrapping_add(1));
        id
    })
}

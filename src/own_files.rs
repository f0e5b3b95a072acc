//! Which files are a skill's own: all in its directory but what is another skill's. Skills may be
//! nested, or reached through links; and one that is held back from the model must not be read
//! through the one around it.
//!
//! What is another's is told when a catalog is put together, where all of its skills are known, and
//! stays with the record: whoever takes a skill out of that catalog, alone or without the ones in
//! it, gets no more of its files.

use std::borrow::Cow;
use std::rc::Rc;

use crate::diagnostic::Diagnostic;
use crate::discovery::Scan;
use crate::host::HostId;
use crate::jail::Jail;
use crate::path;
use crate::places::{Names, Places};
use crate::record::{Origin, Record};

/// What in the directory of a skill is another one's: its directory, or its loose file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Inner {
    host: HostId,
    path: Rc<str>,
    /// Its real path, where it is known.
    real: Option<Rc<str>>,
}

impl Inner {
    fn of(record: &Record) -> Option<Self> {
        let (jail, real) = match &record.origin {
            Origin::File(file) if file.has_directory() => (&file.jail, file.real_directory.clone()),
            Origin::File(file) => {
                let is_skill =
                    record.skill.is_some() || record.diagnostics.iter().any(Diagnostic::is_error);
                return is_skill.then(|| Self {
                    host: file.jail.host,
                    path: file.path.as_str().into(),
                    real: record.real_file().as_deref().map(Rc::from),
                });
            }
            Origin::Defined(definition) => (
                definition.files.as_ref()?,
                definition.real_directory.clone(),
            ),
        };
        Some(Self {
            host: jail.host,
            path: jail.directory.as_str().into(),
            real,
        })
    }

    /// What the directories above it are called in [`Directories`].
    fn keys_above(&self) -> Vec<String> {
        let mut keys = Vec::new();
        for above in path::above(&self.path) {
            keys.push(path::on_host(self.host, above));
        }
        if let Some(real) = &self.real {
            for above in path::above_real(real) {
                keys.push(real_key(above));
            }
        }
        keys
    }

    /// Tells it from every other.
    fn key(&self) -> String {
        let real = self.real.as_deref().unwrap_or_default();
        [&path::on_host(self.host, &self.path), "\0", real].concat()
    }
}

fn real_key(real: &str) -> String {
    ["\0", path::without_end(real)].concat()
}

/// What the directory of a skill is called in [`Directories`]: by its path and by its real path.
fn keys(record: &Record) -> Vec<String> {
    let mut keys = Vec::new();
    if let Some(jail) = record.files() {
        keys.push(path::on_host(jail.host, &jail.directory));
        keys.extend(real_directory(record).map(real_key));
    }
    keys
}

fn real_directory(record: &Record) -> Option<&str> {
    match &record.origin {
        Origin::File(file) => file.real_directory.as_deref(),
        Origin::Defined(definition) => definition.real_directory.as_deref(),
    }
}

/// The directories of skills, and what of other skills is in them.
#[derive(Default)]
struct Directories {
    /// Where in `inner` the list of a directory is.
    places: Places,
    inner: Vec<Vec<Inner>>,
}

impl Directories {
    fn of(scans: &[Scan]) -> Self {
        let mut directories = Self::default();
        for scan in scans {
            for record in &scan.records {
                for key in keys(record) {
                    if directories.places.add(key, directories.inner.len()) {
                        directories.inner.push(Vec::new());
                    }
                }
            }
        }
        for scan in scans {
            for record in &scan.records {
                if let Some(inner) = Inner::of(record) {
                    directories.add(&inner);
                }
            }
        }
        directories
    }

    fn add(&mut self, inner: &Inner) {
        for key in inner.keys_above() {
            let place = self.places.get(&key);
            if let Some(list) = place.and_then(|at| self.inner.get_mut(at)) {
                list.push(inner.clone());
            }
        }
    }

    fn get(&self, key: &str) -> &[Inner] {
        let place = self.places.get(key);
        place
            .and_then(|at| self.inner.get(at))
            .map_or(&[], Vec::as_slice)
    }
}

/// Tells each record what in its directory is another's, beside what it was told in the catalog that
/// it is from.
pub(crate) fn tell_apart(scans: &mut [Scan]) {
    let directories = Directories::of(scans);
    for scan in scans {
        for record in &mut scan.records {
            let mut told = Names::default();
            let mut inner = Vec::new();
            let mut tell = |all: &[Inner]| {
                for one in all {
                    if told.add(one.key()) {
                        inner.push(one.clone());
                    }
                }
            };
            tell(&record.inner);
            for key in keys(record) {
                tell(directories.get(&key));
            }
            *record = Record::with_inner(record, &inner);
        }
    }
}

/// The files of a skill.
#[derive(Debug)]
pub(crate) struct OwnFiles<'a> {
    /// What they must stay in.
    pub(crate) jail: &'a Jail,
    /// The host path of its skill file, where it has one.
    skill_file: Option<&'a str>,
    /// That file's real path, where it is known.
    real_skill_file: Option<Cow<'a, str>>,
    /// The real path of their directory, where it is known.
    real_directory: Option<&'a str>,
    /// What is another's.
    inner: &'a [Inner],
}

impl<'a> OwnFiles<'a> {
    /// Of a skill, where it has a directory.
    pub(crate) fn of(record: &'a Record) -> Option<Self> {
        Some(Self {
            jail: record.files()?,
            skill_file: record.location().map(|(_, path)| path),
            real_skill_file: record.real_file(),
            real_directory: real_directory(record),
            inner: &record.inner,
        })
    }

    /// Whether a host path in the directory is that of another skill, or of something in it.
    pub(crate) fn is_others(&self, host_path: &str) -> bool {
        let is_in = |inner: &Inner| {
            let below = path::below(&inner.path, &self.jail.directory);
            inner.host == self.jail.host
                && below.is_some_and(|below| !below.is_empty())
                && path::below(host_path, &inner.path).is_some()
        };
        self.inner.iter().any(is_in)
    }

    /// The same of a real path.
    pub(crate) fn is_really_others(&self, real: &str) -> bool {
        let mut others = self.inner.iter().filter_map(|inner| inner.real.as_deref());
        // A link in the directory may lead to one around it: that one does not own what is here.
        let is_here = |other| {
            let around = self.real_directory;
            around.is_none_or(|around| path::is_inside(other, around))
        };
        others.any(|other| is_here(other) && (real == other || path::is_inside(real, other)))
    }

    /// Whether a host path is that of its skill file.
    pub(crate) fn is_skill_file(&self, host_path: &str) -> bool {
        self.skill_file == Some(host_path)
    }

    /// Whether what was opened is the skill file, by whatever path.
    pub(crate) fn is_really_skill_file(&self, host_path: &str, real: Option<&str>) -> bool {
        self.is_skill_file(host_path) || real.is_some() && real == self.real_skill_file.as_deref()
    }
}

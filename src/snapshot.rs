//! One state of a catalog: which skill has which name, and what was found on the way.
//!
//! A state never changes; a refresh makes a new one. Whoever holds a state sees all of it or none.

use std::rc::Rc;

use crate::diagnostic::{Diagnostic, Mode, Rule};
use crate::discovery::{LOOSE_ENDING, SKILL_FILE, Scan};
use crate::error::Error;
use crate::look_alike::skeleton;
use crate::order::sort_by;
use crate::own_files;
use crate::path;
use crate::places::{Names, Places};
use crate::record::{Record, RecordId};
use crate::skill::{Skill, SkillKey};
use crate::source::{Invalid, LoadOptions};
use crate::text::quoted;
use crate::value::Value;

const NAME_DUPLICATE: Rule = Rule::error("name-duplicate");
const NAME_DUPLICATE_VERSION: Rule = Rule::warning("name-duplicate-version");
const NAME_LOOK_ALIKE: Rule = Rule::warning("name-look-alike");
const NAME_SHADOWED: Rule = Rule::warning("name-shadowed");

/// A skill that can be had.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) record: Rc<Record>,
    pub(crate) skill: Rc<Skill>,
}

impl Entry {
    fn of(record: &Rc<Record>) -> Option<Self> {
        Some(Self {
            record: Rc::clone(record),
            skill: Rc::clone(record.skill.as_ref()?),
        })
    }

    /// A finding as one about it and its file, where it has one.
    pub(crate) fn finding(&self, found: Diagnostic) -> Diagnostic {
        let mut found = found.about(self.skill.name.clone());
        found.path = self.record.shown().cloned();
        found
    }

    /// The group it is in: the directories that it is in, or else the category that it gives itself.
    /// Empty where it has neither.
    pub(crate) fn group(&self) -> &str {
        let directories = self.record.group();
        match self.skill.metadata().get("category") {
            Some(Value::String(category)) if directories.is_empty() => category.trim(),
            _ => directories,
        }
    }
}

/// One state of a catalog.
#[derive(Debug, Default)]
pub(crate) struct Snapshot {
    /// By name, in the order of code points.
    pub(crate) entries: Vec<Entry>,
    /// Skills whose name another one has, but not their version.
    versions: Vec<Entry>,
    /// Where in `entries` a name stands whose NFKC form is another.
    by_key: Places,
    /// Where in `all` a reading is, by its id, sorted.
    by_id: Vec<(RecordId, usize)>,
    /// Whether any skill has a directory of its own.
    pub(crate) has_files: bool,
    sources: Vec<SourceRecords>,
    look_alikes: Vec<LookAlike>,
}

/// A skill whose name looks like that of another one, with the finding that says so.
#[derive(Debug)]
struct LookAlike {
    record: Rc<Record>,
    other: Rc<Record>,
    finding: Diagnostic,
}

impl Snapshot {
    /// Puts together what the scans of the sources found; earlier ones win.
    pub(crate) fn assemble(mut scans: Vec<Scan>, options: &LoadOptions) -> Result<Self, Error> {
        let mut assembly = Assembly {
            mode: options.mode,
            ..Assembly::default()
        };
        for scan in &mut scans {
            scan.records.retain(|record| assembly.is_new(record));
        }
        if may_be_nested(&scans, options) {
            own_files::tell_apart(&mut scans);
        }
        for scan in scans {
            assembly.add(scan);
        }
        let snapshot = assembly.finish();
        if options.invalid == Invalid::Throw
            && let Some(fault) = first_fault(&snapshot.diagnostics(&|_| true, &|_| true, false))
        {
            return Err(Error::SkillInvalid(fault));
        }
        Ok(snapshot)
    }

    /// The entry of a name, exactly or in NFKC (`key`), which may end in `@version`.
    pub(crate) fn find(&self, name: &str, key: &str) -> Option<&Entry> {
        self.named_or_keyed(name, key).or_else(|| {
            let (name, version) = name.rsplit_once('@')?;
            let (key, _) = key.rsplit_once('@')?;
            self.find_version(name, key, version)
        })
    }

    /// The entry of exactly this name.
    pub(crate) fn named(&self, name: &str) -> Option<&Entry> {
        let place = self
            .entries
            .binary_search_by(|entry| entry.skill.name.as_str().cmp(name));
        self.entries.get(place.ok()?)
    }

    fn named_or_keyed(&self, name: &str, key: &str) -> Option<&Entry> {
        self.named(name)
            .or_else(|| self.named(key))
            .or_else(|| self.entries.get(self.by_key.get(key)?))
    }

    /// The entry of a name in one version.
    pub(crate) fn find_version(&self, name: &str, key: &str, version: &str) -> Option<&Entry> {
        let is_version = |entry: &&Entry| entry.skill.version.as_deref() == Some(version);
        self.named_or_keyed(name, key)
            .filter(is_version)
            .or_else(|| {
                self.versions
                    .iter()
                    .filter(|entry| entry.record.key() == key)
                    .find(is_version)
            })
    }

    /// The entry of exactly this name and version.
    pub(crate) fn with_key(&self, key: &SkillKey) -> Option<&Entry> {
        let is_it =
            |entry: &&Entry| entry.skill.name == key.name && entry.skill.version == key.version;
        let winner = self.named(&key.name).filter(is_it);
        winner.or_else(|| self.versions.iter().find(is_it))
    }

    /// The entry that has the name of `entry`: itself, or the one whose version wins. Where that
    /// one is disabled, so are the others.
    pub(crate) fn winner(&self, entry: &Entry) -> Option<&Entry> {
        self.named_or_keyed(&entry.skill.name, entry.record.key())
    }

    /// The entry that a reading belongs to.
    pub(crate) fn with_id(&self, id: RecordId) -> Option<&Entry> {
        let at = self
            .by_id
            .binary_search_by(|(known, _)| known.cmp(&id))
            .ok()?;
        let (_, place) = *self.by_id.get(at)?;
        self.entries
            .get(place)
            .or_else(|| self.versions.get(place.checked_sub(self.entries.len())?))
    }

    /// All that was read, the broken and the shadowed too.
    pub(crate) fn records(&self) -> impl Iterator<Item = &Rc<Record>> {
        self.sources.iter().flat_map(|source| &source.records)
    }

    /// What each source holds, the broken and the shadowed too, and what was found that belongs to none
    /// of it.
    pub(crate) fn sources(&self) -> impl Iterator<Item = (&[Rc<Record>], &[Diagnostic])> {
        let sources = self.sources.iter();
        sources.map(|source| (&*source.records, &*source.diagnostics))
    }

    /// All that was read, by its ids.
    pub(crate) fn readings(&self) -> Readings<'_> {
        let mut readings: Vec<&Record> = self.records().map(|record| &**record).collect();
        sort_by(&mut readings, |a, b| a.id.cmp(&b.id));
        Readings(readings)
    }

    /// Everything that was off, but with what is not shown, nor would be if it were a skill: source by
    /// source, by path, in the order of each file; then what is said of two skills.
    pub(crate) fn diagnostics(
        &self,
        shows: &dyn Fn(&Record) -> bool,
        shows_name: &dyn Fn(&str) -> bool,
        errors_only: bool,
    ) -> Vec<&Diagnostic> {
        let mut all = Vec::new();
        for source in &self.sources {
            let mut found = source.findings(shows, shows_name);
            found.retain(|found| !errors_only || found.is_error());
            sort_by(&mut found, |a, b| {
                a.path.cmp(&b.path).then(a.position.cmp(&b.position))
            });
            all.append(&mut found);
        }
        for pair in self.look_alikes.iter().filter(|_| !errors_only) {
            if shows(&pair.record) && shows(&pair.other) {
                all.push(&pair.finding);
            }
        }
        all
    }

    /// Entries whose name another one has.
    pub(crate) fn versions(&self) -> impl Iterator<Item = &Entry> {
        self.versions.iter()
    }

    /// All entries, those of other versions last.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().chain(&self.versions)
    }
}

/// What was read, by its ids.
pub(crate) struct Readings<'a>(Vec<&'a Record>);

impl Readings<'_> {
    /// Whether a reading is there with the same findings: one that keeps its last good entry has
    /// others under the same id.
    pub(crate) fn have(&self, record: &Record) -> bool {
        let place = self.0.binary_search_by(|known| known.id.cmp(&record.id));
        let known = place.ok().and_then(|place| self.0.get(place));
        known.is_some_and(|known| {
            std::ptr::eq(*known, record) || known.diagnostics == record.diagnostics
        })
    }
}

/// What one source holds, the broken and the shadowed too.
#[derive(Debug)]
struct SourceRecords {
    records: Vec<Rc<Record>>,
    /// Records whose name another one has, and the findings that say so.
    taken: Vec<(Rc<Record>, Diagnostic)>,
    /// Findings that belong to no record.
    diagnostics: Vec<Diagnostic>,
}

impl SourceRecords {
    /// All findings but those of records that are not shown.
    fn findings(
        &self,
        shows: &dyn Fn(&Record) -> bool,
        shows_name: &dyn Fn(&str) -> bool,
    ) -> Vec<&Diagnostic> {
        let shown = self.records.iter().filter(|record| shows(record));
        let taken = self.taken.iter().filter(|(record, _)| shows(record));
        let others = self.diagnostics.iter();
        let others = others.filter(|found| subject(found).is_none_or(shows_name));
        shown
            .flat_map(|record| &record.diagnostics)
            .chain(taken.map(|(_, diagnostic)| diagnostic))
            .chain(others)
            .collect()
    }
}

/// What a finding that belongs to no record would be about, if there were a skill: the last name of
/// its path.
fn subject(found: &Diagnostic) -> Option<&str> {
    if found.skill.is_some() {
        return found.skill.as_deref();
    }
    let path = found.path.as_deref()?;
    let of_skill_file = path
        .rsplit_once('/')
        .filter(|(_, name)| *name == SKILL_FILE);
    let path = of_skill_file.map_or(path, |(directory, _)| directory);
    let name = path::base_name(path)?;
    Some(name.strip_suffix(LOOSE_ENDING).unwrap_or(name))
}

#[derive(Default)]
struct Assembly {
    mode: Mode,
    winners: Vec<Entry>,
    /// Where in `winners` a key is.
    places: Places,
    versions: Vec<Entry>,
    /// Files that were seen, by real path or by host and path.
    files: Names,
    sources: Vec<SourceRecords>,
}

impl Assembly {
    /// Adds what one source holds.
    fn add(&mut self, scan: Scan) {
        let mut records = scan.records;
        if !scan.is_ranked {
            sort_by(&mut records, |a, b| rank(a).cmp(&rank(b)));
        }
        let mut taken = Vec::new();
        let from_before = self.winners.len();
        for record in &records {
            let Some(entry) = Entry::of(record) else {
                continue;
            };
            let place = self.places.get(record.key());
            let Some((place, winner)) = place.and_then(|at| Some((at, self.winners.get(at)?)))
            else {
                self.places.add(record.key().to_owned(), self.winners.len());
                self.winners.push(entry);
                continue;
            };
            let other_version =
                winner.skill.version != entry.skill.version && entry.skill.version.is_some();
            let same_source = place >= from_before;
            let finding = self.loses(&entry, winner, same_source, other_version);
            taken.push((Rc::clone(record), finding));
            if other_version {
                self.versions.push(entry);
            }
        }
        self.sources.push(SourceRecords {
            records,
            taken,
            diagnostics: scan.diagnostics,
        });
    }

    /// Whether this file was not reached before, by another way: through a link, or on another host
    /// that shows the same disk. A real path is a path of its host only, and two hosts may have the
    /// same one for different files, so what was read has to be the same too.
    fn is_new(&mut self, record: &Record) -> bool {
        let file = match (record.real_file(), record.location()) {
            (Some(real), _) => path::with_number(&real, record.stamp.hash),
            (None, Some((host, path))) => path::on_host(host, path),
            (None, None) => return true,
        };
        self.files.add(file)
    }

    fn loses(
        &self,
        loser: &Entry,
        winner: &Entry,
        same_source: bool,
        other_version: bool,
    ) -> Diagnostic {
        let name = &loser.skill.name;
        let rule = match (same_source, other_version) {
            (true, false) => &NAME_DUPLICATE,
            (true, true) => &NAME_DUPLICATE_VERSION,
            (false, _) => &NAME_SHADOWED,
        };
        let (won, lost) = (&winner.record, &loser.record);
        // On two hosts both may have the same path: then only their labels tell them apart.
        let is_label_needed = won.shown() == lost.shown() && won.label() != lost.label();
        let named = |record: &Record| match record.label().filter(|_| is_label_needed) {
            Some(label) => [shown(record), " of ", &quoted(label)].concat(),
            None => shown(record).to_owned(),
        };
        let mut message = format!(
            "the name {} is taken: {} wins over {}",
            quoted(name),
            named(won),
            named(lost)
        );
        if let Some(version) = loser.skill.version.as_ref().filter(|_| other_version) {
            message.push_str(&format!(
                "; the latter is there as {}",
                quoted(&format!("{name}@{version}"))
            ));
        }
        let mut diagnostic = Diagnostic::new(rule, self.mode, message)
            .with_hint("rename one of them")
            .about(name.clone());
        diagnostic.path = loser.record.shown().map(Rc::clone);
        diagnostic
    }

    /// Names that a reader may take for that of a skill before them.
    fn look_alikes(&self) -> Vec<LookAlike> {
        let mut found = Vec::new();
        let mut looks = Places::default();
        for (place, entry) in self.winners.iter().enumerate() {
            let skeleton = skeleton(entry.record.key());
            let other = looks.get(&skeleton).and_then(|at| self.winners.get(at));
            if let Some(other) = other {
                found.push(LookAlike {
                    record: Rc::clone(&entry.record),
                    other: Rc::clone(&other.record),
                    finding: self.looks_like(entry, other),
                });
            } else {
                looks.add(skeleton, place);
            }
        }
        found
    }

    fn looks_like(&self, entry: &Entry, other: &Entry) -> Diagnostic {
        let names = [&entry.skill.name, &other.skill.name];
        let [name, other_name] = names.map(|name| told_apart(name));
        let other_path = shown(&other.record);
        let message = [
            "the name ",
            &name,
            " looks like ",
            &other_name,
            ", which is another skill: ",
            other_path,
        ];
        let mut finding = Diagnostic::new(&NAME_LOOK_ALIKE, self.mode, message.concat())
            .with_hint("rename one of them, or hold one of them back with only")
            .about(entry.skill.name.clone());
        finding.path = entry.record.shown().map(Rc::clone);
        finding
    }

    fn finish(self) -> Snapshot {
        let look_alikes = self.look_alikes();
        let mut entries = self.winners;
        sort_by(&mut entries, |a, b| a.skill.name.cmp(&b.skill.name));
        let mut by_key = Places::default();
        for (place, entry) in entries.iter().enumerate() {
            if entry.record.key() != entry.skill.name {
                by_key.add(entry.record.key().to_owned(), place);
            }
        }
        let ids = entries
            .iter()
            .chain(&self.versions)
            .map(|entry| entry.record.id);
        let mut by_id: Vec<_> = ids.enumerate().map(|(place, id)| (id, place)).collect();
        sort_by(&mut by_id, |a, b| a.0.cmp(&b.0));
        let mut all = entries.iter().chain(&self.versions);
        Snapshot {
            has_files: all.any(|entry| entry.record.files().is_some()),
            entries,
            versions: self.versions,
            by_key,
            by_id,
            sources: self.sources,
            look_alikes,
        }
    }
}

/// Whether the directory of one skill may be inside that of another.
fn may_be_nested(scans: &[Scan], options: &LoadOptions) -> bool {
    let mut records = scans.iter().flat_map(|scan| &scan.records);
    options.nested || scans.len() > 1 || records.any(|record| record.is_through_link())
}

/// Among equal names, the one whose directory has the name comes first, then the first by path.
fn rank(record: &Record) -> (bool, &str) {
    (
        !record.named_as_directory,
        record.shown().map_or("", |shown| shown),
    )
}

fn shown(record: &Record) -> &str {
    record
        .shown()
        .map_or("the one defined in code", |shown| shown)
}

/// A name in quotes, with the code points of what is not ASCII in it: by these it can be told from one
/// that looks like it.
fn told_apart(name: &str) -> String {
    let mut told = quoted(name);
    let mut separator = " (";
    for character in name.chars().filter(|it| !it.is_ascii()) {
        told.push_str(separator);
        told.push_str(&format!("U+{:04X}", u32::from(character)));
        separator = " ";
    }
    if separator == " " {
        told.push(')');
    }
    told
}

/// Everything about the first file or directory that has an error.
fn first_fault(found: &[&Diagnostic]) -> Option<Vec<Diagnostic>> {
    let first = found.iter().copied().find(|found| found.is_error())?;
    let mut fault: Vec<Diagnostic> = found
        .iter()
        .filter(|diagnostic| diagnostic.path == first.path)
        .copied()
        .cloned()
        .collect();
    sort_by(&mut fault, |a, b| a.severity.cmp(&b.severity));
    Some(fault)
}

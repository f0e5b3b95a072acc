//! The shelf: a catalog that can be refreshed, and views of it.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use crate::catalog::{Catalog, Entry};
use crate::define::SkillSpec;
use crate::diagnostic::{Diagnostic, Rule};
use crate::discovery::{self, SKILL_FILE, Scan};
use crate::error::Error;
use crate::front_reader::{self, Outcome};
use crate::index::{self, IndexOptions, IndexReport};
use crate::json::{Object, ToJson};
use crate::operation::{Io, Operation};
use crate::options::{self, Fields, FromFields};
use crate::path;
use crate::record::{Origin, Previous, Record, RecordId};
use crate::skill::Skill;
use crate::source::{Directory, LoadOptions, Source};

const SOURCE_UNTRUSTED: Rule = Rule::info("source-untrusted");

/// A catalog that can be refreshed, or a view of one. Clones share their state.
#[derive(Clone, Debug)]
pub struct Shelf {
    shared: Rc<Shared>,
    /// Patterns of [`Shelf::only`]; a view of a view has to satisfy both.
    views: Rc<[View]>,
}

#[derive(Debug)]
struct Shared {
    sources: Vec<Source>,
    options: LoadOptions,
    state: RefCell<Rc<Catalog>>,
    /// How many refreshes have begun.
    refreshes: Cell<u32>,
    /// Which of them `state` is from.
    shown_refresh: Cell<u32>,
    /// Found while answering, such as a wrapper's tag inside a body.
    notes: RefCell<Vec<Diagnostic>>,
}

/// What a refresh found, by skill name, sorted.
#[derive(Debug, Default)]
pub struct Changes {
    /// Names that were not there.
    pub added: Vec<String>,
    /// Names whose file says something else.
    pub changed: Vec<String>,
    /// Names that are no longer there.
    pub removed: Vec<String>,
    /// All findings of the new state.
    pub diagnostics: Vec<Diagnostic>,
}

/// A skill and where it is from, as the public interface shows it.
#[derive(Clone, Debug)]
pub struct Listing {
    skill: Rc<Skill>,
    source: Option<ListingSource>,
    content: Option<String>,
}

#[derive(Clone, Debug)]
struct ListingSource {
    label: String,
    path: String,
    directory: Option<String>,
}

impl ToJson for Changes {
    fn write_json(&self, out: &mut String) {
        Object::begin(out)
            .field("added", &self.added)
            .field("changed", &self.changed)
            .field("removed", &self.removed)
            .field("diagnostics", &self.diagnostics)
            .end();
    }
}

impl ToJson for Listing {
    fn write_json(&self, out: &mut String) {
        let mut object = Object::begin(out);
        self.skill.write_fields(&mut object);
        object
            .optional("source", self.source.as_ref())
            .optional("content", self.content.as_ref())
            .end();
    }
}

impl ToJson for ListingSource {
    fn write_json(&self, out: &mut String) {
        Object::begin(out)
            .field("label", &self.label)
            .field("path", &self.path)
            .optional("directory", self.directory.as_ref())
            .end();
    }
}

impl Listing {
    /// Of a skill that is given in code.
    pub fn defined(spec: SkillSpec, files: Option<Directory>) -> Self {
        let skill = Rc::new(spec.skill().clone());
        Self::of(&spec.into_record(files), skill)
    }

    fn of(record: &Record, skill: Rc<Skill>) -> Self {
        let directory = record.shown_directory().map(str::to_owned);
        let (source, content) = match &record.origin {
            Origin::File(file) => {
                let (label, path) = (file.label.to_string(), file.shown.clone());
                (
                    Some(ListingSource {
                        label,
                        path,
                        directory,
                    }),
                    None,
                )
            }
            Origin::Defined(definition) => {
                let source = directory.map(|directory| ListingSource {
                    label: "code".to_owned(),
                    path: path::join(&directory, SKILL_FILE),
                    directory: Some(directory),
                });
                (source, Some(definition.content.clone()))
            }
        };
        Self {
            skill,
            source,
            content,
        }
    }
}

impl Shelf {
    /// Finds and reads the skills of `sources`; earlier ones win.
    pub fn load(sources: Vec<Source>, options: LoadOptions) -> Operation<Result<Self, Error>> {
        Operation::new(|io| async move {
            let catalog = gather(&io, &sources, &options, &Catalog::default()).await?;
            let shared = Shared {
                sources,
                options,
                state: RefCell::new(Rc::new(catalog)),
                refreshes: Cell::default(),
                shown_refresh: Cell::default(),
                notes: RefCell::default(),
            };
            Ok(Self {
                shared: Rc::new(shared),
                views: Rc::default(),
            })
        })
    }

    /// Reads again what has changed. All of the new state is seen at once, or none.
    pub fn refresh(&self) -> Operation<Result<Changes, Error>> {
        let view = self.clone();
        Operation::new(|io| async move {
            let shared = &view.shared;
            let number = shared.refreshes.get() + 1;
            shared.refreshes.set(number);
            let before = view.state();
            let after = gather(&io, &shared.sources, &shared.options, &before).await?;
            let after = Rc::new(after);
            let changes = view.changes(&before, &after);
            // One that began later has seen more.
            if number > shared.shown_refresh.get() {
                shared.shown_refresh.set(number);
                shared.notes.borrow_mut().clear();
                *shared.state.borrow_mut() = Rc::clone(&after);
            }
            Ok(changes)
        })
    }

    /// What became of the skills that this view shows.
    fn changes(&self, before: &Catalog, after: &Catalog) -> Changes {
        let mut changes = Changes {
            diagnostics: after.diagnostics(false).into_iter().cloned().collect(),
            ..Changes::default()
        };
        for entry in self.entries(after) {
            let name = &entry.skill.name;
            match before.named(name) {
                None => changes.added.push(name.clone()),
                Some(old) if old.record.id != entry.record.id => changes.changed.push(name.clone()),
                Some(_) => {}
            }
        }
        for entry in self.entries(before) {
            let name = &entry.skill.name;
            if after.named(name).is_none() {
                changes.removed.push(name.clone());
            }
        }
        changes
    }

    /// A view: only the skills that the patterns let through. `name` and `prefix-*` let through,
    /// `!name` holds back; with none that lets through, all others pass.
    #[must_use]
    pub fn only(&self, patterns: &[String]) -> Self {
        let view = View::new(patterns);
        let views = self.views.iter().cloned().chain([view]).collect();
        Self {
            shared: Rc::clone(&self.shared),
            views,
        }
    }

    /// [`Shelf::only`], as JavaScript calls it: `{"patterns": […]}`.
    ///
    /// # Errors
    ///
    /// They are not a list of text.
    pub fn only_json(&self, patterns: &str) -> Result<Self, Error> {
        options::read::<Patterns>(patterns).map(|Patterns(patterns)| self.only(&patterns))
    }

    /// The state as it is now.
    pub(crate) fn state(&self) -> Rc<Catalog> {
        Rc::clone(&self.shared.state.borrow())
    }

    pub(crate) fn options(&self) -> &LoadOptions {
        &self.shared.options
    }

    /// The entries of a state that this view shows, by name.
    pub(crate) fn entries<'a>(&'a self, catalog: &'a Catalog) -> impl Iterator<Item = &'a Entry> {
        catalog.entries.iter().filter(|entry| self.shows(entry))
    }

    pub(crate) fn shows(&self, entry: &Entry) -> bool {
        self.views.iter().all(|view| view.shows(&entry.skill.name))
    }

    /// How many skills it shows.
    pub fn count(&self) -> usize {
        self.entries(&self.state()).count()
    }

    /// The names it shows, in the order of code points.
    pub fn names(&self) -> Vec<String> {
        self.entries(&self.state())
            .map(|entry| entry.skill.name.clone())
            .collect()
    }

    /// The readings it shows, in the order of their names.
    pub fn ids(&self) -> Vec<RecordId> {
        self.entries(&self.state())
            .map(|entry| entry.record.id)
            .collect()
    }

    /// What a reading says of its skill.
    pub fn listing(&self, id: RecordId) -> Option<Listing> {
        let state = self.state();
        let entry = state.with_id(id).filter(|entry| self.shows(entry))?;
        Some(Listing::of(&entry.record, Rc::clone(&entry.skill)))
    }

    /// The reading of a name, in one version or in the one that wins.
    pub fn get(&self, name: String, version: Option<String>) -> Operation<Option<RecordId>> {
        let shelf = self.clone();
        Operation::new(|io| async move {
            let key = io.look_up_key(&name).await;
            let state = shelf.state();
            let entry = match version {
                Some(version) => state.find_version(&name, &key, &version),
                None => state.find(&name, &key),
            };
            Some(entry.filter(|entry| shelf.shows(entry))?.record.id)
        })
    }

    /// The index of what the model may load.
    pub fn index(&self, options: &IndexOptions) -> IndexReport {
        let state = self.state();
        let offered: Vec<_> = self.offered(&state).collect();
        index::report(&offered, options)
    }

    /// The text of that index alone.
    pub fn prompt(&self, options: &IndexOptions) -> String {
        let state = self.state();
        let offered: Vec<_> = self.offered(&state).collect();
        index::prompt(&offered, options)
    }

    /// Adds a finding, once.
    pub(crate) fn note(&self, diagnostic: Diagnostic) {
        let mut notes = self.shared.notes.borrow_mut();
        if !notes.contains(&diagnostic) {
            notes.push(diagnostic);
        }
    }

    /// All findings: of the state, and since.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        self.findings(false)
    }

    /// All findings, or only those that keep something from loading.
    pub fn findings(&self, errors_only: bool) -> Vec<Diagnostic> {
        let state = self.state();
        let notes = self.shared.notes.borrow();
        let notes = notes.iter().filter(|note| !errors_only || note.is_error());
        state
            .diagnostics(errors_only)
            .into_iter()
            .chain(notes)
            .cloned()
            .collect()
    }

    /// The record of a reading, or of what has its name now.
    pub fn record(&self, id: RecordId, name: &str) -> Option<Rc<Record>> {
        let state = self.state();
        let entry = state.with_id(id).or_else(|| state.find(name, name))?;
        Some(Rc::clone(&entry.record))
    }
}

/// What [`Shelf::only_json`] takes.
struct Patterns(Vec<String>);

impl FromFields for Patterns {
    fn from_fields(fields: &Fields<'_>) -> Self {
        const PATTERNS: &str = "patterns";
        if fields.get(PATTERNS).is_none() {
            fields.refuse(
                PATTERNS,
                "must be a list of text, such as [\"pdf\", \"!draft-*\"]",
            );
        }
        Self(fields.texts(PATTERNS))
    }
}

/// One call of [`Shelf::only`].
#[derive(Clone, Debug)]
struct View {
    let_through: Vec<String>,
    held_back: Vec<String>,
}

impl View {
    fn new(patterns: &[String]) -> Self {
        let (held_back, let_through): (Vec<_>, Vec<_>) = patterns
            .iter()
            .cloned()
            .partition(|pattern| pattern.starts_with('!'));
        let held_back = held_back
            .iter()
            .map(|pattern| pattern.trim_start_matches('!').to_owned());
        Self {
            let_through,
            held_back: held_back.collect(),
        }
    }

    fn shows(&self, name: &str) -> bool {
        let all = self.let_through.is_empty() && !self.held_back.is_empty();
        (all || self
            .let_through
            .iter()
            .any(|pattern| matches(pattern, name)))
            && !self.held_back.iter().any(|pattern| matches(pattern, name))
    }
}

/// Whether `name` has the form of `pattern`, in which `*` stands for any characters.
fn matches(pattern: &str, name: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else {
        return pattern == name;
    };
    let Some(mut name) = name.strip_prefix(first) else {
        return false;
    };
    let mut parts = rest.split('*');
    let Some(last) = parts.next_back() else {
        return true;
    };
    for part in parts {
        let Some(at) = name.find(part) else {
            return false;
        };
        name = name.get(at + part.len()..).unwrap_or_default();
    }
    name.ends_with(last)
}

/// Scans all sources and puts together what they hold.
async fn gather(
    io: &Io,
    sources: &[Source],
    options: &LoadOptions,
    before: &Catalog,
) -> Result<Catalog, Error> {
    let mut previous = Previous::default();
    previous.add(before.records());
    let mut scans = Vec::with_capacity(sources.len());
    for source in sources {
        scans.push(match source {
            Source::Directory(directory) => {
                discovery::scan(io, directory, options, &previous).await
            }
            Source::Untrusted { label } => untrusted(label, options),
            Source::Known(record) => read_again(io, &[Rc::clone(record)], options, &previous).await,
            Source::Shelf(shelf) => from_shelf(io, shelf, options, &previous).await,
        });
    }
    Catalog::assemble(scans, options)
}

fn untrusted(label: &str, options: &LoadOptions) -> Scan {
    let message = "the source is not trusted; nothing of it is loaded";
    let diagnostic = Diagnostic::new(&SOURCE_UNTRUSTED, options.mode, message)
        .with_hint("pass trusted: true once a person has agreed")
        .in_file(label);
    Scan {
        records: Vec::new(),
        diagnostics: vec![diagnostic],
    }
}

/// The skills that another catalog shows, each read again where its file has changed.
async fn from_shelf(io: &Io, shelf: &Shelf, options: &LoadOptions, previous: &Previous) -> Scan {
    let state = shelf.state();
    let records: Vec<Rc<Record>> = state
        .all()
        .filter(|entry| shelf.shows(entry))
        .map(|entry| Rc::clone(&entry.record))
        .collect();
    // What it has read in the same way need not be read again; what was read here since is newer.
    if shelf.options() != options {
        return read_again(io, &records, options, previous).await;
    }
    let mut known = previous.clone();
    known.add(&records);
    read_again(io, &records, options, &known).await
}

/// Files that are known, read again where they have changed; skills from code as they are.
async fn read_again(
    io: &Io,
    records: &[Rc<Record>],
    options: &LoadOptions,
    previous: &Previous,
) -> Scan {
    let mut scan = Scan::default();
    let mut files = Vec::new();
    for record in records {
        match &record.origin {
            Origin::Defined(_) => scan.records.push(Rc::clone(record)),
            Origin::File(file) => files.push(Rc::clone(file)),
        }
    }
    for outcome in front_reader::read(io, &files, options, previous).await {
        match outcome {
            Outcome::Read(record) | Outcome::Unreadable(record) => scan.records.push(record),
            Outcome::Refused(diagnostics) => scan.diagnostics.extend(diagnostics),
            Outcome::Absent => {}
        }
    }
    scan
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_let_through_and_hold_back() {
        for (patterns, name, shown) in [
            (vec!["pdf"], "pdf", true),
            (vec!["pdf"], "pdf-forms", false),
            (vec!["pdf-*"], "pdf-forms", true),
            (vec!["pdf-*"], "pdf", false),
            (vec!["*"], "pdf", true),
            (vec!["!pdf"], "pdf", false),
            (vec!["!pdf"], "code-review", true),
            (vec!["*", "!pdf-*"], "pdf-forms", false),
            (vec!["a*c*e"], "abcde", true),
            (vec!["a*c*e"], "abde", false),
            (vec![], "pdf", false),
        ] {
            let patterns: Vec<String> = patterns.into_iter().map(str::to_owned).collect();
            assert_eq!(
                View::new(&patterns).shows(name),
                shown,
                "{patterns:?} {name}"
            );
        }
    }
}

//! The catalog: what was loaded, can be refreshed, and can be looked at through views.

use std::cell::{Cell, RefCell, RefMut};
use std::cmp::Ordering;
use std::rc::Rc;

use crate::diagnostic::Diagnostic;
use crate::discovery::LOOSE_ENDING;
use crate::error::Error;
use crate::gather::{gather, gather_files};
use crate::index::{self, IndexOptions, IndexReport};
use crate::json::{self, Object, ToJson};
use crate::limits::Pace;
use crate::operation::Operation;
use crate::options::{self, Fields, FromFields};
use crate::places::Names;
use crate::public_skill::PublicSkill;
use crate::record::{Record, RecordId};
use crate::search;
use crate::skill_resource::Digests;
use crate::snapshot::{Entry, Snapshot};
use crate::source::{LoadOptions, Source};
use crate::value::Value;
use crate::view::View;

/// A catalog that can be refreshed, or a view of one. Clones share their snapshot.
#[derive(Clone, Debug)]
pub struct Catalog {
    shared: Rc<Shared>,
    /// Patterns of [`Catalog::only`]; a view of a view has to satisfy both.
    views: Rc<[Rc<View>]>,
}

#[derive(Debug)]
struct Shared {
    sources: Vec<Source>,
    options: LoadOptions,
    snapshot: RefCell<Rc<Snapshot>>,
    /// How many refreshes have begun.
    refreshes: Cell<u32>,
    /// Which of them `snapshot` is from.
    shown_refresh: Cell<u32>,
    /// How often files alone were read again.
    files_refreshed: Cell<u32>,
    /// Found while answering, such as a wrapper's tag inside a body; with the keys of the skills.
    notes: RefCell<Vec<(String, Diagnostic)>>,
    /// Of files of skills, as far as they were asked for.
    digests: RefCell<Digests>,
    /// What searches look into; of the snapshot that the last one saw.
    search_index: RefCell<search::Index>,
}

/// A state of a catalog, for later ones to be compared with.
#[derive(Clone, Debug)]
pub struct Mark {
    snapshot: Rc<Snapshot>,
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
    /// All findings of the new snapshot, but those of skills that the view leaves out.
    pub diagnostics: Vec<Diagnostic>,
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

/// What is read again.
#[derive(Clone, Debug, Default)]
pub struct RefreshOptions {
    /// Only these files, by what messages call them.
    pub files: Option<Vec<String>>,
}

impl RefreshOptions {
    /// Reads them from JSON text.
    ///
    /// # Errors
    ///
    /// [`Error::SourceUnsupported`], which names the option that cannot be used.
    pub fn from_json(json: &str) -> Result<Self, Error> {
        options::read(json)
    }
}

impl FromFields for RefreshOptions {
    fn from_fields(fields: &Fields<'_>) -> Self {
        let files = fields.texts("files");
        Self {
            files: fields.get("files").map(|_| files),
        }
    }
}

impl Catalog {
    /// Finds and reads the skills of `sources`; earlier ones win.
    pub fn load(sources: Vec<Source>, options: LoadOptions) -> Operation<Result<Self, Error>> {
        Operation::new(|io| async move {
            let snapshot = gather(&io, &sources, &options, &Snapshot::default()).await?;
            let shared = Shared {
                sources,
                options,
                snapshot: RefCell::new(Rc::new(snapshot)),
                refreshes: Cell::default(),
                shown_refresh: Cell::default(),
                files_refreshed: Cell::default(),
                notes: RefCell::default(),
                digests: RefCell::default(),
                search_index: RefCell::default(),
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
            let before = view.snapshot();
            let after = loop {
                let files_refreshed = shared.files_refreshed.get();
                let after = gather(&io, &shared.sources, &shared.options, &before).await?;
                // Files that were read alone meanwhile may say something else than they did here.
                if files_refreshed == shared.files_refreshed.get() {
                    break Rc::new(after);
                }
            };
            let changes = view.changes(&before, &after);
            // One that began later has seen more.
            if number > shared.shown_refresh.get() {
                shared.shown_refresh.set(number);
                shared.notes.borrow_mut().clear();
                *shared.snapshot.borrow_mut() = Rc::clone(&after);
            }
            Ok(changes)
        })
    }

    /// The same, of all or of some files.
    pub fn refresh_with(&self, options: RefreshOptions) -> Operation<Result<Changes, Error>> {
        match options.files {
            Some(files) => self.refresh_files(files),
            None => self.refresh(),
        }
    }

    /// Reads again what is known of these files alone, by what messages call them. What was not there
    /// before is not found.
    pub fn refresh_files(&self, files: Vec<String>) -> Operation<Result<Changes, Error>> {
        let view = self.clone();
        Operation::new(|io| async move {
            let shared = &view.shared;
            let (sources, options) = (&shared.sources, &shared.options);
            loop {
                let before = view.snapshot();
                let after = gather_files(&io, sources, options, &before, &files).await?;
                // Another refresh may have seen more meanwhile.
                if !Rc::ptr_eq(&before, &view.snapshot()) {
                    continue;
                }
                shared.files_refreshed.set(shared.files_refreshed.get() + 1);
                let is_about = |path: &str| files.iter().any(|file| file == path);
                let mut notes = shared.notes.borrow_mut();
                notes.retain(|(_, note)| !note.path.as_deref().is_some_and(is_about));
                let after = Rc::new(after);
                *shared.snapshot.borrow_mut() = Rc::clone(&after);
                return Ok(view.changes(&before, &after));
            }
        })
    }

    /// The state as it is now.
    pub fn mark(&self) -> Mark {
        Mark {
            snapshot: self.snapshot(),
        }
    }

    /// What became of the skills since a mark, whoever refreshed; the mark moves to now.
    pub fn changes_since(&self, mark: &mut Mark) -> Changes {
        let before = std::mem::replace(mark, self.mark());
        self.changes(&before.snapshot, &mark.snapshot)
    }

    /// What was found that was not there at a mark, or only what keeps something from loading.
    pub fn news_since(&self, mark: &Mark, errors_only: bool) -> Vec<Diagnostic> {
        let (before, after) = (&mark.snapshot, self.snapshot());
        // A file that was not read again has nothing new to say.
        let [known, now] = [before.readings(), after.readings()];
        let old = before.diagnostics(&|record| !now.have(record), &|_| true, false);
        let mut told = Names::default();
        for diagnostic in old {
            told.add(diagnostic.to_json());
        }
        let is_shown = |record: &Record| !known.have(record) && self.shows_key(record.key());
        let shows_name = |name: &str| self.shows_name(&after, name);
        let mut news = after.diagnostics(&is_shown, &shows_name, errors_only);
        news.retain(|diagnostic| !told.has(&diagnostic.to_json()));
        news.into_iter().cloned().collect()
    }

    /// What became of the skills that this view shows.
    fn changes(&self, before: &Snapshot, after: &Snapshot) -> Changes {
        let mut changes = Changes {
            diagnostics: self.off(after, false),
            ..Changes::default()
        };
        // Both are in the order of their names.
        let mut old = before.entries.iter().peekable();
        let mut new = after.entries.iter().peekable();
        loop {
            let order = match (old.peek(), new.peek()) {
                (Some(old), Some(new)) if Rc::ptr_eq(&old.record, &new.record) => Ordering::Equal,
                (Some(old), Some(new)) => old.skill.name.cmp(&new.skill.name),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (None, None) => break,
            };
            let gone = old.next_if(|_| order.is_le());
            let there = new.next_if(|_| order.is_ge());
            let Some(entry) = there.or(gone).filter(|entry| self.shows(entry)) else {
                continue;
            };
            let names = match (gone, there) {
                (None, _) => &mut changes.added,
                (_, None) => &mut changes.removed,
                (Some(old), Some(new)) if old.record.id != new.record.id => &mut changes.changed,
                _ => continue,
            };
            names.push(entry.skill.name.clone());
        }
        changes
    }

    /// A view: only the skills that the patterns let through. `name` and `prefix-*` let through,
    /// `!name` holds back; with none that lets through, all others pass.
    pub fn only(&self, patterns: Vec<String>) -> Operation<Self> {
        let catalog = self.clone();
        Operation::new(|io| async move {
            let view = View::new(&io, &patterns).await;
            let views = catalog
                .views
                .iter()
                .cloned()
                .chain([Rc::new(view)])
                .collect();
            Self { views, ..catalog }
        })
    }

    /// The snapshot as it is now.
    pub(crate) fn snapshot(&self) -> Rc<Snapshot> {
        Rc::clone(&self.shared.snapshot.borrow())
    }

    pub(crate) fn search_index(&self) -> RefMut<'_, search::Index> {
        self.shared.search_index.borrow_mut()
    }

    /// What is expected of its hosts.
    pub fn pace(&self) -> Pace {
        self.shared.options.limits.pace()
    }

    pub(crate) fn options(&self) -> &LoadOptions {
        &self.shared.options
    }

    /// The entries of a snapshot that this view shows, by name.
    pub(crate) fn entries<'a>(&'a self, snapshot: &'a Snapshot) -> impl Iterator<Item = &'a Entry> {
        snapshot.entries.iter().filter(|entry| self.shows(entry))
    }

    pub(crate) fn shows(&self, entry: &Entry) -> bool {
        self.shows_key(entry.record.key())
    }

    /// Whether it shows what has this name in NFKC.
    pub(crate) fn shows_key(&self, key: &str) -> bool {
        self.views.iter().all(|view| view.shows(key))
    }

    /// The digests of files that are known.
    pub(crate) fn digests(&self) -> &RefCell<Digests> {
        &self.shared.digests
    }

    /// How many skills it shows.
    pub fn count(&self) -> usize {
        self.entries(&self.snapshot()).count()
    }

    /// The names it shows, in the order of code points.
    pub fn names(&self) -> Vec<String> {
        self.entries(&self.snapshot())
            .map(|entry| entry.skill.name.clone())
            .collect()
    }

    /// The readings it shows, in the order of their names.
    pub fn ids(&self) -> Vec<RecordId> {
        self.entries(&self.snapshot())
            .map(|entry| entry.record.id)
            .collect()
    }

    /// The skill of a reading, as the public interface shows it.
    pub fn skill(&self, id: RecordId) -> Option<PublicSkill> {
        let snapshot = self.snapshot();
        let entry = snapshot.with_id(id).filter(|entry| self.shows(entry))?;
        Some(PublicSkill::of(&entry.record, Rc::clone(&entry.skill)))
    }

    /// The reading of a name, in one version or in the one that wins.
    pub fn get(&self, name: String, version: Option<String>) -> Operation<Option<RecordId>> {
        let catalog = self.clone();
        Operation::new(|io| async move {
            let key = io.look_up_key(&name).await;
            let snapshot = catalog.snapshot();
            let entry = match version {
                Some(version) => snapshot.find_version(&name, &key, &version),
                None => snapshot.find(&name, &key),
            };
            Some(entry.filter(|entry| catalog.shows(entry))?.record.id)
        })
    }

    /// The index of what the model may load. Asks for something only where the caller counts tokens.
    pub fn index(&self, options: IndexOptions) -> Operation<Result<IndexReport, Error>> {
        let catalog = self.clone();
        Operation::new(|io| async move {
            let snapshot = catalog.snapshot();
            let offered: Vec<_> = catalog.offered(&snapshot).collect();
            index::report(&io, &offered, &options).await
        })
    }

    /// The text of that index alone.
    pub fn prompt(&self, options: IndexOptions) -> Operation<Result<String, Error>> {
        let catalog = self.clone();
        Operation::new(|io| async move {
            let snapshot = catalog.snapshot();
            let offered: Vec<_> = catalog.offered(&snapshot).collect();
            index::prompt(&io, &offered, &options).await
        })
    }

    /// Adds a finding about the skill that is looked up by `key`, once.
    pub(crate) fn note(&self, key: &str, diagnostic: Diagnostic) {
        let note = (key.to_owned(), diagnostic);
        let mut notes = self.shared.notes.borrow_mut();
        if !notes.contains(&note) {
            notes.push(note);
        }
    }

    /// Adds a finding about a file of that skill, if there is none of its kind about the file. Of a skill
    /// from code, that is its text.
    pub(crate) fn note_of_file(&self, key: &str, diagnostic: Diagnostic) {
        let mut notes = self.shared.notes.borrow_mut();
        let is_known = |(known, note): &(String, Diagnostic)| {
            known == key && note.code == diagnostic.code && note.path == diagnostic.path
        };
        if !notes.iter().any(is_known) {
            notes.push((key.to_owned(), diagnostic));
        }
    }

    /// All findings: of the state, and since. A view has none of the skills that it leaves out.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        self.findings(false)
    }

    /// All findings, or only those that keep something from loading.
    pub fn findings(&self, errors_only: bool) -> Vec<Diagnostic> {
        let mut found = self.off(&self.snapshot(), errors_only);
        for (key, note) in self.shared.notes.borrow().iter() {
            if self.shows_key(key) && (note.is_error() || !errors_only) {
                found.push(note.clone());
            }
        }
        found
    }

    /// What was off in a snapshot, as far as this view shows it, and in its patterns.
    fn off(&self, snapshot: &Snapshot, errors_only: bool) -> Vec<Diagnostic> {
        let shows = |record: &Record| self.shows_key(record.key());
        let found =
            snapshot.diagnostics(&shows, &|name| self.shows_name(snapshot, name), errors_only);
        let mut found: Vec<Diagnostic> = found.into_iter().cloned().collect();
        if !errors_only {
            found.extend(self.idle_patterns(snapshot));
        }
        found
    }

    /// That patterns of its views fit nothing that they could show.
    fn idle_patterns(&self, snapshot: &Snapshot) -> Vec<Diagnostic> {
        let mode = self.options().mode;
        let mut found = Vec::new();
        for (place, view) in self.views.iter().enumerate() {
            let mut keys: Vec<&str> = Vec::new();
            for record in snapshot.records() {
                let mut before = self.views.iter().take(place);
                if before.all(|view| view.shows(record.key())) {
                    keys.push(record.key());
                }
            }
            found.extend(view.finding(&keys, mode));
        }
        found
    }

    /// What is to be said of the patterns of its views.
    pub(crate) fn pattern_findings(&self) -> Vec<Diagnostic> {
        self.idle_patterns(&self.snapshot())
    }

    /// Which of the findings that hosts tell of are about nothing that this view leaves out: the skill
    /// that they name, or else what their path goes through. Takes them as JSON text; gives `+` or `-`
    /// for each.
    pub fn shows_findings(&self, findings: &str) -> String {
        let snapshot = self.snapshot();
        let mut left_out = Names::default();
        for record in snapshot.records().filter(|it| !self.shows_key(it.key())) {
            left_out.add(record.key().to_owned());
        }
        let is_left_out = |segment: &str| {
            let name = segment.strip_suffix(LOOSE_ENDING).unwrap_or(segment);
            left_out.has(name) || self.views.iter().any(|view| view.holds_back(name))
        };
        let shows = |finding: &Value| {
            let Value::Map(finding) = finding else {
                return false;
            };
            let text = |key: &str| finding.get(key).and_then(Value::as_str);
            match (text("skill"), text("path")) {
                (Some(skill), _) => self.shows_name(&snapshot, skill),
                (None, Some(path)) => !path.split(['/', '\\']).any(is_left_out),
                (None, None) => true,
            }
        };
        let mut shown = String::new();
        if let Ok(Value::List(findings)) = json::parse(findings) {
            for finding in &findings {
                shown.push(if shows(finding) { '+' } else { '-' });
            }
        }
        shown
    }

    /// Whether it shows the skill that has this name, or would have it: what no skill is known of may
    /// hold some that are shown, unless a pattern names it.
    fn shows_name(&self, snapshot: &Snapshot, name: &str) -> bool {
        match snapshot.named(name) {
            Some(entry) => self.shows(entry),
            None => !self.views.iter().any(|view| view.holds_back(name)),
        }
    }

    /// The record of a reading, or of what has its name now.
    pub fn record(&self, id: RecordId, name: &str) -> Option<Rc<Record>> {
        let snapshot = self.snapshot();
        let entry = snapshot.with_id(id).or_else(|| snapshot.find(name, name))?;
        Some(Rc::clone(&entry.record))
    }
}

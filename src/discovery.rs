//! Finding skills in a directory.
//!
//! A wave of directories at a time: `<dir>/SKILL.md` is opened in all of them without listing
//! them; those where it is absent are listed, and what they hold is the next wave. Links come
//! last, so that a skill's own place wins over a link to it.

use std::borrow::Cow;
use std::rc::Rc;

use crate::diagnostic::{Diagnostic, Rule};
use crate::front_reader::{self, Outcome, Wanted};
use crate::host::{Capabilities, DirectoryEntry, Failure, Kind, Reply, Request};
use crate::jail::Jail;
use crate::link_target::{self, Target};
use crate::media_type;
use crate::moved::Listed;
use crate::operation::Io;
use crate::order::sort_by;
use crate::path;
use crate::places::Names;
use crate::record::{Origin, Previous, Record, SkillFile};
use crate::source::{Directory, Links, LoadOptions};
use crate::text::{counted, listed};

/// The name of a skill file.
pub(crate) const SKILL_FILE: &str = "SKILL.md";
/// A spelling that no one uses: where it opens, the disk folds case.
const MISSPELLED_SKILL_FILE: &str = "sKILL.md";
/// The ending of a loose skill file.
/// How the name of a skill file without a directory ends.
pub(crate) const LOOSE_ENDING: &str = ".md";
/// Directories that hold other people's files, at any depth.
pub(crate) const NEVER_ENTERED: &str = "node_modules";
/// How many directories are looked into with one batch of requests.
const BATCH: usize = 256;

const DIRECTORY_UNREADABLE: Rule = Rule::error("directory-unreadable");
const SOURCE_NOT_DIRECTORY: Rule = Rule::error("source-not-a-directory");
const SOURCE_PATH_MISSING: Rule = Rule::warning("source-path-missing");
/// Endings of archives.
const ARCHIVES: [&str; 5] = ["zip", "skill", "tar", "gz", "tgz"];
/// So many directories are named where another one is meant.
const MOST_NAMED: usize = 10;
/// The skill file is not named `SKILL.md`, but for its case.
pub(crate) const SKILL_FILE_CASE: Rule = Rule::tolerated("skill-file-name-case");
const DEPTH_REACHED: Rule = Rule::warning("depth-limit");
const DIRECTORIES_REACHED: Rule = Rule::warning("directories-limit");
const LINK_REFUSED: Rule = Rule::warning("link-refused");
const LINK_NOT_WALKED: Rule = Rule::info("link-not-walked");
const LINK_DANGLING: Rule = Rule::info("link-dangling");

const COPY_INSTEAD: &str = "put what it leads to in its place";
/// What mends a link that leads nowhere.
pub(crate) const POINT_OR_REMOVE: &str = "point it at what is there, or remove it";

/// What mends a breach of [`SKILL_FILE_CASE`].
pub(crate) const RENAME_SKILL_FILE: &str = "rename it: some systems will not find it";

/// What a scan found.
#[derive(Debug, Default)]
pub(crate) struct Scan {
    pub(crate) records: Vec<Rc<Record>>,
    /// Whether of two with one name the earlier wins, as in the catalog that they are from.
    pub(crate) is_ranked: bool,
    /// Findings that belong to no record.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// A directory that may hold a skill file.
#[derive(Clone, Debug)]
struct Folder {
    path: String,
    /// Levels below the source; the source itself is 0.
    depth: u32,
    /// Whether it is itself a link.
    is_link: bool,
    /// Whether a link is on the way to it, or is it.
    through_link: bool,
    /// Its real path, where it is known.
    real: Option<Rc<str>>,
}

impl Folder {
    /// Whether what was listed as this folder is another one, by its real path. Where a disk folds
    /// case, its spelling may be another.
    fn is_elsewhere(&self, listed: Option<&str>) -> bool {
        match (listed, self.real.as_deref()) {
            (Some(listed), Some(real)) => !listed.eq_ignore_ascii_case(real),
            _ => false,
        }
    }

    fn child(&self, name: &str) -> Self {
        Self {
            path: path::join(&self.path, name),
            depth: self.depth + 1,
            is_link: false,
            through_link: self.through_link,
            real: self
                .real
                .as_ref()
                .map(|real| path::join_real(real, name).into()),
        }
    }
}

/// Finds the skills of a directory, and reads the front matter of each that has changed.
pub(crate) async fn scan(
    io: &Io,
    source: &Directory,
    options: &LoadOptions,
    previous: &Previous,
) -> Scan {
    let mut walk = Walk {
        io,
        source,
        options,
        previous,
        root: Rc::from(source.path.as_str()),
        label: Rc::from(source.label.as_str()),
        real_root: None,
        root_missing: false,
        folds_case: None,
        directories: 0,
        depth_reached: false,
        folders: Vec::new(),
        links: Vec::new(),
        seen: Names::default(),
        listed: None,
        found: Scan::default(),
    };
    walk.enter_root().await;
    loop {
        let wave = std::mem::take(&mut walk.folders);
        for folders in wave.chunks(BATCH) {
            walk.visit(folders).await;
        }
        if walk.folders.is_empty() {
            let links = std::mem::take(&mut walk.links);
            walk.follow(links).await;
        }
        if walk.folders.is_empty() && walk.links.is_empty() {
            walk.read_moved_again().await;
            return walk.found;
        }
    }
}

struct Walk<'a> {
    io: &'a Io,
    source: &'a Directory,
    options: &'a LoadOptions,
    previous: &'a Previous,
    root: Rc<str>,
    label: Rc<str>,
    real_root: Option<Rc<str>>,
    /// Whether there is nothing to list at the root.
    root_missing: bool,
    folds_case: Option<bool>,
    directories: u32,
    depth_reached: bool,
    /// The next wave.
    folders: Vec<Folder>,
    /// Links to look at when there is no folder left.
    links: Vec<Folder>,
    /// Real paths of linked folders that were followed.
    seen: Names,
    /// What was listed, where the host has links and tells versions.
    listed: Option<Listed>,
    found: Scan,
}

impl Walk<'_> {
    fn report(
        &mut self,
        rule: &Rule,
        host_path: &str,
        message: impl Into<Cow<'static, str>>,
        hint: &'static str,
    ) {
        let diagnostic = Diagnostic::new(rule, self.options.mode, message).with_hint(hint);
        self.found
            .diagnostics
            .push(diagnostic.in_file(self.source.shown(host_path)));
    }

    /// The source itself: one skill, or a directory of skills and loose files.
    async fn enter_root(&mut self) {
        let path = self.root.to_string();
        if self.source.capabilities.real_path {
            let request = Request::RealPath {
                host: self.source.host,
                path: path.clone(),
            };
            self.real_root = self.io.ask(request).await.text().ok().map(Into::into);
        }
        let Capabilities {
            stat, real_path, ..
        } = self.source.capabilities;
        self.listed = (stat && real_path)
            .then(|| Listed::new(self.source.host, &self.root, self.real_root.clone()));
        let real = self.real_root.clone();
        let root = Folder {
            path,
            depth: 0,
            is_link: false,
            through_link: false,
            real,
        };
        self.visit(std::slice::from_ref(&root)).await;
        if !self.root_missing {
            return;
        }
        let is_told = self.source.capabilities.stat && self.tell_of_file().await;
        if !is_told && self.source.capabilities.whole && !self.root.is_empty() {
            self.tell_of_missing().await;
        }
    }

    /// A directory may come later, so nothing is said where it is not there. In an archive or on a site
    /// it is misspelled, or the folder around everything, which does not count.
    async fn tell_of_missing(&mut self) {
        let request = Request::List {
            host: self.source.host,
            path: String::new(),
        };
        let Ok(entries) = self.io.ask(request).await.listing() else {
            return;
        };
        let directories = entries.iter().filter(|entry| entry.kind == Kind::Directory);
        let names: Vec<String> = directories.map(|entry| listed(&entry.name)).collect();
        let others = match names.len().checked_sub(MOST_NAMED) {
            None | Some(0) => String::new(),
            Some(others) => format!(" and {others} more"),
        };
        let named = names.get(..MOST_NAMED).unwrap_or(&names).join(", ");
        let there = if names.is_empty() {
            "no directory at all"
        } else {
            &named
        };
        let message = [
            "the path of the source is not there; at the top of its host there is ",
            there,
            &others,
        ];
        let path = self.root.to_string();
        let hint = "correct path, or leave it out";
        self.report(&SOURCE_PATH_MISSING, &path, message.concat(), hint);
    }

    /// A source where nothing is to be listed may be a file: that was not meant. Gives whether it is.
    async fn tell_of_file(&mut self) -> bool {
        let path = self.root.to_string();
        let request = Request::Stat {
            host: self.source.host,
            path: path.clone(),
        };
        let stat = self.io.ask(request).await.stat();
        if !stat.is_ok_and(|(kind, _)| kind != Kind::Directory) {
            return false;
        }
        let name = path::base_name(&path).or_else(|| path::base_name(&self.source.prefix));
        let is_skill = name.is_some_and(|name| name.eq_ignore_ascii_case(SKILL_FILE));
        let message = "the source is a file, not a directory".to_owned();
        let hint = if is_skill {
            "pass the skill's directory"
        } else if name.is_some_and(|name| media_type::ends_in(name, &ARCHIVES)) {
            "pass { host: archiveHost(bytes) }, from skillshelf/archive"
        } else {
            "pass the directory that it is in"
        };
        self.report(&SOURCE_NOT_DIRECTORY, &path, message, hint);
        true
    }

    /// Looks for the skill file of each folder, and lists those that have none.
    async fn visit(&mut self, folders: &[Folder]) {
        let folders = self.within_limit(folders);
        let candidates = folders
            .iter()
            .map(|folder| Rc::new(self.candidate(folder, SKILL_FILE)))
            .collect();
        let outcomes = self.read(candidates, Wanted::Changed).await;
        let mut to_list = Vec::new();
        let mut skills = Vec::new();
        for (folder, outcome) in folders.iter().zip(outcomes) {
            match outcome {
                Outcome::Absent => to_list.push((folder, None)),
                Outcome::Unreadable(record) => {
                    to_list.push((folder, Some(Unopened::Kept(record))));
                }
                Outcome::Dangling(told) => to_list.push((folder, Some(Unopened::Told(told)))),
                Outcome::Refused(diagnostics) => self.found.diagnostics.extend(diagnostics),
                Outcome::Read(record) => skills.push((folder, record)),
            }
        }
        if self.options.nested {
            to_list.extend(skills.iter().map(|(folder, _)| (*folder, None)));
        }
        let skills = self.real_names(skills).await;
        self.found.records.extend(skills);
        self.list(to_list).await;
    }

    /// The folders that may still be looked into.
    fn within_limit<'f>(&mut self, folders: &'f [Folder]) -> &'f [Folder] {
        let left = self
            .options
            .limits
            .directories
            .saturating_sub(self.directories) as usize;
        let within = folders.get(..left).unwrap_or(folders);
        if within.len() < folders.len() {
            let limit = self.options.limits.directories;
            let message = format!("more directories than {limit}; the rest is not looked into");
            let root = self.root.to_string();
            if !self
                .found
                .diagnostics
                .iter()
                .any(|found| found.code == DIRECTORIES_REACHED.code)
            {
                let hint = "name a smaller directory, or raise limits.directories";
                self.report(&DIRECTORIES_REACHED, &root, message, hint);
            }
        }
        self.directories += crate::diagnostic::saturating_u32(within.len());
        self.io.count_directories(within.len());
        within
    }

    async fn read(&mut self, candidates: Vec<Rc<SkillFile>>, wanted: Wanted) -> Vec<Outcome> {
        front_reader::read(self.io, &candidates, self.options, self.previous, wanted).await
    }

    /// Reads skill files that a listing showed, and keeps what comes of them.
    async fn keep(&mut self, mut candidates: Vec<Rc<SkillFile>>, wanted: Wanted) {
        while !candidates.is_empty() {
            let rest = candidates.split_off(candidates.len().min(BATCH));
            let batch = std::mem::replace(&mut candidates, rest);
            for outcome in self.read(batch, wanted).await {
                match outcome {
                    Outcome::Read(record) | Outcome::Unreadable(record) => {
                        self.found.records.push(record);
                    }
                    Outcome::Refused(diagnostics) | Outcome::Dangling(diagnostics) => {
                        self.found.diagnostics.extend(diagnostics);
                    }
                    Outcome::Absent => {}
                }
            }
        }
    }

    fn candidate(&self, folder: &Folder, file_name: &str) -> SkillFile {
        let path = path::join(&folder.path, file_name);
        let jail = Jail {
            host: self.source.host,
            capabilities: self.source.capabilities,
            directory: folder.path.clone(),
            root: Rc::clone(&self.root),
            linked_to: folder.real.clone().filter(|_| folder.through_link),
        };
        let source_name = match path::base_name(&folder.path) {
            Some(_) => None,
            // The source itself is the skill: its name is the last one that is known.
            None => path::base_name(&self.source.prefix)
                .or_else(|| folder.real.as_deref().and_then(path::base_name)),
        };
        SkillFile {
            shown: self.source.shown(&path).into(),
            shown_directory: Some(
                folder
                    .real
                    .clone()
                    .unwrap_or_else(|| self.source.shown(&folder.path).into()),
            ),
            source_name: source_name.map(str::to_owned),
            stem: None,
            real_directory: folder.real.clone(),
            jail: Rc::new(jail),
            label: Rc::clone(&self.label),
            path,
            finding: None,
        }
    }

    /// On a disk that folds case, `SKILL.md` opens whatever its name is: there the listing tells
    /// the real one.
    async fn real_names(&mut self, skills: Vec<(&Folder, Rc<Record>)>) -> Vec<Rc<Record>> {
        let Some((first, _)) = skills.first() else {
            return Vec::new();
        };
        if self.folds_case.is_none() {
            self.folds_case = Some(self.opens_misspelled(first).await);
        }
        if self.folds_case == Some(false) {
            return skills.into_iter().map(|(_, record)| record).collect();
        }
        let requests = skills
            .iter()
            .map(|(folder, _)| self.list_request(folder))
            .collect();
        let listings = self.io.perform(requests).await;
        let mut exact = Vec::new();
        let mut renamed = Vec::new();
        for ((folder, record), listing) in skills.into_iter().zip(listings) {
            match listing.listing().ok().as_deref().and_then(other_case) {
                Some(name) => renamed.push(self.in_other_case(folder, &name)),
                None => exact.push(record),
            }
        }
        self.keep(renamed, Wanted::Changed).await;
        exact
    }

    async fn opens_misspelled(&self, folder: &Folder) -> bool {
        let host = self.source.host;
        let path = path::join(&folder.path, MISSPELLED_SKILL_FILE);
        if self.source.capabilities.stat {
            let stat = self.io.ask(Request::Stat { host, path }).await.stat();
            return may_be_there(stat.err());
        }
        let request = Request::Read {
            host,
            path,
            offset: 0,
            length: 1,
            follow: true,
        };
        may_be_there(self.io.ask(request).await.file().err())
    }

    fn in_other_case(&self, folder: &Folder, name: &str) -> Rc<SkillFile> {
        let mut candidate = self.candidate(folder, name);
        let message = format!("the skill file is named {name}, not {SKILL_FILE}");
        candidate.finding = Some(
            Diagnostic::new(&SKILL_FILE_CASE, self.options.mode, message)
                .with_hint(RENAME_SKILL_FILE)
                .in_file(candidate.shown.clone()),
        );
        Rc::new(candidate)
    }

    fn list_request(&self, folder: &Folder) -> Request {
        Request::List {
            host: self.source.host,
            path: folder.path.clone(),
        }
    }

    /// Lists folders in which no skill file was read: for one in another case, for further folders,
    /// and at the top for loose files. Where a skill file could not be opened, perhaps there is none, or it
    /// is the folder itself that cannot be read.
    async fn list(&mut self, folders: Vec<(&Folder, Option<Unopened>)>) {
        if let Some(listed) = &mut self.listed {
            let paths = folders.iter().map(|(folder, _)| folder.path.clone());
            listed.note(self.io, paths.collect()).await;
        }
        let requests = folders
            .iter()
            .map(|(folder, _)| self.list_request(folder))
            .collect();
        let listings: Vec<Reply> = self.io.perform(requests).await;
        let mut candidates = Vec::new();
        for ((folder, unopened), listing) in folders.into_iter().zip(listings) {
            let (entries, real) = match listing.placed_listing() {
                Ok(listing) => listing,
                Err(failure) => {
                    self.unreadable(folder, &failure);
                    continue;
                }
            };
            if folder.is_elsewhere(real.as_deref()) {
                let failure = Failure::because("another directory was put in its place meanwhile");
                self.unreadable(folder, &failure);
                continue;
            }
            let misspelled = other_case(&entries);
            let has_skill = misspelled.is_some() || has_skill_file(&entries);
            if let Some(name) = misspelled {
                candidates.push(self.in_other_case(folder, &name));
            } else if has_skill {
                match unopened {
                    Some(Unopened::Kept(record)) => self.found.records.push(record),
                    Some(Unopened::Told(told)) => self.found.diagnostics.extend(told),
                    None => {}
                }
            }
            if has_skill && !self.options.nested {
                continue;
            }
            if !has_skill && folder.is_link && self.options.links != Links::All {
                let message = "the linked folder has no SKILL.md and is not walked";
                let hint = "pass links: \"all\", or pass that folder as a source of its own";
                self.report(&LINK_NOT_WALKED, &folder.path, message, hint);
            } else {
                self.sort_out(folder, &entries, &mut candidates);
            }
        }
        self.keep(candidates, Wanted::Changed).await;
    }

    /// Reads again, and judges by where they really are, the skills below directories that were
    /// replaced in the meantime.
    async fn read_moved_again(&mut self) {
        let Some(listed) = self.listed.take() else {
            return;
        };
        let paths: Vec<&str> = self
            .found
            .records
            .iter()
            .filter_map(|record| Some(record.location()?.1))
            .collect();
        let moved = listed.moved(self.io, &paths).await;
        let mut candidates = Vec::new();
        self.found.records.retain(|record| match &record.origin {
            Origin::File(file) if moved.may_hold(&file.path) => {
                candidates.push(Rc::clone(file));
                false
            }
            _ => true,
        });
        self.keep(candidates, Wanted::AllWhereTheyAre).await;
    }

    /// Reports a directory that cannot be read; what was known in it stays.
    fn unreadable(&mut self, folder: &Folder, failure: &Failure) {
        if failure.not_found {
            self.root_missing |= folder.depth == 0;
        } else {
            let hint = if *folder.path == *self.root {
                "let it be read, or leave this source out"
            } else {
                "let it be read, or name it in ignore"
            };
            let message = failure.words("the directory");
            let mut finding = Diagnostic::new(&DIRECTORY_UNREADABLE, self.options.mode, message)
                .in_file(self.source.shown(&folder.path));
            finding.hint = failure.hint(hint).map(Into::into);
            self.found.diagnostics.push(finding);
            let known = self
                .previous
                .below(self.source.host, &self.root, &folder.path);
            self.found.records.extend(known);
        }
    }

    /// What of a listing is a further folder, a link, or a loose skill file.
    fn sort_out(
        &mut self,
        folder: &Folder,
        entries: &[DirectoryEntry],
        loose: &mut Vec<Rc<SkillFile>>,
    ) {
        let is_skill = has_skill_file(entries) || other_case(entries).is_some();
        let may_be_loose = folder.depth == 0 && !is_skill;
        for entry in entries {
            if entry.name.starts_with('.') {
                continue;
            }
            if entry.kind != Kind::File && self.is_passed_over(&entry.name) {
                continue;
            }
            let child = folder.child(&entry.name);
            match entry.kind {
                Kind::Directory | Kind::Link if child.depth > self.options.limits.depth => {
                    self.too_deep(&child);
                }
                Kind::Directory => self.folders.push(child),
                Kind::Link => self.links.push(child),
                Kind::File if may_be_loose && entry.name.ends_with(LOOSE_ENDING) => {
                    loose.push(self.loose(folder, &entry.name));
                }
                Kind::File | Kind::Other => {}
            }
        }
    }

    fn is_passed_over(&self, name: &str) -> bool {
        name == NEVER_ENTERED || self.options.ignore.iter().any(|ignored| ignored == name)
    }

    fn too_deep(&mut self, folder: &Folder) {
        if !std::mem::replace(&mut self.depth_reached, true) {
            let limit = self.options.limits.depth;
            let levels = counted(limit as usize, "level");
            let message = format!("directories deeper than {levels} are not looked into");
            let hint = "move the skills up, or raise limits.depth";
            self.report(&DEPTH_REACHED, &folder.path, message, hint);
        }
    }

    /// A loose `<name>.md` at the top: it has no directory and no files.
    fn loose(&self, root: &Folder, name: &str) -> Rc<SkillFile> {
        let mut candidate = self.candidate(root, name);
        candidate.shown_directory = None;
        candidate.stem = name.strip_suffix(LOOSE_ENDING).map(str::to_owned);
        Rc::new(candidate)
    }

    /// Looks where links lead, in the order of their paths.
    async fn follow(&mut self, mut links: Vec<Folder>) {
        sort_by(&mut links, |a, b| a.path.cmp(&b.path));
        if self.options.links == Links::Never || !self.source.capabilities.real_path {
            for link in links {
                let message = "links are not followed here";
                self.report(&LINK_REFUSED, &link.path, message, COPY_INSTEAD);
            }
            return;
        }
        let paths: Vec<String> = links.iter().map(|link| link.path.clone()).collect();
        let targets = link_target::targets(self.io, self.source.host, &paths).await;
        let mut loose = Vec::new();
        let mut folders = Vec::new();
        for (mut link, Target { real, kind }) in links.into_iter().zip(targets) {
            link.is_link = true;
            link.through_link = true;
            // Without `stat` a name has to tell what the link leads to.
            let is_file = match kind {
                Some(kind) => kind == Kind::File,
                None => link.depth == 1 && link.path.ends_with(LOOSE_ENDING),
            };
            match (real, kind) {
                (Some(real), _) if is_file => loose.extend(self.linked_file(&link, &real)),
                (Some(real), Some(Kind::Directory) | None) => {
                    link.real = Some(real.into());
                    folders.push(link);
                }
                (Some(_), Some(_)) => {}
                (None, _) => {
                    let message = "the link leads nowhere";
                    self.report(&LINK_DANGLING, &link.path, message, POINT_OR_REMOVE);
                }
            }
        }
        self.keep(loose, Wanted::Changed).await;
        self.follow_folders(folders).await;
    }

    /// A link to a file counts only at the top, as a loose skill that stays in the source.
    fn linked_file(&mut self, link: &Folder, real: &str) -> Option<Rc<SkillFile>> {
        let name = path::base_name(&link.path).unwrap_or_default().to_owned();
        if link.depth != 1 || !name.ends_with(LOOSE_ENDING) {
            return None;
        }
        if !self
            .real_root
            .as_deref()
            .is_some_and(|root| path::is_inside(real, root))
        {
            let message = "the link leaves the source";
            self.report(&LINK_REFUSED, &link.path, message, COPY_INSTEAD);
            return None;
        }
        let root = Folder {
            path: self.root.to_string(),
            depth: 0,
            is_link: false,
            through_link: false,
            real: self.real_root.clone(),
        };
        Some(self.loose(&root, &name))
    }

    async fn follow_folders(&mut self, folders: Vec<Folder>) {
        let mut followed = Vec::new();
        for folder in folders {
            let Some(real) = folder.real.clone() else {
                continue;
            };
            if self.leads_up(&real) {
                let message = "the link leads to a directory that holds the source";
                self.report(&LINK_REFUSED, &folder.path, message, "remove it");
            } else if self.seen.add(real.to_string()) {
                followed.push(folder);
            }
        }
        for folders in followed.chunks(BATCH) {
            self.visit(folders).await;
        }
    }

    /// Whether `real` is the source or holds it.
    fn leads_up(&self, real: &str) -> bool {
        self.real_root
            .as_deref()
            .is_some_and(|root| real == root || path::is_inside(root, real))
    }
}

/// A skill file that did not open, which is there only if a listing shows it.
enum Unopened {
    /// What was known of it.
    Kept(Rc<Record>),
    /// That nothing is to be known of it.
    Told(Vec<Diagnostic>),
}

/// Whether something is there, as far as a host can tell: one that fails does not know.
fn may_be_there(failure: Option<Failure>) -> bool {
    failure.is_none_or(|failure| !failure.not_found)
}

fn has_skill_file(entries: &[DirectoryEntry]) -> bool {
    entries.iter().any(|entry| entry.name == SKILL_FILE)
}

/// The first file whose name is `SKILL.md` but for its case, unless one has that very name.
fn other_case(entries: &[DirectoryEntry]) -> Option<String> {
    let is_file = |entry: &&DirectoryEntry| matches!(entry.kind, Kind::File | Kind::Link);
    let mut named = entries
        .iter()
        .filter(is_file)
        .filter(|entry| entry.name.eq_ignore_ascii_case(SKILL_FILE))
        .map(|entry| entry.name.as_str());
    let misspelled = named.next()?;
    (!has_skill_file(entries)).then(|| misspelled.to_owned())
}

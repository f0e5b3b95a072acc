//! Gathering what the sources of a catalog hold into one snapshot.

use std::rc::Rc;

use crate::catalog::Catalog;
use crate::diagnostic::{Diagnostic, Rule};
use crate::discovery::{self, Scan};
use crate::error::Error;
use crate::front_reader::{self, Outcome, Wanted};
use crate::host::{Kind, Reply};
use crate::operation::{Branch, Io};
use crate::places::Places;
use crate::record::{Origin, Previous, Record, SkillFile};
use crate::snapshot::Snapshot;
use crate::source::{LoadOptions, Source};

const FILES_DIRECTORY: Rule = Rule::warning("files-directory-missing");
const SOURCE_UNTRUSTED: Rule = Rule::info("source-untrusted");

/// Scans all sources side by side, and puts together what they hold.
pub(crate) async fn gather(
    io: &Io,
    sources: &[Source],
    options: &LoadOptions,
    before: &Snapshot,
) -> Result<Snapshot, Error> {
    let mut previous = Previous::default();
    previous.add(before.records());
    let previous = &previous;
    let works = sources.iter().map(|source| {
        move |io: Io| -> Branch<'_, Scan> {
            Box::pin(async move { scan(&io, source, options, previous).await })
        }
    });
    let scans = io.side_by_side(works.collect()).await;
    Snapshot::assemble(scans, options)
}

/// The same where only some files have changed, by what messages call them. What comes from other
/// catalogs and from code is asked for as ever: that is no directory to be walked.
pub(crate) async fn gather_files(
    io: &Io,
    sources: &[Source],
    options: &LoadOptions,
    before: &Snapshot,
    files: &[String],
) -> Result<Snapshot, Error> {
    let mut previous = Previous::default();
    previous.add(before.records());
    let mut scans = Vec::with_capacity(sources.len());
    for (source, known) in sources.iter().zip(before.sources()) {
        scans.push(match source {
            Source::Directory(_) => reread(io, known, files, options, &previous).await,
            _ => scan(io, source, options, &previous).await,
        });
    }
    Snapshot::assemble(scans, options)
}

/// What a directory is known to hold, some of its files read again.
async fn reread(
    io: &Io,
    (records, diagnostics): (&[Rc<Record>], &[Diagnostic]),
    files: &[String],
    options: &LoadOptions,
    previous: &Previous,
) -> Scan {
    let mut scan = Scan {
        diagnostics: diagnostics.to_vec(),
        ..Scan::default()
    };
    let mut candidates = Vec::new();
    for record in records {
        match &record.origin {
            Origin::File(file) if files.iter().any(|name| **name == *file.shown) => {
                candidates.push(Rc::clone(file));
            }
            _ => scan.records.push(Record::with_inner(record, &[])),
        }
    }
    let wanted = Wanted::ChangedWhereTheyAre;
    for outcome in front_reader::read(io, &candidates, options, previous, wanted).await {
        match outcome {
            Outcome::Read(record) | Outcome::Unreadable(record) => scan.records.push(record),
            Outcome::Refused(found) | Outcome::Dangling(found) => scan.diagnostics.extend(found),
            Outcome::Absent => {}
        }
    }
    scan
}

async fn scan(io: &Io, source: &Source, options: &LoadOptions, previous: &Previous) -> Scan {
    match source {
        Source::Directory(directory) => discovery::scan(io, directory, options, previous).await,
        Source::Untrusted { label } => untrusted(label, options),
        Source::Known(record) => read_again(io, &[Rc::clone(record)], options, previous).await,
        Source::Catalog(catalog) => from_catalog(io, catalog, options, previous).await,
    }
}

fn untrusted(label: &str, options: &LoadOptions) -> Scan {
    let message = "the source is not trusted; nothing of it is loaded";
    let diagnostic = Diagnostic::new(&SOURCE_UNTRUSTED, options.mode, message)
        .with_hint("pass trusted: true once a person has agreed")
        .in_file(label);
    Scan {
        diagnostics: vec![diagnostic],
        ..Scan::default()
    }
}

/// The skills that another catalog shows, each read again where its file has changed.
async fn from_catalog(
    io: &Io,
    catalog: &Catalog,
    options: &LoadOptions,
    previous: &Previous,
) -> Scan {
    let snapshot = catalog.snapshot();
    let records: Vec<Rc<Record>> = snapshot
        .all()
        .filter(|entry| catalog.shows(entry))
        .map(|entry| Rc::clone(&entry.record))
        .collect();
    // What it has read in the same way need not be read again; what was read here since is newer.
    if catalog.options() != options {
        return read_again(io, &records, options, previous).await;
    }
    let mut known = previous.clone();
    known.add(&records);
    read_again(io, &records, options, &known).await
}

/// Files that are known, read again where they have changed; skills from code as they are. What wins
/// where they are from wins here too.
async fn read_again(
    io: &Io,
    known: &[Rc<Record>],
    options: &LoadOptions,
    previous: &Previous,
) -> Scan {
    let mut files = Vec::new();
    for record in known {
        if let Origin::File(file) = &record.origin {
            files.push(Rc::clone(file));
        }
    }
    let mut scan = Scan {
        is_ranked: true,
        diagnostics: missing_directories(io, known, options).await,
        ..Scan::default()
    };
    let mut real_directories = real_directories(io, known).await.into_iter();
    let files = where_they_are(io, files).await;
    let wanted = Wanted::ChangedWhereTheyAre;
    let outcomes = front_reader::read(io, &files, options, previous, wanted).await;
    let mut outcomes = outcomes.into_iter();
    let mut renamed = Vec::new();
    for before in known {
        let now = match &before.origin {
            Origin::Defined(_) => {
                Record::with_real_directory(before, real_directories.next().flatten())
            }
            Origin::File(_) => match outcomes.next() {
                Some(Outcome::Read(record) | Outcome::Unreadable(record)) => {
                    Record::with_inner(&record, &before.inner)
                }
                Some(Outcome::Refused(diagnostics) | Outcome::Dangling(diagnostics)) => {
                    scan.diagnostics.extend(diagnostics);
                    continue;
                }
                Some(Outcome::Absent) | None => continue,
            },
        };
        if now.key() == before.key() {
            scan.records.push(now);
        } else {
            renamed.push(now);
        }
    }
    // A name that a file has given itself since is not taken from the one that had it.
    scan.records.append(&mut renamed);
    scan
}

/// The same files, to be judged by where their sources really are now: nothing is listed that would
/// show what was put in the place of a directory, and a source may have been pointed elsewhere since.
async fn where_they_are(io: &Io, mut files: Vec<Rc<SkillFile>>) -> Vec<Rc<SkillFile>> {
    let key = |file: &SkillFile| [&file.jail.host.to_string(), "/", &*file.jail.root].concat();
    let mut roots = Places::default();
    let mut requests = Vec::new();
    for file in &files {
        if let Some(request) = file.jail.root_request()
            && roots.add(key(file), requests.len())
        {
            requests.push(request);
        }
    }
    let replies = io.perform(requests).await;
    for file in &mut files {
        let Some(reply) = roots.get(&key(file)).and_then(|place| replies.get(place)) else {
            continue;
        };
        let real: Option<Rc<str>> = file.jail.real_directory(reply.clone()).map(Rc::from);
        if real.is_some() && real != file.real_directory {
            *file = Rc::new(SkillFile {
                real_directory: real,
                ..(**file).clone()
            });
        }
    }
    files
}

/// Where the files of each skill from code really are: other skills of the catalog may be there, by
/// paths of other hosts.
async fn real_directories(io: &Io, known: &[Rc<Record>]) -> Vec<Option<Rc<str>>> {
    let mut asked = Vec::new();
    let mut requests = Vec::new();
    for record in known {
        if let Origin::Defined(definition) = &record.origin {
            let request = definition.files.as_ref().and_then(|it| it.root_request());
            asked.push(request.is_some());
            requests.extend(request);
        }
    }
    let mut replies = io.perform(requests).await.into_iter();
    let mut found = Vec::with_capacity(asked.len());
    for is_asked in asked {
        let reply = if is_asked { replies.next() } else { None };
        found.push(reply.and_then(|reply| reply.text().ok()).map(Rc::from));
    }
    found
}

/// Which directories of skills from code are not there.
async fn missing_directories(
    io: &Io,
    known: &[Rc<Record>],
    options: &LoadOptions,
) -> Vec<Diagnostic> {
    let mut with_files = Vec::new();
    let mut requests = Vec::new();
    for record in known {
        if let Origin::Defined(definition) = &record.origin
            && let Some(files) = &definition.files
        {
            with_files.push(record);
            requests.push(files.directory_request());
        }
    }
    let replies = io.perform(requests).await;
    let mut found = Vec::new();
    for (record, reply) in with_files.into_iter().zip(replies) {
        let problem = match reply {
            Reply::Listing { .. }
            | Reply::Stat {
                kind: Kind::Directory,
                ..
            } => continue,
            Reply::Failed(failure) if failure.not_found => "is not there".to_owned(),
            Reply::Failed(failure) => ["could not be read: ", &failure.message].concat(),
            _ => "is not a directory".to_owned(),
        };
        let message = ["the directory of the skill's files ", &problem].concat();
        let mut finding = Diagnostic::new(&FILES_DIRECTORY, options.mode, message)
            .with_hint("correct directory, or make it");
        finding.path = record.shown_directory().map(Rc::from);
        finding.skill = record
            .skill
            .as_ref()
            .map(|skill| skill.name.as_str().into());
        found.push(finding);
    }
    found
}

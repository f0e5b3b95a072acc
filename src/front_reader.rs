//! Reading the front matter of many skill files: only the beginning of each, and only of those
//! that have changed.

use std::borrow::Cow;
use std::rc::Rc;

use crate::diagnostic::{Diagnostic, Rule};
use crate::directory_name::{self, Compared};
use crate::discovery::POINT_OR_REMOVE;
use crate::front_matter;
use crate::host::{Capabilities, Failure, FileReply, Kind, Reply, Request};
use crate::invocation::Invocation;
use crate::jail::{Jail, Range, Refusal};
use crate::operation::Io;
use crate::path;
use crate::record::{Origin, Previous, Record, SkillFile, Stamp, next_id};
use crate::skill::Skill;
use crate::skill_file::{self, Front, Name, ReadOptions};
use crate::source::{Links, LoadOptions};

/// Read of each file at first. Of 1,000 real front matters eight are longer, and what is read is
/// copied twice (into the module, out of the batch) and hashed.
const FRONT: u32 = 1536;

const LINK_LEAVES: Rule = Rule::error("skill-file-link-leaves");
const LINK_REFUSED: Rule = Rule::error("skill-file-link-refused");
const LINK_DANGLING: Rule = Rule::error("skill-file-link-dangling");
const NOT_A_FILE: Rule = Rule::error("not-a-file");
const FILE_UNREADABLE: Rule = Rule::error("file-unreadable");
const LOOSE_PASSED_OVER: Rule = Rule::info("loose-file-passed-over");
const KEPT_LAST_GOOD: Rule = Rule::warning("kept-last-good");

const AS_A_FILE: &str = "put a file in its place";

/// What becomes of a file that is not read, with the finding that says so.
fn finding(
    file: &SkillFile,
    rule: &Rule,
    options: &LoadOptions,
    message: impl Into<Cow<'static, str>>,
    hint: &'static str,
) -> Outcome {
    Outcome::Refused(vec![found(file, rule, options, message, hint)])
}

fn found(
    file: &SkillFile,
    rule: &Rule,
    options: &LoadOptions,
    message: impl Into<Cow<'static, str>>,
    hint: &'static str,
) -> Diagnostic {
    Diagnostic::new(rule, options.mode, message)
        .with_hint(hint)
        .in_file(file.shown.clone())
}

/// What became of a candidate.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// There is a file, and it was read; whether it holds a skill is in the record.
    Read(Rc<Record>),
    /// It could not be read, so that nobody knows whether there is a file.
    Unreadable(Rc<Record>),
    /// It did not open, and then there was nothing: a link that leads nowhere, if there is one at all.
    Dangling(Vec<Diagnostic>),
    /// There is no such file.
    Absent,
    /// There is something that is not read.
    Refused(Vec<Diagnostic>),
}

/// Which candidates are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// Those that have changed.
    Changed,
    /// Those that have changed, links followed, so that each is judged by where it really is.
    ChangedWhereTheyAre,
    /// All, links followed, so that each is judged by where it really is.
    AllWhereTheyAre,
}

/// Reads the front matter of those candidates that are wanted; what is known of the others is in
/// `previous`.
pub(crate) async fn read(
    io: &Io,
    candidates: &[Rc<SkillFile>],
    options: &LoadOptions,
    previous: &Previous,
    wanted: Wanted,
) -> Vec<Outcome> {
    let reader = FrontReader {
        io,
        options,
        read_options: options.read_options(),
        previous,
        follow: wanted != Wanted::Changed,
        all: wanted == Wanted::AllWhereTheyAre,
    };
    reader.read(candidates).await
}

struct FrontReader<'a> {
    io: &'a Io,
    options: &'a LoadOptions,
    read_options: ReadOptions,
    previous: &'a Previous,
    /// Whether links are followed and real paths told.
    follow: bool,
    /// Whether those are read too that have not changed.
    all: bool,
}

/// The beginning of a file, or what stands in the way.
enum Beginning {
    Bytes {
        file: FileReply,
        asked: u32,
        real_path: Option<String>,
    },
    Settled(Outcome),
}

/// A file that did not open at once: a link, perhaps.
struct Stuck<'a> {
    /// Where it is among the candidates.
    place: usize,
    candidate: &'a Rc<SkillFile>,
    /// How much of it is read.
    length: u32,
    /// Why it did not.
    failure: Failure,
}

impl Stuck<'_> {
    /// As [`Jail::open_all`] takes it.
    fn in_jail(&self) -> (&Jail, &str, Range) {
        let range = Range {
            offset: 0,
            length: self.length,
        };
        (&self.candidate.jail, &self.candidate.path, range)
    }
}

/// A front matter that was judged, before its name was compared.
struct Draft {
    front: Option<Skill>,
    name: Option<Name>,
    invocation: Invocation,
    diagnostics: Vec<Diagnostic>,
    stamp: Stamp,
    real_path: Option<String>,
}

#[allow(clippy::large_enum_variant, reason = "nearly all are drafts")]
enum Judged {
    Draft(Draft),
    Settled(Outcome),
}

impl FrontReader<'_> {
    async fn read(&self, candidates: &[Rc<SkillFile>]) -> Vec<Outcome> {
        let unchanged = self.unchanged(candidates).await;
        let changed: Vec<&Rc<SkillFile>> = candidates
            .iter()
            .zip(&unchanged)
            .filter(|(_, unchanged)| unchanged.is_none())
            .map(|(candidate, _)| candidate)
            .collect();
        let mut read = self.read_changed(&changed).await.into_iter();
        unchanged
            .into_iter()
            .map(|unchanged| match unchanged {
                Some(record) => Outcome::Read(record),
                None => read.next().unwrap_or(Outcome::Absent),
            })
            .collect()
    }

    fn before(&self, candidate: &Rc<SkillFile>) -> Option<&Rc<Record>> {
        let record = self.previous.get(candidate.jail.host, &candidate.path)?;
        let same_jail = match &record.origin {
            Origin::File(file) => file.jail == candidate.jail,
            Origin::Defined(_) => false,
        };
        same_jail.then_some(record)
    }

    /// For each candidate the record from before, where the host says that it still holds.
    async fn unchanged(&self, candidates: &[Rc<SkillFile>]) -> Vec<Option<Rc<Record>>> {
        let known: Vec<Option<&Rc<Record>>> = candidates
            .iter()
            .map(|candidate| {
                self.before(candidate).filter(|record| {
                    let tells_version = candidate.jail.capabilities.stat;
                    tells_version && record.stamp.version.is_some() && !self.all
                })
            })
            .collect();
        let requests = candidates
            .iter()
            .zip(&known)
            .filter(|(_, known)| known.is_some())
            .map(|(candidate, _)| Request::Stat {
                host: candidate.jail.host,
                path: candidate.path.clone(),
            })
            .collect();
        let mut replies = self.io.perform(requests).await.into_iter();
        known
            .into_iter()
            .map(|known| {
                let record = known?;
                let (kind, version) = replies.next()?.stat().ok()?;
                let holds = kind == Kind::File && record.stamp.version.as_ref() == Some(&version);
                holds.then(|| Rc::clone(record))
            })
            .collect()
    }

    /// How much of each file is read at first. Where the host can neither read a part nor tell a
    /// version, all of it: that costs the host nothing, and is the only way to see an edit.
    fn first_length(&self, candidate: &SkillFile) -> u32 {
        let Capabilities { ranges, stat, .. } = candidate.jail.capabilities;
        if ranges || stat {
            return FRONT;
        }
        self.options.limits.whole_file()
    }

    async fn read_changed(&self, candidates: &[&Rc<SkillFile>]) -> Vec<Outcome> {
        let first: Vec<_> = candidates
            .iter()
            .map(|&file| (file, self.first_length(file)))
            .collect();
        let beginnings = self.beginnings(&first).await;
        let is_read = |beginning: &&Beginning| matches!(beginning, Beginning::Bytes { .. });
        self.io
            .count_files(beginnings.iter().filter(is_read).count());
        let mut judged = Vec::with_capacity(candidates.len());
        let mut too_short = Vec::new();
        for (index, (candidate, beginning)) in candidates.iter().zip(beginnings).enumerate() {
            match self.judge(candidate, beginning, false) {
                Some(result) => judged.push(result),
                None => {
                    too_short.push((index, *candidate));
                    judged.push(Judged::Settled(Outcome::Absent));
                }
            }
        }
        let length = self.options.limits.front();
        let longer: Vec<_> = too_short
            .iter()
            .map(|&(_, candidate)| (candidate, length))
            .collect();
        let beginnings = self.beginnings(&longer).await;
        for ((index, candidate), beginning) in too_short.into_iter().zip(beginnings) {
            if let (Some(slot), Some(result)) = (
                judged.get_mut(index),
                self.judge(candidate, beginning, true),
            ) {
                *slot = result;
            }
        }
        self.finish(candidates, judged).await
    }

    /// The first `length` bytes of each file; a link, and whatever else does not open at once,
    /// takes the full way.
    async fn beginnings(&self, candidates: &[(&Rc<SkillFile>, u32)]) -> Vec<Beginning> {
        let requests = candidates
            .iter()
            .map(|&(candidate, length)| Request::Read {
                host: candidate.jail.host,
                path: candidate.path.clone(),
                offset: 0,
                length,
                follow: self.follow,
            })
            .collect();
        let replies = self.io.perform(requests).await;
        let mut beginnings = Vec::with_capacity(candidates.len());
        let mut stuck = Vec::new();
        for (&(candidate, length), reply) in candidates.iter().zip(replies) {
            beginnings.push(match reply.file() {
                Ok(file) => self.opened(candidate, file, length),
                Err(failure) => {
                    if !failure.not_found {
                        stuck.push(Stuck {
                            place: beginnings.len(),
                            candidate,
                            length,
                            failure,
                        });
                    }
                    Beginning::Settled(Outcome::Absent)
                }
            });
        }
        self.full_way(stuck, &mut beginnings).await;
        beginnings
    }

    fn opened(&self, candidate: &Rc<SkillFile>, file: FileReply, asked: u32) -> Beginning {
        if file.kind != Kind::File {
            return Beginning::Settled(self.not_a_file(candidate));
        }
        if let (Some(real), Some(directory)) = (&file.real_path, &candidate.real_directory) {
            if candidate.is_link_to(real) && self.options.links == Links::Never {
                return Beginning::Settled(self.link_refused(candidate));
            }
            if !path::is_inside(real, directory) {
                return Beginning::Settled(self.leaves(candidate));
            }
        }
        Beginning::Bytes {
            real_path: candidate.elsewhere(file.real_path.as_deref()),
            file,
            asked,
        }
    }

    /// Opens what did not open at once, following links as far as they may be followed.
    async fn full_way(&self, mut stuck: Vec<Stuck<'_>>, beginnings: &mut [Beginning]) {
        let mut settle = |place: usize, beginning: Beginning| {
            if let Some(slot) = beginnings.get_mut(place) {
                *slot = beginning;
            }
        };
        if self.options.links == Links::Never {
            let mut are_links = self.are_links(&stuck).await.into_iter();
            stuck.retain(|file| {
                let is_link = are_links.next().unwrap_or(true);
                if is_link {
                    let refused = self.link_refused(file.candidate);
                    settle(file.place, Beginning::Settled(refused));
                }
                !is_link
            });
        }
        let files: Vec<_> = stuck.iter().map(Stuck::in_jail).collect();
        let opened = Jail::open_all(self.io, &files).await;
        for (file, opened) in stuck.iter().zip(opened) {
            let candidate = file.candidate;
            let outcome = match opened {
                Ok(opened) => {
                    settle(file.place, self.opened(candidate, opened.file, file.length));
                    continue;
                }
                Err(Refusal::Outside) => self.leaves(candidate),
                Err(Refusal::Linked) => self.link_refused(candidate),
                Err(Refusal::NotAFile) => self.not_a_file(candidate),
                Err(Refusal::NotFound) => Outcome::Dangling(vec![found(
                    candidate,
                    &LINK_DANGLING,
                    self.options,
                    "the link leads nowhere",
                    POINT_OR_REMOVE,
                )]),
                Err(Refusal::Failed(_)) => self.unreadable(candidate, &file.failure),
            };
            settle(file.place, Beginning::Settled(outcome));
        }
    }

    /// A file that is there and cannot be read. What it said before stays.
    fn unreadable(&self, candidate: &Rc<SkillFile>, failure: &Failure) -> Outcome {
        let message = failure.words("the file");
        let mut finding = Diagnostic::new(&FILE_UNREADABLE, self.options.mode, message);
        finding.hint = failure.hint("let it be read, then refresh").map(Into::into);
        let draft = Draft {
            front: None,
            name: None,
            invocation: Invocation::OPEN,
            diagnostics: vec![finding],
            stamp: Stamp::default(),
            real_path: None,
        };
        Outcome::Unreadable(self.record(candidate, draft, None))
    }

    async fn are_links(&self, files: &[Stuck<'_>]) -> Vec<bool> {
        let requests = files
            .iter()
            .map(|file| Request::RealPath {
                host: file.candidate.jail.host,
                path: file.candidate.path.clone(),
            })
            .collect();
        let replies = self.io.perform(requests).await;
        let is_link = |(file, reply): (&Stuck<'_>, Reply)| {
            let real = reply.text().ok();
            real.is_none() || real != file.candidate.plain_real_path()
        };
        files.iter().zip(replies).map(is_link).collect()
    }

    fn not_a_file(&self, candidate: &Rc<SkillFile>) -> Outcome {
        let message = format!("{} is not a regular file", candidate.name());
        finding(candidate, &NOT_A_FILE, self.options, message, AS_A_FILE)
    }

    fn leaves(&self, candidate: &Rc<SkillFile>) -> Outcome {
        let message = format!(
            "{} is a link that leaves the skill's directory",
            candidate.name()
        );
        finding(candidate, &LINK_LEAVES, self.options, message, AS_A_FILE)
    }

    fn link_refused(&self, candidate: &Rc<SkillFile>) -> Outcome {
        let message = format!(
            "{} is a link, and links are not followed here",
            candidate.name()
        );
        finding(candidate, &LINK_REFUSED, self.options, message, AS_A_FILE)
    }

    /// `None` when the closing fence is not in sight and more can be read.
    fn judge(&self, candidate: &Rc<SkillFile>, beginning: Beginning, last: bool) -> Option<Judged> {
        let (file, asked, real_path) = match beginning {
            Beginning::Settled(outcome) => return Some(Judged::Settled(outcome)),
            Beginning::Bytes {
                file,
                asked,
                real_path,
            } => (file, asked, real_path),
        };
        let bytes = file.bytes.as_slice();
        let is_whole = file.reaches_end(0, asked);
        let stamp = Stamp::of(bytes, file.version, is_whole);
        if let Some(before) = self
            .before(candidate)
            .filter(|before| before.stamp.same_bytes(&stamp))
        {
            return Some(Judged::Settled(Outcome::Read(seen_again(before, stamp))));
        }
        let is_enough = is_whole || last;
        if candidate.stem.is_some() && !front_matter::begins(bytes) {
            if !is_enough && self.before(candidate).is_some_and(|it| it.skill.is_some()) {
                return None;
            }
            let invocation = Invocation::in_broken(bytes, &self.options.limits);
            let draft = self.passed_over(stamp, real_path, invocation);
            return Some(Judged::Draft(draft));
        }
        match skill_file::read_front(bytes, is_enough, candidate.place(), &self.read_options) {
            Front::Incomplete => None,
            Front::Read {
                skill,
                name,
                invocation,
                diagnostics,
                ..
            } => Some(Judged::Draft(Draft {
                front: skill,
                name,
                invocation,
                diagnostics,
                stamp,
                real_path,
            })),
        }
    }

    /// A loose file that does not say it is a skill, such as a `README.md`.
    fn passed_over(
        &self,
        stamp: Stamp,
        real_path: Option<String>,
        invocation: Invocation,
    ) -> Draft {
        let message = "a loose file without front matter is not a skill";
        let note = Diagnostic::new(&LOOSE_PASSED_OVER, self.options.mode, message)
            .with_hint("if it is to be one, begin it with `---`, a description, and `---`");
        Draft {
            front: None,
            name: None,
            invocation,
            diagnostics: vec![note],
            stamp,
            real_path,
        }
    }

    /// Compares names in NFKC, which the runtime makes, and writes the records.
    async fn finish(&self, candidates: &[&Rc<SkillFile>], judged: Vec<Judged>) -> Vec<Outcome> {
        let mut names = Vec::new();
        for (candidate, judged) in candidates.iter().zip(&judged) {
            if let Judged::Draft(Draft {
                name: Some(name), ..
            }) = judged
            {
                names.push((name, candidate.directory_name()));
            }
        }
        let compared = directory_name::compare(self.io, &names, self.options.mode).await;
        let mut compared = compared.into_iter();
        candidates
            .iter()
            .zip(judged)
            .map(|(candidate, judged)| match judged {
                Judged::Settled(outcome) => outcome,
                Judged::Draft(draft) => {
                    let compared = draft.name.as_ref().and_then(|_| compared.next());
                    Outcome::Read(self.record(candidate, draft, compared))
                }
            })
            .collect()
    }

    fn record(
        &self,
        candidate: &Rc<SkillFile>,
        draft: Draft,
        compared: Option<Compared>,
    ) -> Rc<Record> {
        let Draft {
            front,
            name: _,
            invocation,
            mut diagnostics,
            stamp,
            real_path,
        } = draft;
        let (key, matches_directory) = match compared {
            Some(compared) => {
                diagnostics.extend(compared.finding);
                (compared.key, compared.matches_directory)
            }
            None => (candidate.stand_in().to_owned(), false),
        };
        diagnostics.extend(candidate.finding.clone());
        skill_file::placed(&mut diagnostics, candidate.place(), front.as_ref());
        let skill = front.filter(|_| !diagnostics.iter().any(Diagnostic::is_error));
        let mut record = Record {
            id: next_id(),
            origin: Origin::File(Rc::clone(candidate)),
            real_elsewhere: real_path,
            stamp,
            named_as_directory: matches_directory && skill.is_some(),
            skill: skill.map(Rc::new),
            other_key: None,
            diagnostics,
            inner: Vec::new(),
        };
        record.set_key(&key);
        if record.skill.is_none() {
            self.keep_last_good(candidate, &mut record, invocation);
        }
        record.diagnostics.shrink_to_fit();
        Rc::new(record)
    }

    /// Gives a record without a skill the one that its file held when it was last read, closed to
    /// those whom the broken file seems to close it to.
    fn keep_last_good(
        &self,
        candidate: &Rc<SkillFile>,
        record: &mut Record,
        invocation: Invocation,
    ) {
        let Some(before) = self.before(candidate) else {
            return;
        };
        let Some(skill) = &before.skill else { return };
        let restricted = invocation.restrict(skill);
        let message = if Rc::ptr_eq(&restricted, skill) {
            // A reading that cannot be used is no new one of the skill that is kept as it was.
            record.id = before.id;
            "the file is broken now; the skill stays as it last was"
        } else {
            "the file is broken now; the skill stays as it last was, but restricted"
        };
        record.diagnostics.push(
            Diagnostic::new(&KEPT_LAST_GOOD, self.options.mode, message)
                .with_hint("mend the file, then refresh")
                .in_file(candidate.shown.clone())
                .about(skill.name.clone()),
        );
        record.skill = Some(restricted);
        record.set_key(before.key());
        record.named_as_directory = before.named_as_directory;
    }
}

/// The record of a file that says what it said before. Where not all of it was read, its body may
/// have changed, so that it counts as another reading.
fn seen_again(before: &Rc<Record>, stamp: Stamp) -> Rc<Record> {
    if before.stamp == stamp {
        return Rc::clone(before);
    }
    let id = if stamp.whole { before.id } else { next_id() };
    Rc::new(Record {
        id,
        stamp,
        ..(**before).clone()
    })
}

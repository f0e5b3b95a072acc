//! Which entries of an archive are unpacked, and where to.

use super::names::{Clash, Names};
use super::{ArchiveOptions, Fault, What, whole_number};
use crate::diagnostic::{self, Diagnostic, Mode, Rule};
use crate::discovery::SKILL_FILE;
use crate::error::Error;
use crate::json::{Object, ToJson};
use crate::options::{self, Fields, FromFields};
use crate::relative_path::RelativePath;
use crate::text::{quoted, shortened};

const LINK: Rule = Rule::tolerated("archive-link");
const PATH: Rule = Rule::tolerated("archive-path");
const SPECIAL: Rule = Rule::tolerated("archive-special");

/// An entry as the archive has it.
#[derive(Debug)]
struct Entry {
    /// Decoded once, and otherwise as it is.
    name: String,
    /// The name with its letters composed and in capitals, from the runtime; absent where it is ASCII.
    folded: Option<String>,
    kind: Kind,
    /// Where a link leads.
    target: String,
    /// As the archive says.
    size: u64,
    encrypted: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Kind {
    File,
    Directory,
    Link,
    #[default]
    Special,
}

impl Kind {
    const NAMES: [(&str, Self); 4] = [
        ("file", Self::File),
        ("directory", Self::Directory),
        ("link", Self::Link),
        ("special", Self::Special),
    ];
}

impl Entry {
    fn from_fields(fields: &Fields<'_>) -> Self {
        Self {
            name: fields.required_text("name"),
            folded: fields.text("folded"),
            kind: fields.choice("kind", &Kind::NAMES),
            target: fields.text("target").unwrap_or_default(),
            size: whole_number(fields, "size"),
            encrypted: fields.flag("encrypted", false),
        }
    }

    /// What systems and their archivers add by themselves.
    fn is_clutter(&self) -> bool {
        let is_name = |segment: &&str| !matches!(*segment, "" | ".");
        let mut names = self.name.split('/').filter(is_name);
        let base = names.clone().next_back().unwrap_or_default();
        names.next() == Some("__MACOSX") || base.starts_with("._") || base == ".DS_Store"
    }

    /// What it is: old archives say by the end of its name alone that it is a directory, and of one
    /// with a content each reader makes something else.
    fn kind_by_name(&self) -> Result<Kind, Error> {
        if self.kind != Kind::File || !self.name.ends_with('/') {
            return Ok(self.kind);
        }
        if self.size > 0 {
            let problem = "is a directory by its name, and has a content";
            return Err(refused(&self.name, problem, "Take the / away at its end."));
        }
        Ok(Kind::Directory)
    }

    /// Where it stands, or why it can stand nowhere; nothing for the archive's own root.
    fn place(&self) -> Result<Option<Place>, &'static str> {
        let Some(path) = path_of(&self.name)? else {
            return Ok(None);
        };
        let folded = match &self.folded {
            Some(folded) => path_of(folded)?,
            None => None,
        };
        Ok(Some(Place { path, folded }))
    }
}

/// The place of an entry.
struct Place {
    path: RelativePath,
    /// The same with letters that are one on some disk as one letter; absent where it is ASCII.
    folded: Option<RelativePath>,
}

impl Place {
    fn folded(&self) -> &str {
        self.folded.as_ref().unwrap_or(&self.path).as_str()
    }
}

/// The path that a name is, or why it is none; nothing for that of the archive's own root.
fn path_of(name: &str) -> Result<Option<RelativePath>, &'static str> {
    if name.contains('\\') {
        return Err("it has a backslash, which is a separator on some systems only");
    }
    if name.contains(char::REPLACEMENT_CHARACTER) {
        return Err("it cannot be decoded");
    }
    if name.split('/').any(|segment| segment == "..") {
        return Err("it has \"..\"");
    }
    if name.starts_with('/') {
        return Err("it is absolute");
    }
    if !name.is_empty() && name.split('/').all(|segment| matches!(segment, "" | ".")) {
        return Ok(None);
    }
    RelativePath::parse(name.trim_end_matches('/')).map(Some)
}

/// The entries of an archive, and how large it is.
#[derive(Debug)]
struct Listing {
    entries: Vec<Entry>,
    packed: u64,
    /// Whether it has to be one skill, whose files are at its root.
    is_skill: bool,
}

impl FromFields for Listing {
    const SUBJECT: &'static str = "list of an archive's entries";

    fn from_fields(fields: &Fields<'_>) -> Self {
        let mut entries = Vec::new();
        fields.each("entries", &mut |fields| {
            entries.push(Entry::from_fields(fields));
        });
        take_backslashes(&mut entries);
        Self {
            entries,
            packed: whole_number(fields, "packed"),
            is_skill: fields.flag("skill", false),
        }
    }
}

/// Some archivers of Windows write no other separator. Where another one is, a backslash is a part of
/// a name, and so each reader makes something else of it.
fn take_backslashes(entries: &mut [Entry]) {
    if entries.iter().any(|entry| entry.name.contains('/')) {
        return;
    }
    for entry in entries {
        entry.name = entry.name.replace('\\', "/");
        entry.folded = entry.folded.take().map(|folded| folded.replace('\\', "/"));
    }
}

/// A file that is unpacked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unpacked {
    /// Which entry it is, counted from 0.
    pub entry: usize,
    /// Its path.
    pub path: String,
}

impl ToJson for Unpacked {
    fn write_json(&self, out: &mut String) {
        Object::begin(out)
            .field("entry", &self.entry)
            .field("path", &self.path)
            .end();
    }
}

/// What is unpacked of an archive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ArchivePlan {
    /// The files, in their order. No two have one path, on any disk.
    pub files: Vec<Unpacked>,
    /// What is left out, and why.
    pub diagnostics: Vec<Diagnostic>,
}

impl ToJson for ArchivePlan {
    fn write_json(&self, out: &mut String) {
        Object::begin(out)
            .field("files", &self.files)
            .field("diagnostics", &self.diagnostics)
            .end();
    }
}

impl ArchivePlan {
    /// Judges a list of entries, given as JSON text: `{ packed, skill?, entries: [{ name, folded?,
    /// kind, target?, size?, encrypted? }] }`. With `skill` it has to be one skill, at its root.
    ///
    /// # Errors
    ///
    /// [`Error::ArchiveRefused`], which names the entry that nothing of the archive is taken for.
    pub fn from_json(options: &ArchiveOptions, listing: &str) -> Result<Self, Error> {
        let listing: Listing = options::read(listing)?;
        Self::of(options, &listing)
    }

    fn of(options: &ArchiveOptions, listing: &Listing) -> Result<Self, Error> {
        if listing.entries.len() > options.limits.entries as usize {
            return Err(options.refused(&Fault {
                what: What::Entries,
                ..Fault::default()
            }));
        }
        let mut planner = Planner {
            options,
            listing,
            names: Names::default(),
            total: 0,
            plan: Self::default(),
        };
        for (index, entry) in listing.entries.iter().enumerate() {
            planner.add(index, entry)?;
        }
        let mut plan = planner.plan;
        diagnostic::bound(&mut plan.diagnostics, Mode::Lenient);
        plan.leave_enclosing_folder();
        if listing.is_skill && plan.files.iter().all(|file| file.path != SKILL_FILE) {
            return Err(Error::ArchiveRefused {
                entry: None,
                problem: "it has no SKILL.md at its root, as an archive of one skill must have"
                    .to_owned(),
                remedy: "Pack the skill's files, not its folder.",
            });
        }
        Ok(plan)
    }

    /// Takes away the one folder that everything is in, unless that is a skill: then it has the
    /// skill's name.
    fn leave_enclosing_folder(&mut self) {
        let Some((folder, _)) = self
            .files
            .first()
            .and_then(|file| file.path.split_once('/'))
        else {
            return;
        };
        let folder = [folder, "/"].concat();
        let is_enclosed = |file: &Unpacked| {
            let below = file.path.strip_prefix(&folder);
            below.is_some_and(|below| !below.eq_ignore_ascii_case(SKILL_FILE))
        };
        if self.files.iter().all(is_enclosed) {
            for file in &mut self.files {
                file.path.drain(..folder.len());
            }
        }
    }
}

/// Why an entry is not unpacked, where the others may be.
struct Unfit {
    rule: Rule,
    /// In words that follow its name and a colon.
    reason: String,
    hint: &'static str,
}

impl Unfit {
    fn path(reason: &str) -> Self {
        Self {
            rule: PATH,
            reason: ["its name is no path in here, ", reason].concat(),
            hint: "name it by a relative path, with / between names",
        }
    }

    fn link(target: &str) -> Self {
        let leads = if target.is_empty() {
            String::new()
        } else {
            [" to ", &quoted(target)].concat()
        };
        Self {
            rule: LINK,
            reason: ["it is a link", &leads].concat(),
            hint: "put what it leads to in its place",
        }
    }

    fn special() -> Self {
        Self {
            rule: SPECIAL,
            reason: "it is neither an ordinary file nor a directory".to_owned(),
            hint: "put an ordinary file in its place",
        }
    }

    fn finding(&self, name: &str) -> Diagnostic {
        let message = ["the entry ", &quoted(name), " is left out: ", &self.reason].concat();
        // Without it a skill is left out.
        let is_skill = name.rsplit(['/', '\\']).next() == Some(SKILL_FILE);
        let mode = if is_skill {
            Mode::Strict
        } else {
            Mode::Lenient
        };
        Diagnostic::new(&self.rule, mode, message)
            .with_hint(self.hint)
            .in_file(shortened(name))
    }

    fn refusal(&self, name: &str) -> Error {
        let problem = ["cannot be taken: ", &self.reason].concat();
        let remedy = "Correct it, or take the rest of the archive, without strict.";
        refused(name, &problem, remedy)
    }
}

/// Makes a plan of a list, an entry after the other.
struct Planner<'a> {
    options: &'a ArchiveOptions,
    listing: &'a Listing,
    /// Of the entries before.
    names: Names,
    /// Bytes of the files before.
    total: u64,
    plan: ArchivePlan,
}

impl Planner<'_> {
    fn add(&mut self, index: usize, entry: &Entry) -> Result<(), Error> {
        if entry.encrypted {
            let remedy = "Make it without a password.";
            return Err(refused(&entry.name, "is encrypted", remedy));
        }
        if entry.is_clutter() {
            return Ok(());
        }
        let place = match entry.place() {
            Ok(Some(place)) => place,
            Ok(None) => return Ok(()),
            Err(reason) => return self.leave_out(entry, &Unfit::path(reason)),
        };
        let kind = entry.kind_by_name()?;
        self.occupy(index, entry, kind, &place)?;
        match kind {
            Kind::File => self.unpack(index, entry, place.path.as_str()),
            // Its files imply it.
            Kind::Directory => Ok(()),
            Kind::Link => self.leave_out(entry, &Unfit::link(&entry.target)),
            Kind::Special => self.leave_out(entry, &Unfit::special()),
        }
    }

    /// Takes a place. What is left out keeps its own: a link is in the way of what is said to be
    /// below it.
    fn occupy(
        &mut self,
        index: usize,
        entry: &Entry,
        kind: Kind,
        place: &Place,
    ) -> Result<(), Error> {
        let is_file = kind != Kind::Directory;
        let added = self
            .names
            .add(place.path.as_str(), place.folded(), is_file, index);
        added.map_err(|(other, clash)| {
            let other = self.listing.entries.get(other);
            let other = other.map_or("", |other| &other.name);
            clashing(&entry.name, other, clash)
        })
    }

    fn unpack(&mut self, index: usize, entry: &Entry, path: &str) -> Result<(), Error> {
        let Listing { packed, .. } = *self.listing;
        if entry.size > u64::from(self.options.limits.entry_bytes) {
            let fault = Fault::of(What::EntryBytes, &entry.name);
            return Err(self.options.refused(&fault));
        }
        self.total = self.total.saturating_add(entry.size);
        if self.total > self.options.room(packed) {
            return Err(self.options.refused(&Fault {
                packed,
                ..Fault::of(What::Unpacked, &entry.name)
            }));
        }
        self.plan.files.push(Unpacked {
            entry: index,
            path: path.to_owned(),
        });
        Ok(())
    }

    fn leave_out(&mut self, entry: &Entry, unfit: &Unfit) -> Result<(), Error> {
        if self.options.strict {
            return Err(unfit.refusal(&entry.name));
        }
        self.plan.diagnostics.push(unfit.finding(&entry.name));
        Ok(())
    }
}

fn clashing(name: &str, other: &str, clash: Clash) -> Error {
    let other = quoted(other);
    match clash {
        Clash::Same => refused(name, "is in it twice", "Leave one of them out."),
        Clash::Folded => refused(
            name,
            &[
                "and ",
                &other,
                " differ only in case or in how letters are composed",
            ]
            .concat(),
            "Rename one of them: on some systems they are one.",
        ),
        Clash::Trailing => refused(
            name,
            &["and ", &other, " differ only in dots or blanks at an end"].concat(),
            "Rename one of them: on some systems they are one.",
        ),
        Clash::FileAndDirectory => refused(
            name,
            &[
                "and ",
                &other,
                " cannot both be there: one is a file where the other has a directory",
            ]
            .concat(),
            "Rename one of them.",
        ),
    }
}

fn refused(name: &str, problem: &str, remedy: &'static str) -> Error {
    Error::ArchiveRefused {
        entry: Some(shortened(name)),
        problem: [&quoted(name), " ", problem].concat(),
        remedy,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn entry(name: &str) -> Entry {
        let is_directory = name.ends_with('/');
        Entry {
            name: name.to_owned(),
            folded: None,
            kind: if is_directory {
                Kind::Directory
            } else {
                Kind::File
            },
            target: String::new(),
            size: 10,
            encrypted: false,
        }
    }

    fn of_kind(name: &str, kind: Kind, target: &str) -> Entry {
        Entry {
            kind,
            target: target.to_owned(),
            ..entry(name)
        }
    }

    fn plan(options: &str, entries: Vec<Entry>) -> Result<ArchivePlan, Error> {
        let options = ArchiveOptions::from_json(options).expect("nothing is wrong with them");
        let packed = 1000;
        let listing = Listing {
            entries,
            packed,
            is_skill: false,
        };
        ArchivePlan::of(&options, &listing)
    }

    fn paths(names: &[&str]) -> Vec<String> {
        let entries = names.iter().map(|name| entry(name)).collect();
        let plan = plan("{}", entries).expect("nothing is refused");
        assert_eq!(plan.diagnostics, []);
        plan.files.into_iter().map(|file| file.path).collect()
    }

    /// The refusal of entries.
    fn refusal(options: &str, entries: Vec<Entry>) -> String {
        let error = plan(options, entries).expect_err("it is refused");
        assert_eq!(error.code(), "ARCHIVE_REFUSED");
        let said = error.to_string();
        let said = said.strip_prefix("The archive is refused: ");
        said.expect("it begins so").to_owned()
    }

    #[test]
    fn files_are_taken_by_their_paths() {
        for (names, expected) in [
            (&["SKILL.md", "a/b.md"][..], &["SKILL.md", "a/b.md"][..]),
            (&["pdf/", "pdf/SKILL.md"], &["pdf/SKILL.md"]),
            (&["./", "./a//SKILL.md", "./b/./x"], &["a/SKILL.md", "b/x"]),
            (
                &[
                    "a/x",
                    "__MACOSX/a/._x",
                    "._a",
                    "a/.DS_Store",
                    "__MACOSX/",
                    "./a/._y",
                    "a/._z/.",
                    "b",
                ],
                &["a/x", "b"],
            ),
            (
                &["a/.hidden", "b/__MACOSX.md"],
                &["a/.hidden", "b/__MACOSX.md"],
            ),
            (&["a/%2e%2e/x", "b/ü"], &["a/%2e%2e/x", "b/ü"]),
            (&[], &[]),
            (&["./"], &[]),
        ] {
            assert_eq!(paths(names), expected, "{names:?}");
        }
    }

    #[test]
    fn one_enclosing_folder_is_left_unless_it_is_a_skill() {
        for (names, expected) in [
            (
                &["skills/a/SKILL.md", "skills/b.md"][..],
                &["a/SKILL.md", "b.md"][..],
            ),
            (&["skills/", "skills/a/SKILL.md"], &["a/SKILL.md"]),
            (&["a/b/c"], &["b/c"]),
            (&["pdf/SKILL.md", "pdf/x"], &["pdf/SKILL.md", "pdf/x"]),
            (&["pdf/skill.md", "pdf/x"], &["pdf/skill.md", "pdf/x"]),
            (&["a/x/SKILL.md", "b/y"], &["a/x/SKILL.md", "b/y"]),
            (
                &["a/x/SKILL.md", "README.md"],
                &["a/x/SKILL.md", "README.md"],
            ),
            (&["a/x/SKILL.md", "ab/x"], &["a/x/SKILL.md", "ab/x"]),
            (&["README.md"], &["README.md"]),
            (&["__MACOSX/x", "s/a/SKILL.md"], &["a/SKILL.md"]),
        ] {
            assert_eq!(paths(names), expected, "{names:?}");
        }
    }

    #[test]
    fn what_is_no_file_in_here_is_left_out_with_a_finding() {
        let path = "its name is no path in here, ";
        for (unfit, code, reason) in [
            (entry("../x"), "archive-path", "it has \"..\""),
            (entry("a/../../x"), "archive-path", "it has \"..\""),
            (entry("a/../x"), "archive-path", "it has \"..\""),
            (entry("../"), "archive-path", "it has \"..\""),
            (entry("/etc/passwd"), "archive-path", "it is absolute"),
            (entry("//server/share/x"), "archive-path", "it is absolute"),
            (entry("/"), "archive-path", "it is absolute"),
            (entry(""), "archive-path", "it is empty"),
            (
                entry("a\\b"),
                "archive-path",
                "it has a backslash, which is a separator on some systems only",
            ),
            (
                entry("..\\x"),
                "archive-path",
                "it has a backslash, which is a separator on some systems only",
            ),
            (
                entry("C:/x"),
                "archive-path",
                "a colon names a drive or a stream",
            ),
            (
                entry("C:x"),
                "archive-path",
                "a colon names a drive or a stream",
            ),
            (
                entry("a.md\0.png"),
                "archive-path",
                "it has a control character",
            ),
            (
                entry("a\u{1b}[2J"),
                "archive-path",
                "it has a control character",
            ),
            (entry("a\u{fffd}"), "archive-path", "it cannot be decoded"),
            (entry("nul"), "archive-path", "it names a device"),
            (
                entry("a/... "),
                "archive-path",
                "a name in it has only dots and blanks",
            ),
            (
                entry(&"a/".repeat(70)),
                "archive-path",
                "it has more than 64 segments",
            ),
            (
                entry(&"a".repeat(5000)),
                "archive-path",
                "it is longer than 4,096 bytes",
            ),
            (
                of_kind("/abs", Kind::Link, "x"),
                "archive-path",
                "it is absolute",
            ),
            (
                of_kind("l", Kind::Link, "../../x"),
                "archive-link",
                "it is a link to \"../../x\"",
            ),
            (of_kind("l", Kind::Link, ""), "archive-link", "it is a link"),
            (
                of_kind("d", Kind::Special, ""),
                "archive-special",
                "it is neither an ordinary file nor a directory",
            ),
        ] {
            let name = unfit.name.clone();
            let refused = refusal(
                r#"{"strict":true}"#,
                vec![of_kind(&name, unfit.kind, &unfit.target)],
            );
            let plan = plan("{}", vec![entry("ok/SKILL.md"), unfit]).expect("the other is taken");
            assert_eq!(plan.files.len(), 1, "{name}");
            let [finding] = plan.diagnostics.as_slice() else {
                panic!("{name}: {:?}", plan.diagnostics)
            };
            let reason = match code {
                "archive-path" => [path, reason].concat(),
                _ => reason.to_owned(),
            };
            let shown = quoted(&name);
            let message = format!("the entry {shown} is left out: {reason}");
            assert_eq!(
                (finding.code, finding.message.as_ref()),
                (code, message.as_str())
            );
            assert_eq!(finding.path.as_deref(), Some(shortened(&name).as_str()));
            assert!(finding.hint.is_some());
            let problem = format!("{shown} cannot be taken: {reason}. Correct it");
            assert!(refused.starts_with(&problem), "{refused}");
        }
    }

    #[test]
    fn entries_that_are_in_the_way_of_another_refuse_all_of_it() {
        let names = |names: &[&str]| names.iter().map(|name| entry(name)).collect::<Vec<_>>();
        let composed = Entry {
            folded: Some("X/Ü".to_owned()),
            ..entry("x/u\u{308}")
        };
        for (entries, problem) in [
            (names(&["a/x", "./a//x"]), "\"./a//x\" is in it twice."),
            (
                names(&["a/x", "a/X"]),
                "\"a/X\" and \"a/x\" differ only in case",
            ),
            (
                names(&["A/x", "a/y"]),
                "\"a/y\" and \"A/x\" differ only in case",
            ),
            (
                vec![entry("x/ü"), composed],
                "\"x/u\u{308}\" and \"x/ü\" differ only in case",
            ),
            (
                names(&["a./x", "a/y"]),
                "\"a/y\" and \"a./x\" differ only in dots or blanks at an end. Rename",
            ),
            (
                names(&["a", "a/x"]),
                "\"a/x\" and \"a\" cannot both be there",
            ),
            (
                vec![of_kind("a", Kind::Link, "/etc"), entry("a/x")],
                "\"a/x\" and \"a\" cannot both be there",
            ),
            (
                vec![of_kind("a", Kind::Link, "/etc"), entry("a")],
                "\"a\" is in it twice.",
            ),
            (
                vec![Entry {
                    encrypted: true,
                    ..entry("a")
                }],
                "\"a\" is encrypted. Make it without a password.",
            ),
            (
                vec![Entry {
                    encrypted: true,
                    ..entry("__MACOSX/a")
                }],
                "\"__MACOSX/a\" is encrypted.",
            ),
        ] {
            let said = refusal("{}", entries);
            assert!(said.starts_with(problem), "{said}");
        }
    }

    #[test]
    fn what_is_a_directory_by_its_name_alone_is_one_unless_it_has_a_content() {
        let sized = |size| Entry {
            size,
            ..of_kind("a/", Kind::File, "")
        };
        let plan = plan("{}", vec![sized(0), entry("a/b"), entry("c")]);
        let paths: Vec<String> = plan
            .into_iter()
            .flat_map(|plan| plan.files)
            .map(|file| file.path)
            .collect();
        assert_eq!(paths, ["a/b", "c"]);
        let said = refusal("{}", vec![sized(1)]);
        let expected = "\"a/\" is a directory by its name, and has a content. Take the / away";
        assert!(said.starts_with(expected), "{said}");
    }

    #[test]
    fn an_archive_of_one_skill_has_its_file_at_the_root() {
        let options = ArchiveOptions::default();
        let plan = |name: &str| {
            let entry = format!(r#"{{"name":"{name}","kind":"file"}}"#);
            let listing = format!(r#"{{"packed":9,"skill":true,"entries":[{entry}]}}"#);
            ArchivePlan::from_json(&options, &listing)
        };
        for root in ["SKILL.md", "./SKILL.md"] {
            assert!(plan(root).is_ok(), "{root}");
        }
        for elsewhere in ["pdf/SKILL.md", "skill.md", "../SKILL.md"] {
            let error = plan(elsewhere).expect_err(elsewhere);
            let said = "The archive is refused: it has no SKILL.md at its root, as an archive of one skill must have. Pack";
            assert!(error.to_string().starts_with(said), "{error}");
        }
    }

    #[test]
    fn what_is_too_much_refuses_all_of_it() {
        let sized = |name: &str, size| Entry {
            size,
            ..entry(name)
        };
        let limits =
            r#"{"limits":{"entries":3,"bytes":2000000,"entryBytes":1200000,"ratio":1500}}"#;
        for (entries, problem) in [
            (
                vec![entry("a"), entry("b"), entry("c/"), entry("__MACOSX/d")],
                "it has more than 3 entries.",
            ),
            (
                vec![sized("a", 1_200_001)],
                "\"a\" has more than 1200000 bytes.",
            ),
            (
                vec![sized("a", u64::MAX)],
                "\"a\" has more than 1200000 bytes.",
            ),
            (
                vec![sized("a", 1_000_000), sized("b", 500_001)],
                "what is in it is more than 1500 times as large",
            ),
        ] {
            let said = refusal(limits, entries);
            assert!(said.starts_with(problem), "{said}");
        }
        let fits = vec![
            sized("a", 1_000_000),
            sized("b", 500_000),
            sized("._c", u64::MAX),
        ];
        assert!(plan(limits, fits).is_ok());
        let left_out = Entry {
            size: u64::MAX,
            ..of_kind("l", Kind::Link, "x")
        };
        assert!(plan(limits, vec![left_out]).is_ok());
    }

    #[test]
    fn a_listing_is_read_from_json() {
        let listing = r#"{"packed":50,"entries":[
            {"name":"a/SKILL.md","kind":"file","size":3},
            {"name":"a/link","kind":"link","target":"x","size":0},
            {"name":"B/ü","folded":"B/Ü","kind":"file","size":9007199254740992}]}"#;
        let options = ArchiveOptions::default();
        let error = ArchivePlan::from_json(&options, listing).expect_err("it is too large");
        assert_eq!(error.path(), Some("B/ü"));
        let listing = listing.replace("9007199254740992", "1");
        let plan = ArchivePlan::from_json(&options, &listing).expect("nothing is refused");
        let json = plan.to_json();
        let files = r#"{"files":[{"entry":0,"path":"a/SKILL.md"},{"entry":2,"path":"B/ü"}],"#;
        assert!(json.starts_with(files), "{json}");
        assert!(
            json.contains(r#""code":"archive-link","severity":"warning""#),
            "{json}"
        );
        let wrong = ArchivePlan::from_json(&options, r#"{"entries":[{"kind":"file"}]}"#);
        assert_eq!(
            wrong.expect_err("it has no name").code(),
            "SOURCE_UNSUPPORTED"
        );
    }

    #[test]
    fn backslashes_are_separators_where_there_are_no_others() {
        let listing = |names: &[&str]| {
            let entries = names.iter().map(|name| {
                format!(
                    r#"{{"name":{},"folded":{0},"kind":"file"}}"#,
                    name.to_json()
                )
            });
            let entries: Vec<String> = entries.collect();
            let listing = format!(r#"{{"packed":9,"entries":[{}]}}"#, entries.join(","));
            ArchivePlan::from_json(&ArchiveOptions::default(), &listing)
        };
        let plan = listing(&["a\\SKILL.md", "b\\c\\SKILL.md", "..\\x"]).expect("it is taken");
        let paths: Vec<&str> = plan.files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(paths, ["a/SKILL.md", "b/c/SKILL.md"]);
        assert_eq!(plan.diagnostics.len(), 1);
        let mixed = listing(&["a\\SKILL.md", "b/SKILL.md"]).expect("the other is taken");
        assert_eq!(mixed.files.len(), 1);
        assert_eq!(mixed.diagnostics.len(), 1);
    }

    #[test]
    fn that_a_skill_file_is_left_out_is_an_error() {
        let link = |name| of_kind(name, Kind::Link, "x");
        let plan = plan("{}", vec![link("a/SKILL.md"), link("a/b")]).expect("it is taken");
        let severities: Vec<&str> = plan
            .diagnostics
            .iter()
            .map(|finding| finding.severity.as_str())
            .collect();
        assert_eq!(severities, ["error", "warning"]);
    }

    #[test]
    fn findings_are_bounded() {
        let entries = (0..500)
            .map(|number| entry(&format!("../{number}")))
            .collect();
        let plan = plan("{}", entries).expect("nothing is refused");
        assert_eq!((plan.files.len(), plan.diagnostics.len()), (0, 101));
    }

    /// Names that are likely to be in each other's way.
    fn any_entry() -> impl Strategy<Value = Entry> {
        let name = "(\\./|/|\\.\\./)?([abAé][. ]{0,2}|SKILL\\.md|\\.\\.|\\._a|[a:\\\\])(/[abA. ]{0,3}){0,3}";
        let kinds = [
            Kind::File,
            Kind::File,
            Kind::Directory,
            Kind::Link,
            Kind::Special,
        ];
        (name, prop::sample::select(kinds.to_vec()), 0..2000_u64).prop_map(|(name, kind, size)| {
            Entry {
                size,
                ..of_kind(&name, kind, "b")
            }
        })
    }

    /// A path as a disk of Windows has it.
    fn on_windows(path: &str) -> String {
        let names = path
            .split('/')
            .map(|name| name.trim_end_matches(['.', ' ']));
        names.collect::<Vec<_>>().join("/").to_lowercase()
    }

    proptest! {
        #[test]
        fn what_is_taken_can_stand_on_any_disk(entries in prop::collection::vec(any_entry(), 0..8)) {
            let limits = r#"{"limits":{"bytes":5000,"entryBytes":1500}}"#;
            let sizes: Vec<u64> = entries.iter().map(|entry| entry.size).collect();
            let Ok(plan) = plan(limits, entries) else { return Ok(()) };
            let taken = plan.files.iter().map(|file| sizes[file.entry]);
            prop_assert!(taken.sum::<u64>() <= 5000);
            for file in &plan.files {
                let clean = RelativePath::parse(&file.path);
                prop_assert_eq!(clean.as_ref().map(RelativePath::as_str), Ok(file.path.as_str()));
            }
            let paths: Vec<String> = plan.files.iter().map(|file| on_windows(&file.path)).collect();
            for (index, path) in paths.iter().enumerate() {
                let below = [path, "/"].concat();
                for (other, another) in paths.iter().enumerate() {
                    prop_assert!(index == other || path != another, "{}", path);
                    prop_assert!(!another.starts_with(&below), "{} {}", path, another);
                }
            }
        }
    }
}

//! Discovery over HTTP: what an index of skills lists, and what is said of those that serve one.
//!
//! An index that says its schema is of version 0.2.0: an entry that cannot be used is skipped. One
//! that says none is of version 0.1.0, and refused for one bad entry.

use crate::diagnostic::{self, Diagnostic, Mode, Position, Rule};
use crate::discovery::SKILL_FILE;
use crate::error::Error;
use crate::fields::{DESCRIPTION_LENGTH, NAME_LENGTH, against_the_pattern};
use crate::json::{self, Object, ToJson};
use crate::options::{self, Fields, FromFields, shown};
use crate::places::Names;
use crate::text::{counted, quoted};
use crate::value::{Map, Value};

const ENTRY_INVALID: Rule = Rule::error("index-entry-invalid");
const ENTRY_TYPE_UNKNOWN: Rule = Rule::warning("index-entry-type-unknown");
const SCHEMA_UNKNOWN: Rule = Rule::error("index-schema-unknown");
const SKILLS_REACHED: Rule = Rule::warning("index-skills-limit");
const INDEX_WITHDRAWN: Rule = Rule::error("index-withdrawn");
const CONTENT_STALE: Rule = Rule::warning("content-stale");
const CACHE_UNUSABLE: Rule = Rule::warning("cache-unusable");

/// What an index of version 0.2.0 has as its `$schema`, to the letter.
const SCHEMA: &str = "https://schemas.agentskills.io/discovery/0.2.0/schema.json";

/// A path in a list of files is no longer.
const LONGEST_PATH: usize = 1024;

const MEND_ENTRY: &str = "the index must be mended where it is published";

/// What is known of an index beside its bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndexFacts {
    /// Where it was found, as messages show it.
    pub url: String,
    /// Skills of it at most.
    pub skills: u32,
    /// Files of a skill at most.
    pub files: u32,
}

impl FromFields for IndexFacts {
    const SUBJECT: &'static str = "facts of an index";

    fn from_fields(fields: &Fields<'_>) -> Self {
        Self {
            url: fields.required_text("url"),
            skills: fields.number("skills", u32::MAX),
            files: fields.number("files", u32::MAX),
        }
    }
}

/// What is to be fetched for the skills of an index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// No two have the same name.
    pub skills: Vec<PlannedSkill>,
    /// What of the index was left out.
    pub diagnostics: Vec<Diagnostic>,
}

/// A skill that an index lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedSkill {
    /// The name of its directory.
    pub name: String,
    /// What it is made of.
    pub content: PlannedContent,
}

/// What a skill is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlannedContent {
    /// Its skill file alone.
    SkillFile {
        /// Relative to the URL of the index.
        url: String,
        /// `sha256:` and hexadecimal digits, of the bytes that are served.
        digest: String,
    },
    /// An archive with all its files.
    Archive {
        /// Relative to the URL of the index.
        url: String,
        /// `sha256:` and hexadecimal digits, of the bytes that are served.
        digest: String,
    },
    /// Files below its directory.
    Files(Vec<String>),
}

impl ToJson for Plan {
    fn write_json(&self, out: &mut String) {
        Object::begin(out)
            .field("skills", &self.skills)
            .field("diagnostics", &self.diagnostics)
            .end();
    }
}

impl ToJson for PlannedSkill {
    fn write_json(&self, out: &mut String) {
        let mut object = Object::begin(out);
        object.field("name", &self.name);
        match &self.content {
            PlannedContent::SkillFile { url, digest } => {
                object.field("skillFile", url).field("digest", digest);
            }
            PlannedContent::Archive { url, digest } => {
                object.field("archive", url).field("digest", digest);
            }
            PlannedContent::Files(files) => {
                object.field("files", files);
            }
        }
        object.end();
    }
}

impl Plan {
    /// What an index lists.
    ///
    /// # Errors
    ///
    /// [`Error::SourceUnsupported`] for what is no index, and for one of version 0.1.0 of which
    /// anything cannot be used.
    pub fn of_index(bytes: &[u8], facts: &IndexFacts) -> Result<Self, Error> {
        Self::read(bytes, facts).map_err(|problem| {
            let url = quoted(&facts.url);
            let text = [
                "The index of skills ",
                &url,
                " cannot be used: ",
                &problem,
                ".",
            ]
            .concat();
            Error::SourceUnsupported(text)
        })
    }

    /// [`Plan::of_index`] with facts as JSON text.
    ///
    /// # Errors
    ///
    /// As there; and for facts that are none.
    pub fn of_index_json(bytes: &[u8], facts: &str) -> Result<Self, Error> {
        Self::of_index(bytes, &options::read(facts)?)
    }

    fn read(bytes: &[u8], facts: &IndexFacts) -> Result<Self, String> {
        let index = document(bytes)?;
        let version = match index.get("$schema") {
            None => Version::First,
            Some(Value::String(schema)) if schema == SCHEMA => Version::Second,
            Some(schema) => return Ok(Self::of_unknown_schema(schema, facts)),
        };
        let Some(Value::List(entries)) = index.get("skills") else {
            return Err("it has no list \"skills\"".to_owned());
        };
        let mut reader = Reader {
            version,
            facts,
            names: Names::default(),
            plan: Self::default(),
        };
        for (place, entry) in entries.iter().take(facts.skills as usize).enumerate() {
            reader.add(place, entry)?;
        }
        let mut plan = reader.plan;
        diagnostic::bound(&mut plan.diagnostics, Mode::Lenient);
        if entries.len() > facts.skills as usize {
            plan.diagnostics.push(too_many(entries.len(), facts));
        }
        Ok(plan)
    }

    fn of_unknown_schema(schema: &Value, facts: &IndexFacts) -> Self {
        let message = [
            "the index has another schema than is known here, ",
            &shown(schema),
            ", so nothing of it is used",
        ];
        let hint =
            "a newer version of this package may know it; or ask for an index of version 0.2.0";
        let finding = Diagnostic::new(&SCHEMA_UNKNOWN, Mode::Lenient, message.concat())
            .with_hint(hint)
            .in_file(facts.url.as_str());
        Self {
            skills: Vec::new(),
            diagnostics: vec![finding],
        }
    }
}

/// The object that an index is.
fn document(bytes: &[u8]) -> Result<Map, String> {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let offset = error.valid_up_to();
            return Err(format!("the byte at offset {offset} is not UTF-8"));
        }
    };
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    match json::parse(text) {
        Ok(Value::Map(index)) => Ok(index),
        Ok(other) => Err(["it must be an object; it is ", &shown(&other)].concat()),
        Err(malformed) => {
            let Position { line, column } = Position::in_text(text, malformed.offset);
            Err(format!("it is not JSON, at line {line}, column {column}"))
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Version {
    /// 0.1.0
    First,
    /// 0.2.0
    Second,
}

/// Why an entry is not used.
enum Unusable {
    /// Its `type`, which may be one of a later version.
    Type(String),
    /// What is wrong with it, in words that follow its name.
    Invalid(String),
}

impl From<String> for Unusable {
    fn from(problem: String) -> Self {
        Self::Invalid(problem)
    }
}

struct Reader<'a> {
    version: Version,
    facts: &'a IndexFacts,
    /// Names that were seen.
    names: Names,
    plan: Plan,
}

impl Reader<'_> {
    fn add(&mut self, place: usize, entry: &Value) -> Result<(), String> {
        let unusable = match self.skill(entry) {
            Ok(skill) => {
                self.plan.skills.push(skill);
                return Ok(());
            }
            Err(unusable) => unusable,
        };
        let name = match entry {
            Value::Map(entry) => entry.get("name").and_then(Value::as_str),
            _ => None,
        };
        let called = name.map(|name| [" (", &quoted(name), ")"].concat());
        let called = format!("skills[{place}]{}", called.unwrap_or_default());
        let (rule, problem, hint) = match unusable {
            Unusable::Invalid(problem) if self.version == Version::First => {
                return Err([&called, " ", &problem].concat());
            }
            Unusable::Invalid(problem) => (&ENTRY_INVALID, problem, MEND_ENTRY),
            Unusable::Type(shown) => (
                &ENTRY_TYPE_UNKNOWN,
                ["has a type that is not known here, ", &shown].concat(),
                "known are \"skill-md\" and \"archive\"; a newer version of this package may know more",
            ),
        };
        let message = [&called, " ", &problem, "; it is skipped"].concat();
        self.report(rule, message, hint, name);
        Ok(())
    }

    fn report(&mut self, rule: &Rule, message: String, hint: &'static str, name: Option<&str>) {
        let mut finding = Diagnostic::new(rule, Mode::Lenient, message)
            .with_hint(hint)
            .in_file(self.facts.url.as_str());
        finding.skill = name.filter(|name| bad_name(name).is_none()).map(Into::into);
        self.plan.diagnostics.push(finding);
    }

    fn skill(&mut self, entry: &Value) -> Result<PlannedSkill, Unusable> {
        let Value::Map(entry) = entry else {
            return Err(["must be an object; it is ", &shown(entry)].concat().into());
        };
        let name = text(entry, "name")?;
        if let Some(problem) = bad_name(name) {
            return Err(["has a name that ", &problem].concat().into());
        }
        let content = match self.version {
            Version::First => PlannedContent::Files(self.files(entry)?),
            Version::Second => artifact(entry)?,
        };
        description(entry)?;
        if !self.names.add(name.to_owned()) {
            return Err("has the name of an entry before it".to_owned().into());
        }
        Ok(PlannedSkill {
            name: name.to_owned(),
            content,
        })
    }

    fn files(&self, entry: &Map) -> Result<Vec<String>, String> {
        let files = match entry.get("files") {
            Some(Value::List(files)) => files,
            other => return Err(expected("files", "a list of paths", other)),
        };
        let mut paths = Vec::with_capacity(files.len());
        for file in files {
            match file {
                Value::String(path) => paths.push(path.clone()),
                other => return Err(expected("files", "a list of paths", Some(other))),
            }
        }
        check_files(&paths, self.facts.files)?;
        Ok(paths)
    }
}

fn too_many(listed: usize, facts: &IndexFacts) -> Diagnostic {
    let limit = facts.skills;
    let message = format!("the index lists {listed} skills; only the first {limit} are looked at");
    Diagnostic::new(&SKILLS_REACHED, Mode::Lenient, message)
        .with_hint("raise limits.skills")
        .in_file(facts.url.as_str())
}

/// What an entry of version 0.2.0 leads to.
fn artifact(entry: &Map) -> Result<PlannedContent, Unusable> {
    let kind = text(entry, "type")?;
    if !matches!(kind, "skill-md" | "archive") {
        return Err(Unusable::Type(quoted(kind)));
    }
    let url = text(entry, "url")?.to_owned();
    let digest = text(entry, "digest")?;
    if !is_digest(digest) {
        let problem = "has a digest that is not \"sha256:\" and 64 lower-case hexadecimal digits";
        return Err(problem.to_owned().into());
    }
    let digest = digest.to_owned();
    Ok(if kind == "archive" {
        PlannedContent::Archive { url, digest }
    } else {
        PlannedContent::SkillFile { url, digest }
    })
}

fn description(entry: &Map) -> Result<(), String> {
    let length = text(entry, "description")?.chars().count();
    if length > DESCRIPTION_LENGTH {
        return Err(format!(
            "has a description of {length} characters; at most {DESCRIPTION_LENGTH} are allowed"
        ));
    }
    Ok(())
}

/// Text that is there and not empty.
fn text<'a>(entry: &'a Map, key: &str) -> Result<&'a str, String> {
    match entry.get(key) {
        Some(Value::String(text)) if !text.is_empty() => Ok(text),
        other => Err(expected(key, "text", other)),
    }
}

fn expected(key: &str, what: &str, found: Option<&Value>) -> String {
    match found {
        None => ["has no ", key].concat(),
        Some(found) => [
            "has a ",
            key,
            " that must be ",
            what,
            "; it is ",
            &shown(found),
        ]
        .concat(),
    }
}

fn bad_name(name: &str) -> Option<String> {
    if name.chars().count() > NAME_LENGTH {
        return Some(format!("is longer than {NAME_LENGTH} characters"));
    }
    against_the_pattern(name).map(str::to_owned)
}

fn is_digest(digest: &str) -> bool {
    let digits = digest.strip_prefix("sha256:").unwrap_or_default();
    digits.len() == 64
        && digits
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// Judges the paths of a skill's files. The error is what is wrong, in words that follow the
/// skill's name.
pub(crate) fn check_files(paths: &[String], most: u32) -> Result<(), String> {
    if paths.len() > most as usize {
        let files = counted(paths.len(), "file");
        return Err(format!("has {files}; limits.files allows {most}"));
    }
    let mut seen = Names::default();
    for path in paths {
        if let Some(problem) = bad_path(path) {
            return Err(["has a file ", &quoted(path), " that ", problem].concat());
        }
        if !seen.add(path.clone()) {
            return Err(["has the file ", &quoted(path), " twice"].concat());
        }
    }
    for path in paths {
        for (end, _) in path.match_indices('/') {
            if seen.has(path.get(..end).unwrap_or_default()) {
                return Err(["has a file above the file ", &quoted(path)].concat());
            }
        }
    }
    if !seen.has(SKILL_FILE) {
        return Err("has no file \"SKILL.md\"".to_owned());
    }
    Ok(())
}

/// What is wrong with the path of a file, relative to its skill.
pub(crate) fn bad_path(path: &str) -> Option<&'static str> {
    if path.is_empty() {
        return Some("is empty");
    }
    if path.len() > LONGEST_PATH {
        return Some("is longer than 1,024 bytes");
    }
    let is_refused = |byte: u8| !matches!(byte, b' '..=b'~') || b"\\?#[]".contains(&byte);
    if path.bytes().any(is_refused) {
        return Some("has other characters than printable ASCII without \\ ? # [ ]");
    }
    if path.starts_with('/') {
        return Some("is absolute");
    }
    if path
        .split('/')
        .any(|segment| matches!(segment, "" | "." | ".."))
    {
        return Some("has a name that is empty, \".\" or \"..\"");
    }
    None
}

/// What a host of skills over HTTP has to tell of, beside what is wrong with an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// Which one it is.
    kind: TroubleKind,
    /// The URL that messages name.
    url: String,
    /// The skill it is about.
    skill: Option<String>,
    /// What went wrong, in words.
    problem: String,
    /// Of how many further URLs the same is to be said.
    others: u32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum TroubleKind {
    /// What was fetched before is used, since it cannot be asked whether it is still so.
    #[default]
    Stale,
    /// What was fetched cannot be kept, or what was kept cannot be read.
    Cache,
    /// The URL of an entry is not fetched.
    Entry,
    /// The server says that it has no index any more.
    Withdrawn,
}

impl FromFields for Trouble {
    const SUBJECT: &'static str = "trouble of a host";

    fn from_fields(fields: &Fields<'_>) -> Self {
        Self {
            kind: fields.choice(
                "kind",
                &[
                    ("stale", TroubleKind::Stale),
                    ("cache", TroubleKind::Cache),
                    ("entry", TroubleKind::Entry),
                    ("withdrawn", TroubleKind::Withdrawn),
                ],
            ),
            url: fields.required_text("url"),
            skill: fields.text("skill"),
            problem: fields.required_text("problem"),
            others: fields.number("others", 0),
        }
    }
}

impl Trouble {
    /// The finding of troubles given as JSON text.
    ///
    /// # Errors
    ///
    /// [`Error::SourceUnsupported`] where they are none.
    pub fn finding_json(trouble: &str) -> Result<Diagnostic, Error> {
        options::read(trouble).map(|trouble: Self| trouble.finding())
    }

    fn finding(&self) -> Diagnostic {
        let others = match self.others {
            0 => String::new(),
            others => format!(" (and {others} more)"),
        };
        let (rule, start, hint) = match self.kind {
            TroubleKind::Stale => (
                &CONTENT_STALE,
                "what was fetched earlier is used, since it could not be fetched again",
                "refresh once the server answers as it should",
            ),
            TroubleKind::Cache => (
                &CACHE_UNUSABLE,
                "the cache could not be used, so this was fetched without it",
                "mend the store that is passed as cache",
            ),
            TroubleKind::Entry => (
                &ENTRY_INVALID,
                "the url of the entry is not fetched, so it is skipped",
                "add its origin to origins if you trust it; otherwise the index must be mended",
            ),
            TroubleKind::Withdrawn => (
                &INDEX_WITHDRAWN,
                "there is no index any more, so none of its skills is offered",
                "publish it again, or take the source away",
            ),
        };
        let message = [start, &others, ": ", &self.problem].concat();
        let mut finding = Diagnostic::new(rule, Mode::Lenient, message)
            .with_hint(hint)
            .in_file(self.url.as_str());
        finding.skill = self.skill.as_deref().map(Into::into);
        finding
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const DIGEST: &str = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    fn facts() -> IndexFacts {
        IndexFacts {
            url: "https://a.example/index.json".to_owned(),
            skills: 3,
            files: 3,
        }
    }

    /// An index of version 0.2.0 with these entries.
    fn second(entries: &str) -> Plan {
        let index = format!(r#"{{"$schema":"{SCHEMA}","skills":[{entries}]}}"#);
        Plan::of_index(index.as_bytes(), &facts()).expect("entries are skipped, not refused")
    }

    fn first(entries: &str) -> Result<Plan, Error> {
        let index = format!(r#"{{"skills":[{entries}]}}"#);
        Plan::of_index(index.as_bytes(), &facts())
    }

    fn problem(index: &[u8]) -> String {
        let error = Plan::of_index(index, &facts()).expect_err("it is no index");
        assert_eq!(error.code(), "SOURCE_UNSUPPORTED");
        let message = error.to_string();
        let start = r#"The index of skills "https://a.example/index.json" cannot be used: "#;
        message
            .strip_prefix(start)
            .expect("it names the index")
            .to_owned()
    }

    fn entry(name: &str, rest: &str) -> String {
        format!(r#"{{"name":"{name}","description":"d","digest":"{DIGEST}"{rest}}}"#)
    }

    #[test]
    fn entries_of_both_types_are_planned_whatever_else_they_say() {
        let entries = [
            entry("a", r#","type":"skill-md","url":"a.md","more":{"x":[]}"#),
            entry("b", r#","type":"archive","url":"b.zip""#),
        ];
        let plan = second(&entries.join(","));
        let written = format!(
            r#"{{"skills":[{{"name":"a","skillFile":"a.md","digest":"{DIGEST}"}},{{"name":"b","archive":"b.zip","digest":"{DIGEST}"}}],"diagnostics":[]}}"#
        );
        assert_eq!(plan.to_json(), written);
    }

    #[test]
    fn what_is_wrong_with_an_entry_is_said() {
        let long = "x".repeat(1025);
        let name = "n".repeat(65);
        let cases = [
            ("7".to_owned(), "skills[0] must be an object; it is 7"),
            ("{}".to_owned(), "skills[0] has no name"),
            (
                r#"{"name":7}"#.to_owned(),
                "skills[0] has a name that must be text; it is 7",
            ),
            (
                r#"{"name":""}"#.to_owned(),
                r#"skills[0] ("") has a name that must be text; it is """#,
            ),
            (
                entry("A", ""),
                r#"skills[0] ("A") has a name that has other characters than a-z, 0-9 and hyphens"#,
            ),
            (
                entry("../a", ""),
                r#"skills[0] ("../a") has a name that has other characters than a-z, 0-9 and hyphens"#,
            ),
            (
                entry(&name, ""),
                &format!(r#"skills[0] ("{name}") has a name that is longer than 64 characters"#),
            ),
            (
                entry(&"\u{e9}".repeat(40), ""),
                &format!(
                    r#"skills[0] ("{}") has a name that has other characters than a-z, 0-9 and hyphens"#,
                    "\u{e9}".repeat(40)
                ),
            ),
            (entry("a", ""), r#"skills[0] ("a") has no type"#),
            (
                entry("a", r#","type":"archive""#),
                r#"skills[0] ("a") has no url"#,
            ),
            (
                entry("a", r#","type":"archive","url":["x"]"#),
                r#"skills[0] ("a") has a url that must be text; it is a list"#,
            ),
            (
                r#"{"name":"a","type":"archive","url":"u","digest":"sha256:00"}"#.to_owned(),
                r#"skills[0] ("a") has a digest that is not "sha256:" and 64 lower-case hexadecimal digits"#,
            ),
            (
                entry("a", r#","type":"archive","url":"u""#)
                    .replace(r#""d""#, &format!("\"{long}\"")),
                r#"skills[0] ("a") has a description of 1025 characters; at most 1024 are allowed"#,
            ),
            (
                entry("a", r#","type":"archive","url":"u""#).replace(r#""d""#, "null"),
                r#"skills[0] ("a") has a description that must be text; it is null"#,
            ),
        ];
        for (entry, problem) in cases {
            let plan = second(&entry);
            assert_eq!(plan.skills, [], "{entry}");
            let [finding] = plan.diagnostics.as_slice() else {
                panic!("{entry}: {:?}", plan.diagnostics);
            };
            assert_eq!(finding.code, "index-entry-invalid");
            assert_eq!(finding.message, format!("{problem}; it is skipped"));
            assert_eq!(
                finding.path.as_deref(),
                Some("https://a.example/index.json")
            );
        }
    }

    #[test]
    fn a_name_counts_once_and_the_rest_is_read_on() {
        let usable = r#","type":"skill-md","url":"u""#;
        let entries = [
            entry("a", r#","type":"later","url":"u""#),
            entry("a", usable),
            entry("a", usable),
            entry("b", usable),
        ];
        let index = format!(
            r#"{{"$schema":"{SCHEMA}","skills":[{}]}}"#,
            entries.join(",")
        );
        let many = IndexFacts {
            skills: 4,
            ..facts()
        };
        let plan = Plan::of_index(index.as_bytes(), &many).expect("it is one");
        let names: Vec<&str> = plan
            .skills
            .iter()
            .map(|skill| skill.name.as_str())
            .collect();
        assert_eq!(names, ["a", "b"]);
        let found: Vec<(&str, &str)> = plan
            .diagnostics
            .iter()
            .map(|finding| (finding.code, finding.message.as_ref()))
            .collect();
        assert_eq!(
            found,
            [
                (
                    "index-entry-type-unknown",
                    r#"skills[0] ("a") has a type that is not known here, "later"; it is skipped"#
                ),
                (
                    "index-entry-invalid",
                    r#"skills[2] ("a") has the name of an entry before it; it is skipped"#
                ),
            ]
        );
    }

    #[test]
    fn more_entries_than_the_limit_are_not_looked_at() {
        let usable = r#","type":"skill-md","url":"u""#;
        let entries = ["a", "b", "c", "d"].map(|name| entry(name, usable));
        let plan = second(&entries.join(","));
        assert_eq!(plan.skills.len(), 3);
        let [finding] = plan.diagnostics.as_slice() else {
            panic!("{:?}", plan.diagnostics);
        };
        assert_eq!(finding.code, "index-skills-limit");
        assert_eq!(
            finding.message,
            "the index lists 4 skills; only the first 3 are looked at"
        );
    }

    #[test]
    fn a_hostile_index_says_little_of_itself() {
        let index = format!(
            r#"{{"$schema":"{SCHEMA}","skills":[{}7]}}"#,
            "7,".repeat(100_000)
        );
        let many = IndexFacts {
            skills: 10_000,
            ..facts()
        };
        let plan = Plan::of_index(index.as_bytes(), &many).expect("entries are skipped");
        assert_eq!(plan.diagnostics.len(), 102);
        assert_eq!(
            plan.diagnostics[100].message,
            "left out: 9900 more findings"
        );
    }

    #[test]
    fn of_another_schema_nothing_is_processed() {
        for schema in [
            r#""https://schemas.agentskills.io/discovery/0.3.0/schema.json""#,
            "2",
            "null",
        ] {
            let index = format!(r#"{{"$schema":{schema},"skills":[{{}}]}}"#);
            let plan = Plan::of_index(index.as_bytes(), &facts()).expect("it is only not used");
            assert_eq!(plan.skills, []);
            assert_eq!(plan.diagnostics.len(), 1);
            assert_eq!(plan.diagnostics[0].code, "index-schema-unknown");
        }
    }

    #[test]
    fn the_first_version_lists_files() {
        let plan =
            first(r#"{"name":"a","description":"d","files":["SKILL.md","x/y z.md","~(1)"]}"#);
        let written =
            r#"{"skills":[{"name":"a","files":["SKILL.md","x/y z.md","~(1)"]}],"diagnostics":[]}"#;
        assert_eq!(plan.expect("it is one").to_json(), written);
    }

    #[test]
    fn the_first_version_is_refused_for_one_bad_entry() {
        let other = |entry: &str| {
            let good = r#"{"name":"good","description":"d","files":["SKILL.md"]}"#;
            let index = format!(r#"{{"skills":[{good},{entry}]}}"#);
            problem(index.as_bytes())
        };
        let files = |files: &str| {
            let said = other(&format!(
                r#"{{"name":"a","description":"d","files":{files}}}"#
            ));
            let said = said
                .strip_prefix(r#"skills[1] ("a") has "#)
                .map(str::to_owned);
            said.expect("it names the entry")
        };
        let twice = r#"{"name":"good","description":"d","files":["SKILL.md"]}"#;
        assert_eq!(
            other(twice),
            r#"skills[1] ("good") has the name of an entry before it."#
        );
        assert_eq!(other("null"), "skills[1] must be an object; it is null.");
        for (list, said) in [
            ("null", "a files that must be a list of paths; it is null."),
            ("[1]", "a files that must be a list of paths; it is 1."),
            ("[]", r#"no file "SKILL.md"."#),
            (r#"["skill.md"]"#, r#"no file "SKILL.md"."#),
            (
                r#"["SKILL.md","a","b","c"]"#,
                "4 files; limits.files allows 3.",
            ),
            (r#"["SKILL.md","a","a"]"#, r#"the file "a" twice."#),
            (
                r#"["SKILL.md","a","a/b"]"#,
                r#"a file above the file "a/b"."#,
            ),
            (r#"["SKILL.md",""]"#, r#"a file "" that is empty."#),
            (r#"["SKILL.md","/a"]"#, r#"a file "/a" that is absolute."#),
        ] {
            assert_eq!(files(list), said, "{list}");
        }
    }

    #[test]
    fn paths_are_those_of_the_format() {
        for path in [
            "SKILL.md",
            "a/b/c.md",
            "a b",
            "..a",
            "a..",
            "%2e%2e",
            "~!$&'()*+,;=:@",
        ] {
            assert_eq!(bad_path(path), None, "{path}");
        }
        let names = Some("has a name that is empty, \".\" or \"..\"");
        let characters = Some("has other characters than printable ASCII without \\ ? # [ ]");
        for (path, problem) in [
            ("", Some("is empty")),
            ("/etc", Some("is absolute")),
            ("..", names),
            ("a/../b", names),
            ("./a", names),
            ("a//b", names),
            ("a/", names),
            ("a\\b", characters),
            ("a?b", characters),
            ("a#b", characters),
            ("a[b", characters),
            ("a]b", characters),
            ("\u{e9}", characters),
            ("a\nb", characters),
            ("a\u{7f}", characters),
        ] {
            assert_eq!(bad_path(path), problem, "{path}");
        }
        assert_eq!(
            bad_path(&"a".repeat(1025)),
            Some("is longer than 1,024 bytes")
        );
    }

    #[test]
    fn what_is_no_index_is_refused_with_its_place() {
        for (index, said) in [
            (b"".as_slice(), "it is not JSON, at line 1, column 1."),
            (
                b"{\n  \"skills\": [,]\n}",
                "it is not JSON, at line 2, column 14.",
            ),
            (b"<!doctype html>", "it is not JSON, at line 1, column 1."),
            (b"{\xff}", "the byte at offset 1 is not UTF-8."),
            (b"\xef\xbb\xbf[]", "it must be an object; it is a list."),
            (b"{}", "it has no list \"skills\"."),
            (b"{\"skills\":7}", "it has no list \"skills\"."),
        ] {
            assert_eq!(problem(index), said);
        }
        let deep = "[".repeat(100_000);
        assert!(problem(deep.as_bytes()).starts_with("it is not JSON"));
    }

    #[test]
    fn troubles_are_findings() {
        for (trouble, code, message) in [
            (
                r#"{"kind":"stale","url":"u","problem":"p","others":2}"#,
                "content-stale",
                "what was fetched earlier is used, since it could not be fetched again (and 2 more): p",
            ),
            (
                r#"{"kind":"cache","url":"u","problem":"p"}"#,
                "cache-unusable",
                "the cache could not be used, so this was fetched without it: p",
            ),
            (
                r#"{"kind":"entry","url":"u","skill":"s","problem":"p"}"#,
                "index-entry-invalid",
                "the url of the entry is not fetched, so it is skipped: p",
            ),
            (
                r#"{"kind":"withdrawn","url":"u","problem":"p"}"#,
                "index-withdrawn",
                "there is no index any more, so none of its skills is offered: p",
            ),
        ] {
            let finding = Trouble::finding_json(trouble).expect("it is one");
            assert_eq!((finding.code, finding.message.as_ref()), (code, message));
            assert_eq!(finding.path.as_deref(), Some("u"));
        }
        assert!(Trouble::finding_json(r#"{"kind":"else","url":"u","problem":"p"}"#).is_err());
    }

    proptest! {
        #[test]
        fn no_bytes_are_too_much(bytes in any::<Vec<u8>>()) {
            let _ = Plan::of_index(&bytes, &facts());
        }

        #[test]
        fn what_is_planned_has_names_and_paths_that_stay_in_place(
            entries in prop::collection::vec(
                (r"[a-z./%-]{0,4}", prop::collection::vec(r"(SKILL\.md|[a./\\]{1,4})", 0..4)),
                0..4,
            )
        ) {
            let entries: Vec<String> = entries
                .iter()
                .map(|(name, files)| {
                    let mut entry = String::new();
                    Object::begin(&mut entry)
                        .field("name", name)
                        .field("description", &"d")
                        .field("files", files)
                        .end();
                    entry
                })
                .collect();
            if let Ok(plan) = first(&entries.join(",")) {
                for skill in plan.skills {
                    prop_assert!(!skill.name.contains(['.', '/', '%']));
                    let PlannedContent::Files(files) = skill.content else { panic!("files") };
                    prop_assert!(files.iter().any(|file| file == SKILL_FILE));
                    for file in files {
                        prop_assert!(file.split('/').all(|name| !matches!(name, "" | "." | "..")));
                    }
                }
            }
        }
    }
}

//! Discovery over HTTP: where a site has its index of skills, and what one lists.
//!
//! An index that says its schema is of version 0.2.0: an entry that cannot be used is skipped. One
//! that says none is of version 0.1.0, and refused for one bad entry.

use crate::diagnostic::{self, Diagnostic, Mode, Position, Rule};
use crate::error::Error;
use crate::fields::{DESCRIPTION_LENGTH, NAME_LENGTH, against_the_pattern};
use crate::json::{self, Object, ToJson};
use crate::media_type;
use crate::options::{self, Fields, FromFields, shown};
use crate::places::Names;
use crate::planned_skill::{PlannedContent, PlannedSkill, files_problem};
use crate::text::quoted;
use crate::value::{Map, Value};

pub(crate) const ENTRY_INVALID: Rule = Rule::error("index-entry-invalid");
const ENTRY_TYPE_UNKNOWN: Rule = Rule::error("index-entry-type-unknown");
const SCHEMA_UNKNOWN: Rule = Rule::error("index-schema-unknown");
const SKILLS_REACHED: Rule = Rule::warning("index-skills-limit");

/// What an index of version 0.2.0 has as its `$schema`, to the letter.
const SCHEMA: &str = "https://schemas.agentskills.io/discovery/0.2.0/schema.json";

const MEND_ENTRY: &str = "the index must be mended where it is published";

/// How an index is read: where it is from, and how much of it is looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndexReading {
    /// Where it was found, as messages show it.
    pub url: String,
    /// Skills of it at most.
    pub skills: u32,
    /// Files of a skill at most.
    pub files: u32,
}

impl FromFields for IndexReading {
    const SUBJECT: &'static str = "reading of an index";

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
pub struct IndexPlan {
    /// No two have the same name.
    pub skills: Vec<PlannedSkill>,
    /// What of the index was left out.
    pub diagnostics: Vec<Diagnostic>,
}

impl ToJson for IndexPlan {
    fn write_json(&self, out: &mut String) {
        Object::begin(out)
            .field("skills", &self.skills)
            .field("diagnostics", &self.diagnostics)
            .end();
    }
}

impl IndexPlan {
    /// What an index lists.
    ///
    /// # Errors
    ///
    /// [`Error::SourceUnsupported`] for what is no index, and for one of version 0.1.0 of which
    /// anything cannot be used.
    pub fn of_index(bytes: &[u8], reading: &IndexReading) -> Result<Self, Error> {
        Self::read(bytes, reading).map_err(|problem| {
            let url = quoted(&reading.url);
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

    /// [`IndexPlan::of_index`] with the reading as JSON text.
    ///
    /// # Errors
    ///
    /// As there; and for a reading that is none.
    pub fn of_index_json(bytes: &[u8], reading: &str) -> Result<Self, Error> {
        Self::of_index(bytes, &options::read(reading)?)
    }

    fn read(bytes: &[u8], reading: &IndexReading) -> Result<Self, String> {
        let index = document(bytes)?;
        let version = match index.get("$schema") {
            None => Version::V0_1,
            Some(Value::String(schema)) if schema == SCHEMA => Version::V0_2,
            Some(schema) => return Ok(Self::of_unknown_schema(schema, reading)),
        };
        let Some(Value::List(entries)) = index.get("skills") else {
            return Err("it has no list \"skills\"".to_owned());
        };
        let mut reader = Reader {
            version,
            reading,
            names: Names::default(),
            plan: Self::default(),
        };
        for (place, entry) in entries.iter().take(reading.skills as usize).enumerate() {
            reader.add(place, entry)?;
        }
        let mut plan = reader.plan;
        diagnostic::bound(&mut plan.diagnostics, Mode::Lenient);
        if entries.len() > reading.skills as usize {
            plan.diagnostics.push(too_many(entries.len(), reading));
        }
        Ok(plan)
    }

    fn of_unknown_schema(schema: &Value, reading: &IndexReading) -> Self {
        let message = [
            "the index has another schema than is known here, ",
            &shown(schema),
            ", so nothing of it is used",
        ];
        let hint =
            "a newer version of this package may know it; or ask for an index of version 0.2.0";
        let finding = Diagnostic::new(&SCHEMA_UNKNOWN, Mode::Lenient, message.concat())
            .with_hint(hint)
            .in_file(reading.url.as_str());
        Self {
            skills: Vec::new(),
            diagnostics: vec![finding],
        }
    }
}

/// Where a site has its index, below a path; the first one counts.
const WELL_KNOWN: [&str; 2] = [
    ".well-known/agent-skills/index.json",
    ".well-known/skills/index.json",
];

/// The paths at which the index of a site may be, for the path of the URL that a developer gave: below
/// it, and at the root, as a widely used client looks for them. None where the URL is that of an index.
pub fn index_paths(path: &str) -> Vec<String> {
    if media_type::ends_in(path, &["json"]) {
        return Vec::new();
    }
    let site = match path.match_indices("/.well-known").find(|(at, known)| {
        let rest = path.get(at + known.len()..).unwrap_or_default();
        rest.is_empty() || rest.starts_with('/')
    }) {
        Some((at, _)) => path.get(..at).unwrap_or_default(),
        None => path,
    };
    let below = [site.trim_end_matches('/'), "/"].concat();
    let mut paths = Vec::new();
    for known in WELL_KNOWN {
        paths.push([&below, known].concat());
        if below != "/" {
            paths.push(["/", known].concat());
        }
    }
    paths
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
    match json::parse_tolerantly(text) {
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
    V0_1,
    /// 0.2.0
    V0_2,
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
    reading: &'a IndexReading,
    /// Names that were seen.
    names: Names,
    plan: IndexPlan,
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
            Unusable::Invalid(problem) if self.version == Version::V0_1 => {
                return Err([&called, " ", &problem, read_as_old(entry)].concat());
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
            .in_file(self.reading.url.as_str());
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
            Version::V0_1 => PlannedContent::Files(self.files(entry)?),
            Version::V0_2 => artifact(entry)?,
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
        if let Some(problem) = files_problem(&paths, self.reading.files) {
            return Err(problem);
        }
        Ok(paths)
    }
}

/// What is said of an entry of the newer version in an index that does not say that it is of that.
fn read_as_old(entry: &Value) -> &'static str {
    match entry {
        Value::Map(entry) if entry.get("digest").is_some() => {
            "; since the index has no \"$schema\", it was read as one of version 0.1.0"
        }
        _ => "",
    }
}

fn too_many(listed: usize, reading: &IndexReading) -> Diagnostic {
    let limit = reading.skills;
    let message = format!("the index lists {listed} skills; only the first {limit} are looked at");
    Diagnostic::new(&SKILLS_REACHED, Mode::Lenient, message)
        .with_hint("raise limits.skills")
        .in_file(reading.url.as_str())
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::discovery::SKILL_FILE;

    const DIGEST: &str = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    fn reading() -> IndexReading {
        IndexReading {
            url: "https://a.example/index.json".to_owned(),
            skills: 3,
            files: 3,
        }
    }

    /// An index of version 0.2.0 with these entries.
    fn second(entries: &str) -> IndexPlan {
        let index = format!(r#"{{"$schema":"{SCHEMA}","skills":[{entries}]}}"#);
        IndexPlan::of_index(index.as_bytes(), &reading()).expect("entries are skipped, not refused")
    }

    fn first(entries: &str) -> Result<IndexPlan, Error> {
        let index = format!(r#"{{"skills":[{entries}]}}"#);
        IndexPlan::of_index(index.as_bytes(), &reading())
    }

    fn problem(index: &[u8]) -> String {
        let error = IndexPlan::of_index(index, &reading()).expect_err("it is no index");
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
        let many = IndexReading {
            skills: 4,
            ..reading()
        };
        let plan = IndexPlan::of_index(index.as_bytes(), &many).expect("it is one");
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
        let many = IndexReading {
            skills: 10_000,
            ..reading()
        };
        let plan = IndexPlan::of_index(index.as_bytes(), &many).expect("entries are skipped");
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
            let plan =
                IndexPlan::of_index(index.as_bytes(), &reading()).expect("it is only not used");
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
        let newer = entry("a", r#","type":"skill-md","url":"a.md""#);
        assert_eq!(
            other(&newer),
            "skills[1] (\"a\") has no files; since the index has no \"$schema\", it was read as one of version 0.1.0."
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
    fn an_index_is_looked_for_below_the_path_and_at_the_root() {
        let [new, old] = WELL_KNOWN.map(|known| ["/", known].concat());
        for root in ["", "/", "//", "/.well-known", "/.well-known/skills/"] {
            assert_eq!(index_paths(root), [new.clone(), old.clone()], "{root}");
        }
        for path in ["/docs", "/docs/", "/docs/.well-known/agent-skills"] {
            let below = |known: &str| ["/docs", known].concat();
            let expected = [below(&new), new.clone(), below(&old), old.clone()];
            assert_eq!(index_paths(path), expected, "{path}");
        }
        let expected = ["/.well-known-not", &new].concat();
        assert_eq!(index_paths("/.well-known-not").first(), Some(&expected));
        for index in ["/index.json", "/.well-known/skills/index.JSON"] {
            assert_eq!(index_paths(index), [] as [String; 0], "{index}");
        }
    }

    #[test]
    fn an_odd_value_in_an_entry_takes_no_other_entry_away() {
        let usable = r#","type":"skill-md","url":"u""#;
        let deep = ["[".repeat(500), "]".repeat(500)].concat();
        for odd in [r#""\ud800""#, "1e999999", &deep] {
            for (key, is_used) in [("more", true), ("name", false), ("digest", false)] {
                let entries = [
                    entry("a", usable),
                    format!(r#"{{"{key}":{odd},{}"#, &entry("b", usable)[1..]),
                    entry("c", usable),
                ];
                let plan = second(&entries.join(","));
                let names: Vec<&str> = plan.skills.iter().map(|one| one.name.as_str()).collect();
                let codes: Vec<&str> = plan.diagnostics.iter().map(|one| one.code).collect();
                if is_used {
                    assert_eq!((names, codes), (vec!["a", "b", "c"], vec![]), "{odd}");
                } else {
                    let found = vec!["index-entry-invalid"];
                    assert_eq!((names, codes), (vec!["a", "c"], found), "{key} {odd}");
                }
            }
        }
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

    proptest! {
        #[test]
        fn no_bytes_are_too_much(bytes in any::<Vec<u8>>()) {
            let _ = IndexPlan::of_index(&bytes, &reading());
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

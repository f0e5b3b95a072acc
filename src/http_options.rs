//! What is said about how skills are fetched over HTTP. Fetching itself is the runtime's.

use crate::discovery::SKILL_FILE;
use crate::error::Error;
use crate::json::{Object, ToJson};
use crate::options::{self, Fields, FromFields, shown};
use crate::places::Names;
use crate::planned_skill::{PlannedContent, PlannedSkill, files_problem, path_problem};
use crate::text::quoted;
use crate::value::Value;

/// How skills are fetched. Times are milliseconds, sizes bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpOptions {
    /// What is sent to the origin of the URL, and to no other.
    headers: Vec<(String, String)>,
    /// Origins beside that of the URL from which anything is fetched.
    origins: Vec<String>,
    /// The skills, where no index is asked for.
    skills: Option<Vec<PlannedSkill>>,
    /// How long the beginning of an answer is waited for.
    timeout: u32,
    /// How long the next part of an answer is waited for.
    silence: u32,
    /// How long a whole answer may take.
    deadline: u32,
    /// How often a request that failed for now is made again.
    retries: u32,
    /// How long a server may ask to be left alone before the next try.
    retry_after: u32,
    /// How many redirects in a row are followed.
    redirects: u32,
    /// Whether redirects are followed that the runtime does not show: only who says how many wants
    /// them.
    hidden_redirects: bool,
    /// Requests at a time.
    concurrency: u32,
    limits: HttpLimits,
}

/// How much a cache in memory keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryCacheOptions {
    bytes: u32,
}

impl MemoryCacheOptions {
    /// Reads them from JSON text.
    ///
    /// # Errors
    ///
    /// [`Error::SourceUnsupported`], which names the option that cannot be used.
    pub fn from_json(json: &str) -> Result<Self, Error> {
        options::read(json)
    }
}

impl FromFields for MemoryCacheOptions {
    fn from_fields(fields: &Fields<'_>) -> Self {
        Self {
            bytes: fields.number("bytes", 256 * 1024 * 1024),
        }
    }
}

impl ToJson for MemoryCacheOptions {
    fn write_json(&self, out: &mut String) {
        Object::begin(out).field("bytes", &self.bytes).end();
    }
}

/// Bounds on what is fetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct HttpLimits {
    index: u32,
    file: u32,
    archive: u32,
    /// All that is fetched between two refreshes.
    total: u32,
    /// All that is unpacked of archives.
    unpacked: u32,
    /// Skills of an index.
    skills: u32,
    /// Files of a skill.
    files: u32,
}

impl HttpOptions {
    /// Reads them from JSON text.
    ///
    /// # Errors
    ///
    /// [`Error::SourceUnsupported`], which names the option that cannot be used.
    pub fn from_json(json: &str) -> Result<Self, Error> {
        options::read(json)
    }
}

impl FromFields for HttpOptions {
    fn from_fields(fields: &Fields<'_>) -> Self {
        fields.function("fetch");
        cache(fields);
        fields.kept("archives", "an object");
        fields.signal("signal");
        let limits: HttpLimits = fields.object("limits", "limits.").read();
        let redirects = fields.number("redirects", 5);
        Self {
            headers: fields.texts_by_key("headers"),
            origins: origins(fields),
            skills: skills(fields, limits.files),
            timeout: fields.number_from("timeout", 1, 8_000),
            silence: fields.number_from("silence", 1, 8_000),
            deadline: fields.number_from("deadline", 1, 120_000),
            retries: fields.number("retries", 2),
            retry_after: fields.number("retryAfter", 5_000),
            redirects,
            hidden_redirects: redirects > 0 && fields.get("redirects").is_some(),
            concurrency: fields.number_from("concurrency", 1, 8),
            limits,
        }
    }
}

impl FromFields for HttpLimits {
    fn from_fields(fields: &Fields<'_>) -> Self {
        Self {
            index: fields.number("index", 8 * 1024 * 1024),
            file: fields.number("file", 10 * 1024 * 1024),
            archive: fields.number("archive", 50 * 1024 * 1024),
            total: fields.number("total", 256 * 1024 * 1024),
            unpacked: fields.number("unpacked", 256 * 1024 * 1024),
            skills: fields.number("skills", 10_000),
            files: fields.number("files", 1_000),
        }
    }
}

/// Judges what is kept on the caller's side: functions are objects here.
fn cache(fields: &Fields<'_>) {
    let Some(value) = fields.get("cache") else {
        return;
    };
    let has = |member: &str| match value {
        Value::Map(cache) => matches!(cache.get(member), Some(Value::Map(_))),
        _ => false,
    };
    if !has("read") || !has("write") {
        let problem = "must be an object with functions read and write; it is ";
        fields.refuse("cache", &[problem, &shown(value)].concat());
    }
}

fn origins(fields: &Fields<'_>) -> Vec<String> {
    let origins = fields.texts("origins");
    for origin in &origins {
        if origin.contains('@') {
            let problem = "must be a list of origins, which have no user name and no password";
            fields.refuse("origins", problem);
            continue;
        }
        let host = origin
            .strip_prefix("https://")
            .or_else(|| origin.strip_prefix("http://"));
        if !host.is_some_and(|host| !host.is_empty() && !host.contains(['/', '?', '#', '\\'])) {
            let problem =
                "must be a list of origins, such as \"https://cdn.example.com\"; one item is ";
            fields.refuse("origins", &[problem, &quoted(origin)].concat());
        }
    }
    origins
}

/// The skills that a developer lists.
fn skills(fields: &Fields<'_>, most_files: u32) -> Option<Vec<PlannedSkill>> {
    let mut skills = Vec::new();
    let mut names = Names::default();
    let is_there = fields.each("skills", &mut |entry| {
        let name = entry.required_text("name");
        let mut files = entry.texts("files");
        if entry.get("files").is_none() {
            files.push(SKILL_FILE.to_owned());
        }
        let problem = match path_problem(&name) {
            Some(problem) => Some(problem),
            None if name.contains('/') => Some("is a path, not the name of a directory"),
            None if !names.add(name.clone()) => Some("is there twice"),
            None => None,
        };
        if let Some(problem) = problem {
            entry.refuse("name", &[&quoted(&name), " ", problem].concat());
        }
        if let Some(problem) = files_problem(&files, most_files) {
            entry.refuse("files", &["cannot be used: it ", &problem].concat());
        }
        entry.finish();
        skills.push(PlannedSkill {
            name,
            content: PlannedContent::Files(files),
        });
    });
    is_there.then_some(skills)
}

impl ToJson for HttpOptions {
    fn write_json(&self, out: &mut String) {
        Object::begin(out)
            .field("headers", &Pairs(&self.headers))
            .field("origins", &self.origins)
            .optional("skills", self.skills.as_ref())
            .field("timeout", &self.timeout)
            .field("silence", &self.silence)
            .field("deadline", &self.deadline)
            .field("retries", &self.retries)
            .field("retryAfter", &self.retry_after)
            .field("redirects", &self.redirects)
            .field("hiddenRedirects", &self.hidden_redirects)
            .field("concurrency", &self.concurrency)
            .field("limits", &self.limits)
            .end();
    }
}

impl ToJson for HttpLimits {
    fn write_json(&self, out: &mut String) {
        Object::begin(out)
            .field("index", &self.index)
            .field("file", &self.file)
            .field("archive", &self.archive)
            .field("total", &self.total)
            .field("unpacked", &self.unpacked)
            .field("skills", &self.skills)
            .field("files", &self.files)
            .end();
    }
}

/// Keys and values, as a list of lists of two.
struct Pairs<'a>(&'a [(String, String)]);

impl ToJson for Pairs<'_> {
    fn write_json(&self, out: &mut String) {
        let pairs: Vec<[&str; 2]> = self
            .0
            .iter()
            .map(|(a, b)| [a.as_str(), b.as_str()])
            .collect();
        let lists: Vec<&[&str]> = pairs.iter().map(<[&str; 2]>::as_slice).collect();
        lists.write_json(out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_said_has_its_default() {
        let options = HttpOptions::from_json("{}").expect("nothing is wrong with them");
        assert_eq!(
            options.to_json(),
            concat!(
                r#"{"headers":[],"origins":[],"timeout":8000,"silence":8000,"deadline":120000,"#,
                r#""retries":2,"retryAfter":5000,"redirects":5,"hiddenRedirects":false,"concurrency":8,"#,
                r#""limits":{"index":8388608,"file":10485760,"archive":52428800,"#,
                r#""total":268435456,"unpacked":268435456,"skills":10000,"files":1000}}"#,
            )
        );
    }

    #[test]
    fn a_cache_in_memory_keeps_so_many_bytes() {
        let written = |json| MemoryCacheOptions::from_json(json).map(|options| options.to_json());
        assert_eq!(written("{}"), Ok(r#"{"bytes":268435456}"#.to_owned()));
        assert_eq!(written(r#"{"bytes":7}"#), Ok(r#"{"bytes":7}"#.to_owned()));
        let error = written(r#"{"byte":7}"#).expect_err("it is misspelled");
        let said = "The options cannot be used: byte is not known; bytes is.";
        assert_eq!(error.to_string(), said);
    }

    #[test]
    fn hidden_redirects_are_followed_by_who_says_how_many() {
        for (said, hidden) in [
            (r#"{"redirects":5}"#, true),
            (r#"{"redirects":0}"#, false),
            (r#"{"redirects":null}"#, false),
        ] {
            let options = HttpOptions::from_json(said).expect("nothing is wrong with them");
            assert_eq!(options.hidden_redirects, hidden, "{said}");
        }
    }

    #[test]
    fn what_is_said_counts() {
        let said = r#"{"headers":{"a":"b"},"origins":["https://a.example:8443","http://[::1]"],"skills":[{"name":"Pdf 1"},{"name":"x","files":["SKILL.md","a/b"]}],"retries":0}"#;
        let written = HttpOptions::from_json(said)
            .expect("nothing is wrong with them")
            .to_json();
        let expected = r#"{"headers":[["a","b"]],"origins":["https://a.example:8443","http://[::1]"],"skills":[{"name":"Pdf 1","files":["SKILL.md"]},{"name":"x","files":["SKILL.md","a/b"]}],"timeout":8000"#;
        assert!(written.starts_with(expected), "{written}");
    }

    #[test]
    fn what_cannot_be_used_is_named() {
        let origins =
            r#"origins must be a list of origins, such as "https://cdn.example.com"; one item is "#;
        for (json, problem) in [
            (
                r#"{"origins":["ftp://a"]}"#,
                [origins, r#""ftp://a""#].concat(),
            ),
            (
                r#"{"origins":["https://"]}"#,
                [origins, r#""https://""#].concat(),
            ),
            (
                r#"{"origins":["https://a/"]}"#,
                [origins, r#""https://a/""#].concat(),
            ),
            (
                r#"{"origins":["https://a@b"]}"#,
                "origins must be a list of origins, which have no user name and no password"
                    .to_owned(),
            ),
            (
                r#"{"cache":{"read":{}}}"#,
                "cache must be an object with functions read and write; it is an object".to_owned(),
            ),
            (
                r#"{"skills":[{"name":".."}]}"#,
                r#"skills[0].name ".." has a name that is empty, "." or "..""#.to_owned(),
            ),
            (
                r#"{"limits":{"files":1},"skills":[{"name":"a","files":["SKILL.md","b"]}]}"#,
                "skills[0].files cannot be used: it has 2 files; limits.files allows 1".to_owned(),
            ),
        ] {
            let error = HttpOptions::from_json(json).expect_err(json);
            let message = format!("The options cannot be used: {problem}.");
            assert_eq!(error.to_string(), message);
        }
    }
}

//! Where skills come from, and what a developer says about how they are read.

use std::rc::Rc;

use crate::catalog::Catalog;
use crate::define::SkillSpec;
use crate::diagnostic::Mode;
use crate::error::Error;
use crate::fields::Profile;
use crate::host::{Capabilities, HostFacts, HostId};
use crate::limits::Limits;
use crate::options::{self, Fields, FromFields};
use crate::path;
use crate::record::{Record, RecordId};
use crate::skill_file::ReadOptions;
use crate::text::quoted;
use crate::value::Value;

/// Which links discovery follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Links {
    /// A linked skill directory wherever it leads; a linked file only inside its skill.
    #[default]
    Inside,
    /// Linked folders without a skill file are walked too.
    All,
    /// None.
    Never,
}

impl Links {
    const NAMES: [(&str, Self); 3] = [
        ("inside", Self::Inside),
        ("all", Self::All),
        ("never", Self::Never),
    ];
}

/// What a skill that cannot be used does to the load.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Invalid {
    /// It is left out, with a diagnostic.
    #[default]
    Skip,
    /// The load fails.
    Throw,
}

impl Invalid {
    pub(crate) const NAMES: [(&str, Self); 2] = [("skip", Self::Skip), ("throw", Self::Throw)];
}

/// How skills are found and read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoadOptions {
    /// `strict` or `lenient`.
    pub mode: Mode,
    /// `skip` or `throw`.
    pub invalid: Invalid,
    /// Whether directories below a skill may hold further skills.
    pub nested: bool,
    /// Which links are followed.
    pub links: Links,
    /// Names of directories that are not entered.
    pub ignore: Vec<String>,
    /// Whether hidden characters are left out of what is kept.
    pub strip: bool,
    /// Bounds.
    pub limits: Limits,
}

impl FromFields for LoadOptions {
    fn from_fields(fields: &Fields<'_>) -> Self {
        fields.function("onDiagnostic");
        fields.function("onProgress");
        fields.signal("signal");
        Self {
            mode: fields.choice("mode", &Mode::NAMES),
            invalid: fields.choice("invalid", &Invalid::NAMES),
            nested: fields.flag("nested", false),
            links: fields.choice("links", &Links::NAMES),
            ignore: fields.texts("ignore"),
            strip: fields.flag("strip", false),
            limits: fields.object("limits", "limits.").read(),
        }
    }
}

impl LoadOptions {
    /// Reads them from JSON text.
    ///
    /// # Errors
    ///
    /// [`Error::SourceUnsupported`], which names the option that cannot be used.
    pub fn from_json(json: &str) -> Result<Self, Error> {
        options::read(json)
    }

    /// The part that reading one file needs.
    pub(crate) fn read_options(&self) -> ReadOptions {
        ReadOptions {
            mode: self.mode,
            profile: Profile::AgentSkills,
            limits: self.limits,
            strip: self.strip,
            links: self.links,
        }
    }
}

/// A directory on a host.
#[derive(Clone, Debug)]
pub struct Directory {
    /// The host.
    pub host: HostId,
    /// What it can do.
    pub capabilities: Capabilities,
    /// The directory's path on it; `""` is its root.
    pub path: String,
    /// What stands before the host's paths wherever they are shown.
    pub prefix: String,
    /// Shown as where a skill is from.
    pub label: String,
}

impl Directory {
    /// A host path as messages show it.
    pub(crate) fn shown(&self, host_path: &str) -> String {
        if host_path.is_empty() {
            let named = [&self.prefix, &self.label];
            return named
                .into_iter()
                .find(|name| !name.is_empty())
                .cloned()
                .unwrap_or_default();
        }
        path::join(&self.prefix, host_path)
    }
}

/// One place that skills come from.
#[derive(Clone, Debug)]
pub enum Source {
    /// A directory that is looked through.
    Directory(Directory),
    /// One that is not to be trusted: nothing of it is loaded.
    Untrusted {
        /// What the developer calls it.
        label: String,
    },
    /// One skill that is known: given in code, or found by another catalog.
    Known(Rc<Record>),
    /// The skills of another catalog, each where its file is.
    Catalog(Catalog),
}

impl Source {
    /// A directory of the disk, by the path that a developer gave.
    ///
    /// # Errors
    ///
    /// It is a URL.
    pub fn of_disk(host: HostFacts, path: &str) -> Result<Self, Error> {
        if let Some(remedy) = remedy_for_url(path) {
            return Err(url_refused(path, remedy));
        }
        Ok(Self::Directory(Directory {
            host: host.host,
            capabilities: host.capabilities,
            path: String::new(),
            prefix: shown_prefix(path).to_owned(),
            label: path.to_owned(),
        }))
    }

    /// A source on a host, by the object that a developer gave, as JSON text.
    ///
    /// # Errors
    ///
    /// A member cannot be used.
    pub fn on_host(host: HostFacts, source: &str) -> Result<Self, Error> {
        let HostSource {
            path,
            label,
            trusted,
        } = options::read(source)?;
        if !trusted {
            return Ok(Self::Untrusted { label });
        }
        Ok(Self::Directory(Directory {
            host: host.host,
            capabilities: host.capabilities,
            path,
            prefix: String::new(),
            label,
        }))
    }

    /// Whether anything is asked of the host it was given with.
    pub fn uses_its_host(&self) -> bool {
        matches!(self, Self::Directory(_))
    }

    /// A skill that is given in code, with the directory of its files, if it has one.
    pub fn defined(spec: SkillSpec, files: Option<Directory>) -> Self {
        Self::Known(Rc::new(spec.into_record(files)))
    }

    /// A skill that is given in code, with the host of its files, if it has any.
    pub fn in_code(spec: SkillSpec, host: Option<HostFacts>) -> Self {
        let files = host.and_then(|host| spec.files_on(host));
        Self::defined(spec, files)
    }

    /// One skill of another catalog, by its reading there.
    ///
    /// # Errors
    ///
    /// The catalog has it no more.
    pub fn of_catalog(catalog: &Catalog, id: RecordId, name: &str) -> Result<Self, Error> {
        catalog.record(id, name).map(Self::Known).ok_or_else(|| {
            let name = quoted(name);
            let problem = "is no longer in its catalog: load it again.";
            Error::SourceUnsupported(["The skill ", &name, " ", problem].concat())
        })
    }

    /// Why something, as JSON text, is no source: the one at `index`, where a list was given.
    pub fn unsupported(given: &str, index: Option<usize>) -> Error {
        let given = Value::from_json(given).unwrap_or(Value::Null);
        if let Value::String(text) = &given
            && let Some(remedy) = remedy_for_url(text)
        {
            return url_refused(text, remedy);
        }
        let subject = match index {
            Some(index) => ["sources[", &index.to_string(), "]"].concat(),
            None => "The source".to_owned(),
        };
        let is_what = fault_of(&given);
        Error::SourceUnsupported([&subject, " is ", &is_what, "."].concat())
    }
}

/// What something is that is no source, and what to pass instead. Functions are objects here.
fn fault_of(given: &Value) -> String {
    const SOURCES: &str = ": a source is a directory's path, a skill from defineSkill or from a \
        catalog, a catalog, or { host }";
    let Value::Map(map) = given else {
        let remedy = match given {
            Value::List(_) => ": pass one list of all sources",
            _ => SOURCES,
        };
        return [&options::shown(given), remedy].concat();
    };
    let has = |key: &str| matches!(map.get(key), Some(value) if *value != Value::Null);
    if has("then") {
        "a promise: await it"
    } else if has("list") && has("read") {
        "a host: pass { host }"
    } else if has("host") {
        "an object whose host has no list and read: pass a host, such as memoryHost(files)"
    } else if has("name") && has("content") && !has("frontMatter") {
        "a plain object: pass defineSkill of it"
    } else if has("name") && has("description") {
        "a copy of a skill, which has lost its files: pass the skill itself"
    } else {
        return ["an object without a host", SOURCES].concat();
    }
    .to_owned()
}

/// What a developer says of a source on a host.
struct HostSource {
    path: String,
    label: String,
    trusted: bool,
}

impl FromFields for HostSource {
    const SUBJECT: &'static str = "source";

    fn from_fields(fields: &Fields<'_>) -> Self {
        fields.kept("host", "a host");
        let path = path::trimmed(&fields.text("path").unwrap_or_default()).to_owned();
        let unnamed = if path.is_empty() { "host" } else { &path };
        Self {
            label: fields.text("label").unwrap_or_else(|| unnamed.to_owned()),
            // Whatever else stands there was not meant as trust.
            trusted: matches!(fields.given("trusted"), None | Some(Value::Bool(true))),
            path,
        }
    }
}

/// What stands before paths of a directory of the disk wherever they are shown.
pub(crate) fn shown_prefix(directory: &str) -> &str {
    match directory.trim_end_matches(['/', '\\']) {
        "." => "",
        "" => directory.get(..1).unwrap_or_default(),
        trimmed => trimmed,
    }
}

/// What to pass in the place of a URL; nothing for what is a path.
pub(crate) fn remedy_for_url(path: &str) -> Option<&'static str> {
    let (scheme, rest) = path.split_once(':')?;
    if scheme.eq_ignore_ascii_case("file") {
        return Some("pass its path, fileURLToPath(url)");
    }
    // The drives of Windows have one letter.
    let is_scheme = scheme.len() > 1 && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let remedy = if is_http(scheme) {
        "skills of a site come by { host: httpHost(url) }, from skillshelf/http"
    } else {
        "only a directory of the disk has a path"
    };
    (is_scheme && rest.starts_with("//")).then_some(remedy)
}

fn is_http(scheme: &str) -> bool {
    scheme.eq_ignore_ascii_case("https") || scheme.eq_ignore_ascii_case("http")
}

fn url_refused(path: &str, remedy: &str) -> Error {
    let host = if path
        .split_once(':')
        .is_some_and(|(scheme, _)| is_http(scheme))
    {
        "."
    } else {
        ", or { host }, such as { host: nodeHost(new URL(url)) } from skillshelf/node."
    };
    let path = quoted(path);
    Error::SourceUnsupported([&path, " is a URL, not a path: ", remedy, host].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on_host(source: &str) -> Result<Source, Error> {
        Source::on_host(HostFacts::default(), source)
    }

    #[test]
    fn a_source_on_a_host_is_called_what_its_developer_calls_it() {
        for (source, path, label) in [
            ("{}", "", "host"),
            (r#"{"host":{},"path":null,"label":null}"#, "", "host"),
            (r#"{"path":"a/b"}"#, "a/b", "a/b"),
            (r#"{"path":"/a/b/"}"#, "a/b", "a/b"),
            (r#"{"path":"./a"}"#, "a", "a"),
            (r#"{"path":".//./a//"}"#, "a", "a"),
            (r#"{"path":"."}"#, "", "host"),
            (r#"{"path":"./"}"#, "", "host"),
            (r#"{"path":"/"}"#, "", "host"),
            (r#"{"path":".a/..b"}"#, ".a/..b", ".a/..b"),
            (r#"{"path":"../a"}"#, "../a", "../a"),
            (r#"{"path":"a","label":"mine"}"#, "a", "mine"),
            (r#"{"label":""}"#, "", ""),
            (r#"{"trusted":true}"#, "", "host"),
        ] {
            let Ok(Source::Directory(directory)) = on_host(source) else {
                panic!("{source} is a directory")
            };
            assert_eq!(directory.path, path, "{source}");
            assert_eq!(directory.label, label, "{source}");
            assert_eq!(directory.prefix, "");
        }
    }

    #[test]
    fn only_absence_and_true_are_trust() {
        for trusted in [
            "false", "null", "0", "1", "\"\"", "\"true\"", "{}", "[true]",
        ] {
            let source = format!(r#"{{"trusted":{trusted},"label":"mine"}}"#);
            let untrusted = on_host(&source);
            assert!(
                matches!(&untrusted, Ok(Source::Untrusted { label }) if label == "mine"),
                "{source}: {untrusted:?}"
            );
        }
    }

    #[test]
    fn a_member_that_cannot_be_used_is_named() {
        for (source, problem) in [
            (r#"{"path":7}"#, "path must be text; it is 7"),
            (
                r#"{"label":{},"trusted":false}"#,
                "label must be text; it is an object",
            ),
            (r#"{"truted":false}"#, "truted is not known; trusted is"),
            (
                r#"{"name":"x"}"#,
                "name is not known; known are host, path, label, trusted",
            ),
        ] {
            let message = format!("The source cannot be used: {problem}.");
            assert_eq!(on_host(source).err().map(|e| e.to_string()), Some(message));
        }
    }

    #[test]
    fn a_directory_of_the_disk_is_shown_as_it_was_given() {
        for (path, prefix) in [
            ("skills", "skills"),
            ("skills/", "skills"),
            ("skills//", "skills"),
            ("C:\\skills\\", "C:\\skills"),
            ("/", "/"),
            ("//", "/"),
            (".", ""),
            ("./", ""),
            ("./skills", "./skills"),
            ("..", ".."),
            ("file", "file"),
            ("C://skills", "C://skills"),
            ("a:b", "a:b"),
        ] {
            let Ok(Source::Directory(directory)) = Source::of_disk(HostFacts::default(), path)
            else {
                panic!("{path} is a directory")
            };
            assert_eq!(
                (directory.prefix.as_str(), directory.path.as_str()),
                (prefix, "")
            );
            assert_eq!(directory.label, path);
        }
    }

    #[test]
    fn a_url_is_no_path() {
        for url in ["file:///skills", "FILE:skills", "https://a.b/skills"] {
            let error = Source::of_disk(HostFacts::default(), url).unwrap_err();
            assert_eq!(error.code(), "SOURCE_UNSUPPORTED");
            assert!(
                error.to_string().contains("is a URL, not a path"),
                "{error}"
            );
            let json = format!("\"{url}\"");
            assert_eq!(
                Source::unsupported(&json, None),
                error,
                "a URL object says the same"
            );
        }
    }

    #[test]
    fn what_is_no_source_is_named_with_what_to_pass() {
        let sources = ": a source is a directory's path, a skill from defineSkill or from a \
            catalog, a catalog, or { host }";
        for (given, what) in [
            ("null", format!("null{sources}")),
            ("7", format!("7{sources}")),
            ("true", format!("true{sources}")),
            ("{}", format!("an object without a host{sources}")),
            (
                r#"["a"]"#,
                "a list: pass one list of all sources".to_owned(),
            ),
            (r#"{"then":{}}"#, "a promise: await it".to_owned()),
            (
                r#"{"list":{},"read":{},"ranges":true}"#,
                "a host: pass { host }".to_owned(),
            ),
            (
                r#"{"host":{"list":{}}}"#,
                "an object whose host has no list and read: pass a host, such as \
                 memoryHost(files)"
                    .to_owned(),
            ),
            (
                r#"{"name":"a","description":"d","content":"c"}"#,
                "a plain object: pass defineSkill of it".to_owned(),
            ),
            (
                r#"{"name":"a","description":"d","content":"c","frontMatter":{}}"#,
                "a copy of a skill, which has lost its files: pass the skill itself".to_owned(),
            ),
            (
                r#"{"name":"a","description":"d"}"#,
                "a copy of a skill, which has lost its files: pass the skill itself".to_owned(),
            ),
        ] {
            let message = |index| Source::unsupported(given, index).to_string();
            assert_eq!(message(Some(1)), format!("sources[1] is {what}."));
            assert_eq!(message(None), format!("The source is {what}."));
        }
    }
}

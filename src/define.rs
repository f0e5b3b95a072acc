//! Skills in code: what `defineSkill` takes, and the file that it stands for.

use std::rc::Rc;

use crate::diagnostic::{Diagnostic, Mode, Rule};
use crate::discovery::SKILL_FILE;
use crate::error::Error;
use crate::fields::{
    DESCRIPTION_MISSING, DESCRIPTION_NOT_TEXT, NAME_INVALID, NAME_MISSING, NAME_NOT_TEXT,
    split_tools, version_in,
};
use crate::host::HostFacts;
use crate::jail::Jail;
use crate::json;
use crate::limits::Limits;
use crate::near::near;
use crate::path;
use crate::places::Names;
use crate::record::{Definition, Origin, Record, Stamp, next_id};
use crate::relative_path::RelativePath;
use crate::skill::Skill;
use crate::skill_file::{self, BODY_TOO_LARGE, Place, ReadOptions};
use crate::source::{Directory, remedy_for_url, shown_prefix};
use crate::stringify::stringify;
use crate::text::quoted;
use crate::value::{Map, Value};
use crate::yaml;

const CONTENT: Rule = Rule::error("content-missing");
const FIELD: Rule = Rule::error("field-invalid");
const EXTRA: Rule = Rule::error("extra-field-taken");

/// Keys of a specification, and those that a skill which was read has besides.
const KEYS: [&str; 17] = [
    "name",
    "description",
    "content",
    "version",
    "license",
    "compatibility",
    "allowedTools",
    "metadata",
    "trigger",
    "modelInvocable",
    "userInvocable",
    "extra",
    "files",
    "directory",
    "host",
    "frontMatter",
    "source",
];

/// A skill that is given in code, checked.
#[derive(Clone, Debug)]
pub struct SkillSpec {
    skill: Skill,
    content: String,
    files: Option<Files>,
}

/// Where the files of a skill from code are on their host.
#[derive(Clone, Debug, Default)]
struct Files {
    path: String,
    /// What stands before the host's paths wherever they are shown.
    prefix: String,
}

impl SkillSpec {
    /// Checks what `defineSkill` was given, as JSON text: of `files` for each path whether its
    /// content is text or bytes, of `host` whether it is one. Text is what is wrong with what was
    /// no data.
    ///
    /// # Errors
    ///
    /// [`Error::SkillInvalid`] with a finding for each field that does not fit.
    pub fn from_json(json: &str) -> Result<Self, Error> {
        let spec = match json::parse(json) {
            Ok(Value::Map(spec)) => spec,
            Ok(Value::String(problem)) => {
                let message = ["the skill is not plain data (", &problem, ")"].concat();
                return Err(refused(message, "pass text, lists and objects"));
            }
            Ok(_) => {
                let hint = "pass { name, description, content }";
                return Err(refused("a skill is an object".to_owned(), hint));
            }
            Err(_) => {
                let message = "the skill is not plain, well-formed data".to_owned();
                let hint = "pass an object of text without lone surrogates, lists and maps";
                return Err(refused(message, hint));
            }
        };
        Checker {
            spec: &spec,
            found: Vec::new(),
        }
        .check()
    }

    /// The skill.
    pub fn skill(&self) -> &Skill {
        &self.skill
    }

    /// Its instructions, as they were given.
    pub fn content(&self) -> &str {
        &self.content
    }

    /// The text of its `SKILL.md`. Parsed, it gives the same skill and content.
    ///
    /// # Errors
    ///
    /// [`Error::SkillInvalid`], where it would not: something is larger or deeper than what is
    /// read, or is read as text.
    pub fn to_text(&self) -> Result<String, Error> {
        let fields: Vec<(&str, Value)> = self
            .skill
            .front_matter
            .0
            .iter()
            .map(|(key, value)| (key.as_str(), value.clone()))
            .collect();
        let content = self.content.trim();
        let text = stringify(&fields, content);
        let read = skill_file::parse(text.as_bytes(), Place::default(), &ReadOptions::default());
        if read.skill.as_ref() == Some(&self.skill) && read.body.as_deref() == Some(content) {
            return Ok(text);
        }
        let message = match read.diagnostics.iter().find(|found| found.is_error()) {
            Some(error) if error.code == BODY_TOO_LARGE.code => {
                ["content cannot be read back: ", &error.message].concat()
            }
            error => {
                let field = quoted(unreadable_field(&fields, read.skill.as_ref()));
                let problem = error.map_or("it reads as text", |error| &error.message);
                ["the field ", &field, " cannot be read back: ", problem].concat()
            }
        };
        let hint = "make it smaller or flatter, or text where the field is text";
        Err(refused(message, hint))
    }

    /// The directory of its files, if it has any, on their host.
    pub(crate) fn files_on(&self, host: HostFacts) -> Option<Directory> {
        let Files { path, prefix } = self.files.clone()?;
        Some(Directory {
            host: host.host,
            capabilities: host.capabilities,
            path,
            prefix,
            label: self.skill.name.clone(),
        })
    }

    /// A record of it, with its files in `files`, if it has any.
    pub(crate) fn into_record(self, files: Option<Directory>) -> Record {
        let Self { skill, content, .. } = self;
        let shown_directory = files.as_ref().map(|files| files.shown(&files.path));
        let files = files.map(|files| Jail {
            host: files.host,
            capabilities: files.capabilities,
            root: Rc::from(files.path.as_str()),
            directory: files.path,
            linked_to: None,
        });
        Record {
            id: next_id(),
            key: skill.name.clone(),
            origin: Origin::Defined(Rc::new(Definition {
                content,
                files: files.map(Rc::new),
                shown_directory,
            })),
            real_file: None,
            stamp: Stamp::default(),
            skill: Some(Rc::new(skill)),
            named_as_directory: false,
            diagnostics: Vec::new(),
            inner: Vec::new(),
        }
    }
}

fn refused(message: String, hint: &'static str) -> Error {
    let finding = Diagnostic::new(&FIELD, Mode::Strict, message).with_hint(hint);
    Error::SkillInvalid(vec![finding])
}

/// The field that does not read back: the first that became another one or that cannot be read
/// even by itself; else the largest.
fn unreadable_field<'a>(fields: &[(&'a str, Value)], read: Option<&Skill>) -> &'a str {
    let is_unreadable = |field: &(&str, Value)| match read {
        Some(skill) => skill.front_matter.get(field.0) != Some(&field.1),
        None => {
            let alone = stringify(std::slice::from_ref(field), "");
            let block = alone.strip_prefix("---\n").unwrap_or_default();
            let block = block.strip_suffix("---\n").unwrap_or_default();
            yaml::read(block, 1, Mode::Lenient, &Limits::default()).is_err()
        }
    };
    let size = |field: &&(&str, Value)| stringify(std::slice::from_ref(*field), "").len();
    let first = fields.iter().find(|field| is_unreadable(field));
    let field = first.or_else(|| fields.iter().max_by_key(size));
    field.map_or("", |(key, _)| key)
}

struct Checker<'a> {
    spec: &'a Map,
    found: Vec<Diagnostic>,
}

impl Checker<'_> {
    fn check(mut self) -> Result<SkillSpec, Error> {
        let name = self.name();
        let description = self.required(
            "description",
            [&DESCRIPTION_MISSING, &DESCRIPTION_NOT_TEXT],
            "say what the skill does and when to use it",
        );
        let description = description.trim().to_owned();
        let content = self.required(
            "content",
            [&CONTENT, &FIELD],
            "give the instructions that the model will read",
        );
        let version = self.text("version");
        let license = self.text("license");
        let compatibility = self.text("compatibility");
        let trigger = self.text("trigger");
        let allowed_tools = self.allowed_tools();
        let metadata = self.map("metadata");
        let extra = self.map("extra");
        let model_invocable = self.flag("modelInvocable");
        let user_invocable = self.flag("userInvocable");
        let files = self.files(&name);
        self.only_known_keys();
        let mut skill = Skill {
            name,
            description,
            version,
            license,
            compatibility,
            allowed_tools,
            metadata,
            front_matter: Map::default(),
            trigger,
            model_invocable,
            user_invocable,
        };
        skill.front_matter = front_matter(&skill);
        self.add_extra(&mut skill, extra);
        if skill.version.is_none() {
            skill.version = version_in(&skill.metadata);
        }
        if self.found.is_empty() {
            return Ok(SkillSpec {
                skill,
                content,
                files,
            });
        }
        let name = self.spec.get("name").and_then(Value::as_str).map(Rc::from);
        for diagnostic in &mut self.found {
            diagnostic.skill.clone_from(&name);
        }
        Err(Error::SkillInvalid(self.found))
    }

    fn report(&mut self, rule: &Rule, message: &str, hint: &'static str) {
        self.found
            .push(Diagnostic::new(rule, Mode::Strict, message.to_owned()).with_hint(hint));
    }

    /// `^[a-z0-9][a-z0-9-_]{0,63}$`
    fn name(&mut self) -> String {
        const LONGEST: usize = 64;
        let hint = "use at most 64 of a-z, 0-9, - and _, beginning with a letter or a digit";
        let name = match self.spec.get("name") {
            Some(Value::String(name)) => name.clone(),
            None | Some(Value::Null) => {
                self.report(&NAME_MISSING, "name is missing", hint);
                return String::new();
            }
            Some(other) => {
                let message = must_be("name", "text", other);
                self.report(&NAME_NOT_TEXT, &message, hint);
                return String::new();
            }
        };
        let letter_or_digit = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9');
        let begins = name.bytes().next().is_some_and(letter_or_digit);
        let goes_on = name
            .bytes()
            .all(|byte| letter_or_digit(byte) || matches!(byte, b'-' | b'_'));
        if !begins || !goes_on || name.len() > LONGEST {
            let message = [
                "the name ",
                &quoted(&name),
                " does not match ^[a-z0-9][a-z0-9-_]{0,63}$",
            ]
            .concat();
            self.report(&NAME_INVALID, &message, hint);
        }
        name
    }

    fn required(
        &mut self,
        key: &'static str,
        [missing, not_text]: [&Rule; 2],
        hint: &'static str,
    ) -> String {
        match self.spec.get(key) {
            Some(Value::String(text)) if !text.trim().is_empty() => text.clone(),
            Some(Value::String(_)) => {
                self.report(missing, &[key, " is empty"].concat(), hint);
                String::new()
            }
            None | Some(Value::Null) => {
                self.report(missing, &[key, " is missing"].concat(), hint);
                String::new()
            }
            Some(other) => {
                self.report(not_text, &must_be(key, "text", other), hint);
                String::new()
            }
        }
    }

    fn text(&mut self, key: &'static str) -> Option<String> {
        match self.spec.get(key) {
            None | Some(Value::Null) => None,
            Some(Value::String(text)) if text.is_empty() => None,
            Some(Value::String(text)) => Some(text.clone()),
            Some(other) => {
                let message = must_be(key, "text", other);
                self.report(&FIELD, &message, "leave it out or pass text");
                None
            }
        }
    }

    fn flag(&mut self, key: &'static str) -> bool {
        match self.spec.get(key) {
            None | Some(Value::Null) => true,
            Some(Value::Bool(flag)) => *flag,
            Some(other) => {
                let message = must_be(key, "true or false", other);
                self.report(&FIELD, &message, "leave it out or pass a boolean");
                true
            }
        }
    }

    fn map(&mut self, key: &'static str) -> Map {
        match self.spec.get(key) {
            None | Some(Value::Null) => Map::default(),
            Some(Value::Map(map)) => map.clone(),
            Some(other) => {
                let message = must_be(key, "an object", other);
                self.report(&FIELD, &message, "leave it out or pass an object");
                Map::default()
            }
        }
    }

    fn allowed_tools(&mut self) -> Option<Vec<String>> {
        let hint = "pass a list of tool names";
        let items = match self.spec.get("allowedTools") {
            None | Some(Value::Null) => return None,
            Some(Value::List(items)) => items,
            Some(other) => {
                let message = must_be("allowedTools", "a list", other);
                self.report(&FIELD, &message, hint);
                return None;
            }
        };
        let mut tools = Vec::with_capacity(items.len());
        for item in items {
            match item {
                Value::String(tool) if !tool.trim().is_empty() => {
                    tools.push(tool.trim().to_owned());
                }
                _ => self.report(
                    &FIELD,
                    "allowedTools has an item that is not a tool's name",
                    hint,
                ),
            }
        }
        Some(tools)
    }

    /// Where its files are, if it has any.
    fn files(&mut self, name: &str) -> Option<Files> {
        let has_host = match self.spec.get("host") {
            None | Some(Value::Null) => false,
            Some(Value::Bool(true)) => true,
            Some(_) => {
                let hint = "pass a host, such as memoryHost(files)";
                self.report(&FIELD, "host has no list and read", hint);
                return None;
            }
        };
        let directory = match self.spec.get("directory") {
            Some(Value::String(directory)) => Some(directory.as_str()),
            _ => self.text("directory").map(|_| ""),
        };
        let in_code = match self.spec.get("files") {
            None | Some(Value::Null) => None,
            Some(Value::Map(files)) => Some(files),
            Some(other) => {
                let message = must_be("files", "an object", other);
                self.report(&FIELD, &message, "pass paths with text or bytes");
                return None;
            }
        };
        match (in_code, directory) {
            (Some(files), None) if !has_host => {
                self.check_files(files);
                Some(Files {
                    path: String::new(),
                    prefix: name.to_owned(),
                })
            }
            (Some(_), _) => {
                let hint = "pass either files, or a directory on a host";
                self.report(&FIELD, "files are given twice", hint);
                None
            }
            (None, directory) if has_host => {
                let path = path::trimmed(directory.unwrap_or_default()).to_owned();
                let prefix = if path.is_empty() { name } else { "" };
                Some(Files {
                    prefix: prefix.to_owned(),
                    path,
                })
            }
            (None, directory) => self.on_disk(directory?),
        }
    }

    fn on_disk(&mut self, directory: &str) -> Option<Files> {
        if directory.is_empty() {
            let hint = "leave it out; the current directory is \".\"";
            self.report(&FIELD, "directory is empty", hint);
            return None;
        }
        if remedy_for_url(directory).is_some() {
            let hint = "pass the path of a directory, such as fileURLToPath(url), or a host";
            self.report(&FIELD, "directory is a URL, not a path", hint);
            return None;
        }
        Some(Files {
            path: String::new(),
            prefix: shown_prefix(directory).to_owned(),
        })
    }

    /// Files that could not be read, or never would be.
    fn check_files(&mut self, files: &Map) {
        let hint =
            "mend the paths of files: they are relative to the skill, such as references/a.md";
        let mut paths = Names::default();
        for (path, _) in &files.0 {
            paths.add(path.clone());
        }
        for (path, content) in &files.0 {
            let shown = quoted(path);
            let problem = match RelativePath::parse(path) {
                Err(reason) => Some(reason),
                Ok(relative) if relative.as_str() != path => {
                    Some("names are separated by one \"/\", and none is \".\" or \"..\"")
                }
                Ok(_) => path
                    .match_indices('/')
                    .filter_map(|(at, _)| path.get(..at))
                    .any(|above| paths.has(above))
                    .then_some("a file above it is not a directory"),
            };
            if let Some(problem) = problem {
                let message = ["the path ", &shown, " in files cannot be used: ", problem].concat();
                self.report(&FIELD, &message, hint);
            } else if path.eq_ignore_ascii_case(SKILL_FILE) {
                let message = ["files has ", &shown, ", which is the skill itself"].concat();
                self.report(&FIELD, &message, "leave it out: its text is content");
            } else if *content != Value::Bool(true) {
                let message = [
                    "the content of ",
                    &shown,
                    " in files is neither text nor bytes",
                ]
                .concat();
                self.report(&FIELD, &message, "pass a string or a Uint8Array");
            }
        }
    }

    fn only_known_keys(&mut self) {
        for (key, _) in &self.spec.0 {
            if KEYS.contains(&key.as_str()) {
                continue;
            }
            let like = match near(key, KEYS.into_iter()).first() {
                Some(near) => ["; ", near, " is"].concat(),
                None => String::new(),
            };
            let message = [&quoted(key), " is not a field of a skill", &like].concat();
            let hint = "correct it; further keys of the front matter go into extra";
            self.report(&FIELD, &message, hint);
        }
    }

    /// Further keys of the front matter, which must not be those of a field.
    fn add_extra(&mut self, skill: &mut Skill, extra: Map) {
        const FIELDS: [&str; 10] = [
            "name",
            "description",
            "version",
            "license",
            "compatibility",
            "allowed-tools",
            "metadata",
            "trigger",
            "disable-model-invocation",
            "user-invocable",
        ];
        for (key, value) in extra.0 {
            if FIELDS.contains(&key.as_str()) {
                let message =
                    ["extra has ", &quoted(&key), ", which is a field of its own"].concat();
                self.report(&EXTRA, &message, "set the field itself");
            } else {
                skill.front_matter.0.push((key, value));
            }
        }
    }
}

fn must_be(key: &str, expected: &str, value: &Value) -> String {
    [key, " must be ", expected, "; it is ", value.kind()].concat()
}

/// The keys that say the same in a file.
fn front_matter(skill: &Skill) -> Map {
    let text = |text: &String| Value::String(text.clone());
    let mut fields: Vec<(&str, Value)> = vec![
        ("name", text(&skill.name)),
        ("description", text(&skill.description)),
    ];
    fields.extend(
        skill
            .license
            .as_ref()
            .map(|license| ("license", text(license))),
    );
    fields.extend(
        skill
            .compatibility
            .as_ref()
            .map(|compatibility| ("compatibility", text(compatibility))),
    );
    fields.extend(
        skill
            .version
            .as_ref()
            .map(|version| ("version", text(version))),
    );
    fields.extend(
        skill
            .allowed_tools
            .as_ref()
            .map(|tools| ("allowed-tools", tools_value(tools))),
    );
    if !skill.metadata.0.is_empty() {
        fields.push(("metadata", Value::Map(skill.metadata.clone())));
    }
    fields.extend(
        skill
            .trigger
            .as_ref()
            .map(|trigger| ("trigger", text(trigger))),
    );
    if !skill.model_invocable {
        fields.push(("disable-model-invocation", Value::Bool(true)));
    }
    if !skill.user_invocable {
        fields.push(("user-invocable", Value::Bool(false)));
    }
    Map(fields
        .into_iter()
        .map(|(key, value)| (key.to_owned(), value))
        .collect())
}

/// Text separated by blanks, as the specification has it, where it can be told apart again.
fn tools_value(tools: &[String]) -> Value {
    let joined = tools.join(" ");
    if split_tools(&joined).0 == tools {
        return Value::String(joined);
    }
    Value::List(tools.iter().cloned().map(Value::String).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_said_field_by_field() {
        for (json, message) in [
            ("{}", "name is missing"),
            (
                r#"{"name":"Bad Name","description":"d","content":"c"}"#,
                "the name \"Bad Name\" does not match ^[a-z0-9][a-z0-9-_]{0,63}$",
            ),
            (
                r#"{"name":"-a","description":"d","content":"c"}"#,
                "the name \"-a\" does not match ^[a-z0-9][a-z0-9-_]{0,63}$",
            ),
            (
                r#"{"name":7,"description":"d","content":"c"}"#,
                "name must be text; it is a number",
            ),
            (
                r#"{"name":"a","description":" ","content":"c"}"#,
                "description is empty",
            ),
            (r#"{"name":"a","description":"d"}"#, "content is missing"),
            (
                r#"{"name":"a","description":"d","content":"c","version":1}"#,
                "version must be text; it is a number",
            ),
            (
                r#"{"name":"a","description":"d","content":"c","allowedTools":"Read"}"#,
                "allowedTools must be a list; it is text",
            ),
            (
                r#"{"name":"a","description":"d","content":"c","modelInvocable":"no"}"#,
                "modelInvocable must be true or false; it is text",
            ),
            (
                r#"{"name":"a","description":"d","content":"c","extra":{"name":"b"}}"#,
                "extra has \"name\", which is a field of its own",
            ),
            ("[]", "a skill is an object"),
            ("null", "a skill is an object"),
            (
                "\"it has a cycle\"",
                "the skill is not plain data (it has a cycle)",
            ),
            (
                r#"{"name":"a","description":"\ud800","content":"c"}"#,
                "the skill is not plain, well-formed data",
            ),
        ] {
            let error = SkillSpec::from_json(json).unwrap_err();
            assert_eq!(error.code(), "SKILL_INVALID");
            assert_eq!(error.diagnostics()[0].message, message, "{json}");
            assert!(error.diagnostics()[0].hint.is_some());
        }
    }

    #[test]
    fn a_name_may_have_underscores_and_64_characters() {
        for name in ["a", "0_a-", &"x".repeat(64)] {
            let json = format!(r#"{{"name":"{name}","description":"d","content":"c"}}"#);
            assert_eq!(SkillSpec::from_json(&json).unwrap().skill().name, name);
        }
    }

    fn with(more: &str) -> Result<SkillSpec, Error> {
        SkillSpec::from_json(&format!(
            r#"{{"name":"a","description":"d","content":"c",{more}}}"#
        ))
    }

    #[test]
    fn files_that_nobody_could_read_are_refused() {
        for (more, message) in [
            (r#""host":false"#, "host has no list and read"),
            (r#""files":[]"#, "files must be an object; it is a list"),
            (r#""files":{},"directory":"a""#, "files are given twice"),
            (r#""files":{},"host":true"#, "files are given twice"),
            (r#""directory":7"#, "directory must be text; it is a number"),
            (r#""directory":"""#, "directory is empty"),
            (
                r#""directory":"file:///a""#,
                "directory is a URL, not a path",
            ),
            (
                r#""files":{"../x":true}"#,
                "the path \"../x\" in files cannot be used: it leaves the skill's directory",
            ),
            (
                r#""files":{"a//x":true}"#,
                "the path \"a//x\" in files cannot be used: names are separated by one \"/\", and none is \".\" or \"..\"",
            ),
            (
                r#""files":{"a":true,"a-b":true,"a/b/c":true}"#,
                "the path \"a/b/c\" in files cannot be used: a file above it is not a directory",
            ),
            (
                r#""files":{"skill.md":true}"#,
                "files has \"skill.md\", which is the skill itself",
            ),
            (
                r#""files":{"a.md":false}"#,
                "the content of \"a.md\" in files is neither text nor bytes",
            ),
            (
                r#""allowedtools":["Read"]"#,
                "\"allowedtools\" is not a field of a skill; allowedTools is",
            ),
            (r#""zzzzzz":1"#, "\"zzzzzz\" is not a field of a skill"),
        ] {
            let error = with(more).unwrap_err();
            assert_eq!(error.diagnostics().len(), 1, "{more}");
            assert_eq!(error.diagnostics()[0].message, message, "{more}");
            assert_eq!(error.diagnostics()[0].skill.as_deref(), Some("a"));
            assert!(error.diagnostics()[0].hint.is_some());
        }
    }

    #[test]
    fn where_files_are_is_told_by_what_was_given() {
        for (more, place) in [
            (r#""extra":{}"#, None),
            (r#""frontMatter":{},"source":{}"#, None),
            (
                r#""files":{"references/a.md":true,"x":true}"#,
                Some(("", "a")),
            ),
            (r#""host":true"#, Some(("", "a"))),
            (r#""host":true,"directory":"./""#, Some(("", "a"))),
            (r#""host":true,"directory":"/b/c/""#, Some(("b/c", ""))),
            (r#""directory":"b/c/""#, Some(("", "b/c"))),
            (r#""directory":".""#, Some(("", ""))),
        ] {
            let files = with(more).unwrap().files_on(HostFacts::default());
            let told = files.map(|files| (files.path, files.prefix));
            let expected = place.map(|(path, prefix)| (path.to_owned(), prefix.to_owned()));
            assert_eq!(told, expected, "{more}");
        }
    }
}

//! Skills in code: what `defineSkill` takes, and the file that it stands for.

mod checker;
mod files;

use std::rc::Rc;

use crate::diagnostic::{Diagnostic, Mode, Rule};
use crate::error::Error;
use crate::host::HostFacts;
use crate::jail::Jail;
use crate::json;
use crate::limits::Limits;
use crate::record::{Definition, Origin, Record, Stamp, next_id};
use crate::skill::Skill;
use crate::skill_file::{self, BODY_TOO_LARGE, Place, ReadOptions};
use crate::source::Directory;
use crate::stringify::stringify;
use crate::text::quoted;
use crate::value::Value;
use crate::yaml;
use checker::Checker;
use files::Files;

const FIELD: Rule = Rule::error("field-invalid");

/// A skill that is given in code, checked.
#[derive(Clone, Debug)]
pub struct SkillSpec {
    skill: Skill,
    content: String,
    files: Option<Files>,
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
        Checker::new(&spec).check()
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
        let front_matter = self.skill.front_matter();
        let fields = front_matter.0.iter();
        let fields: Vec<(&str, Value)> = fields
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
            other_key: None,
            origin: Origin::Defined(Rc::new(Definition {
                content,
                files: files.map(Rc::new),
                real_directory: None,
                shown_directory,
            })),
            real_elsewhere: None,
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
        Some(skill) => skill.front_matter().get(field.0) != Some(&field.1),
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
    fn further_keys_of_a_skill_that_was_read_are_kept() {
        for (more, kept) in [
            (
                r#""frontMatter":{"team":"docs","n":1}"#,
                r#""team":"docs","n":1"#,
            ),
            (
                r#""frontMatter":{"team":"docs"},"extra":{"team":"web"}"#,
                r#""team":"web""#,
            ),
            (
                r#""license":"MIT","frontMatter":{"name":"b","license":"no","allowed-tools":"Read","x":null}"#,
                r#""license":"MIT","x":null"#,
            ),
        ] {
            let spec = with(more).unwrap();
            let expected = [r#"{"name":"a","description":"d","#, kept, "}"].concat();
            let front_matter = Value::Map(spec.skill().front_matter());
            assert_eq!(crate::ToJson::to_json(&front_matter), expected);
        }
        let error = with(r#""frontMatter":[]"#).unwrap_err();
        assert_eq!(
            error.diagnostics()[0].message,
            "frontMatter must be an object; it is a list"
        );
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

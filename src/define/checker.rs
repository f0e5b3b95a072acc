//! Checking a specification field by field.

use std::rc::Rc;

use super::{FIELD, SkillSpec};
use crate::diagnostic::{Diagnostic, Mode, Rule};
use crate::error::Error;
use crate::fields::{
    DESCRIPTION_MISSING, DESCRIPTION_NOT_TEXT, NAME_INVALID, NAME_MISSING, NAME_NOT_TEXT,
    split_tools, version_in,
};
use crate::near::near;
use crate::skill::Skill;
use crate::text::quoted;
use crate::value::{Map, Value};

const CONTENT: Rule = Rule::error("content-missing");
const EXTRA: Rule = Rule::error("extra-field-taken");

/// Keys of the front matter that are fields of a specification.
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

pub(super) struct Checker<'a> {
    pub(super) spec: &'a Map,
    found: Vec<Diagnostic>,
}

impl<'a> Checker<'a> {
    pub(super) fn new(spec: &'a Map) -> Self {
        Self {
            spec,
            found: Vec::new(),
        }
    }

    pub(super) fn check(mut self) -> Result<SkillSpec, Error> {
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
        let read = self.map("frontMatter");
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
            written: Map::default(),
            trigger,
            model_invocable,
            user_invocable,
        };
        let written = front_matter(&skill, metadata);
        skill = skill.with_written(written);
        self.add_extra(&mut skill, extra);
        add_read(&mut skill, read);
        if skill.version.is_none() {
            skill.version = version_in(skill.metadata());
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

    pub(super) fn report(&mut self, rule: &Rule, message: &str, hint: &'static str) {
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

    pub(super) fn text(&mut self, key: &'static str) -> Option<String> {
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
        for (key, value) in extra.0 {
            if FIELDS.contains(&key.as_str()) {
                let message =
                    ["extra has ", &quoted(&key), ", which is a field of its own"].concat();
                self.report(&EXTRA, &message, "set the field itself");
            } else {
                skill.written.0.push((key, value));
            }
        }
    }
}

/// The keys of a skill that was read which `extra` does not set. Those of fields are left out: the
/// fields say what they are now.
fn add_read(skill: &mut Skill, read: Map) {
    for (key, value) in read.0 {
        if !FIELDS.contains(&key.as_str()) && skill.written.get(&key).is_none() {
            skill.written.0.push((key, value));
        }
    }
}

pub(super) fn must_be(key: &str, expected: &str, value: &Value) -> String {
    [key, " must be ", expected, "; it is ", value.kind()].concat()
}

/// The keys that say the same in a file.
fn front_matter(skill: &Skill, metadata: Map) -> Map {
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
    if !metadata.0.is_empty() {
        fields.push(("metadata", Value::Map(metadata)));
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

//! One tool: its name, its parameters, and its definition for a provider.

use crate::error::Error;
use crate::json::{Object, ToJson};
use crate::text::quoted;
use crate::tool_options::{Rename, ToolOptions};
use crate::value::{Map, Value};

/// A tool, by its original name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ToolName {
    /// Gives the body of a skill.
    LoadSkill,
    /// Gives a file beside it.
    ReadSkillFile,
}

impl ToJson for ToolName {
    fn write_json(&self, out: &mut String) {
        self.as_str().write_json(out);
    }
}

impl ToolName {
    /// All tools, in the order in which they are offered.
    pub(crate) const ALL: [Self; 2] = [Self::LoadSkill, Self::ReadSkillFile];

    /// As the model knows it by default.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::LoadSkill => "load_skill",
            Self::ReadSkillFile => "read_skill_file",
        }
    }

    fn description(self) -> &'static str {
        match self {
            Self::LoadSkill => {
                "Loads the full instructions of a skill. Call it before you do a task that the skill covers."
            }
            Self::ReadSkillFile => {
                "Reads a file of a skill, such as one that its instructions name. Long text comes in parts: the result says how to go on."
            }
        }
    }

    pub(crate) fn parameters(self) -> &'static [Parameter] {
        match self {
            Self::LoadSkill => &LOAD_SKILL,
            Self::ReadSkillFile => &READ_SKILL_FILE,
        }
    }
}

/// What an argument holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ArgumentKind {
    Text,
    /// A whole number that is at least this.
    WholeNumberFrom(u32),
}

/// An argument that a tool takes.
pub(crate) struct Parameter {
    pub(crate) name: &'static str,
    description: &'static str,
    kind: ArgumentKind,
    required: bool,
}

impl Parameter {
    /// Whether `value` may be its argument; else why not.
    pub(crate) fn takes(&self, value: &Value) -> Result<(), String> {
        match (self.kind, value) {
            (_, Value::Null) if !self.required => Ok(()),
            (_, Value::Null) => Err("is missing".to_owned()),
            (ArgumentKind::Text, Value::String(text)) if text.is_empty() => {
                Err("is empty".to_owned())
            }
            (ArgumentKind::Text, Value::String(_)) => Ok(()),
            (ArgumentKind::Text, other) => Err(format!("must be text; it is {}", other.kind())),
            (ArgumentKind::WholeNumberFrom(least), Value::Number(_)) => {
                match value.as_whole_number() {
                    Some(number) if number >= u64::from(least) => Ok(()),
                    _ => Err(format!("must be a whole number from {least} on")),
                }
            }
            (ArgumentKind::WholeNumberFrom(_), other) => {
                Err(format!("must be a number or null; it is {}", other.kind()))
            }
        }
    }
}

const LOAD_SKILL: [Parameter; 1] = [Parameter {
    name: "name",
    description: "The skill's name, as it is listed",
    kind: ArgumentKind::Text,
    required: true,
}];

const READ_SKILL_FILE: [Parameter; 4] = [
    Parameter {
        name: "skill",
        description: "The skill's name, as it is listed",
        kind: ArgumentKind::Text,
        required: true,
    },
    Parameter {
        name: "path",
        description: "The file's path relative to the skill's directory, such as references/guide.md",
        kind: ArgumentKind::Text,
        required: true,
    },
    Parameter {
        name: "offset",
        description: "The byte to begin at; null for the beginning",
        kind: ArgumentKind::WholeNumberFrom(0),
        required: false,
    },
    Parameter {
        name: "limit",
        description: "The most bytes to return; null for as many as possible",
        kind: ArgumentKind::WholeNumberFrom(1),
        required: false,
    },
];

/// A tool as a provider wants it.
#[derive(Clone, Debug)]
pub struct ToolDefinition {
    /// Its name for the model.
    pub name: String,
    /// What it does.
    pub description: String,
    /// A JSON Schema object that the strict modes of the providers accept.
    pub input_schema: Value,
    pub(crate) original: ToolName,
}

impl ToJson for ToolDefinition {
    fn write_json(&self, out: &mut String) {
        Object::begin(out)
            .field("name", &self.name)
            .field("description", &self.description)
            .field("inputSchema", &self.input_schema)
            .end();
    }
}

impl ToolDefinition {
    /// The definition of a tool, under the names that `options` gives it.
    pub(crate) fn new(tool: ToolName, options: &ToolOptions) -> Result<Self, Error> {
        let rename = &options.rename;
        let name = rename.shown_name(tool);
        check_name("tool", name)?;
        check_argument_names(tool, rename)?;
        let parts = rename.parts(tool);
        let description = parts.and_then(|parts| parts.description.as_deref());
        Ok(Self {
            name: name.to_owned(),
            description: description.unwrap_or(tool.description()).to_owned(),
            input_schema: schema(tool, rename),
            original: tool,
        })
    }
}

/// All providers take these names: letters, digits, `_` and `-`, at most 64.
fn check_name(of: &str, name: &str) -> Result<(), Error> {
    const LONGEST: usize = 64;
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    if !name.is_empty() && name.len() <= LONGEST && name.bytes().all(allowed) {
        return Ok(());
    }
    Err(Error::SourceUnsupported(format!(
        "The {of} name {} cannot be used: providers take letters, digits, _ and -, at most 64.",
        quoted(name)
    )))
}

fn check_argument_names(tool: ToolName, rename: &Rename) -> Result<(), Error> {
    let Some(parts) = rename.parts(tool) else {
        return Ok(());
    };
    let known = |argument: &str| {
        tool.parameters()
            .iter()
            .any(|parameter| parameter.name == argument)
    };
    if let Some((unknown, _)) = parts.arguments.iter().find(|(name, _)| !known(name)) {
        return Err(Error::SourceUnsupported(format!(
            "The tool {} has no argument {} that could be renamed.",
            tool.as_str(),
            quoted(unknown)
        )));
    }
    let shown: Vec<&str> = tool
        .parameters()
        .iter()
        .map(|parameter| rename.shown_argument(tool, parameter.name))
        .collect();
    for name in &shown {
        check_name("argument", name)?;
    }
    let is_taken = |(index, name): (usize, &&str)| shown[..index].contains(name);
    if shown.iter().enumerate().any(is_taken) {
        return Err(Error::SourceUnsupported(format!(
            "Two arguments of the tool {} would have the same name.",
            tool.as_str()
        )));
    }
    Ok(())
}

/// A schema for the strict modes: closed, every property required, optional ones nullable.
fn schema(tool: ToolName, rename: &Rename) -> Value {
    let text = |text: &str| Value::String(text.to_owned());
    let mut properties = Map::default();
    let mut required = Vec::new();
    for parameter in tool.parameters() {
        let kind = match parameter.kind {
            ArgumentKind::Text => "string",
            ArgumentKind::WholeNumberFrom(_) => "integer",
        };
        let kind = if parameter.required {
            text(kind)
        } else {
            Value::List(vec![text(kind), text("null")])
        };
        let shown = rename.shown_argument(tool, parameter.name);
        let property = vec![
            ("type".to_owned(), kind),
            ("description".to_owned(), text(parameter.description)),
        ];
        properties
            .0
            .push((shown.to_owned(), Value::Map(Map(property))));
        required.push(text(shown));
    }
    Value::Map(Map(vec![
        ("type".to_owned(), text("object")),
        ("properties".to_owned(), Value::Map(properties)),
        ("required".to_owned(), Value::List(required)),
        ("additionalProperties".to_owned(), Value::Bool(false)),
    ]))
}

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
    /// Gives names and descriptions, in pages.
    ListSkills,
    /// Says that a loaded skill no longer applies. Only in a session.
    UnloadSkill,
    /// Gives the paths of the files beside a skill.
    ListSkillResources,
    /// Gives one of them.
    LoadSkillResource,
    /// Finds skills by words of a task.
    SearchSkills,
}

impl ToJson for ToolName {
    fn write_json(&self, out: &mut String) {
        self.as_str().write_json(out);
    }
}

impl ToolName {
    /// All tools, in the order in which they are offered.
    pub const ALL: [Self; 7] = [
        Self::LoadSkill,
        Self::ReadSkillFile,
        Self::ListSkills,
        Self::UnloadSkill,
        Self::ListSkillResources,
        Self::LoadSkillResource,
        Self::SearchSkills,
    ];

    /// The tool of an original name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tool| tool.as_str() == name)
    }

    /// As the model knows it by default.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::LoadSkill => "load_skill",
            Self::ReadSkillFile => "read_skill_file",
            Self::ListSkills => "list_skills",
            Self::UnloadSkill => "unload_skill",
            Self::ListSkillResources => "list_skill_resources",
            Self::LoadSkillResource => "load_skill_resource",
            Self::SearchSkills => "search_skills",
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
            Self::ListSkills => {
                "Lists skills with their descriptions, a page at a time. Use it to find a skill that is not listed yet."
            }
            Self::UnloadSkill => {
                "Says that the instructions of a loaded skill no longer apply. Call it when the task that needed the skill is done."
            }
            Self::ListSkillResources => {
                "Lists the files that a skill brings with it, such as references, scripts and assets."
            }
            Self::LoadSkillResource => {
                "Reads one of the files that a skill brings with it. Long text comes in parts: the result says how to go on."
            }
            Self::SearchSkills => {
                "Finds the skills that fit a task best. Use it when none of the skills that you know of fits."
            }
        }
    }

    pub(crate) fn parameters(self) -> &'static [Parameter] {
        match self {
            Self::LoadSkill => &LOAD_SKILL,
            Self::ReadSkillFile | Self::LoadSkillResource => &READ_SKILL_FILE,
            Self::ListSkills => &LIST_SKILLS,
            Self::UnloadSkill => &UNLOAD_SKILL,
            Self::ListSkillResources => &LIST_SKILL_RESOURCES,
            Self::SearchSkills => &SEARCH_SKILLS,
        }
    }
}

/// What an argument holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ArgumentKind {
    Text,
    /// The name of a skill that may be loaded.
    Skill,
    /// The name of one that has files.
    SkillWithFiles,
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
            (ArgumentKind::WholeNumberFrom(least), Value::Number(_)) => {
                match value.as_whole_number() {
                    Some(number) if number >= u64::from(least) => Ok(()),
                    _ => Err(format!("must be a whole number from {least} on")),
                }
            }
            (ArgumentKind::WholeNumberFrom(_), other) => {
                Err(format!("must be a number or null; it is {}", other.kind()))
            }
            (_, Value::String(text)) if text.is_empty() && self.required => {
                Err("is empty".to_owned())
            }
            (_, Value::String(_)) => Ok(()),
            (_, other) => Err(format!("must be text; it is {}", other.kind())),
        }
    }
}

const LOAD_SKILL: [Parameter; 1] = [required(
    "name",
    ArgumentKind::Skill,
    "The skill's name, as it is listed",
)];

const UNLOAD_SKILL: [Parameter; 1] = [required(
    "name",
    ArgumentKind::Text,
    "The name of a skill that is loaded",
)];

const LIST_SKILL_RESOURCES: [Parameter; 1] = [required(
    "skill",
    ArgumentKind::SkillWithFiles,
    "The skill's name, as it is listed",
)];

const READ_SKILL_FILE: [Parameter; 4] = [
    required(
        "skill",
        ArgumentKind::SkillWithFiles,
        "The skill's name, as it is listed",
    ),
    required(
        "path",
        ArgumentKind::Text,
        "The file's path relative to the skill's directory, such as references/guide.md",
    ),
    optional(
        "offset",
        ArgumentKind::WholeNumberFrom(0),
        "The byte to begin at; null for the beginning",
    ),
    optional(
        "limit",
        ArgumentKind::WholeNumberFrom(1),
        "The most bytes to return; null for as many as possible",
    ),
];

const LIST_SKILLS: [Parameter; 4] = [
    optional(
        "filter",
        ArgumentKind::Text,
        "Words that the name or the description must have; null for all skills",
    ),
    optional(
        "group",
        ArgumentKind::Text,
        "Only the skills of this group; null for those of all groups",
    ),
    optional(
        "offset",
        ArgumentKind::WholeNumberFrom(0),
        "How many skills to pass over; null for none",
    ),
    optional(
        "limit",
        ArgumentKind::WholeNumberFrom(1),
        "The most skills to return; null for 50",
    ),
];

const SEARCH_SKILLS: [Parameter; 2] = [
    required(
        "query",
        ArgumentKind::Text,
        "What is to be done, in a few words",
    ),
    optional(
        "limit",
        ArgumentKind::WholeNumberFrom(1),
        "The most skills to return; null for 10",
    ),
];

const fn required(name: &'static str, kind: ArgumentKind, description: &'static str) -> Parameter {
    Parameter {
        name,
        description,
        kind,
        required: true,
    }
}

const fn optional(name: &'static str, kind: ArgumentKind, description: &'static str) -> Parameter {
    Parameter {
        name,
        description,
        kind,
        required: false,
    }
}

/// Names that an argument can have, while there are few.
#[derive(Clone, Debug, Default)]
pub(crate) struct SkillNames {
    pub(crate) loadable: Vec<String>,
    pub(crate) with_files: Vec<String>,
}

impl SkillNames {
    /// More names than these would cost every request more than they help it.
    const MOST: usize = 30;

    /// Adds a name that `name` makes, unless there are too many already.
    pub(crate) fn add(names: &mut Vec<String>, name: impl FnOnce() -> String) {
        if names.len() <= Self::MOST {
            names.push(name());
        }
    }

    /// What a schema lists for an argument.
    fn choices(&self, kind: ArgumentKind) -> Option<&[String]> {
        let names = match kind {
            ArgumentKind::Skill => &self.loadable,
            ArgumentKind::SkillWithFiles => &self.with_files,
            ArgumentKind::Text | ArgumentKind::WholeNumberFrom(_) => return None,
        };
        (1..=Self::MOST).contains(&names.len()).then_some(names)
    }
}

/// A tool as a provider wants it.
#[derive(Clone, Debug)]
pub struct ToolDefinition {
    /// Its name for the model.
    pub name: String,
    /// What it does.
    pub description: String,
    /// A JSON Schema object that the strict modes of the providers accept; that of a server's tool
    /// is as the server gave it.
    pub input_schema: Value,
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
    pub(crate) fn new(tool: ToolName, names: &SkillNames, options: &ToolOptions) -> Self {
        let rename = &options.rename;
        let parts = rename.parts(tool);
        let description = parts.and_then(|parts| parts.description.as_deref());
        Self {
            name: rename.shown_name(tool).to_owned(),
            description: description.unwrap_or(tool.description()).to_owned(),
            input_schema: schema(tool, names, rename),
        }
    }
}

/// Whether providers take the names that a tool and its arguments are given.
pub(crate) fn check_names(tool: ToolName, rename: &Rename) -> Result<(), Error> {
    check_name("tool", rename.shown_name(tool))?;
    check_argument_names(tool, rename)
}

/// All providers take names that are as long as this, of characters that [`is_in_name`].
pub(crate) const LONGEST_NAME: usize = 64;

/// Whether all providers take a character in the name of a tool: letters, digits, `_` and `-`.
pub(crate) fn is_in_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-')
}

fn check_name(of: &str, name: &str) -> Result<(), Error> {
    if !name.is_empty() && name.len() <= LONGEST_NAME && name.chars().all(is_in_name) {
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
fn schema(tool: ToolName, names: &SkillNames, rename: &Rename) -> Value {
    let text = |text: &str| Value::String(text.to_owned());
    let mut properties = Map::default();
    let mut required = Vec::new();
    for parameter in tool.parameters() {
        let kind = match parameter.kind {
            ArgumentKind::WholeNumberFrom(_) => "integer",
            ArgumentKind::Text | ArgumentKind::Skill | ArgumentKind::SkillWithFiles => "string",
        };
        let kind = if parameter.required {
            text(kind)
        } else {
            Value::List(vec![text(kind), text("null")])
        };
        let shown = rename.shown_argument(tool, parameter.name);
        let mut property = vec![
            ("type".to_owned(), kind),
            ("description".to_owned(), text(parameter.description)),
        ];
        if let Some(names) = names.choices(parameter.kind) {
            let names = names.iter().map(|name| text(name)).collect();
            property.push(("enum".to_owned(), Value::List(names)));
        }
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

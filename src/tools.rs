//! The tools that a model is offered: their names, schemas and arguments.

use crate::diagnostic::Position;
use crate::error::Error;
use crate::json::{self, Malformed, Object, ToJson};
use crate::options::{self, Fields, FromFields};
use crate::text::quoted;
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

    fn parameters(self) -> &'static [Parameter] {
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

struct Parameter {
    name: &'static str,
    description: &'static str,
    kind: ArgumentKind,
    required: bool,
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

/// Other names of tools, by the original ones.
#[derive(Clone, Debug, Default)]
pub struct Rename(Vec<(ToolName, Renamed)>);

impl Rename {
    /// Nothing is renamed.
    pub fn new() -> Self {
        Self::default()
    }

    /// Renames a tool.
    pub fn insert(&mut self, tool: ToolName, renamed: Renamed) {
        self.0.retain(|(other, _)| *other != tool);
        self.0.push((tool, renamed));
    }

    fn get(&self, tool: ToolName) -> Option<&Renamed> {
        let (_, renamed) = self.0.iter().find(|(original, _)| *original == tool)?;
        Some(renamed)
    }

    fn parts(&self, tool: ToolName) -> Option<&RenamedParts> {
        match self.get(tool)? {
            Renamed::Name(_) => None,
            Renamed::Parts(parts) => Some(parts),
        }
    }
}

/// What a tool is called for the model.
#[derive(Clone, Debug)]
pub enum Renamed {
    /// Only another name.
    Name(String),
    /// More than that.
    Parts(RenamedParts),
}

/// What can be called otherwise in a tool.
#[derive(Clone, Debug, Default)]
pub struct RenamedParts {
    /// Its name.
    pub name: Option<String>,
    /// Its description.
    pub description: Option<String>,
    /// Names of its arguments, by the original ones.
    pub arguments: Vec<(String, String)>,
}

/// The tag around a body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wrapper {
    /// `<skill_content name="…">`
    #[default]
    SkillContent,
    /// `<skill name="…">`
    Skill,
    /// None.
    None,
}

impl Wrapper {
    const NAMES: [(&str, Self); 3] = [
        ("skill_content", Self::SkillContent),
        ("skill", Self::Skill),
        ("none", Self::None),
    ];

    /// The tag's name.
    pub(crate) fn tag(self) -> Option<&'static str> {
        match self {
            Self::SkillContent => Some("skill_content"),
            Self::Skill => Some("skill"),
            Self::None => None,
        }
    }
}

/// How tools are named and what their results look like.
#[derive(Clone, Debug)]
pub struct ToolOptions {
    /// Other names.
    pub rename: Rename,
    /// Names that the caller's own tools have.
    pub taken: Vec<String>,
    /// The tag around a body.
    pub wrapper: Wrapper,
    /// Whether results name the skill's directory.
    pub directory: bool,
}

impl Default for ToolOptions {
    fn default() -> Self {
        Self {
            rename: Rename::new(),
            taken: Vec::new(),
            wrapper: Wrapper::default(),
            directory: true,
        }
    }
}

impl ToolOptions {
    /// Reads them from JSON text.
    ///
    /// # Errors
    ///
    /// [`Error::SourceUnsupported`], which names the option that cannot be used.
    pub fn from_json(json: &str) -> Result<Self, Error> {
        options::read(json)
    }
}

impl FromFields for ToolOptions {
    fn from_fields(fields: &Fields<'_>) -> Self {
        Self {
            rename: rename_from(fields),
            taken: fields.texts("taken"),
            wrapper: fields.choice("wrapper", &Wrapper::NAMES),
            directory: fields.flag("directory", true),
        }
    }
}

/// Reads the field `rename`: for each tool another name, or an object of what is called otherwise.
pub(crate) fn rename_from(fields: &Fields<'_>) -> Rename {
    let tools = fields.object("rename", "rename.");
    let mut rename = Rename::new();
    for tool in ToolName::ALL {
        let renamed = match tools.get(tool.as_str()) {
            None => continue,
            Some(Value::String(name)) => Renamed::Name(name.clone()),
            Some(_) => {
                let parts = tools.object(tool.as_str(), "rename: ");
                let renamed = RenamedParts {
                    name: parts.text("name"),
                    description: parts.text("description"),
                    arguments: parts.texts_by_key("arguments"),
                };
                parts.finish();
                Renamed::Parts(renamed)
            }
        };
        rename.insert(tool, renamed);
    }
    tools.finish();
    rename
}

/// A tool as a provider wants it.
#[derive(Clone, Debug)]
pub struct ToolDefinition {
    /// Its name for the model.
    pub name: String,
    /// What it does.
    pub description: String,
    /// A JSON Schema object that the strict modes of the providers accept.
    pub input_schema: Value,
    original: ToolName,
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

/// The tools that are offered.
#[derive(Clone, Debug)]
pub struct Tools {
    /// Of all tools: a call of one that is not offered is answered too.
    all: Vec<ToolDefinition>,
    offered: Vec<ToolName>,
    options: ToolOptions,
}

/// A call whose arguments fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Call {
    /// The skill's name, as it was asked for.
    pub(crate) skill: String,
    pub(crate) wanted: Wanted,
}

/// What of a skill is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    Body,
    File(FilePart),
}

/// A part of a file beside a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FilePart {
    pub(crate) path: String,
    pub(crate) offset: Option<u64>,
    pub(crate) limit: Option<u64>,
}

impl Tools {
    /// The tools, under the names that `options` gives them. Those `offered` must not have a name
    /// that is taken.
    pub(crate) fn new(offered: Vec<ToolName>, options: ToolOptions) -> Result<Self, Error> {
        let mut all = Vec::new();
        for tool in ToolName::ALL {
            all.push(definition(tool, &options)?);
        }
        let mut names: Vec<&str> = Vec::new();
        for definition in &all {
            let is_taken =
                offered.contains(&definition.original) && options.taken.contains(&definition.name);
            if is_taken || names.contains(&definition.name.as_str()) {
                let original = definition.original.as_str();
                return Err(Error::ToolNameTaken {
                    name: definition.name.clone(),
                    original,
                });
            }
            names.push(&definition.name);
        }
        Ok(Self {
            all,
            offered,
            options,
        })
    }

    /// The definitions of the tools that are offered, for a provider.
    pub fn definitions(&self) -> Vec<ToolDefinition> {
        let is_offered = |definition: &&ToolDefinition| self.offered.contains(&definition.original);
        self.all.iter().filter(is_offered).cloned().collect()
    }

    /// The tool of a name.
    fn named(&self, name: &str) -> Result<&ToolDefinition, Error> {
        let found = self.all.iter().find(|definition| definition.name == name);
        found.ok_or_else(|| Error::ToolUnknown {
            name: name.to_owned(),
            valid: self
                .definitions()
                .into_iter()
                .map(|definition| definition.name)
                .collect(),
        })
    }

    pub(crate) fn options(&self) -> &ToolOptions {
        &self.options
    }

    /// What a tool is called.
    pub(crate) fn shown_name(rename: &Rename, tool: ToolName) -> &str {
        match rename.get(tool) {
            Some(
                Renamed::Name(name)
                | Renamed::Parts(RenamedParts {
                    name: Some(name), ..
                }),
            ) => name,
            _ => tool.as_str(),
        }
    }

    /// What an argument is called.
    pub(crate) fn shown_argument<'a>(&'a self, tool: ToolName, argument: &'a str) -> &'a str {
        shown_argument(&self.options.rename, tool, argument)
    }

    /// Understands a call. The model's mistakes are errors that tell it what is expected.
    pub(crate) fn understand(&self, tool: &str, arguments: &str) -> Result<Call, Error> {
        let definition = self.named(tool)?;
        let arguments = self.arguments(definition, arguments)?;
        let text = |name: &str| match arguments.get(name) {
            Some(Value::String(text)) => text.clone(),
            _ => String::new(),
        };
        let number = |name: &str| arguments.get(name).and_then(Value::as_whole_number);
        Ok(match definition.original {
            ToolName::LoadSkill => Call {
                skill: text("name"),
                wanted: Wanted::Body,
            },
            ToolName::ReadSkillFile => Call {
                skill: text("skill"),
                wanted: Wanted::File(FilePart {
                    path: text("path"),
                    offset: number("offset"),
                    limit: number("limit"),
                }),
            },
        })
    }

    /// The arguments of a call, given as JSON text, under their original names.
    ///
    /// # Errors
    ///
    /// What does not fit, in words for the model.
    pub fn check(&self, tool: &str, arguments: &str) -> Result<Map, Error> {
        self.arguments(self.named(tool)?, arguments)
    }

    fn arguments(&self, definition: &ToolDefinition, text: &str) -> Result<Map, Error> {
        let invalid = |problem: String| Error::ToolArgumentsInvalid {
            tool: definition.name.clone(),
            problem,
        };
        let tool = definition.original;
        let given = json::parse(text).map_err(|Malformed { offset }| {
            let Position { line, column } = Position::in_text(text, offset);
            invalid(format!("they are not JSON (line {line}, column {column})"))
        })?;
        let Value::Map(given) = given else {
            return Err(invalid(format!(
                "an object is expected, not {}",
                given.kind()
            )));
        };
        let parameters = tool.parameters();
        let name_of =
            |parameter: &Parameter| shown_argument(&self.options.rename, tool, parameter.name);
        if let Some((unknown, _)) = given
            .0
            .iter()
            .find(|(key, _)| !parameters.iter().any(|parameter| name_of(parameter) == key))
        {
            let expected: Vec<&str> = parameters.iter().map(name_of).collect();
            return Err(invalid(format!(
                "there is no argument {}; expected: {}",
                quoted(unknown),
                expected.join(", ")
            )));
        }
        let mut arguments = Map::default();
        for parameter in parameters {
            let shown = name_of(parameter);
            if given.0.iter().filter(|(key, _)| key == shown).count() > 1 {
                return Err(invalid(format!("{} is given twice", quoted(shown))));
            }
            let value = given.get(shown).unwrap_or(&Value::Null);
            fits(parameter, value)
                .map_err(|problem| invalid(format!("{} {problem}", quoted(shown))))?;
            arguments.0.push((parameter.name.to_owned(), value.clone()));
        }
        Ok(arguments)
    }
}

fn fits(parameter: &Parameter, value: &Value) -> Result<(), String> {
    match (parameter.kind, value) {
        (_, Value::Null) if !parameter.required => Ok(()),
        (_, Value::Null) => Err("is missing".to_owned()),
        (ArgumentKind::Text, Value::String(text)) if text.is_empty() => Err("is empty".to_owned()),
        (ArgumentKind::Text, Value::String(_)) => Ok(()),
        (ArgumentKind::Text, other) => Err(format!("must be text; it is {}", other.kind())),
        (ArgumentKind::WholeNumberFrom(least), Value::Number(_)) => match value.as_whole_number() {
            Some(number) if number >= u64::from(least) => Ok(()),
            _ => Err(format!("must be a whole number from {least} on")),
        },
        (ArgumentKind::WholeNumberFrom(_), other) => {
            Err(format!("must be a number or null; it is {}", other.kind()))
        }
    }
}

fn shown_argument<'a>(rename: &'a Rename, tool: ToolName, argument: &'a str) -> &'a str {
    let mut shown = rename
        .parts(tool)
        .into_iter()
        .flat_map(|parts| &parts.arguments);
    shown
        .find(|(original, _)| original == argument)
        .map_or(argument, |(_, shown)| shown)
}

fn definition(tool: ToolName, options: &ToolOptions) -> Result<ToolDefinition, Error> {
    let name = Tools::shown_name(&options.rename, tool);
    check_tool_name(name)?;
    let description = options
        .rename
        .parts(tool)
        .and_then(|parts| parts.description.as_deref())
        .unwrap_or(tool.description());
    check_argument_names(tool, &options.rename)?;
    Ok(ToolDefinition {
        name: name.to_owned(),
        description: description.to_owned(),
        input_schema: schema(tool, &options.rename),
        original: tool,
    })
}

/// All providers take these names: letters, digits, `_` and `-`, at most 64.
fn check_tool_name(name: &str) -> Result<(), Error> {
    const LONGEST: usize = 64;
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    if !name.is_empty() && name.len() <= LONGEST && name.bytes().all(allowed) {
        return Ok(());
    }
    Err(Error::SourceUnsupported(format!(
        "The tool name {} cannot be used: providers take letters, digits, _ and -, at most 64.",
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
        .map(|parameter| shown_argument(rename, tool, parameter.name))
        .collect();
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
        let shown = shown_argument(rename, tool, parameter.name);
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

#[cfg(test)]
mod tests {
    use super::*;

    fn load(name: &str) -> Call {
        Call {
            skill: name.to_owned(),
            wanted: Wanted::Body,
        }
    }

    fn tools(options: ToolOptions) -> Result<Tools, Error> {
        Tools::new(ToolName::ALL.to_vec(), options)
    }

    fn renamed(json: &str) -> ToolOptions {
        ToolOptions::from_json(&format!(r#"{{"rename":{json}}}"#)).unwrap()
    }

    #[test]
    fn schemas_are_closed_and_require_everything() {
        let tools = tools(ToolOptions::default()).unwrap();
        for definition in tools.definitions() {
            let Value::Map(schema) = &definition.input_schema else {
                panic!()
            };
            let (Some(Value::Map(properties)), Some(Value::List(required))) =
                (schema.get("properties"), schema.get("required"))
            else {
                panic!()
            };
            assert_eq!(
                schema.get("additionalProperties"),
                Some(&Value::Bool(false))
            );
            let names: Vec<_> = properties
                .0
                .iter()
                .map(|(key, _)| Value::String(key.clone()))
                .collect();
            assert_eq!(&names, required);
        }
    }

    #[test]
    fn a_call_is_understood_from_json_text() {
        let tools = tools(ToolOptions::default()).unwrap();
        assert_eq!(
            tools.understand("load_skill", r#"{"name":"pdf"}"#),
            Ok(load("pdf"))
        );
        assert_eq!(
            tools.understand(
                "read_skill_file",
                r#"{"skill":"pdf","path":"a.md","offset":3,"limit":null}"#
            ),
            Ok(Call {
                skill: "pdf".into(),
                wanted: Wanted::File(FilePart {
                    path: "a.md".into(),
                    offset: Some(3),
                    limit: None
                })
            })
        );
    }

    #[test]
    fn arguments_that_do_not_fit_say_what_is_expected() {
        let tools = tools(ToolOptions::default()).unwrap();
        for (tool, arguments, problem) in [
            ("load_skill", "{", "they are not JSON (line 1, column 2)"),
            ("load_skill", "[]", "an object is expected, not a list"),
            ("load_skill", "null", "an object is expected, not null"),
            ("load_skill", "{}", "\"name\" is missing"),
            ("load_skill", r#"{"name":""}"#, "\"name\" is empty"),
            (
                "load_skill",
                r#"{"name":7}"#,
                "\"name\" must be text; it is a number",
            ),
            (
                "load_skill",
                r#"{"name":"a","x":1}"#,
                "there is no argument \"x\"; expected: name",
            ),
            (
                "read_skill_file",
                r#"{"skill":"a","path":"b","offset":-1}"#,
                "\"offset\" must be a whole number from 0 on",
            ),
            (
                "read_skill_file",
                r#"{"skill":"a","path":"b","offset":"1"}"#,
                "\"offset\" must be a number or null; it is text",
            ),
            (
                "read_skill_file",
                r#"{"skill":"a","path":"b","limit":0}"#,
                "\"limit\" must be a whole number from 1 on",
            ),
            (
                "read_skill_file",
                r#"{"skill":"a","path":"b","limit":1.5}"#,
                "\"limit\" must be a whole number from 1 on",
            ),
        ] {
            let error = tools.understand(tool, arguments).unwrap_err();
            assert_eq!(error.code(), "TOOL_ARGUMENTS_INVALID");
            assert_eq!(
                error.to_string(),
                format!("The arguments of {tool} do not fit: {problem}.")
            );
        }
    }

    #[test]
    fn an_unknown_tool_lists_the_others() {
        let error = tools(ToolOptions::default())
            .unwrap()
            .understand("lod", "{}")
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "There is no tool named \"lod\". Tools: load_skill, read_skill_file."
        );
    }

    #[test]
    fn tools_and_arguments_can_have_other_names() {
        let options = renamed(
            r#"{"load_skill":{"name":"use_skill","arguments":{"name":"skill_name"}},"read_skill_file":"open"}"#,
        );
        let tools = tools(options).unwrap();
        assert_eq!(
            tools.understand("use_skill", r#"{"skill_name":"pdf"}"#),
            Ok(load("pdf"))
        );
        let error = tools
            .understand("use_skill", r#"{"name":"pdf"}"#)
            .unwrap_err();
        assert!(
            error.to_string().contains("expected: skill_name"),
            "{error}"
        );
        assert!(tools.understand("load_skill", r#"{"name":"pdf"}"#).is_err());
    }

    #[test]
    fn names_that_clash_or_cannot_be_used_are_the_developers_mistake() {
        let taken = ToolOptions {
            taken: vec!["load_skill".into()],
            ..ToolOptions::default()
        };
        assert_eq!(tools(taken).unwrap_err().code(), "TOOL_NAME_TAKEN");
        let same = renamed(r#"{"load_skill":"read_skill_file"}"#);
        assert_eq!(tools(same).unwrap_err().code(), "TOOL_NAME_TAKEN");
        for json in [
            r#"{"load_skill":"a b"}"#,
            r#"{"load_skill":""}"#,
            r#"{"load_skill":{"arguments":{"nam":"x"}}}"#,
            r#"{"read_skill_file":{"arguments":{"skill":"path"}}}"#,
        ] {
            assert_eq!(
                tools(renamed(json)).unwrap_err().code(),
                "SOURCE_UNSUPPORTED",
                "{json}"
            );
        }
    }
}

//! The tools that a model is offered, and understanding its calls of them.

use crate::diagnostic::Position;
use crate::error::Error;
use crate::json::{self, Malformed};
use crate::order::sort_by;
use crate::server_tool::{ServerTool, shown_name};
use crate::skill::SkillKey;
use crate::text::quoted;
use crate::tool::{Parameter, SkillNames, ToolDefinition, ToolName, check_names};
use crate::tool_call::{Call, FilePart, ListSkills, SearchSkills, ServerCall, SkillCall, Wanted};
use crate::tool_options::{Rename, ToolOptions};
use crate::value::{Map, Value};

/// The tools that are offered.
#[derive(Clone, Debug)]
pub struct Tools {
    /// What skills can be called by, in the definitions.
    names: SkillNames,
    offered: Vec<ToolName>,
    /// Of the servers of loaded skills.
    served: Vec<ServedTool>,
    options: ToolOptions,
}

/// What tools are made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// To be offered beside those of the caller: one whose name is taken is refused.
    Offer,
    /// To understand a call, or to speak of them: names were judged when they were offered.
    Call,
}

/// Names that an answer lists at most where a tool finds skills.
const MOST_BESIDE_SEARCH: usize = 20;

/// A tool of the server of a loaded skill.
#[derive(Clone, Debug)]
struct ServedTool {
    /// Its name for the model.
    shown: String,
    key: SkillKey,
    tool: ServerTool,
}

impl Tools {
    /// The tools, under the names that `options` gives them. Those `offered` must not have a name
    /// that is taken.
    pub(crate) fn new(
        offered: Vec<ToolName>,
        names: SkillNames,
        options: ToolOptions,
        purpose: Purpose,
    ) -> Result<Self, Error> {
        let mut shown: Vec<&str> = Vec::new();
        for tool in ToolName::ALL {
            check_names(tool, &options.rename)?;
            let name = options.rename.shown_name(tool);
            let is_judged = purpose == Purpose::Offer && offered.contains(&tool);
            let is_taken = is_judged && options.taken.iter().any(|taken| taken == name);
            if is_taken || shown.contains(&name) {
                return Err(Error::ToolNameTaken {
                    name: name.to_owned(),
                    original: tool.as_str(),
                });
            }
            shown.push(name);
        }
        Ok(Self {
            names,
            offered,
            served: Vec::new(),
            options,
        })
    }

    /// The same with tools of the servers of loaded skills.
    pub(crate) fn with_served(mut self, tools: Vec<(SkillKey, ServerTool)>) -> Self {
        self.served = self.named_beside(tools);
        self
    }

    /// Tools of servers with the names that they have beside these: they give way to all others.
    fn named_beside(&self, mut tools: Vec<(SkillKey, ServerTool)>) -> Vec<ServedTool> {
        sort_by(&mut tools, |(_, a), (_, b)| a.name.cmp(&b.name));
        let mut served: Vec<ServedTool> = Vec::new();
        for (key, tool) in tools {
            let is_taken = |name: &str| {
                self.tool_named(name).is_some()
                    || self.options.taken.iter().any(|taken| taken == name)
                    || served.iter().any(|served| served.shown == name)
            };
            if let Some(shown) = shown_name(&key, &tool, &is_taken) {
                served.push(ServedTool { shown, key, tool });
            }
        }
        served
    }

    /// The names of the tools that came with a skill by now.
    pub(crate) fn names_of_served(
        &self,
        tools: Vec<(SkillKey, ServerTool)>,
        key: &SkillKey,
    ) -> Vec<String> {
        let now = self.named_beside(tools).into_iter();
        let of_skill = now.filter(|served| served.key == *key);
        of_skill.map(|served| served.shown).collect()
    }

    /// The definitions of the tools that are offered, for a provider.
    pub fn definitions(&self) -> Vec<ToolDefinition> {
        let own = self.offered.iter();
        let own = own.map(|tool| ToolDefinition::new(*tool, &self.names, &self.options));
        let served = self.served.iter().map(|served| ToolDefinition {
            name: served.shown.clone(),
            description: served.tool.description.clone(),
            input_schema: served.tool.input_schema.clone(),
        });
        own.chain(served).collect()
    }

    /// An error as a model is told it: that a name is unknown leads on to the tool that finds skills, where
    /// that is offered and they are many.
    pub(crate) fn leading_on(&self, mut error: Error) -> Error {
        if let Error::SkillNotFound { total, search, .. } = &mut error
            && *total > MOST_BESIDE_SEARCH
            && self.offered.contains(&ToolName::SearchSkills)
        {
            let shown = self.rename().shown_name(ToolName::SearchSkills);
            *search = Some(shown.to_owned());
        }
        error
    }

    /// The tool that has a name, be it offered or not: a call of one that is not is answered too.
    fn tool_named(&self, name: &str) -> Option<ToolName> {
        let mut all = ToolName::ALL.into_iter();
        all.find(|tool| self.rename().shown_name(*tool) == name)
    }

    /// The same, or an error that names those that are offered.
    fn named(&self, name: &str) -> Result<ToolName, Error> {
        self.tool_named(name).ok_or_else(|| {
            let own = self
                .offered
                .iter()
                .map(|tool| self.rename().shown_name(*tool));
            let served = self.served.iter().map(|served| served.shown.as_str());
            Error::ToolUnknown {
                name: name.to_owned(),
                valid: own.chain(served).map(str::to_owned).collect(),
            }
        })
    }

    pub(crate) fn options(&self) -> &ToolOptions {
        &self.options
    }

    /// Other names of the tools, for what is said to the model.
    pub(crate) fn rename(&self) -> &Rename {
        &self.options.rename
    }

    /// What a tool is called that is offered: nobody is told to call one that is not.
    pub(crate) fn offered_name(&self, tool: ToolName) -> Option<&str> {
        let is_offered = self.offered.contains(&tool);
        is_offered.then(|| self.rename().shown_name(tool))
    }

    /// What the tool is called that reads the files of skills, where there is one.
    pub(crate) fn file_reader(&self) -> Option<&str> {
        self.offered_name(ToolName::ReadSkillFile)
            .or_else(|| self.offered_name(ToolName::LoadSkillResource))
    }

    /// Understands a call. The model's mistakes are errors that tell it what is expected.
    pub(crate) fn understand(&self, tool: &str, arguments: &str) -> Result<Call, Error> {
        let original = self.named(tool)?;
        let arguments = self.arguments(original, tool, arguments)?;
        let text = |name: &str| match arguments.get(name) {
            Some(Value::String(text)) => text.clone(),
            _ => String::new(),
        };
        let optional = |name: &str| Some(text(name)).filter(|text| !text.trim().is_empty());
        let number = |name: &str| arguments.get(name).and_then(Value::as_whole_number);
        let of_skill = |skill, wanted| Call::OfSkill(SkillCall { skill, wanted });
        Ok(match original {
            ToolName::LoadSkill => of_skill(text("name"), Wanted::Body),
            ToolName::UnloadSkill => of_skill(text("name"), Wanted::Unload),
            ToolName::ListSkillResources => of_skill(text("skill"), Wanted::Files),
            ToolName::ListSkills => Call::List(ListSkills {
                filter: optional("filter"),
                group: optional("group"),
                offset: number("offset"),
                limit: number("limit"),
            }),
            ToolName::SearchSkills => Call::Search(SearchSkills {
                query: text("query"),
                limit: number("limit"),
            }),
            tool @ (ToolName::ReadSkillFile | ToolName::LoadSkillResource) => {
                let part = FilePart {
                    tool,
                    path: text("path"),
                    offset: number("offset"),
                    limit: number("limit"),
                };
                of_skill(text("skill"), Wanted::File(part))
            }
        })
    }

    /// A call of a tool of a server; `None` where it is of another tool.
    pub(crate) fn served_call(
        &self,
        tool: &str,
        arguments: &str,
    ) -> Result<Option<ServerCall>, Error> {
        let Some(served) = self.served.iter().find(|served| served.shown == tool) else {
            return Ok(None);
        };
        Ok(Some(ServerCall {
            key: served.key.clone(),
            tool: served.tool.clone(),
            arguments: object_of(tool, arguments)?,
        }))
    }

    /// The arguments of a call, given as JSON text, under their original names.
    ///
    /// # Errors
    ///
    /// What does not fit, in words for the model.
    pub fn check_arguments(&self, tool: &str, arguments: &str) -> Result<Map, Error> {
        match self.served_call(tool, arguments)? {
            Some(call) => Ok(call.arguments),
            None => self.arguments(self.named(tool)?, tool, arguments),
        }
    }

    fn arguments(&self, tool: ToolName, name: &str, text: &str) -> Result<Map, Error> {
        let invalid = |problem: String| Error::ToolArgumentsInvalid {
            tool: name.to_owned(),
            problem,
        };
        let given = object_of(name, text)?;
        let parameters = tool.parameters();
        let name_of = |parameter: &Parameter| self.rename().shown_argument(tool, parameter.name);
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
            parameter
                .takes(value)
                .map_err(|problem| invalid(format!("{} {problem}", quoted(shown))))?;
            arguments.0.push((parameter.name.to_owned(), value.clone()));
        }
        Ok(arguments)
    }
}

/// The arguments of a tool, given as JSON text. Where a tool needs none, some providers give nothing.
fn object_of(tool: &str, text: &str) -> Result<Map, Error> {
    if text.trim().is_empty() {
        return Ok(Map::default());
    }
    let problem = match json::parse(text) {
        Ok(Value::Map(given)) => return Ok(given),
        Ok(Value::Null) => return Ok(Map::default()),
        Ok(other) => format!("an object is expected, not {}", other.kind()),
        Err(Malformed { offset }) => {
            let Position { line, column } = Position::in_text(text, offset);
            format!("they are not JSON (line {line}, column {column})")
        }
    };
    Err(Error::ToolArgumentsInvalid {
        tool: tool.to_owned(),
        problem,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(name: &str) -> Call {
        Call::OfSkill(SkillCall {
            skill: name.to_owned(),
            wanted: Wanted::Body,
        })
    }

    fn tools(options: ToolOptions) -> Result<Tools, Error> {
        let offered = ToolName::ALL.to_vec();
        Tools::new(offered, SkillNames::default(), options, Purpose::Offer)
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
            Ok(Call::OfSkill(SkillCall {
                skill: "pdf".into(),
                wanted: Wanted::File(FilePart {
                    tool: ToolName::ReadSkillFile,
                    path: "a.md".into(),
                    offset: Some(3),
                    limit: None
                })
            }))
        );
    }

    #[test]
    fn arguments_that_do_not_fit_say_what_is_expected() {
        let tools = tools(ToolOptions::default()).unwrap();
        for (tool, arguments, problem) in [
            ("load_skill", "{", "they are not JSON (line 1, column 2)"),
            ("load_skill", "[]", "an object is expected, not a list"),
            ("load_skill", "null", "\"name\" is missing"),
            ("load_skill", "", "\"name\" is missing"),
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
            "There is no tool named \"lod\". Tools: load_skill, read_skill_file, list_skills, unload_skill, list_skill_resources, load_skill_resource, search_skills."
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

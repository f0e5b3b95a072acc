//! What a developer says about the tools: their names for the model, and what results look like.

use crate::error::Error;
use crate::index::IndexOptions;
use crate::json::{self, ToJson};
use crate::options::{self, Fields, FromFields};
use crate::text::quoted;
use crate::tool::ToolName;
use crate::value::Value;

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

    /// What a tool is called for the model.
    pub(crate) fn shown_name(&self, tool: ToolName) -> &str {
        match self.get(tool) {
            Some(
                Renamed::Name(name)
                | Renamed::Parts(RenamedParts {
                    name: Some(name), ..
                }),
            ) => name,
            _ => tool.as_str(),
        }
    }

    /// What an argument of a tool is called for the model.
    pub(crate) fn shown_argument<'a>(&'a self, tool: ToolName, argument: &'a str) -> &'a str {
        let mut shown = self
            .parts(tool)
            .into_iter()
            .flat_map(|parts| &parts.arguments);
        shown
            .find(|(original, _)| original == argument)
            .map_or(argument, |(_, shown)| shown)
    }

    fn get(&self, tool: ToolName) -> Option<&Renamed> {
        let (_, renamed) = self.0.iter().find(|(original, _)| *original == tool)?;
        Some(renamed)
    }

    pub(crate) fn parts(&self, tool: ToolName) -> Option<&RenamedParts> {
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
    /// The tag that is used unless another one is asked for.
    pub(crate) const USUAL_TAG: &'static str = "skill_content";

    const NAMES: [(&str, Self); 3] = [
        (Self::USUAL_TAG, Self::SkillContent),
        ("skill", Self::Skill),
        ("none", Self::None),
    ];

    /// The tag's name.
    pub(crate) fn tag(self) -> Option<&'static str> {
        match self {
            Self::SkillContent => Some(Self::USUAL_TAG),
            Self::Skill => Some("skill"),
            Self::None => None,
        }
    }
}

/// Which tools are offered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ToolSet {
    /// The basic ones, and those that the index tells the model to call.
    #[default]
    Auto,
    /// `load_skill`, and `read_skill_file` where a skill has files.
    Basic,
    /// All.
    Full,
    /// These, in the order of all.
    Only(Vec<ToolName>),
}

impl ToolSet {
    /// Reads the field `set`: a word, or a list of tools.
    fn from_fields(fields: &Fields<'_>) -> Self {
        const SET: &str = "set";
        if !matches!(fields.get(SET), Some(Value::List(_))) {
            return fields.choice(
                SET,
                &[
                    ("auto", Self::Auto),
                    ("basic", Self::Basic),
                    ("full", Self::Full),
                ],
            );
        }
        Self::Only(tools_from(fields, SET))
    }

    /// The same for one who has no conversation, so nothing to unload.
    pub(crate) fn stateless(&self) -> Self {
        let mut set = self.clone();
        if let Self::Only(tools) = &mut set {
            tools.retain(|tool| *tool != ToolName::UnloadSkill);
        }
        set
    }
}

/// As it is read.
impl ToJson for ToolSet {
    fn write_json(&self, out: &mut String) {
        match self {
            Self::Auto => "auto".write_json(out),
            Self::Basic => "basic".write_json(out),
            Self::Full => "full".write_json(out),
            Self::Only(tools) => tools.write_json(out),
        }
    }
}

/// Reads a list of tools.
fn tools_from(fields: &Fields<'_>, key: &'static str) -> Vec<ToolName> {
    let mut tools = Vec::new();
    for name in fields.texts(key) {
        match ToolName::named(&name) {
            Some(tool) => tools.push(tool),
            None => fields.refuse(
                key,
                &[
                    "has ",
                    &quoted(&name),
                    ", which is no tool; tools: ",
                    &ToolName::ALL.map(ToolName::as_str).join(", "),
                ]
                .concat(),
            ),
        }
    }
    tools
}

/// Which tools are offered, how they are named and what their results look like.
#[derive(Clone, Debug)]
pub struct ToolOptions {
    /// Which are offered.
    pub set: ToolSet,
    /// What the index in the system prompt looks like.
    pub index: IndexOptions,
    /// The tools that this index tells the model to call: those of its report.
    pub named_by_index: Vec<ToolName>,
    /// Other names.
    pub rename: Rename,
    /// Names that the caller's own tools have.
    pub taken: Vec<String>,
    /// The tag around a body.
    pub wrapper: Wrapper,
    /// Whether results name the skill's directory.
    pub directory: bool,
}

impl ToolOptions {
    /// Whether a tool is needed by a model that has the index: it is told to call it, or is told nothing
    /// at all since nothing fits, and can only search.
    pub(crate) fn is_needed_beside_index(&self, tool: ToolName) -> bool {
        let is_told_nothing = self.index.budget.is_some() && self.named_by_index.is_empty();
        let is_for_search = is_told_nothing && tool == ToolName::SearchSkills;
        is_for_search || self.named_by_index.contains(&tool)
    }
}

impl Default for ToolOptions {
    fn default() -> Self {
        Self {
            set: ToolSet::default(),
            index: IndexOptions::default(),
            named_by_index: Vec::new(),
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

    /// JSON text of options in which `own` say what `given` do not, both JSON text. What is no object
    /// stays as it was given: it is refused where the options are read.
    pub fn merged_json(own: &str, given: &str) -> String {
        match (json::parse(own), json::parse(given)) {
            (Ok(Value::Map(own)), Ok(Value::Map(mut merged))) => {
                for (key, value) in own.0 {
                    match merged.0.iter_mut().find(|(said, _)| *said == key) {
                        Some((_, said)) if *said == Value::Null => *said = value,
                        Some(_) => {}
                        None => merged.0.push((key, value)),
                    }
                }
                Value::Map(merged).to_json()
            }
            _ => given.to_owned(),
        }
    }
}

impl FromFields for ToolOptions {
    fn from_fields(fields: &Fields<'_>) -> Self {
        Self {
            set: ToolSet::from_fields(fields),
            index: fields.object("index", "index.").read(),
            named_by_index: tools_from(fields, "~namedByIndex"),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_given_is_as_the_session_has_it() {
        let own = r#"{"rename":{"load_skill":"use"},"wrapper":"skill","taken":["mine"]}"#;
        for (given, merged) in [
            ("{}", own),
            (
                r#"{"set":"full","wrapper":null}"#,
                r#"{"set":"full","wrapper":"skill","rename":{"load_skill":"use"},"taken":["mine"]}"#,
            ),
            (
                r#"{"rename":{},"taken":[],"wrapper":"none"}"#,
                r#"{"rename":{},"taken":[],"wrapper":"none"}"#,
            ),
            (r#""full""#, r#""full""#),
        ] {
            assert_eq!(ToolOptions::merged_json(own, given), merged, "{given}");
        }
    }
}

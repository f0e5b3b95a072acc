//! What a developer says about the tools: their names for the model, and what results look like.

use crate::error::Error;
use crate::options::{self, Fields, FromFields};
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

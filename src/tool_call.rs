//! Calls as they are understood.

use crate::server_tool::ServerTool;
use crate::skill::SkillKey;
use crate::tool::ToolName;
use crate::value::Map;

/// A call whose arguments fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Call {
    List(ListSkills),
    Search(SearchSkills),
    OfSkill(SkillCall),
}

impl Call {
    /// The file that is asked for.
    pub(crate) fn file_path(&self) -> Option<&str> {
        match self {
            Self::OfSkill(SkillCall {
                wanted: Wanted::File(part),
                ..
            }) => Some(&part.path),
            Self::OfSkill(_) | Self::List(_) | Self::Search(_) => None,
        }
    }
}

/// A call about one skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SkillCall {
    /// The skill's name, as it was asked for.
    pub(crate) skill: String,
    pub(crate) wanted: Wanted,
}

/// What of a skill is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    Body,
    File(FilePart),
    /// The paths of its files.
    Files,
    /// That it no longer applies.
    Unload,
}

/// A part of a file beside a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FilePart {
    /// The tool that reads it.
    pub(crate) tool: ToolName,
    pub(crate) path: String,
    pub(crate) offset: Option<u64>,
    pub(crate) limit: Option<u64>,
}

/// A call of a tool of a skill's server.
pub(crate) struct ServerCall {
    /// Of which skill.
    pub(crate) key: SkillKey,
    pub(crate) tool: ServerTool,
    pub(crate) arguments: Map,
}

/// A call of `list_skills`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ListSkills {
    pub(crate) filter: Option<String>,
    pub(crate) group: Option<String>,
    pub(crate) offset: Option<u64>,
    pub(crate) limit: Option<u64>,
}

/// A call of `search_skills`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SearchSkills {
    pub(crate) query: String,
    pub(crate) limit: Option<u64>,
}

//! What a compactor must keep of the skills that a conversation has loaded.

use super::event::LoadedSkill;
use super::state::State;
use crate::budget::Budget;
use crate::error::Error;
use crate::json::{Object, ToJson};
use crate::load_skill::push_wrapped;
use crate::operation::Io;
use crate::options::{self, Fields, FromFields};
use crate::skill::SkillKey;
use crate::text::quoted;
use crate::tool::ToolName;
use crate::tool_options::{Rename, Wrapper, rename_from};

/// Files that a note names at most.
const FILES_NAMED: usize = 5;

/// How much of what was loaded is kept.
#[derive(Clone, Debug, Default)]
pub struct CompactOptions {
    /// All of it without one.
    pub budget: Option<Budget>,
    /// Names that the tools have for the model.
    pub rename: Rename,
}

impl CompactOptions {
    /// Reads them from JSON text.
    ///
    /// # Errors
    ///
    /// [`Error::SourceUnsupported`], which names the option that cannot be used.
    pub fn from_json(json: &str) -> Result<Self, Error> {
        options::read(json)
    }
}

impl FromFields for CompactOptions {
    fn from_fields(fields: &Fields<'_>) -> Self {
        Self {
            budget: Budget::from_fields(fields),
            rename: rename_from(fields),
        }
    }
}

/// What is kept of a conversation's skills, and what is said of the others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Compaction {
    /// In order: without a budget by their last use, with one the most recently used first.
    pub keep: Vec<Kept>,
    /// One for each skill that is no longer in the conversation.
    pub notes: Vec<Note>,
}

/// A skill that must survive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Which one.
    pub key: SkillKey,
    /// Its body in `<skill_content name="…">`.
    pub text: String,
}

/// A line that stands for a skill that was dropped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The skill's name.
    pub name: String,
    /// One line.
    pub text: String,
}

impl ToJson for Compaction {
    fn write_json(&self, out: &mut String) {
        Object::begin(out)
            .field("keep", &self.keep)
            .field("notes", &self.notes)
            .end();
    }
}

impl ToJson for Kept {
    fn write_json(&self, out: &mut String) {
        Object::begin(out)
            .field("name", &self.key.name)
            .optional("version", self.key.version.as_ref())
            .field("text", &self.text)
            .end();
    }
}

impl ToJson for Note {
    fn write_json(&self, out: &mut String) {
        Object::begin(out)
            .field("name", &self.name)
            .field("text", &self.text)
            .end();
    }
}

/// Decides what is kept of `state`, and tells for which skills the model can call again.
pub(crate) async fn compact(
    io: &Io,
    state: &State,
    options: &CompactOptions,
    can_be_loaded: impl Fn(&SkillKey) -> bool,
) -> Result<Compaction, Error> {
    let present = state.skills.iter().filter(|held| !held.dropped);
    let mut keep: Vec<Kept> = present.map(|held| kept(&held.skill, state)).collect();
    if let Some(budget) = options.budget {
        keep.reverse();
        keep = within(io, budget, keep).await?;
    }
    let is_gone = |key: &SkillKey| keep.iter().all(|kept| kept.key != *key);
    let gone = state.skills.iter().map(|held| &held.skill.key);
    let notes = gone
        .filter(|key| is_gone(key))
        .map(|key| note(key, state, can_be_loaded(key).then_some(&options.rename)))
        .collect();
    Ok(Compaction { keep, notes })
}

/// What a skill is called: by its version too, where more than one is loaded.
fn called(key: &SkillKey, state: &State) -> String {
    if state.named(&key.name).count() > 1 {
        key.address()
    } else {
        key.name.clone()
    }
}

fn kept(skill: &LoadedSkill, state: &State) -> Kept {
    let mut text = String::with_capacity(skill.body.len() + 64);
    push_wrapped(
        &mut text,
        &called(&skill.key, state),
        &skill.body,
        Wrapper::SkillContent,
    );
    Kept {
        key: skill.key.clone(),
        text,
    }
}

/// Of `candidates`, each that fits into what the ones before it have left.
async fn within(io: &Io, budget: Budget, candidates: Vec<Kept>) -> Result<Vec<Kept>, Error> {
    let texts: Vec<&str> = candidates.iter().map(|kept| kept.text.as_str()).collect();
    let sizes = budget.sizes(io, &texts).await?;
    let mut left = budget.limit();
    let mut keep = Vec::new();
    for (candidate, size) in candidates.into_iter().zip(sizes) {
        if let Some(rest) = left.checked_sub(size) {
            left = rest;
            keep.push(candidate);
        }
    }
    Ok(keep)
}

/// The note of a skill; `rename` is there where the model can load it again.
fn note(key: &SkillKey, state: &State, rename: Option<&Rename>) -> Note {
    let remedy = match rename {
        Some(rename) => {
            let tool = rename.shown_name(ToolName::LoadSkill);
            format!("Call `{tool}` to read them again.")
        }
        None => "Only the user can load it again.".to_owned(),
    };
    let files: Vec<String> = state.resources_of(key).map(quoted).collect();
    let more = files.len().saturating_sub(FILES_NAMED);
    let named = files.get(..FILES_NAMED).unwrap_or(&files).join(", ");
    let files = match (files.len(), more) {
        (0, _) => String::new(),
        (_, 0) => format!(", and of its files {named}"),
        _ => format!(", and of its files {named} and {more} more"),
    };
    let name = quoted(&called(key, state));
    Note {
        name: key.name.clone(),
        text: format!(
            "The skill {name} was loaded earlier{files}; its instructions are no longer in this conversation. {remedy}"
        ),
    }
}

//! What a compactor must keep of the skills that a conversation has loaded.

use super::event::LoadedSkill;
use super::state::{State, place_name};
use crate::budget::Budget;
use crate::error::Error;
use crate::json::{Object, ToJson};
use crate::operation::Io;
use crate::options::{self, Fields, FromFields};
use crate::places::{Names, Places};
use crate::skill::SkillKey;
use crate::text::quoted;
use crate::tool::ToolName;
use crate::tool_options::Wrapper;
use crate::tools::Tools;
use crate::wrapper::push_wrapped;

/// Files of a skill that are named at most.
const FILES_NAMED: usize = 5;

/// How much of what was loaded is kept.
#[derive(Clone, Debug, Default)]
pub struct CompactOptions {
    /// All of it without one.
    pub budget: Option<Budget>,
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
    /// Its body in its tag, and a line that names its files that were read.
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

/// How a compactor's texts speak of the tools, and what the model can do with them.
pub(super) struct Speech<'a> {
    pub(super) tools: &'a Tools,
    /// Bytes of a body.
    pub(super) longest_body: u32,
    /// Whether the model can load a skill again.
    pub(super) can_be_loaded: &'a dyn Fn(&SkillKey) -> bool,
    /// Whether the files of a skill can be read.
    pub(super) has_files: &'a dyn Fn(&SkillKey) -> bool,
}

/// Decides what is kept of `state`. Gives what is not as well.
pub(super) async fn compact(
    io: &Io,
    state: &State,
    options: &CompactOptions,
    speech: &Speech<'_>,
) -> Result<(Compaction, Vec<SkillKey>), Error> {
    let named = Named::of(state);
    let present = state.skills().filter(|held| !held.dropped);
    let mut keep: Vec<Kept> = present
        .map(|held| kept(&held.skill, &named, speech))
        .collect();
    if let Some(budget) = options.budget {
        keep.reverse();
        keep = within(io, budget, keep).await?;
    }
    let mut is_kept = Names::default();
    for kept in &keep {
        is_kept.add(place_name(&kept.key));
    }
    let (mut gone, mut notes) = (Vec::new(), Vec::new());
    for held in state.skills() {
        let key = held.key();
        if !is_kept.has(&place_name(key)) {
            notes.push(note(key, &named, speech));
            gone.push(key.clone());
        }
    }
    Ok((Compaction { keep, notes }, gone))
}

/// How skills are called, and what was read of them: looked up in one go for all of them.
struct Named<'a> {
    /// Names under which more than one version is loaded.
    in_versions: Names,
    /// Where in `files` those of a skill are.
    places: Places,
    files: Vec<Vec<&'a str>>,
}

impl<'a> Named<'a> {
    fn of(state: &'a State) -> Self {
        let (mut seen, mut in_versions) = (Names::default(), Names::default());
        for held in state.skills() {
            let name = &held.key().name;
            if !seen.add(name.clone()) {
                in_versions.add(name.clone());
            }
        }
        let mut places = Places::default();
        let mut files: Vec<Vec<&str>> = Vec::new();
        for (key, path) in state.resources() {
            let name = place_name(key);
            match places.get(&name).and_then(|place| files.get_mut(place)) {
                Some(of_skill) => of_skill.push(path),
                None => {
                    places.add(name, files.len());
                    files.push(vec![path]);
                }
            }
        }
        Self {
            in_versions,
            places,
            files,
        }
    }

    /// What a skill is called: by its version too, where more than one is loaded.
    fn name(&self, key: &SkillKey) -> String {
        if self.in_versions.has(&key.name) {
            key.address()
        } else {
            key.name.clone()
        }
    }

    /// The files of a skill that were read, in words.
    fn files(&self, key: &SkillKey) -> Option<String> {
        let files = self.files.get(self.places.get(&place_name(key))?)?;
        let named = files.get(..FILES_NAMED).unwrap_or(files);
        let words: Vec<String> = named.iter().map(|path| quoted(path)).collect();
        let mut words = words.join(", ");
        let more = files.len() - named.len();
        if more > 0 {
            words.push_str(&format!(" and {more} more"));
        }
        Some(words)
    }
}

fn kept(skill: &LoadedSkill, named: &Named<'_>, speech: &Speech<'_>) -> Kept {
    let name = named.name(&skill.key);
    let body = skill.text(speech.longest_body);
    let mut text = String::with_capacity(body.len() + 256);
    // Without a tag nothing would tell it from what stands around it.
    let wrapper = match speech.tools.options().wrapper {
        Wrapper::None => Wrapper::default(),
        other => other,
    };
    push_wrapped(&mut text, &name, &body, wrapper);
    let files = named.files(&skill.key);
    if let Some(files) = files.filter(|_| (speech.has_files)(&skill.key)) {
        let name = quoted(&name);
        text.push_str(&format!(
            "\n\nFiles of the skill {name} that were read earlier: {files}."
        ));
        if let Some(reader) = speech.tools.file_reader() {
            text.push_str(&format!(" Call `{reader}` to read them again."));
        }
    }
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

/// The note of a skill.
fn note(key: &SkillKey, named: &Named<'_>, speech: &Speech<'_>) -> Note {
    let remedy = if (speech.can_be_loaded)(key) {
        let loader = speech.tools.offered_name(ToolName::LoadSkill);
        loader.map(|loader| format!(" Call `{loader}` to read them again."))
    } else {
        Some(" Only the user can load it again.".to_owned())
    };
    let remedy = remedy.unwrap_or_default();
    let files = named.files(key);
    let files = files.map_or(String::new(), |files| format!(", and of its files {files}"));
    let name = quoted(&named.name(key));
    Note {
        name: key.name.clone(),
        text: format!(
            "The skill {name} was loaded earlier{files}; its instructions are no longer in this conversation.{remedy}"
        ),
    }
}

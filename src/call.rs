//! Answering a tool call. A mistake of the model, and a host that fails, are answers too.

use crate::body;
use crate::catalog::Catalog;
use crate::error::Error;
use crate::json::{Object, ToJson};
use crate::load_skill;
use crate::near::near;
use crate::operation::{Io, Operation};
use crate::options::{self, Fields, FromFields};
use crate::own_files::OwnFiles;
use crate::read_skill_file;
use crate::snapshot::{Entry, Snapshot};
use crate::tool::ToolName;
use crate::tool_options::ToolOptions;
use crate::tools::{Call, Tools, Wanted};

/// Names that an answer lists at most.
const NAMES_LISTED: usize = 100;

/// What a developer says of a call; the signal itself stays on the caller's side.
pub struct CallOptions(());

impl FromFields for CallOptions {
    fn from_fields(fields: &Fields<'_>) -> Self {
        fields.signal("signal");
        Self(())
    }
}

impl CallOptions {
    /// Checks them, given as JSON text.
    ///
    /// # Errors
    ///
    /// [`Error::SourceUnsupported`], which names the option that cannot be used.
    pub fn check_json(json: &str) -> Result<(), Error> {
        options::read::<Self>(json).map(drop)
    }
}

/// What a tool call came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolResult {
    /// For the model.
    pub content: String,
    /// The stable code of what failed, where the call failed.
    pub code: Option<&'static str>,
    /// The skill it was about.
    pub skill: Option<String>,
    /// Where it goes on, in bytes, where there is more.
    pub next_offset: Option<u64>,
    /// Of a file that is not text.
    pub media_type: Option<&'static str>,
    /// A file that is not text.
    pub bytes: Option<Vec<u8>>,
}

/// All but `content` and `bytes`, which may be long and cross as they are.
impl ToJson for ToolResult {
    fn write_json(&self, out: &mut String) {
        Object::begin(out)
            .field("isError", &self.is_error())
            .optional("code", self.code.as_ref())
            .optional("skill", self.skill.as_ref())
            .optional("truncated", self.truncated().as_ref())
            .optional("nextOffset", self.next_offset.as_ref())
            .optional("mediaType", self.media_type.as_ref())
            .end();
    }
}

impl ToolResult {
    /// Whether the call failed.
    pub fn is_error(&self) -> bool {
        self.code.is_some()
    }

    /// `true` where there is more; else nothing.
    pub fn truncated(&self) -> Option<bool> {
        self.next_offset.map(|_| true)
    }

    fn error(error: &Error, skill: Option<String>) -> Self {
        Self {
            content: error.for_model(),
            code: Some(error.code()),
            skill,
            ..Self::default()
        }
    }
}

/// Why a call about a skill that is there has no result.
pub(crate) enum Unanswered {
    /// Its file says by now that the model may not have it: to the model it is unknown.
    Disabled,
    /// Anything else.
    Failed(Error),
}

impl From<Error> for Unanswered {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

impl Catalog {
    /// The tools that this catalog has a use for.
    ///
    /// # Errors
    ///
    /// A name that is taken or that providers do not accept.
    pub fn tools(&self, options: ToolOptions) -> Result<Tools, Error> {
        let snapshot = self.snapshot();
        let mut offered = Vec::new();
        for entry in self.offered(&snapshot) {
            if offered.is_empty() {
                offered.push(ToolName::LoadSkill);
            }
            if entry.record.files().is_some() {
                offered.push(ToolName::ReadSkillFile);
                break;
            }
        }
        Tools::new(offered, options)
    }

    /// Entries that the model may see.
    pub(crate) fn offered<'a>(&'a self, snapshot: &'a Snapshot) -> impl Iterator<Item = &'a Entry> {
        self.entries(snapshot)
            .filter(|entry| entry.skill.model_invocable)
    }

    /// Answers a call of a tool, by the name that `options` gives it.
    pub fn call(
        &self,
        tool: String,
        arguments: String,
        options: ToolOptions,
    ) -> Operation<ToolResult> {
        let catalog = self.clone();
        Operation::new(|io| async move {
            let tools = match catalog.tools(ToolOptions {
                taken: Vec::new(),
                ..options
            }) {
                Ok(tools) => tools,
                Err(error) => return ToolResult::error(&error, None),
            };
            match tools.understand(&tool, &arguments) {
                Ok(call) => catalog.answer(&io, call, &tools).await,
                Err(error) => ToolResult::error(&error, None),
            }
        })
    }

    async fn answer(&self, io: &Io, call: Call, tools: &Tools) -> ToolResult {
        let snapshot = self.snapshot();
        let entry = match self.lookup(io, &snapshot, &call.skill).await {
            Ok(entry) => entry,
            Err(error) => return ToolResult::error(&error, None),
        };
        let skill = entry.skill.name.clone();
        let own = OwnFiles::of(&entry.record);
        let result = match &call.wanted {
            Wanted::Body => load_skill::answer(io, self, entry, own, tools).await,
            Wanted::File(part) => read_skill_file::answer(io, self, entry, own, part, tools).await,
        };
        match result {
            Ok(result) => ToolResult {
                skill: Some(skill),
                ..result
            },
            Err(Unanswered::Disabled) => {
                ToolResult::error(&self.not_found(&snapshot, &call.skill, Some(entry)), None)
            }
            Err(Unanswered::Failed(error)) => ToolResult::error(&error, Some(skill)),
        }
    }

    /// The entry of a name that the model may use.
    async fn lookup<'a>(
        &self,
        io: &Io,
        snapshot: &'a Snapshot,
        name: &str,
    ) -> Result<&'a Entry, Error> {
        let trimmed = name.trim();
        let key = io.look_up_key(trimmed).await;
        snapshot
            .find(trimmed, &key)
            .filter(|entry| entry.skill.model_invocable && self.shows(entry))
            .filter(|entry| {
                snapshot
                    .winner(entry)
                    .is_some_and(|winner| winner.skill.model_invocable)
            })
            .ok_or_else(|| self.not_found(snapshot, name, None))
    }

    /// That a name is unknown, with names like it and the first that are offered; but not `except`,
    /// which has been disabled since.
    fn not_found(&self, snapshot: &Snapshot, name: &str, except: Option<&Entry>) -> Error {
        let except = except.map(|entry| entry.record.id);
        let offered = self
            .offered(snapshot)
            .filter(|entry| Some(entry.record.id) != except);
        unknown_skill(name, offered)
    }

    /// The body of any skill of this catalog, those that are hidden from the model too.
    pub fn body(&self, name: String) -> Operation<Result<String, Error>> {
        let catalog = self.clone();
        Operation::new(|io| async move {
            let snapshot = catalog.snapshot();
            let key = io.look_up_key(&name).await;
            let entry = snapshot
                .find(&name, &key)
                .filter(|entry| catalog.shows(entry));
            let entry = entry.ok_or_else(|| unknown_skill(&name, catalog.entries(&snapshot)))?;
            body::read(&io, entry, &catalog.options().read_options())
                .await?
                .text
        })
    }
}

/// That none of `entries` has this name, with names like it and the first of them.
fn unknown_skill<'a>(name: &str, entries: impl Iterator<Item = &'a Entry>) -> Error {
    let names: Vec<&str> = entries.map(|entry| entry.skill.name.as_str()).collect();
    Error::SkillNotFound {
        name: name.to_owned(),
        near: near(name, names.iter().copied()),
        total: names.len(),
        valid: names
            .into_iter()
            .take(NAMES_LISTED)
            .map(str::to_owned)
            .collect(),
    }
}

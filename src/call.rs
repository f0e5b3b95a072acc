//! Answering a tool call. A mistake of the model, and a host that fails, are answers too.

use std::borrow::Cow;

use crate::body;
use crate::catalog::Catalog;
use crate::error::Error;
use crate::json::{Object, ToJson};
use crate::list_skill_resources;
use crate::list_skills;
use crate::load_skill;
use crate::near::near;
use crate::operation::{Io, Operation};
use crate::options::{self, Fields, FromFields};
use crate::order::sort_by;
use crate::own_files::OwnFiles;
use crate::read_skill_file;
use crate::resources::{self, Resources};
use crate::search_skills;
use crate::skill::SkillKey;
use crate::snapshot::{Entry, Snapshot};
use crate::tool::{SkillNames, ToolName};
use crate::tool_call::{Call, SkillCall, Wanted};
use crate::tool_options::{ToolOptions, ToolSet};
use crate::tools::{Purpose, Tools};

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
    /// Whether it failed, and how.
    pub verdict: Verdict,
    /// The skill it was about.
    pub skill: Option<String>,
    /// What the content leaves out.
    pub rest: Rest,
    /// A file, or a part of a server's result, that is not text.
    pub bytes: Option<Bytes>,
}

/// Whether a call failed.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Verdict {
    /// It was answered.
    #[default]
    Answered,
    /// The call could not be answered.
    Failed {
        /// The stable code of what failed.
        code: &'static str,
        /// What is said of it to one who is elsewhere, where that is something else.
        for_remote: Option<String>,
    },
    /// A tool of a skill's server says that it failed.
    FailedInTool,
}

/// What a result leaves out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rest {
    /// It has all.
    #[default]
    Nothing,
    /// It goes on from here, in bytes or in items.
    From(u64),
    /// More than fits, which cannot be had.
    Lost,
}

/// What is not text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bytes {
    /// The bytes themselves.
    pub content: Vec<u8>,
    /// What they are.
    pub media_type: Cow<'static, str>,
    /// The URI of their file, where they are a skill's.
    pub uri: Option<String>,
}

/// All but its texts and bytes, which may be long and cross as they are.
impl ToJson for ToolResult {
    fn write_json(&self, out: &mut String) {
        let bytes = self.bytes.as_ref();
        Object::begin(out)
            .field("isError", &self.is_error())
            .optional("code", self.code().as_ref())
            .optional("skill", self.skill.as_ref())
            .optional("truncated", self.truncated().as_ref())
            .optional("nextOffset", self.next_offset().as_ref())
            .optional("mediaType", bytes.map(|bytes| &*bytes.media_type).as_ref())
            .optional("uri", bytes.and_then(|bytes| bytes.uri.as_ref()))
            .end();
    }
}

impl ToolResult {
    /// Whether the call failed.
    pub fn is_error(&self) -> bool {
        self.verdict != Verdict::Answered
    }

    /// The stable code of what failed, where the call failed.
    pub fn code(&self) -> Option<&'static str> {
        match self.verdict {
            Verdict::Failed { code, .. } => Some(code),
            Verdict::Answered | Verdict::FailedInTool => None,
        }
    }

    /// Where it goes on, where there is more.
    pub fn next_offset(&self) -> Option<u64> {
        match self.rest {
            Rest::From(offset) => Some(offset),
            Rest::Nothing | Rest::Lost => None,
        }
    }

    /// `true` where there is more; else nothing.
    pub fn truncated(&self) -> Option<bool> {
        (self.rest != Rest::Nothing).then_some(true)
    }

    /// What a call came to; an error is a result too.
    pub(crate) fn of(answered: Result<Self, Error>) -> Self {
        answered.unwrap_or_else(|error| Self::error(&error, None))
    }

    /// The same as it is told where results name no directory.
    pub(crate) fn told(mut self, directory: bool) -> Self {
        if let Verdict::Failed { for_remote, .. } = &mut self.verdict {
            let words = for_remote.take().filter(|_| !directory);
            self.content = words.unwrap_or(self.content);
        }
        self
    }

    pub(crate) fn error(error: &Error, skill: Option<String>) -> Self {
        let is_told_elsewhere = matches!(error, Error::HostFailed { .. });
        Self {
            content: error.for_model(),
            verdict: Verdict::Failed {
                code: error.code(),
                for_remote: is_told_elsewhere.then(|| error.for_remote()),
            },
            skill,
            ..Self::default()
        }
    }
}

/// What a conversation has loaded.
#[derive(Default)]
pub(crate) struct Conversation {
    pub(crate) loaded: Vec<SkillKey>,
    /// Names of what is no longer there, and whose text the model can have again all the same.
    pub(crate) vanished: Vec<String>,
}

/// Whether one of the skills that a conversation has loaded is as it is asked.
pub(crate) type AnyLoaded<'a> = &'a dyn Fn(&dyn Fn(&SkillKey) -> bool) -> bool;

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
        self.tools_of(options, None)
    }

    /// The tools of this catalog, or of a conversation, to be offered.
    pub(crate) fn tools_of(
        &self,
        options: ToolOptions,
        session: Option<&Conversation>,
    ) -> Result<Tools, Error> {
        let snapshot = self.snapshot();
        let none = Conversation::default();
        let conversation = session.unwrap_or(&none);
        let names = self.names_to_call(&snapshot, conversation);
        let is_empty = names.loadable.is_empty() && conversation.loaded.is_empty();
        let offered = if is_empty {
            Vec::new()
        } else {
            wanted_tools(&options, !names.with_files.is_empty(), session.is_some())?
        };
        Tools::new(offered, names, options, Purpose::Offer)
    }

    /// The same to understand a call, or to speak of them: no names are gathered for definitions, so
    /// that a call takes no longer where much is loaded. In a conversation, `any_loaded` says whether
    /// one of the skills that are loaded is as it is asked.
    pub(crate) fn tools_to_call(
        &self,
        options: ToolOptions,
        any_loaded: Option<AnyLoaded<'_>>,
    ) -> Result<Tools, Error> {
        let snapshot = self.snapshot();
        let any_loaded_is =
            |is_so: &dyn Fn(&SkillKey) -> bool| any_loaded.is_some_and(|any| any(is_so));
        let mut is_empty = true;
        // The first one says it, where none has files.
        let mut says_enough = |entry: &Entry| {
            is_empty = false;
            !snapshot.has_files || entry.record.files().is_some()
        };
        let is_found = self.offered(&snapshot).any(&mut says_enough)
            || self.offered_versions(&snapshot).any(&mut says_enough);
        let offered = if is_empty && !any_loaded_is(&|_| true) {
            Vec::new()
        } else {
            let is_readable = |key: &SkillKey| self.readable_of_user(&snapshot, key).is_some();
            let has_files = snapshot.has_files && (is_found || any_loaded_is(&is_readable));
            wanted_tools(&options, has_files, any_loaded.is_some())?
        };
        Tools::new(offered, SkillNames::default(), options, Purpose::Call)
    }

    /// The names by which the model can call skills in a conversation.
    fn names_to_call(&self, snapshot: &Snapshot, conversation: &Conversation) -> SkillNames {
        let mut names = SkillNames::default();
        let mut add = |entry: &Entry, name: &dyn Fn() -> String| {
            if entry.record.files().is_some() {
                SkillNames::add(&mut names.with_files, name);
            }
            SkillNames::add(&mut names.loadable, name);
        };
        for entry in self.offered(snapshot) {
            add(entry, &|| entry.skill.name.clone());
        }
        for entry in self.offered_versions(snapshot) {
            add(entry, &|| entry.skill.key().address());
        }
        names
            .with_files
            .extend(self.readable_by_user(snapshot, conversation));
        for name in &conversation.vanished {
            if !names.loadable.contains(name) {
                SkillNames::add(&mut names.loadable, || name.clone());
            }
        }
        names
    }

    /// What the user has loaded and has files: it is not offered to the model, but its instructions,
    /// which the conversation has, may send it there.
    fn readable_by_user(&self, snapshot: &Snapshot, conversation: &Conversation) -> Vec<String> {
        let mut names = Vec::new();
        for key in &conversation.loaded {
            if let Some(entry) = self.readable_of_user(snapshot, key) {
                let winner = snapshot.winner(entry).map(|winner| winner.record.id);
                names.push(if winner == Some(entry.record.id) {
                    entry.skill.name.clone()
                } else {
                    entry.skill.key().address()
                });
            }
        }
        sort_by(&mut names, Ord::cmp);
        names
    }

    /// The entry of what is loaded, where only the user could have loaded it and it has files.
    fn readable_of_user<'a>(&self, snapshot: &'a Snapshot, key: &SkillKey) -> Option<&'a Entry> {
        let entry = snapshot.with_key(key)?;
        let is_by_user = self.shows(entry) && !self.allows(snapshot, entry, Audience::Model);
        (is_by_user && entry.record.files().is_some()).then_some(entry)
    }

    /// Entries that the model may see.
    pub(crate) fn offered<'a>(&'a self, snapshot: &'a Snapshot) -> impl Iterator<Item = &'a Entry> {
        self.entries(snapshot)
            .filter(|entry| entry.skill.model_invocable)
    }

    /// Entries that the model may load by name and version: another one has their name.
    fn offered_versions<'a>(&'a self, snapshot: &'a Snapshot) -> impl Iterator<Item = &'a Entry> {
        snapshot
            .versions()
            .filter(|entry| self.allows(snapshot, entry, Audience::Model))
    }

    /// Answers a call of a tool, by the name that `options` gives it.
    pub fn call(
        &self,
        tool: String,
        arguments: String,
        options: ToolOptions,
    ) -> Operation<ToolResult> {
        let catalog = self.clone();
        let directory = options.directory;
        Operation::new(move |io| async move {
            let answered = async {
                let tools = catalog.tools_to_call(options, None)?;
                let call = tools.understand(&tool, &arguments)?;
                let answer = catalog.answer(&io, call, &tools, Audience::Model);
                Ok(answer.await.result)
            };
            ToolResult::of(answered.await).told(directory)
        })
    }

    /// Answers a call about what `audience` may use.
    pub(crate) async fn answer(
        &self,
        io: &Io,
        call: Call,
        tools: &Tools,
        audience: Audience,
    ) -> Answer {
        let snapshot = self.snapshot();
        let call = match call {
            Call::OfSkill(call) => call,
            Call::List(call) => {
                let versions = self.offered_versions(&snapshot);
                let most_bytes = self.options().limits.page as usize;
                let offered = self.offered(&snapshot);
                let listed = list_skills::answer(offered, versions, &call, most_bytes, tools);
                return Answer::without_entry(listed);
            }
            Call::Search(call) => {
                let found = search_skills::answer(io, self, &call, tools).await;
                return Answer::without_entry(Ok(found));
            }
        };
        self.answer_of_skill(io, &snapshot, &call, tools, audience)
            .await
    }

    async fn answer_of_skill(
        &self,
        io: &Io,
        snapshot: &Snapshot,
        call: &SkillCall,
        tools: &Tools,
        audience: Audience,
    ) -> Answer {
        let found = self.lookup(io, snapshot, &call.skill, audience);
        let entry = match found.await {
            Ok(entry) => entry,
            Err(error) => return Answer::without_entry(Err(tools.leading_on(error))),
        };
        let own = OwnFiles::of(&entry.record);
        let result = match &call.wanted {
            Wanted::Body => load_skill::answer(io, self, entry, own, tools).await,
            Wanted::File(part) => read_skill_file::answer(io, self, entry, own, part, tools).await,
            Wanted::Files => Ok(list_skill_resources::answer(io, self, entry, own, tools).await),
            // A catalog remembers nothing, so it has nothing to unload.
            Wanted::Unload => Err(not_loaded(&call.skill, Vec::new()).into()),
        };
        let result = match result {
            Ok(result) => ToolResult {
                skill: Some(entry.skill.name.clone()),
                ..result
            },
            Err(Unanswered::Disabled) => {
                let unknown = self.not_found(snapshot, &call.skill, Some(entry));
                ToolResult::error(&tools.leading_on(unknown), None)
            }
            Err(Unanswered::Failed(error)) => {
                ToolResult::error(&error, Some(entry.skill.name.clone()))
            }
        };
        Answer {
            result,
            entry: Some(entry.clone()),
        }
    }

    /// The entry of a name that `audience` may use.
    pub(crate) async fn lookup<'a>(
        &self,
        io: &Io,
        snapshot: &'a Snapshot,
        name: &str,
        audience: Audience,
    ) -> Result<&'a Entry, Error> {
        let trimmed = name.trim();
        let key = io.look_up_key(trimmed).await;
        snapshot
            .find(trimmed, &key)
            .filter(|entry| self.allows(snapshot, entry, audience))
            .ok_or_else(|| match audience {
                Audience::Model => self.not_found(snapshot, name, None),
                Audience::User => unknown_skill(name, self.entries(snapshot)),
            })
    }

    /// Whether `audience` may use an entry. Where the one that has its name is disabled, so is it.
    pub(crate) fn allows(&self, snapshot: &Snapshot, entry: &Entry, audience: Audience) -> bool {
        let is_invocable = || {
            let winner = snapshot.winner(entry);
            entry.skill.model_invocable && winner.is_some_and(|winner| winner.skill.model_invocable)
        };
        self.shows(entry) && (audience == Audience::User || is_invocable())
    }

    /// That a name is unknown, with names like it and the first that are offered; but not `except`,
    /// which has been disabled since.
    pub(crate) fn not_found(
        &self,
        snapshot: &Snapshot,
        name: &str,
        except: Option<&Entry>,
    ) -> Error {
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
            let entry = catalog
                .lookup(&io, &snapshot, &name, Audience::User)
                .await?;
            body::read(&io, &catalog, entry).await?.text
        })
    }

    /// The files of any skill of this catalog, those that are hidden from the model too.
    pub fn resources(&self, name: String) -> Operation<Result<Resources, Error>> {
        let catalog = self.clone();
        Operation::new(|io| async move {
            let snapshot = catalog.snapshot();
            let found = catalog.lookup(&io, &snapshot, &name, Audience::User);
            Ok(match OwnFiles::of(&found.await?.record) {
                Some(own) => resources::list(&io, &own, catalog.options().links).await,
                None => Resources::default(),
            })
        })
    }
}

/// Who asks for a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Audience {
    /// Does not see what is disabled for it.
    Model,
    /// Sees all that the catalog shows.
    User,
}

/// A result, and the entry it is about.
pub(crate) struct Answer {
    pub(crate) result: ToolResult,
    pub(crate) entry: Option<Entry>,
}

impl Answer {
    fn without_entry(result: Result<ToolResult, Error>) -> Self {
        Self {
            result: ToolResult::of(result),
            entry: None,
        }
    }
}

/// The tools that `options` ask for, in the order in which they are offered.
fn wanted_tools(
    options: &ToolOptions,
    has_files: bool,
    is_session: bool,
) -> Result<Vec<ToolName>, Error> {
    let is_wanted = |tool: &ToolName| {
        let is_basic = match tool {
            ToolName::LoadSkill => true,
            ToolName::ReadSkillFile => has_files,
            _ => false,
        };
        match &options.set {
            ToolSet::Basic => is_basic,
            ToolSet::Auto => is_basic || options.is_needed_beside_index(*tool),
            ToolSet::Full => is_session || *tool != ToolName::UnloadSkill,
            ToolSet::Only(tools) => tools.contains(tool),
        }
    };
    let wanted: Vec<ToolName> = ToolName::ALL.into_iter().filter(is_wanted).collect();
    if !is_session && wanted.contains(&ToolName::UnloadSkill) {
        return Err(Error::SourceUnsupported(
            "The tool unload_skill needs a conversation: use catalog.session().tools(…)."
                .to_owned(),
        ));
    }
    Ok(wanted)
}

/// That no skill of this name is loaded; `loaded` is what is.
pub(crate) fn not_loaded(name: &str, loaded: Vec<String>) -> Error {
    let total = loaded.len();
    Error::SkillNotLoaded {
        name: name.to_owned(),
        near: near(name, loaded.iter().map(String::as_str)),
        loaded: loaded.into_iter().take(NAMES_LISTED).collect(),
        total,
    }
}

/// That none of `entries` has this name, with names like it and the first of them.
pub(crate) fn unknown_skill<'a>(name: &str, entries: impl Iterator<Item = &'a Entry>) -> Error {
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
        search: None,
    }
}

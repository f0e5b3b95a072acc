//! A session: what one conversation has loaded.
//!
//! A session answers what its catalog answers, and remembers what came into the conversation:
//! skills by name, version and digest, each with the text that was given, so that a later edit of
//! the file takes nothing away. What happens is an event, and the state is the sum of the events.

mod change;
mod check;
mod compaction;
mod event;
mod findings;
mod held_names;
mod load;
mod servers;
mod state;
mod stored;

use std::cell::RefCell;
use std::rc::Rc;

use crate::call::{self, Answer, Audience, Conversation, ToolResult};
use crate::catalog::Catalog;
use crate::error::Error;
use crate::index::{IndexOptions, IndexReport};
use crate::json::{Object, ToJson};
use crate::limits::Pace;
use crate::mcp_config::Environment;
use crate::operation::{Io, Operation};
use crate::options::{self, Fields, FromFields};
use crate::order::sort_by;
use crate::places::Names;
use crate::relative_path::RelativePath;
use crate::skill::SkillKey;
use crate::slash_command::{CompleteOptions, Completion};
use crate::snapshot::{Entry, Snapshot};
use crate::text::{estimated_tokens, quoted};
use crate::tool_call::{Call, SkillCall, Wanted};
use crate::tool_options::ToolOptions;
use crate::tools::Tools;

pub use change::{Change, Outcome, RefusedEvent, Settlement};
use compaction::Speech;
pub use compaction::{CompactOptions, Compaction, Kept, Note};
pub use event::{LoadedSkill, SessionEvent};
use event::{StoredEvents, check_digest};
use findings::Findings;
use held_names::HeldNames;
use state::{Held, State};
pub use stored::Stored;

/// One conversation with a catalog. Clones share what it has loaded.
#[derive(Clone, Debug)]
pub struct Session {
    catalog: Catalog,
    /// How it speaks where a call says nothing else.
    tools: Rc<ToolOptions>,
    memory: Rc<RefCell<Memory>>,
}

#[derive(Debug, Default)]
struct Memory {
    state: State,
    /// Names of what was loaded before and the catalog's view leaves out: it stays in the state, and
    /// is nowhere else.
    left_out: Names,
    /// There while servers of skills are connected.
    environment: Option<Rc<Environment>>,
    findings: Findings,
}

impl Memory {
    /// What is loaded, the most recently used last.
    fn skills(&self) -> impl DoubleEndedIterator<Item = &Held> {
        self.state.skills().filter(|held| self.shows(held.key()))
    }

    /// The state as this conversation sees it.
    fn shown(&self) -> State {
        self.state.clone().only(|key| self.shows(key))
    }

    fn shows(&self, key: &SkillKey) -> bool {
        !self.left_out.has(&key.name)
    }
}

/// How a session begins.
#[derive(Debug, Default)]
pub struct SessionOptions {
    /// What happened before.
    pub events: Vec<SessionEvent>,
    /// How tools are named and results look, where a call says nothing else.
    pub tools: ToolOptions,
}

impl SessionOptions {
    /// Reads them from JSON text: `state` (`{"events": […]}`, or the list of events), `tools`, and
    /// what the wrapper makes use of, `only` and `onEvent`.
    ///
    /// # Errors
    ///
    /// [`Error::SourceUnsupported`], which names what cannot be used.
    pub fn from_json(json: &str) -> Result<Self, Error> {
        options::read(json)
    }
}

impl FromFields for SessionOptions {
    fn from_fields(fields: &Fields<'_>) -> Self {
        fields.function("onEvent");
        // The wrapper makes a view of it.
        fields.texts("only");
        let StoredEvents(events) = StoredEvents::from_state(fields);
        let tools = fields.object("tools", "tools.").read();
        Self { events, tools }
    }
}

/// What [`Session::forget`] takes, as JavaScript gives it.
#[derive(Clone, Debug, Default)]
pub struct Forgotten(pub Vec<String>);

impl Forgotten {
    /// Reads them from JSON text: `{"names": […]}`.
    ///
    /// # Errors
    ///
    /// [`Error::SourceUnsupported`]: they are not a list of text.
    pub fn from_json(json: &str) -> Result<Self, Error> {
        options::read(json)
    }
}

impl FromFields for Forgotten {
    fn from_fields(fields: &Fields<'_>) -> Self {
        Self(fields.texts("names"))
    }
}

/// A skill that a session has loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loaded {
    /// Which one.
    pub key: SkillKey,
    /// Of its body: `sha256:` and hexadecimal digits.
    pub digest: String,
    /// Code points of its body.
    pub characters: usize,
    /// An estimate.
    pub tokens: usize,
    /// Whether its text has left the conversation.
    pub dropped: bool,
}

impl Loaded {
    fn of(held: &Held) -> Self {
        let skill = &held.skill;
        Self {
            key: skill.key.clone(),
            digest: skill.digest.clone(),
            characters: skill.body.chars().count(),
            tokens: estimated_tokens(&skill.body),
            dropped: held.dropped,
        }
    }
}

impl ToJson for Loaded {
    fn write_json(&self, out: &mut String) {
        Object::begin(out)
            .field("name", &self.key.name)
            .optional("version", self.key.version.as_ref())
            .field("digest", &self.digest)
            .field("characters", &self.characters)
            .field("tokens", &self.tokens)
            .optional("dropped", self.dropped.then_some(true).as_ref())
            .end();
    }
}

impl ToJson for Session {
    fn write_json(&self, out: &mut String) {
        self.memory.borrow().state.write_json(out);
    }
}

impl Session {
    /// Begins a conversation, or goes on with one.
    ///
    /// # Errors
    ///
    /// [`Error::DigestMismatch`] where a stored body is not what was loaded, and those of
    /// [`Catalog::tools`].
    pub fn begin(catalog: &Catalog, options: SessionOptions) -> Operation<Result<Self, Error>> {
        let catalog = catalog.clone();
        Operation::new(|io| async move {
            for event in &options.events {
                if let SessionEvent::SkillLoaded(loaded) = event {
                    check_digest(loaded)?;
                }
            }
            let state = State::of(&options.events);
            let memory = Memory {
                left_out: left_out(&io, &catalog, &state).await,
                state,
                ..Memory::default()
            };
            let session = Self {
                catalog,
                tools: Rc::new(options.tools),
                memory: Rc::new(RefCell::new(memory)),
            };
            session.tools(session.tool_options())?;
            Ok(session)
        })
    }

    /// What is loaded, the most recently used last.
    pub fn loaded(&self) -> Vec<Loaded> {
        self.memory.borrow().skills().map(Loaded::of).collect()
    }

    /// All tools that the loaded skills asked to be allowed, as their files said when they were loaded;
    /// but for those whose text has left the conversation. It is for the host to allow them.
    pub fn allowed_tools(&self) -> Vec<String> {
        let mut names = Names::default();
        let mut allowed = Vec::new();
        for held in self.memory.borrow().skills().filter(|held| !held.dropped) {
            for tool in held.skill.allowed_tools.iter() {
                if names.add(tool.clone()) {
                    allowed.push(tool.clone());
                }
            }
        }
        sort_by(&mut allowed, Ord::cmp);
        allowed
    }

    /// Names of what was loaded before and the catalog's view leaves out.
    pub fn left_out(&self) -> Vec<String> {
        let memory = self.memory.borrow();
        let left_out = memory.state.skills();
        let left_out = left_out.filter(|held| !memory.shows(held.key()));
        left_out.map(|held| held.key().name.clone()).collect()
    }

    /// How tools are named and results look, where a call says nothing else.
    pub fn tool_options(&self) -> ToolOptions {
        ToolOptions::clone(&self.tools)
    }

    /// What is expected of the catalog's hosts.
    pub fn pace(&self) -> Pace {
        self.catalog.pace()
    }

    /// The text of the index, byte for byte the catalog's. Where `options` say no names of tools, it
    /// has those of this session.
    pub fn prompt(&self, options: IndexOptions) -> Operation<Result<String, Error>> {
        self.catalog.prompt(self.index_options(options))
    }

    /// The index, in the same way.
    pub fn index(&self, options: IndexOptions) -> Operation<Result<IndexReport, Error>> {
        self.catalog.index(self.index_options(options))
    }

    fn index_options(&self, mut options: IndexOptions) -> IndexOptions {
        let own = || self.tools.rename.clone();
        options.rename.get_or_insert_with(own);
        options
    }

    /// The tools that this conversation has a use for.
    ///
    /// # Errors
    ///
    /// As those of [`Catalog::tools`].
    pub fn tools(&self, options: ToolOptions) -> Result<Tools, Error> {
        let conversation = self.conversation();
        let own = self.catalog.tools_of(options, Some(&conversation))?;
        Ok(own.with_served(self.served_tools()))
    }

    /// The tools that a call may be of.
    fn callable_tools(&self, options: ToolOptions) -> Result<Tools, Error> {
        let any_loaded = |is_so: &dyn Fn(&SkillKey) -> bool| self.any_loaded(is_so);
        let own = self.catalog.tools_to_call(options, Some(&any_loaded))?;
        // A call of what was offered a moment ago is told why it cannot be had.
        Ok(own.with_served(self.recorded_tools()))
    }

    /// The tools as this conversation speaks of them, with `key` in it.
    fn spoken_tools(&self, key: Option<&SkillKey>) -> Result<Tools, Error> {
        let any_loaded =
            |is_so: &dyn Fn(&SkillKey) -> bool| key.is_some_and(is_so) || self.any_loaded(is_so);
        let own = self
            .catalog
            .tools_to_call(self.tool_options(), Some(&any_loaded))?;
        Ok(own.with_served(self.served_tools()))
    }

    /// Whether one of the loaded skills is as it is asked.
    fn any_loaded(&self, is_so: &dyn Fn(&SkillKey) -> bool) -> bool {
        let memory = self.memory.borrow();
        memory.skills().any(|held| is_so(held.key()))
    }

    fn conversation(&self) -> Conversation {
        let snapshot = self.catalog.snapshot();
        let memory = self.memory.borrow();
        let mut conversation = Conversation::default();
        for held in memory.skills() {
            let key = held.key();
            if held.skill.model_invocable && is_gone(&snapshot, key) {
                conversation.vanished.push(key.name.clone());
            }
            conversation.loaded.push(key.clone());
        }
        conversation
    }

    /// What it is a conversation about.
    pub(crate) fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// Answers a call of a tool, by the name that `options` gives it.
    pub fn call(
        &self,
        tool: String,
        arguments: String,
        options: ToolOptions,
    ) -> Operation<Outcome<ToolResult>> {
        let session = self.clone();
        let directory = options.directory;
        self.changing(async move |io, change| {
            let answered = session.answered(io, &tool, &arguments, options, change);
            ToolResult::of(answered.await).told(directory)
        })
    }

    /// A call that may change the session. What `work` does to the change it does at its end, with
    /// nothing waited for after it: others work on the session meanwhile.
    pub(crate) fn changing<T: 'static>(
        &self,
        work: impl AsyncFnOnce(&Io, &mut Change) -> T + 'static,
    ) -> Operation<Outcome<T>> {
        let mut change = Change::none(self);
        Operation::new(|io| async move {
            let result = work(&io, &mut change).await;
            Outcome { result, change }
        })
    }

    async fn answered(
        &self,
        io: &Io,
        tool: &str,
        arguments: &str,
        options: ToolOptions,
        change: &mut Change,
    ) -> Result<ToolResult, Error> {
        let tools = self.callable_tools(options)?;
        if let Some(call) = tools.served_call(tool, arguments)? {
            return Ok(self.call_server(io, &call, change).await);
        }
        let call = tools.understand(tool, arguments)?;
        Ok(self.answer(io, call, &tools, change).await)
    }

    async fn answer(&self, io: &Io, call: Call, tools: &Tools, change: &mut Change) -> ToolResult {
        if let Call::OfSkill(SkillCall { skill, wanted }) = &call {
            match wanted {
                Wanted::Body => {
                    let load = self.load_named(io, skill, tools, Audience::Model, change);
                    return load.await;
                }
                Wanted::Unload => return self.unload_named(io, skill, change).await,
                Wanted::File(_) | Wanted::Files => {}
            }
        }
        let path = call
            .file_path()
            .and_then(|path| RelativePath::parse(path).ok());
        let audience = self.audience_of(io, &call).await;
        let answer = self.catalog.answer(io, call, tools, audience);
        let Answer { result, entry } = answer.await;
        if let (Some(path), Some(entry), false) = (path, entry, result.is_error()) {
            change.read_file(entry.skill.key(), path.as_str().to_owned());
        }
        result
    }

    /// The model may read the files of whatever is loaded: the instructions of what the user has
    /// loaded are in the conversation, and may send it there.
    async fn audience_of(&self, io: &Io, call: &Call) -> Audience {
        let Call::OfSkill(call) = call else {
            return Audience::Model;
        };
        let snapshot = self.catalog.snapshot();
        let found = self
            .catalog
            .lookup(io, &snapshot, &call.skill, Audience::User)
            .await;
        // Not another version of what is loaded, which may be held back from the model.
        if found.is_ok_and(|entry| self.held_of(entry).is_some()) {
            Audience::User
        } else {
            Audience::Model
        }
    }

    /// Says that a skill no longer applies.
    pub fn unload(&self, name: String) -> Operation<Outcome<ToolResult>> {
        let session = self.clone();
        self.changing(async move |io, change| session.unload_named(io, &name, change).await)
    }

    /// Skills and commands that what was typed may become.
    pub fn complete(&self, prefix: String, options: CompleteOptions) -> Operation<Vec<Completion>> {
        self.catalog.complete(prefix, options)
    }

    /// What a compactor must keep, and what it says of the rest. What is not kept has left the
    /// conversation: its next load gives all of it again.
    ///
    /// # Errors
    ///
    /// The caller's function does not count tokens.
    pub fn compact(
        &self,
        options: CompactOptions,
    ) -> Operation<Outcome<Result<Compaction, Error>>> {
        let session = self.clone();
        self.changing(async move |io, change| {
            let tools = session.spoken_tools(None)?;
            let state = session.memory.borrow().shown();
            let snapshot = session.catalog.snapshot();
            let can_be_loaded = |key: &SkillKey| {
                let allows = |entry| session.catalog.allows(&snapshot, entry, Audience::Model);
                match session.entry_of(&snapshot, key) {
                    Some(entry) => allows(entry),
                    None => state
                        .get(key)
                        .is_some_and(|held| held.skill.model_invocable),
                }
            };
            let speech = Speech {
                tools: &tools,
                longest_body: session.catalog.options().limits.body,
                can_be_loaded: &can_be_loaded,
                has_files: &|key| session.entry_of(&snapshot, key).is_some(),
            };
            let compacted = compaction::compact(io, &state, &options, &speech).await;
            let (compaction, gone) = compacted?;
            for key in gone {
                change.drop_text(key);
            }
            Ok(compaction)
        })
    }

    /// Says that the texts of these skills have left the conversation. Other names are passed over;
    /// of those that nothing has, a finding is left.
    pub fn forget(&self, names: Vec<String>) -> Operation<Outcome<()>> {
        let session = self.clone();
        self.changing(async move |io, change| {
            if names.is_empty() {
                return;
            }
            let held = HeldNames::of(&session, io).await;
            let (mut dropped, mut unknown) = (Vec::new(), Vec::new());
            let keys = io.look_up_keys(&names).await;
            for (name, key) in names.into_iter().zip(keys) {
                match held.get(&key) {
                    [] if session.is_unknown(&name, &key) => unknown.push(name),
                    found => dropped.extend_from_slice(found),
                }
            }
            for key in dropped {
                change.drop_text(key);
            }
            change.forget_unknown(session.unknown_names(&unknown));
        })
    }

    /// Whether a name, which is also given as it is looked up, is one that nothing has: neither
    /// loaded, nor in the catalog.
    fn is_unknown(&self, name: &str, key: &str) -> bool {
        let snapshot = self.catalog.snapshot();
        let entry = snapshot.find(name.trim(), key);
        let is_left_out = || self.memory.borrow().left_out.has(name);
        !entry.is_some_and(|entry| self.catalog.shows(entry)) && !is_left_out()
    }

    /// The key of what was last used of all that is loaded under a name, which may end in
    /// `@version`.
    async fn held_key(&self, io: &Io, name: &str) -> Option<SkillKey> {
        let held = HeldNames::of(self, io).await;
        let key = io.look_up_key(name).await;
        held.get(&key).first().cloned()
    }

    async fn unload_named(&self, io: &Io, name: &str, change: &mut Change) -> ToolResult {
        let Some(key) = self.held_key(io, name).await else {
            return ToolResult::error(&self.not_loaded(name), None);
        };
        let content = format!(
            "The skill {} is unloaded: its instructions no longer apply.",
            quoted(&key.name)
        );
        let skill = Some(key.name.clone());
        change.unload(key);
        ToolResult {
            content,
            skill,
            ..ToolResult::default()
        }
    }

    fn not_loaded(&self, name: &str) -> Error {
        let memory = self.memory.borrow();
        let loaded = memory.skills();
        let loaded = loaded.map(|held| held.key().address()).collect();
        call::not_loaded(name, loaded)
    }

    /// The entry of a loaded skill in the same version.
    fn entry_of<'a>(&self, snapshot: &'a Snapshot, key: &SkillKey) -> Option<&'a Entry> {
        let entry = snapshot.with_key(key);
        entry.filter(|entry| self.catalog.shows(entry))
    }

    /// What was loaded of an entry.
    fn held_of(&self, entry: &Entry) -> Option<Held> {
        self.held(&entry.skill.key())
    }

    fn held(&self, key: &SkillKey) -> Option<Held> {
        self.memory.borrow().state.get(key).cloned()
    }
}

/// Names of what is loaded in `state` and that `catalog`'s view leaves out.
async fn left_out(io: &Io, catalog: &Catalog, state: &State) -> Names {
    let names: Vec<String> = state.skills().map(|held| held.key().name.clone()).collect();
    let keys = io.normalize(names.clone()).await;
    let mut left_out = Names::default();
    for (name, key) in names.into_iter().zip(keys) {
        if !catalog.shows_key(&key) {
            left_out.add(name);
        }
    }
    left_out
}

/// Whether there is nothing of a skill's name, in no version.
fn is_gone(snapshot: &Snapshot, key: &SkillKey) -> bool {
    let mut versions = snapshot.versions();
    snapshot.named(&key.name).is_none() && !versions.any(|entry| entry.skill.name == key.name)
}

//! A session: what one conversation has loaded.
//!
//! A session answers what its catalog answers, and remembers what came into the conversation:
//! skills by name, version and digest, each with the text that was given, so that a later edit of
//! the file takes nothing away. What happens is an event, and the state is the sum of the events.

mod compaction;
mod event;
mod servers;
mod state;

use std::cell::RefCell;
use std::rc::Rc;

use crate::body::{self, Body};
use crate::call::{Answer, Audience, ToolResult};
use crate::catalog::Catalog;
use crate::diagnostic::{Diagnostic, Rule};
use crate::digest::sha256;
use crate::error::Error;
use crate::index::{IndexOptions, IndexReport};
use crate::json::{Object, ToJson};
use crate::limits::Pace;
use crate::load_skill;
use crate::mcp_config::Environment;
use crate::operation::{Io, Operation};
use crate::options::{self, Fields, FromFields};
use crate::own_files::OwnFiles;
use crate::relative_path::RelativePath;
use crate::server_tool::ServerTool;
use crate::skill::SkillKey;
use crate::slash_command::{CompleteOptions, Completion, ExpandOptions, Expansion};
use crate::snapshot::{Entry, Snapshot};
use crate::text::{estimated_tokens, quoted};
use crate::tool_call::{Call, SkillCall, Wanted};
use crate::tool_options::ToolOptions;
use crate::tools::Tools;

pub use compaction::{CompactOptions, Compaction, Kept, Note};
pub use event::{LoadedSkill, SessionEvent};
use event::{StoredEvents, check_digest};
use servers::push_served;
use state::{Held, State};

const SKILL_CHANGED: Rule = Rule::info("session-skill-changed");
const SKILL_VANISHED: Rule = Rule::warning("session-skill-vanished");

/// What one conversation has loaded. Clones share their state.
#[derive(Clone, Debug)]
pub struct Session {
    catalog: Catalog,
    memory: Rc<RefCell<Memory>>,
}

#[derive(Debug, Default)]
struct Memory {
    state: State,
    /// Events that were not yet told.
    untold: Vec<SessionEvent>,
    /// There while servers of skills are connected.
    environment: Option<Rc<Environment>>,
    /// What was found of servers.
    findings: Vec<Diagnostic>,
}

/// How a session begins.
#[derive(Debug, Default)]
pub struct SessionOptions {
    /// What happened before.
    pub events: Vec<SessionEvent>,
}

impl SessionOptions {
    /// Reads them from JSON text: `{"state": {"events": […]}}`, or `{"state": […]}`.
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
        fields.kept("onEvent", "a function");
        // The wrapper makes a view of it.
        fields.texts("only");
        let StoredEvents(events) = StoredEvents::from_state(fields);
        Self { events }
    }
}

/// What [`Session::forget_json`] takes.
struct Forgotten(Vec<String>);

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
}

impl ToJson for Loaded {
    fn write_json(&self, out: &mut String) {
        Object::begin(out)
            .field("name", &self.key.name)
            .optional("version", self.key.version.as_ref())
            .field("digest", &self.digest)
            .field("characters", &self.characters)
            .field("tokens", &self.tokens)
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
    /// Fails with [`Error::DigestMismatch`] where a stored body is not what was loaded.
    pub fn begin(catalog: &Catalog, options: SessionOptions) -> Operation<Result<Self, Error>> {
        let catalog = catalog.clone();
        Operation::new(|io| async move {
            let mut state = State::default();
            for event in &options.events {
                if let SessionEvent::SkillLoaded(loaded) = event {
                    check_digest(loaded)?;
                }
                state.apply(event);
            }
            let memory = Memory {
                state,
                ..Memory::default()
            };
            let session = Self {
                catalog,
                memory: Rc::new(RefCell::new(memory)),
            };
            session.note_vanished(&io).await;
            Ok(session)
        })
    }

    /// What is loaded, the most recently used last.
    pub fn loaded(&self) -> Vec<Loaded> {
        let memory = self.memory.borrow();
        let loaded = memory.state.skills.iter().map(|held| Loaded {
            key: held.skill.key.clone(),
            digest: held.skill.digest.clone(),
            characters: held.skill.body.chars().count(),
            tokens: estimated_tokens(&held.skill.body),
        });
        loaded.collect()
    }

    /// Events that were not yet taken, in their order.
    pub fn take_events(&self) -> Vec<SessionEvent> {
        std::mem::take(&mut self.memory.borrow_mut().untold)
    }

    /// What is expected of the catalog's hosts.
    pub fn pace(&self) -> Pace {
        self.catalog.pace()
    }

    /// The text of the index, byte for byte the catalog's.
    pub fn prompt(&self, options: &IndexOptions) -> String {
        self.catalog.prompt(options)
    }

    /// The index, byte for byte the catalog's.
    pub fn index(&self, options: &IndexOptions) -> IndexReport {
        self.catalog.index(options)
    }

    /// The tools that this conversation has a use for.
    ///
    /// # Errors
    ///
    /// As those of [`Catalog::tools`].
    pub fn tools(&self, options: ToolOptions) -> Result<Tools, Error> {
        let taken = options.taken.clone();
        self.tools_with(options, self.served_tools(), taken)
    }

    /// The session's own tools and those of servers, which give way to those that are `taken`.
    fn tools_with(
        &self,
        options: ToolOptions,
        served: Vec<(SkillKey, ServerTool)>,
        taken: Vec<String>,
    ) -> Result<Tools, Error> {
        let loaded: Vec<SkillKey> = {
            let memory = self.memory.borrow();
            let loaded = memory.state.skills.iter();
            loaded.map(|held| held.skill.key.clone()).collect()
        };
        let tools = self.catalog.tools_of(options, Some(&loaded))?;
        Ok(tools.with_served(served, taken))
    }

    /// Answers a call of a tool, by the name that `options` gives it.
    pub fn call(
        &self,
        tool: String,
        arguments: String,
        options: ToolOptions,
    ) -> Operation<ToolResult> {
        let session = self.clone();
        Operation::new(|io| async move {
            match session.answered(&io, &tool, &arguments, options).await {
                Ok(result) => result,
                Err(error) => ToolResult::error(&error, None),
            }
        })
    }

    async fn answered(
        &self,
        io: &Io,
        tool: &str,
        arguments: &str,
        options: ToolOptions,
    ) -> Result<ToolResult, Error> {
        let taken = options.taken.clone();
        // A call of what was offered a moment ago is told why it cannot be had.
        let tools = self.tools_with(options.for_call(), self.recorded_tools(), taken)?;
        if let Some(call) = tools.served_call(tool, arguments)? {
            return Ok(self.call_server(io, &call).await);
        }
        let call = tools.understand(tool, arguments)?;
        Ok(self.answer(io, call, &tools).await)
    }

    async fn answer(&self, io: &Io, call: Call, tools: &Tools) -> ToolResult {
        if let Call::OfSkill(SkillCall { skill, wanted }) = &call {
            match wanted {
                Wanted::Body => return self.load_named(io, skill, tools, Audience::Model).await,
                Wanted::Unload => return self.unload_named(io, skill).await,
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
            self.record(SessionEvent::ResourceLoaded {
                skill: entry.skill.key(),
                path: path.as_str().to_owned(),
            });
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

    /// Loads a skill for the user, who is offered those too that the model is not.
    pub fn load(&self, name: String) -> Operation<ToolResult> {
        let session = self.clone();
        Operation::new(|io| async move {
            match session.tools(ToolOptions::default()) {
                Ok(tools) => session.load_named(&io, &name, &tools, Audience::User).await,
                Err(error) => ToolResult::error(&error, None),
            }
        })
    }

    /// Says that a skill no longer applies.
    pub fn unload(&self, name: String) -> Operation<ToolResult> {
        let session = self.clone();
        Operation::new(|io| async move { session.unload_named(&io, &name).await })
    }

    /// What a line of a user stands for; a skill in it is loaded.
    ///
    /// # Errors
    ///
    /// As those of [`Catalog::expand`].
    pub fn expand(
        &self,
        input: String,
        options: ExpandOptions,
    ) -> Operation<Result<Expansion, Error>> {
        let session = self.clone();
        Operation::new(|io| async move {
            let expanded = session.catalog.expanded(&io, &input, &options).await?;
            if let Some(body) = expanded.body {
                let served = session.serve(&io, &body.entry, &body.key).await;
                let loaded = LoadedSkill {
                    model_invocable: body.model_invocable,
                    ..LoadedSkill::new(body.key, &body.text, served.servers, served.tools)
                };
                session.record_load(&io, &body.entry, loaded).await;
            }
            Ok(expanded.expansion)
        })
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
    pub fn compact(&self, options: CompactOptions) -> Operation<Result<Compaction, Error>> {
        let session = self.clone();
        Operation::new(|io| async move {
            let state = session.memory.borrow().state.clone();
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
            let compaction = compaction::compact(&io, &state, &options, can_be_loaded).await?;
            for held in &state.skills {
                let key = &held.skill.key;
                if compaction.keep.iter().all(|kept| kept.key != *key) {
                    session.record(SessionEvent::SkillDropped(key.clone()));
                }
            }
            Ok(compaction)
        })
    }

    /// [`Session::forget`], as JavaScript calls it: `{"names": […]}`.
    ///
    /// # Errors
    ///
    /// They are not a list of text.
    pub fn forget_json(&self, names: &str) -> Operation<Result<(), Error>> {
        match options::read::<Forgotten>(names) {
            Ok(Forgotten(names)) => self.forget(names).map(Ok),
            Err(error) => Operation::done(Err(error)),
        }
    }

    /// Says that the texts of these skills have left the conversation. Other names are passed over.
    pub fn forget(&self, names: Vec<String>) -> Operation<()> {
        let session = self.clone();
        Operation::new(|io| async move {
            for name in names {
                for key in session.held_keys(&io, &name).await {
                    session.record(SessionEvent::SkillDropped(key));
                }
            }
        })
    }

    /// Which of the loaded skills have changed since, or are no longer there.
    pub fn check(&self) -> Operation<Vec<Diagnostic>> {
        let session = self.clone();
        Operation::new(|io| async move {
            let state = session.memory.borrow().state.clone();
            let mut found = Vec::new();
            for held in &state.skills {
                if let Some(finding) = session.check_skill(&io, held).await {
                    session.note(&io, &held.skill.key, finding.clone()).await;
                    found.push(finding);
                }
            }
            found
        })
    }

    async fn check_skill(&self, io: &Io, held: &Held) -> Option<Diagnostic> {
        let key = &held.skill.key;
        let snapshot = self.catalog.snapshot();
        // Its file may say another version by now, before the catalog does or after.
        let entry = self.entry_of(&snapshot, key).or_else(|| {
            snapshot
                .named(&key.name)
                .filter(|entry| self.catalog.shows(entry))
        });
        let Some(entry) = entry else {
            return Some(self.vanished(key));
        };
        let options = self.catalog.options().read_options();
        match body::read(io, entry, &options)
            .await
            .and_then(|body| body.text)
        {
            Ok(body) if sha256(body.as_bytes()) == held.skill.digest => None,
            Ok(_) => Some(self.finding(
                &SKILL_CHANGED,
                key,
                "has changed since it was loaded in this session",
                "load it again to have the new text",
            )),
            Err(_) => Some(self.vanished(key)),
        }
    }

    /// Notes which skills of a stored session the catalog no longer has.
    async fn note_vanished(&self, io: &Io) {
        let snapshot = self.catalog.snapshot();
        let state = self.memory.borrow().state.clone();
        for held in &state.skills {
            let key = &held.skill.key;
            if self.entry_of(&snapshot, key).is_none() {
                self.note(io, key, self.vanished(key)).await;
            }
        }
    }

    async fn note(&self, io: &Io, key: &SkillKey, finding: Diagnostic) {
        let key = io.look_up_key(&key.name).await;
        self.catalog.note(&key, finding);
    }

    fn vanished(&self, key: &SkillKey) -> Diagnostic {
        self.finding(
            &SKILL_VANISHED,
            key,
            "was loaded in this session and can no longer be read",
            "the session keeps the text that was loaded; unload the skill if it no longer applies",
        )
    }

    fn finding(
        &self,
        rule: &Rule,
        key: &SkillKey,
        problem: &str,
        hint: &'static str,
    ) -> Diagnostic {
        let message = ["the skill ", &quoted(&key.address()), " ", problem].concat();
        Diagnostic::new(rule, self.catalog.options().mode, message)
            .with_hint(hint)
            .about(key.name.clone())
    }

    /// The entry of a loaded skill in the same version.
    fn entry_of<'a>(&self, snapshot: &'a Snapshot, key: &SkillKey) -> Option<&'a Entry> {
        let mut all = snapshot.all();
        all.find(|entry| entry.skill.key() == *key && self.catalog.shows(entry))
    }

    /// The key of what was last used of all that is loaded under a name, which may end in
    /// `@version`.
    async fn held_key(&self, io: &Io, name: &str) -> Option<SkillKey> {
        self.held_keys(io, name).await.into_iter().next()
    }

    /// The keys of all that is loaded under a name, the last used one first.
    async fn held_keys(&self, io: &Io, name: &str) -> Vec<SkillKey> {
        let keys: Vec<SkillKey> = {
            let memory = self.memory.borrow();
            let recent_first = memory.state.skills.iter().rev();
            recent_first.map(|held| held.skill.key.clone()).collect()
        };
        let wanted = io.look_up_key(name).await;
        let names = keys
            .iter()
            .flat_map(|key| [key.name.clone(), key.address()]);
        let names = io.normalize(names.collect()).await;
        let mut found = Vec::new();
        for (key, names) in keys.into_iter().zip(names.chunks(2)) {
            if names.contains(&wanted) {
                found.push(key);
            }
        }
        found
    }

    async fn unload_named(&self, io: &Io, name: &str) -> ToolResult {
        let Some(key) = self.held_key(io, name).await else {
            return ToolResult::error(&self.not_loaded(name), None);
        };
        let content = format!(
            "The skill {} is unloaded: its instructions no longer apply.",
            quoted(&key.name)
        );
        let skill = Some(key.name.clone());
        self.record(SessionEvent::SkillUnloaded(key.clone()));
        self.disconnect(io, &key).await;
        ToolResult {
            content,
            skill,
            ..ToolResult::default()
        }
    }

    fn not_loaded(&self, name: &str) -> Error {
        let memory = self.memory.borrow();
        let loaded = memory.state.skills.iter();
        Error::SkillNotLoaded {
            name: name.to_owned(),
            loaded: loaded.map(|held| held.skill.key.address()).collect(),
        }
    }

    /// The text of a skill, or one line where the conversation has it.
    async fn load_named(
        &self,
        io: &Io,
        name: &str,
        tools: &Tools,
        audience: Audience,
    ) -> ToolResult {
        let snapshot = self.catalog.snapshot();
        let entry = match self.catalog.lookup(io, &snapshot, name, audience).await {
            Ok(entry) => entry,
            Err(error) => {
                let held = self.vanished_from(io, &snapshot, name).await;
                let allows = |held: &Held| audience == Audience::User || held.skill.model_invocable;
                return match held.filter(allows) {
                    Some(held) => self.recorded(&held, tools, "its file is no longer there"),
                    None => ToolResult::error(&error, None),
                };
            }
        };
        let options = self.catalog.options().read_options();
        match body::read(io, entry, &options).await {
            Ok(body) if audience == Audience::Model && !body.model_invocable => {
                let error = self.catalog.not_found(&snapshot, name, Some(entry));
                ToolResult::error(&error, None)
            }
            Ok(Body {
                text: Ok(text),
                version,
                model_invocable,
            }) => {
                let key = SkillKey {
                    name: entry.skill.name.clone(),
                    version,
                };
                let served = self.serve(io, entry, &key).await;
                let loaded = LoadedSkill {
                    model_invocable,
                    ..LoadedSkill::new(key, &text, served.servers, served.tools)
                };
                self.take(io, entry, loaded, tools, &served.problems).await
            }
            Ok(Body {
                text: Err(error), ..
            })
            | Err(error) => match self.held_of(entry) {
                Some(held) => self.recorded(&held, tools, "its file cannot be read now"),
                None => ToolResult::error(&error, Some(entry.skill.name.clone())),
            },
        }
    }

    /// Takes what was read of an entry into the conversation.
    async fn take(
        &self,
        io: &Io,
        entry: &Entry,
        loaded: LoadedSkill,
        tools: &Tools,
        problems: &[String],
    ) -> ToolResult {
        let skill = Some(loaded.key.name.clone());
        let name = quoted(&loaded.key.name);
        let mut content = String::new();
        if !self.has_text(&loaded) {
            let own = OwnFiles::of(&entry.record);
            content = load_skill::text(io, &self.catalog, entry, own, &loaded.body, tools).await;
        }
        // Another call may have loaded it while the files beside it were listed.
        let is_known = self.has_text(&loaded);
        if is_known {
            content = format!(
                "The skill {name} is already loaded: its instructions are in this conversation and have not changed."
            );
        } else if self.is_change(entry, &loaded) {
            content = format!(
                "The skill {name} has changed since it was loaded; this replaces its earlier instructions.\n\n{content}"
            );
        }
        let is_served_alike = is_known && self.has_tools(&loaded) && problems.is_empty();
        let key = loaded.key.clone();
        self.record_load(io, entry, loaded).await;
        if !is_served_alike {
            let names = tools.names_of_served(self.served_tools(), &key);
            push_served(&mut content, &names, problems);
        }
        ToolResult {
            content,
            skill,
            ..ToolResult::default()
        }
    }

    /// Whether the conversation has this very text.
    fn has_text(&self, loaded: &LoadedSkill) -> bool {
        let memory = self.memory.borrow();
        let held = memory.state.get(&loaded.key);
        held.is_some_and(|held| held.skill.digest == loaded.digest && !held.dropped)
    }

    /// Whether the conversation has these very tools of the skill's servers.
    fn has_tools(&self, loaded: &LoadedSkill) -> bool {
        let memory = self.memory.borrow();
        let held = memory.state.get(&loaded.key);
        held.is_some_and(|held| held.skill.tools == loaded.tools)
    }

    /// Whether it takes the place of another text.
    fn is_change(&self, entry: &Entry, loaded: &LoadedSkill) -> bool {
        let memory = self.memory.borrow();
        let held = memory.state.get(&loaded.key);
        held.is_some_and(|held| held.skill.digest != loaded.digest)
            || !self
                .superseded(&memory.state, entry, &loaded.key)
                .is_empty()
    }

    /// Records a load, and that what it takes the place of no longer applies.
    async fn record_load(&self, io: &Io, entry: &Entry, loaded: LoadedSkill) {
        let superseded = self.superseded(&self.memory.borrow().state, entry, &loaded.key);
        for key in &superseded {
            self.record(SessionEvent::SkillUnloaded(key.clone()));
        }
        let (key, servers) = (loaded.key.clone(), Rc::clone(&loaded.servers));
        self.record(SessionEvent::SkillLoaded(loaded));
        self.settle(io, &key, &servers, &superseded).await;
    }

    /// Versions that were loaded under the same name and are no longer to be had: what `entry` was,
    /// whose file says by now that it is `key`, and those that the catalog does not have.
    fn superseded(&self, state: &State, entry: &Entry, key: &SkillKey) -> Vec<SkillKey> {
        let snapshot = self.catalog.snapshot();
        let others = state.named(&key.name).map(|held| &held.skill.key);
        others
            .filter(|other| other.version != key.version)
            .filter(|other| {
                **other == entry.skill.key() || self.entry_of(&snapshot, other).is_none()
            })
            .cloned()
            .collect()
    }

    /// What was loaded of a name that the catalog does not have at all.
    async fn vanished_from(&self, io: &Io, snapshot: &Snapshot, name: &str) -> Option<Held> {
        let key = self.held_key(io, name).await?;
        let is_there = snapshot.all().any(|entry| entry.skill.name == key.name);
        let is_shown = self.catalog.shows_key(&io.look_up_key(&key.name).await);
        if is_there || !is_shown {
            return None;
        }
        self.memory.borrow().state.get(&key).cloned()
    }

    /// What was loaded of an entry.
    fn held_of(&self, entry: &Entry) -> Option<Held> {
        self.memory.borrow().state.get(&entry.skill.key()).cloned()
    }

    /// A skill as it was loaded, where it cannot be had from its file.
    fn recorded(&self, held: &Held, tools: &Tools, reason: &str) -> ToolResult {
        let name = quoted(&held.skill.key.name);
        let mut content = if held.dropped {
            format!("The skill {name} as it was loaded earlier ({reason}):\n\n")
        } else {
            format!(
                "The skill {name} is already loaded ({reason}): its instructions are in this conversation."
            )
        };
        if held.dropped {
            let wrapper = tools.options().wrapper;
            load_skill::push_wrapped(
                &mut content,
                &held.skill.key.name,
                &held.skill.body,
                wrapper,
            );
        }
        self.record(SessionEvent::SkillLoaded(held.skill.clone()));
        ToolResult {
            content,
            skill: Some(held.skill.key.name.clone()),
            ..ToolResult::default()
        }
    }

    /// Takes an event into the state; it is told where it changed anything.
    fn record(&self, event: SessionEvent) {
        let mut memory = self.memory.borrow_mut();
        if memory.state.apply(&event) {
            memory.untold.push(event);
        }
    }
}

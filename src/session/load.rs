//! Loading a skill into a conversation: its text, or one line where the conversation has it.

use std::rc::Rc;

use super::change::{Change, Outcome};
use super::event::LoadedSkill;
use super::servers::{Served, push_served};
use super::state::{Held, State};
use super::{Session, is_gone};
use crate::body::{self, Body};
use crate::call::{Audience, ToolResult};
use crate::diagnostic::Diagnostic;
use crate::error::Error;
use crate::load_skill;
use crate::operation::{Io, Operation};
use crate::own_files::OwnFiles;
use crate::skill::SkillKey;
use crate::slash_command::{ExpandOptions, Expanded, Expansion, Invoked, Meant};
use crate::snapshot::{Entry, Snapshot};
use crate::text::quoted;
use crate::tools::Tools;
use crate::wrapper::push_wrapped;

/// What a load is of.
enum Found {
    /// What its file says now.
    InFile(Entry, LoadedSkill),
    /// What was loaded before, since the file cannot be had: why, in words for the model, and for the
    /// developer.
    Recorded(Held, &'static str, Diagnostic),
}

/// How the conversation has a skill when a load of it ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Had {
    Nothing,
    /// Another text, or a version whose place it takes.
    Another,
    /// This very text.
    This,
}

/// What came with a skill that was taken into the conversation.
struct Brought {
    /// Whether its servers bring what the conversation has of them, and nothing is missing.
    is_nothing_new: bool,
    /// What is missing, in sentences for the model.
    problems: Vec<String>,
}

impl Session {
    /// Loads a skill for the user, who is offered those too that the model is not.
    pub fn load(&self, name: String) -> Operation<Outcome<ToolResult>> {
        let session = self.clone();
        self.changing(async move |io, change| {
            let tools = match session.spoken_tools(None) {
                Ok(tools) => tools,
                Err(error) => return ToolResult::error(&error, None),
            };
            let load = session.load_named(io, &name, &tools, Audience::User, change);
            load.await
        })
    }

    /// What a line of a user stands for; a skill in it is loaded.
    ///
    /// # Errors
    ///
    /// As those of [`Catalog::expand`](crate::Catalog::expand).
    pub fn expand(
        &self,
        input: String,
        options: ExpandOptions,
    ) -> Operation<Outcome<Result<Expansion, Error>>> {
        let session = self.clone();
        self.changing(async move |io, change| {
            match session.catalog.meant(io, &input, &options).await {
                Meant::Skill(invoked) => {
                    let expanded = session.expand_skill(io, invoked, &options, change).await?;
                    Ok(expanded.into())
                }
                Meant::Other(expansion) => Ok(expansion),
            }
        })
    }

    pub(crate) async fn expand_skill(
        &self,
        io: &Io,
        invoked: Invoked,
        options: &ExpandOptions,
        change: &mut Change,
    ) -> Result<Expanded, Error> {
        let Invoked { entry, body, extra } = invoked;
        let loaded = body.and_then(|body| LoadedSkill::of(&entry, body));
        if let (Err(error), Some(held)) = (&loaded, self.held_of(&entry)) {
            self.note_text(&held, Some(self.unread(held.key(), error)));
        }
        let mut loaded = loaded?;
        let limit = self.catalog.options().limits.body;
        let expanded = Expanded::of(&entry.skill.name, &loaded.body, &extra, options, limit)?;
        let arguments = expanded.arguments.clone();
        loaded.arguments = arguments.map(Rc::from);
        let audience = Audience::User;
        let tools = self.spoken_tools(Some(&loaded.key))?;
        let own = OwnFiles::of(&entry.record);
        let beside = load_skill::beside(io, &self.catalog, &entry, own, &tools).await;
        let served = self.serve(io, &entry, &loaded.key, audience).await;
        self.take_in(&entry, loaded, served, change);
        Ok(expanded.with_resources(&beside))
    }

    /// The text of a skill, or one line where the conversation has it.
    pub(super) async fn load_named(
        &self,
        io: &Io,
        name: &str,
        tools: &Tools,
        audience: Audience,
        change: &mut Change,
    ) -> ToolResult {
        match self.find(io, name, tools, audience).await {
            Ok(Found::InFile(entry, loaded)) => {
                // Its files can be read from now on, also where the model was offered none before.
                let of_user = match audience {
                    Audience::User => self.spoken_tools(Some(&loaded.key)).ok(),
                    Audience::Model => None,
                };
                let tools = of_user.as_ref().unwrap_or(tools);
                let served = self.serve(io, &entry, &loaded.key, audience).await;
                let load = self.load_from_file(io, &entry, loaded, served, tools, change);
                load.await
            }
            Ok(Found::Recorded(held, reason, finding)) => {
                self.load_recorded(held, reason, finding, tools, change)
            }
            Err(refused) => refused,
        }
    }

    /// What is meant by a name; or what the load comes to, where there is no such skill.
    async fn find(
        &self,
        io: &Io,
        name: &str,
        tools: &Tools,
        audience: Audience,
    ) -> Result<Found, ToolResult> {
        let snapshot = self.catalog.snapshot();
        let entry = match self.catalog.lookup(io, &snapshot, name, audience).await {
            Ok(entry) => entry,
            Err(error) => {
                let vanished = self.find_vanished(io, &snapshot, name, audience).await;
                return vanished.ok_or_else(|| ToolResult::error(&tools.leading_on(error), None));
            }
        };
        let body = self.read(io, entry).await;
        if let Ok(body) = &body
            && audience == Audience::Model
            && !body.model_invocable
        {
            let error = self.catalog.not_found(&snapshot, name, Some(entry));
            return Err(ToolResult::error(&tools.leading_on(error), None));
        }
        match body.and_then(|body| LoadedSkill::of(entry, body)) {
            Ok(loaded) => Ok(Found::InFile(entry.clone(), loaded)),
            Err(error) => match self.held_of(entry) {
                Some(held) => {
                    let finding = self.unread(held.key(), &error);
                    Ok(Found::Recorded(
                        held,
                        "its file cannot be read now",
                        finding,
                    ))
                }
                None => Err(ToolResult::error(&error, Some(entry.skill.name.clone()))),
            },
        }
    }

    /// What was loaded of a name that the catalog does not have at all.
    async fn find_vanished(
        &self,
        io: &Io,
        snapshot: &Snapshot,
        name: &str,
        audience: Audience,
    ) -> Option<Found> {
        let key = self.held_key(io, name).await?;
        let held = self.memory.borrow().state.get(&key)?.clone();
        let is_allowed = audience == Audience::User || held.skill.model_invocable;
        if !is_allowed || !is_gone(snapshot, &key) {
            return None;
        }
        let finding = self.vanished(&key);
        Some(Found::Recorded(
            held,
            "its file is no longer there",
            finding,
        ))
    }

    /// What the file of an entry says now.
    async fn read(&self, io: &Io, entry: &Entry) -> Result<Body, Error> {
        body::read(io, &self.catalog, entry).await
    }

    /// Takes what a file says into the conversation.
    async fn load_from_file(
        &self,
        io: &Io,
        entry: &Entry,
        mut loaded: LoadedSkill,
        served: Served,
        tools: &Tools,
        change: &mut Change,
    ) -> ToolResult {
        let mut beside = String::new();
        if self.had(entry, &loaded) != Had::This {
            let own = OwnFiles::of(&entry.record);
            beside = load_skill::beside(io, &self.catalog, entry, own, tools).await;
        }
        // Another call may have loaded it while the files beside it were listed. From here on
        // nothing is waited for.
        let had = self.had(entry, &loaded);
        loaded.arguments = self.arguments_of(entry, &loaded.key);
        let mut text = String::new();
        if had != Had::This {
            let filled = loaded.text(self.catalog.options().limits.body);
            text = load_skill::wrapped(&self.catalog, entry, &filled, tools) + &beside;
        }
        let key = loaded.key.clone();
        let brought = self.take_in(entry, loaded, served, change);
        let name = quoted(&key.name);
        let mut content = match had {
            Had::This => format!(
                "The skill {name} is already loaded: its instructions are in this conversation and have not changed."
            ),
            Had::Another => format!(
                "The skill {name} has changed since it was loaded; this replaces its earlier instructions.\n\n{text}"
            ),
            Had::Nothing => text,
        };
        if had != Had::This || !brought.is_nothing_new {
            let names = tools.names_of_served(self.served_tools(), &key);
            push_served(&mut content, &names, &brought.problems);
        }
        ToolResult {
            content,
            skill: Some(key.name),
            ..ToolResult::default()
        }
    }

    /// A skill as it was loaded, where it cannot be had from its file.
    fn load_recorded(
        &self,
        held: Held,
        reason: &str,
        finding: Diagnostic,
        tools: &Tools,
        change: &mut Change,
    ) -> ToolResult {
        let name = held.skill.key.name.clone();
        let shown = quoted(&name);
        let content = if held.dropped {
            let mut content = format!("The skill {shown} as it was loaded earlier ({reason}):\n\n");
            let text = held.skill.text(self.catalog.options().limits.body);
            push_wrapped(&mut content, &name, &text, tools.options().wrapper);
            content
        } else {
            format!(
                "The skill {shown} is already loaded ({reason}): its instructions are in this conversation."
            )
        };
        change.load(held.skill, Some(finding));
        ToolResult {
            content,
            skill: Some(name),
            ..ToolResult::default()
        }
    }

    /// Records a load with what its servers bring, and that what it takes the place of no longer
    /// applies. The names of its tools are settled here, by what is loaded in this moment.
    fn take_in(
        &self,
        entry: &Entry,
        mut loaded: LoadedSkill,
        served: Served,
        change: &mut Change,
    ) -> Brought {
        let superseded = self.superseded(&self.memory.borrow().state, entry, &loaded.key);
        let tools_before = self.held(&loaded.key).map(|held| held.skill.tools);
        let judged = self.judged(entry, &loaded.key, &superseded, served);
        loaded.servers = judged.servers;
        loaded.tools = judged.tools;
        let is_nothing_new =
            judged.problems.is_empty() && tools_before.as_ref() == Some(&loaded.tools);
        for key in superseded {
            change.unload(key);
        }
        let (key, servers) = (loaded.key.clone(), Rc::clone(&loaded.servers));
        change.load(loaded, None);
        if let Some(found) = judged.findings {
            change.find_servers(key.clone(), found);
        }
        if judged.is_asked {
            change.settle(key, &servers);
        }
        Brought {
            is_nothing_new,
            problems: judged.problems,
        }
    }

    fn had(&self, entry: &Entry, loaded: &LoadedSkill) -> Had {
        let memory = self.memory.borrow();
        let held = memory.state.get(&loaded.key);
        let is_this = |held: &Held| held.skill.digest == loaded.digest;
        match held {
            Some(held) if is_this(held) && !held.dropped => Had::This,
            Some(held) if !is_this(held) => Had::Another,
            _ if self
                .superseded(&memory.state, entry, &loaded.key)
                .is_empty() =>
            {
                Had::Nothing
            }
            _ => Had::Another,
        }
    }

    /// What was filled into the text that was loaded before, of this version or of the one that it
    /// takes the place of: it belongs into this one as well.
    fn arguments_of(&self, entry: &Entry, key: &SkillKey) -> Option<Rc<str>> {
        let state = &self.memory.borrow().state;
        let before = state.get(key).or_else(|| {
            let superseded = self.superseded(state, entry, key);
            state.get(superseded.first()?)
        });
        before?.skill.arguments.clone()
    }

    /// Versions that were loaded under the same name and are no longer to be had: what `entry` was,
    /// whose file says by now that it is `key`, and those that the catalog does not have.
    fn superseded(&self, state: &State, entry: &Entry, key: &SkillKey) -> Vec<SkillKey> {
        let snapshot = self.catalog.snapshot();
        let others = state.other_versions(key).map(Held::key);
        others
            .filter(|other| {
                **other == entry.skill.key() || self.entry_of(&snapshot, other).is_none()
            })
            .cloned()
            .collect()
    }
}

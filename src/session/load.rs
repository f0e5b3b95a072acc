//! Loading a skill into a conversation: its text, or one line where the conversation has it.

use std::rc::Rc;

use super::event::{LoadedSkill, SessionEvent};
use super::servers::push_served;
use super::state::{Held, State};
use super::{Session, is_gone};
use crate::body::{self, Body};
use crate::call::{Audience, ToolResult};
use crate::error::Error;
use crate::load_skill;
use crate::operation::{Io, Operation};
use crate::own_files::OwnFiles;
use crate::skill::SkillKey;
use crate::slash_command::{ExpandOptions, Expanded, Expansion, Invoked, Meant};
use crate::snapshot::{Entry, Snapshot};
use crate::text::quoted;
use crate::tools::Tools;

impl Session {
    /// Loads a skill for the user, who is offered those too that the model is not.
    pub fn load(&self, name: String) -> Operation<ToolResult> {
        let session = self.clone();
        Operation::new(|io| async move {
            match session.spoken_tools() {
                Ok(tools) => session.load_named(&io, &name, &tools, Audience::User).await,
                Err(error) => ToolResult::error(&error, None),
            }
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
    ) -> Operation<Result<Expansion, Error>> {
        let session = self.clone();
        Operation::new(|io| async move {
            match session.catalog.meant(&io, &input, &options).await {
                Meant::Skill(invoked) => session.expand_skill(&io, invoked, &options).await,
                Meant::Other(expansion) => Ok(expansion),
            }
        })
    }

    async fn expand_skill(
        &self,
        io: &Io,
        invoked: Invoked,
        options: &ExpandOptions,
    ) -> Result<Expansion, Error> {
        let entry = invoked.entry.clone();
        let is_read = invoked.body.as_ref().is_ok_and(|body| body.text.is_ok());
        if let (false, Some(held)) = (is_read, self.held_of(&entry)) {
            self.note_vanished(&held);
        }
        let Expanded {
            expansion,
            key,
            body,
            model_invocable,
            arguments,
        } = self.catalog.expanded(invoked, options)?;
        let served = self.serve(io, &entry, &key).await;
        let loaded = LoadedSkill {
            arguments: arguments.map(Rc::from),
            model_invocable,
            ..LoadedSkill::new(key, &body, served.servers, served.tools)
        };
        self.record_load(io, &entry, loaded).await;
        Ok(expansion)
    }

    /// The text of a skill, or one line where the conversation has it.
    pub(super) async fn load_named(
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
                ..
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
        mut loaded: LoadedSkill,
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
            loaded.arguments = self.arguments_of(&loaded.key);
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

    /// What is filled into the text that the conversation has.
    fn arguments_of(&self, key: &SkillKey) -> Option<Rc<str>> {
        let memory = self.memory.borrow();
        memory.state.get(key)?.skill.arguments.clone()
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
    pub(super) fn superseded(&self, state: &State, entry: &Entry, key: &SkillKey) -> Vec<SkillKey> {
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
        let held = self.memory.borrow().state.get(&key).cloned();
        held.filter(|held| is_gone(snapshot, held.key()))
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
                &held.skill.text(self.catalog.options().limits.body),
                wrapper,
            );
        }
        self.record(SessionEvent::SkillLoaded(held.skill.clone()));
        self.note_vanished(held);
        ToolResult {
            content,
            skill: Some(held.skill.key.name.clone()),
            ..ToolResult::default()
        }
    }
}

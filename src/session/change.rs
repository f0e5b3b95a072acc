//! What a call does to its session: all of it in the moment in which the call ends, so that a call
//! that is aborted has done nothing; and for good once its events are taken.

use super::event::{LoadedSkill, SessionEvent};
use super::findings::ServerFinding;
use super::{Session, Stored};
use crate::call::ToolResult;
use crate::diagnostic::Diagnostic;
use crate::error::Error;
use crate::json::{Object, ToJson};
use crate::mcp_config::ServerConfig;
use crate::skill::SkillKey;

/// What a call came to, and what it did to its session.
#[derive(Debug)]
#[must_use = "a change is accepted, or what is refused of it is taken back"]
pub struct Outcome<T> {
    /// What the call gives.
    pub result: T,
    /// What it did.
    pub change: Change,
}

/// What one call did to its session. The state is what its events make of it; what follows from
/// them, of findings and servers, waits until they are taken.
#[derive(Debug)]
pub struct Change {
    session: Session,
    steps: Vec<Step>,
}

/// An event, or what follows from the ones before it.
#[derive(Debug)]
enum Step {
    /// It has changed the state, so it is told.
    Told(SessionEvent),
    /// What is now known of a skill's text.
    Text(SkillKey, Option<Diagnostic>),
    /// What is now known of a skill's servers.
    Servers(SkillKey, Vec<ServerFinding>),
    /// What is now known of names that were to be forgotten.
    Names(Option<Diagnostic>),
    Settle(Settlement),
}

/// Which servers a skill has from now on: its others end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settlement {
    /// Of which skill.
    pub key: SkillKey,
    /// The names of those that stay.
    pub stay: Vec<String>,
}

/// `{"skill", "version", "stay": […]}`
impl ToJson for Settlement {
    fn write_json(&self, out: &mut String) {
        Object::begin(out)
            .field("skill", &self.key.name)
            .optional("version", self.key.version.as_ref())
            .field("stay", &self.stay)
            .end();
    }
}

/// What a call does.
impl Change {
    pub(super) fn none(session: &Session) -> Self {
        Self {
            session: session.clone(),
            steps: Vec::new(),
        }
    }

    /// A skill came into the conversation; `found` is why it is not the text of its file.
    pub(super) fn load(&mut self, loaded: LoadedSkill, found: Option<Diagnostic>) {
        let key = loaded.key.clone();
        let is_told = self.session.memory.borrow().state.is_told(&loaded);
        self.record(if is_told {
            SessionEvent::SkillReloaded(loaded)
        } else {
            SessionEvent::SkillLoaded(loaded)
        });
        self.steps.push(Step::Text(key, found));
    }

    /// A skill no longer applies.
    pub(super) fn unload(&mut self, key: SkillKey) {
        self.record(SessionEvent::SkillUnloaded(key.clone()));
        self.steps.push(Step::Text(key.clone(), None));
        self.steps.push(Step::Servers(key.clone(), Vec::new()));
        if self.session.connects_servers() {
            self.settle(key, &[]);
        }
    }

    /// The text of a skill left the conversation.
    pub(super) fn drop_text(&mut self, key: SkillKey) {
        self.record(SessionEvent::SkillDropped(key));
    }

    /// What was found of the names that were to be forgotten.
    pub(super) fn forget_unknown(&mut self, found: Option<Diagnostic>) {
        self.steps.push(Step::Names(found));
    }

    /// A file of a skill came into the conversation.
    pub(super) fn read_file(&mut self, skill: SkillKey, path: String) {
        self.record(SessionEvent::ResourceLoaded { skill, path });
    }

    /// What was found of the servers of a skill, in place of what was found before.
    pub(super) fn find_servers(&mut self, key: SkillKey, found: Vec<ServerFinding>) {
        self.steps.push(Step::Servers(key, found));
    }

    /// From now on a skill has these servers.
    pub(super) fn settle(&mut self, key: SkillKey, servers: &[ServerConfig]) {
        let stay = servers.iter().map(|server| server.name.clone()).collect();
        self.steps.push(Step::Settle(Settlement { key, stay }));
    }

    fn record(&mut self, event: SessionEvent) {
        if self.session.memory.borrow_mut().state.apply(&event) {
            self.steps.push(Step::Told(event));
        }
    }
}

/// What becomes of it.
impl Change {
    /// What is to be told, in its order.
    pub fn events(&self) -> Vec<&SessionEvent> {
        let mut events = Vec::new();
        for step in &self.steps {
            if let Step::Told(event) = step {
                events.push(event);
            }
        }
        events
    }

    /// All of it was taken. Gives which servers are to run.
    #[must_use]
    pub fn accept(self) -> Vec<Settlement> {
        self.follow(usize::MAX)
    }

    /// So many events were taken, and the next one refused: it, and what the same call did after it, has
    /// not happened. `happened` is all that has, in the whole session. Gives which servers are to run.
    #[must_use]
    pub fn refuse(self, taken: usize, happened: Stored) -> Vec<Settlement> {
        self.session.memory.borrow_mut().state = happened.state;
        self.follow(taken)
    }

    fn follow(self, taken: usize) -> Vec<Settlement> {
        let memory = &mut *self.session.memory.borrow_mut();
        let findings = &mut memory.findings;
        let mut settlements = Vec::new();
        let mut told = 0;
        for step in self.steps {
            match step {
                Step::Told(_) if told == taken => break,
                Step::Told(event) => {
                    told += 1;
                    if let SessionEvent::SkillLoaded(loaded) = event {
                        memory.state.set_told(&loaded);
                    }
                }
                Step::Text(key, found) => findings.set_text(&key, found),
                Step::Servers(key, found) => findings.set_servers(&key, found),
                Step::Names(found) => findings.set_names(found),
                Step::Settle(settlement) => settlements.push(settlement),
            }
        }
        settlements
    }
}

/// What a call comes to whose event was refused: an error, or a result.
#[derive(Debug)]
pub struct RefusedEvent {
    error: Error,
    skill: String,
}

impl RefusedEvent {
    /// `event` is its type, `skill` the name of the skill that it is about, `message` what the listener
    /// threw.
    pub fn new(event: String, skill: String, message: String) -> Self {
        let error = Error::EventRefused {
            event,
            skill: skill.clone(),
            message,
        };
        Self { error, skill }
    }
}

impl ToJson for RefusedEvent {
    fn write_json(&self, out: &mut String) {
        let result = ToolResult::error(&self.error, Some(self.skill.clone()));
        Object::begin(out)
            .field("error", &self.error)
            .field("content", &result.content)
            .field("result", &result)
            .end();
    }
}

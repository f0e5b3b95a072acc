//! What happens in a session: plain commands, of which its state is the sum.

use std::borrow::Cow;
use std::rc::Rc;

use super::state::place_name;
use crate::body::Body;
use crate::digest::sha256;
use crate::error::Error;
use crate::fields::unusable;
use crate::json::{Object, ToJson};
use crate::mcp_config::{self, ServerConfig};
use crate::options::Fields;
use crate::places::Places;
use crate::relative_path::RelativePath;
use crate::server_tool::{self, ServerTool};
use crate::skill::SkillKey;
use crate::slash_command::filled;
use crate::snapshot::Entry;
use crate::value::Value;

/// A skill as it was loaded: a later edit of its file takes nothing of this away.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadedSkill {
    /// Which one.
    pub key: SkillKey,
    /// Of the body: `sha256:` and hexadecimal digits.
    pub digest: String,
    /// Trimmed at both ends.
    pub body: Rc<str>,
    /// What was filled into the body, where an expansion did.
    pub arguments: Option<Rc<str>>,
    /// The tools that it asked to be allowed, as its `allowed-tools` had them.
    pub allowed_tools: Rc<[String]>,
    /// Whether the model might load it by itself when it was loaded.
    pub model_invocable: bool,
    /// The servers that were connected with it, as its `mcp.json` wrote them.
    pub servers: Rc<[ServerConfig]>,
    /// The tools that came with it.
    pub tools: Rc<[ServerTool]>,
}

impl LoadedSkill {
    /// What the file of an entry says; without servers.
    pub(crate) fn of(entry: &Entry, body: Body) -> Result<Self, Error> {
        let text = body.text?;
        Ok(Self {
            key: SkillKey {
                name: entry.skill.name.clone(),
                version: body.version,
            },
            digest: sha256(text.as_bytes()),
            body: Rc::from(text),
            arguments: None,
            allowed_tools: body.allowed_tools.into(),
            model_invocable: body.model_invocable,
            servers: Rc::default(),
            tools: Rc::default(),
        })
    }

    /// The text that came into the conversation: its body, with the arguments in it. `limit` is that
    /// of a body.
    pub(crate) fn text(&self, limit: u32) -> Cow<'_, str> {
        let arguments = self.arguments.as_ref();
        let filled = arguments.and_then(|arguments| filled(&self.body, arguments, limit));
        filled.map_or(Cow::Borrowed(self.body.as_ref()), |filled| {
            Cow::Owned(filled.text)
        })
    }
}

/// What happened in a session: a command that can be stored, and played again.
#[derive(Clone, Debug, PartialEq)]
pub enum SessionEvent {
    /// A skill's text came into the conversation.
    SkillLoaded(LoadedSkill),
    /// The same of a text that an event before it has, so that this one is told without it.
    SkillReloaded(LoadedSkill),
    /// A skill no longer applies.
    SkillUnloaded(SkillKey),
    /// A skill's text left the conversation, as when its history was compacted.
    SkillDropped(SkillKey),
    /// A file of a skill came into the conversation.
    ResourceLoaded {
        /// Of which skill.
        skill: SkillKey,
        /// Relative to the skill's directory.
        path: String,
    },
}

const SKILL_LOADED: &str = "skill_loaded";
const SKILL_UNLOADED: &str = "skill_unloaded";
const SKILL_DROPPED: &str = "skill_dropped";
const RESOURCE_LOADED: &str = "resource_loaded";
const DIGEST: &str = "digest";
const BODY: &str = "body";
const ALLOWED_TOOLS: &str = "allowedTools";
const SERVERS: &str = "servers";
const TOOLS: &str = "tools";

impl SessionEvent {
    fn kind(&self) -> &'static str {
        match self {
            Self::SkillLoaded(_) | Self::SkillReloaded(_) => SKILL_LOADED,
            Self::SkillUnloaded(_) => SKILL_UNLOADED,
            Self::SkillDropped(_) => SKILL_DROPPED,
            Self::ResourceLoaded { .. } => RESOURCE_LOADED,
        }
    }

    fn key(&self) -> &SkillKey {
        match self {
            Self::SkillLoaded(loaded) | Self::SkillReloaded(loaded) => &loaded.key,
            Self::SkillUnloaded(key)
            | Self::SkillDropped(key)
            | Self::ResourceLoaded { skill: key, .. } => key,
        }
    }
}

impl ToJson for SessionEvent {
    fn write_json(&self, out: &mut String) {
        let key = self.key();
        let mut object = Object::begin(out);
        object
            .field("type", &self.kind())
            .field("name", &key.name)
            .optional("version", key.version.as_ref());
        match self {
            Self::SkillLoaded(loaded) | Self::SkillReloaded(loaded) => {
                object.field(DIGEST, &loaded.digest);
                if matches!(self, Self::SkillLoaded(_)) {
                    object.field(BODY, &loaded.body.as_ref());
                }
                object
                    .optional("arguments", loaded.arguments.as_deref().as_ref())
                    .field(TOOLS, &loaded.tools.as_ref());
                if !loaded.allowed_tools.is_empty() {
                    object.field(ALLOWED_TOOLS, &loaded.allowed_tools.as_ref());
                }
                if !loaded.model_invocable {
                    object.field("modelInvocable", &false);
                }
                if !loaded.servers.is_empty() {
                    object.field(SERVERS, &loaded.servers.as_ref());
                }
            }
            Self::ResourceLoaded { path, .. } => {
                object.field("path", path);
            }
            Self::SkillUnloaded(_) | Self::SkillDropped(_) => {}
        }
        object.end();
    }
}

/// Events as they were stored, not yet judged by their digests.
pub(crate) struct StoredEvents(pub(crate) Vec<SessionEvent>);

impl StoredEvents {
    /// Reads the field `state`: what a session is as JSON, or the events themselves.
    pub(crate) fn from_state(fields: &Fields<'_>) -> Self {
        const STATE: &str = "state";
        match fields.get(STATE) {
            None => Self(Vec::new()),
            Some(Value::List(_)) => Self::from_list(fields, STATE),
            Some(_) => Self::from_list(&fields.object(STATE, "state."), "events"),
        }
    }

    fn from_list(fields: &Fields<'_>, key: &'static str) -> Self {
        let mut events = Vec::new();
        let mut bodies = Places::default();
        let is_there = fields.each(key, &mut |stored| {
            let event = stored_event(stored, |loaded| {
                match events.get(bodies.get(&place_name(loaded))?) {
                    Some(SessionEvent::SkillLoaded(before)) => Some(before.clone()),
                    _ => None,
                }
            });
            if let Some(SessionEvent::SkillLoaded(loaded)) = &event {
                let name = place_name(&loaded.key);
                bodies.remove(&name);
                bodies.add(name, events.len());
            }
            events.extend(event);
        });
        if !is_there {
            fields.refuse(key, "must be a list of what a session told onEvent");
        }
        Self(events)
    }
}

/// An event; `None`, and a note in `fields`, where it is none. `before` is what was loaded last of a
/// skill, with its body.
fn stored_event(
    fields: &Fields<'_>,
    before: impl FnOnce(&SkillKey) -> Option<LoadedSkill>,
) -> Option<SessionEvent> {
    let key = SkillKey {
        name: fields.required_text("name"),
        version: fields.text("version"),
    };
    if let Some(problem) = unusable(&key.name) {
        fields.refuse("name", &["is no skill's: ", problem].concat());
    }
    match fields.get("type").and_then(Value::as_str) {
        Some(SKILL_LOADED) if fields.get(BODY).is_some() => {
            let body = Rc::from(fields.required_text(BODY));
            Some(SessionEvent::SkillLoaded(stored_skill(fields, key, body)))
        }
        Some(SKILL_LOADED) => {
            let digest = fields.required_text(DIGEST);
            let before = before(&key).filter(|before| before.digest == digest);
            if before.is_none() {
                fields.refuse(BODY, "is missing, and no event before it has it");
            }
            let skill = stored_skill(fields, key, before?.body);
            Some(SessionEvent::SkillReloaded(skill))
        }
        Some(SKILL_UNLOADED) => Some(SessionEvent::SkillUnloaded(key)),
        Some(SKILL_DROPPED) => Some(SessionEvent::SkillDropped(key)),
        Some(RESOURCE_LOADED) => Some(SessionEvent::ResourceLoaded {
            skill: key,
            path: stored_path(fields),
        }),
        _ => {
            fields.refuse("type", "is not one of a session's events");
            None
        }
    }
}

fn stored_skill(fields: &Fields<'_>, key: SkillKey, body: Rc<str>) -> LoadedSkill {
    let servers = stored_servers(fields);
    LoadedSkill {
        digest: fields.required_text(DIGEST),
        body,
        arguments: fields.text("arguments").map(Rc::from),
        allowed_tools: fields.texts(ALLOWED_TOOLS).into(),
        model_invocable: fields.flag("modelInvocable", true),
        tools: stored_tools(fields, &key, &servers),
        servers: Rc::from(servers),
        key,
    }
}

/// The path of a file that was read, as a call names it.
fn stored_path(fields: &Fields<'_>) -> String {
    const PATH: &str = "path";
    let path = fields.required_text(PATH);
    if let Err(problem) = RelativePath::parse(&path) {
        fields.refuse(PATH, &["cannot be used: ", problem].concat());
    }
    path
}

fn stored_servers(fields: &Fields<'_>) -> Vec<ServerConfig> {
    let servers = mcp_config::stored_servers(items(fields, SERVERS));
    servers.unwrap_or_else(|| refused(fields, SERVERS))
}

fn stored_tools(fields: &Fields<'_>, key: &SkillKey, servers: &[ServerConfig]) -> Rc<[ServerTool]> {
    let tools = server_tool::stored_tools(items(fields, TOOLS), key, servers);
    tools.unwrap_or_else(|| refused(fields, TOOLS)).into()
}

/// The items of a stored list.
fn items<'a>(fields: &Fields<'a>, key: &'static str) -> &'a [Value] {
    match fields.get(key) {
        None => &[],
        Some(Value::List(items)) => items,
        Some(_) => {
            fields.refuse(key, "must be a list");
            &[]
        }
    }
}

fn refused<T>(fields: &Fields<'_>, key: &'static str) -> Vec<T> {
    fields.refuse(key, "has an item that a session does not store");
    Vec::new()
}

/// That a stored body is the one that was loaded.
pub(crate) fn check_digest(loaded: &LoadedSkill) -> Result<(), Error> {
    let found = sha256(loaded.body.as_bytes());
    if found == loaded.digest {
        return Ok(());
    }
    Err(Error::DigestMismatch {
        what: ["The stored body of the skill ", &loaded.key.address()].concat(),
        expected: loaded.digest.clone(),
        found,
    })
}

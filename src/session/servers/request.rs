//! What whoever connects servers is asked, and answers.

use super::failure::{Failed, failure};
use crate::call::Audience;
use crate::host::Reply;
use crate::json::{self, Object};
use crate::mcp_config::{Environment, ServerConfig, Transport, Unresolved};
use crate::skill::SkillKey;
use crate::text::{quoted, shortened};
use crate::tool_call::ServerCall;
use crate::value::{Map, Value};

/// What is asked of whoever connects servers: what to show for approval, and what to start.
pub(super) struct Ask<'a> {
    key: &'a SkillKey,
    server: &'a ServerConfig,
    /// Where it runs, if it is a program of a skill on a disk.
    directory: Option<String>,
    start: Transport,
}

/// What a server is wanted for.
pub(super) enum Purpose<'a> {
    /// A load, by somebody: a user who said no before may say something else now.
    Load(Audience),
    /// A call, and whether the server cannot be started any more.
    Call(&'a ServerCall, bool),
}

impl<'a> Ask<'a> {
    pub(super) fn new(
        key: &'a SkillKey,
        server: &'a ServerConfig,
        directory: Option<String>,
        environment: &Environment,
    ) -> Result<Self, Failed> {
        let start = server.resolved(environment).map_err(unresolved)?;
        Ok(Self {
            key,
            server,
            directory,
            start,
        })
    }

    /// As JSON text.
    pub(super) fn text(&self, purpose: &Purpose<'_>) -> String {
        let transport = &self.server.transport;
        let warnings: Vec<String> = transport.hidden_characters().into_iter().collect();
        let mut text = String::new();
        let mut object = Object::begin(&mut text);
        object
            .field("skill", &self.key.name)
            .optional("version", self.key.version.as_ref())
            .field("server", &self.server.name)
            .field("config", transport)
            .field("start", &self.start)
            .optional("directory", self.directory.as_ref())
            .field("display", &transport.display(self.directory.as_deref()))
            .field("warnings", &warnings);
        match purpose {
            Purpose::Load(audience) => {
                object.field("anew", &(*audience == Audience::User));
            }
            Purpose::Call(call, is_gone) => {
                object
                    .field("tool", &call.tool.tool)
                    .field("arguments", &call.arguments)
                    .field("gone", is_gone);
            }
        }
        object.end();
        text
    }
}

fn unresolved(unresolved: Unresolved) -> Failed {
    match unresolved {
        Unresolved::Unusable(problem) => Failed::unusable(problem),
        Unresolved::NotGiven(name) => {
            let name = quoted(&name);
            Failed::new(
                ["refers to ", &name, ", which the host does not give"].concat(),
                [
                    "allow it by environment: [",
                    &name,
                    "] of connectSkillServers, and set it; or give the reference a default",
                ]
                .concat(),
            )
        }
    }
}

/// What a server was asked for.
pub(super) fn answer_of(
    reply: Reply,
    server: &ServerConfig,
    environment: &Environment,
) -> Result<Map, Failed> {
    let text = reply.text().map_err(|failure| {
        let message = shortened(&environment.redacted(&failure.message));
        Failed::new(["failed: ", &message].concat(), "load the skill again")
    })?;
    let Ok(Value::Map(answer)) = json::parse(&text) else {
        return Err(Failed::protocol());
    };
    let detail = answer.get("detail").and_then(Value::as_str);
    match answer.get("failed").and_then(Value::as_str) {
        Some(kind) => {
            let detail = environment.redacted(detail.unwrap_or_default());
            Err(failure(server, kind, &detail))
        }
        None => Ok(answer),
    }
}

/// The tools that a server lists.
pub(super) fn list_of(answer: Map) -> Vec<Value> {
    let mut fields = answer.0.into_iter();
    match fields.find(|(key, _)| key == "tools") {
        Some((_, Value::List(listed))) => listed,
        _ => Vec::new(),
    }
}

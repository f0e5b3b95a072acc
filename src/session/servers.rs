//! The servers of a session's skills: connected when a skill is loaded, called by its tools, and
//! ended when it is unloaded.
//!
//! What connects them is outside, and asks the developer first. What a session has recorded of a
//! server is what counts for its tools, whatever its file says by now; a load reads the file anew.

mod failure;
mod workplace;

use std::rc::Rc;

use self::failure::{Failed, failure};
use self::workplace::Workplace;
use super::Session;
use super::state::Held;
use crate::call::ToolResult;
use crate::diagnostic::{Diagnostic, Rule, Severity};
use crate::error::Error;
use crate::host::{Reply, Request};
use crate::jail::{Range, Refusal};
use crate::json::{self, Object};
use crate::mcp_config::{self, Environment, McpConfig, ServerConfig, Transport, Unresolved};
use crate::operation::Io;
use crate::own_files::OwnFiles;
use crate::path;
use crate::relative_path::RelativePath;
use crate::server_result::tool_result;
use crate::server_tool::{ServerTool, add_tools};
use crate::skill::SkillKey;
use crate::snapshot::Entry;
use crate::source::Links;
use crate::text::{quoted, shortened};
use crate::tool_call::ServerCall;
use crate::value::{Map, Value};

const CONFIG_UNREADABLE: Rule = Rule::warning("mcp-config-unreadable");
/// Tools and problems that a result names.
const TOOLS_NAMED: usize = 50;
const PROBLEMS_NAMED: usize = 5;

/// What came with a skill from its servers.
#[derive(Default)]
pub(super) struct Served {
    pub(super) servers: Rc<[ServerConfig]>,
    pub(super) tools: Rc<[ServerTool]>,
    /// What is missing, in sentences for the model.
    pub(super) problems: Vec<String>,
}

impl Session {
    /// From now on the servers of skills are connected when these are loaded. References in their
    /// configurations stand for what `environment` has.
    pub fn connect_servers(&self, environment: Environment) {
        self.memory.borrow_mut().environment = Some(Rc::new(environment));
    }

    /// From now on no servers are connected.
    pub fn disconnect_servers(&self) {
        self.memory.borrow_mut().environment = None;
    }

    /// What was found of the servers of skills: a part of [`Session::diagnostics`].
    pub fn server_findings(&self) -> Vec<Diagnostic> {
        let memory = self.memory.borrow();
        memory.findings.of_servers().cloned().collect()
    }

    fn environment(&self) -> Option<Rc<Environment>> {
        self.memory.borrow().environment.clone()
    }

    /// The tools of the servers of loaded skills that can be called: none where nobody connects them.
    pub(super) fn served_tools(&self) -> Vec<(SkillKey, ServerTool)> {
        match self.environment() {
            Some(_) => self.recorded_tools(),
            None => Vec::new(),
        }
    }

    /// The tools that came with loaded skills.
    pub(super) fn recorded_tools(&self) -> Vec<(SkillKey, ServerTool)> {
        let memory = self.memory.borrow();
        let mut tools = Vec::new();
        for Held { skill, .. } in memory.skills() {
            for tool in skill.tools.iter() {
                tools.push((skill.key.clone(), tool.clone()));
            }
        }
        tools
    }

    /// Connects the servers of a skill that is being loaded. They stay once [`Session::settle`] has
    /// said so. Where nobody connects servers, what was recorded stays.
    pub(super) async fn serve(&self, io: &Io, entry: &Entry, key: &SkillKey) -> Served {
        let Some(environment) = self.environment() else {
            return self.served_before(key);
        };
        self.memory.borrow_mut().findings.clear_servers(key);
        let McpConfig { servers, findings } = self.config(io, entry).await;
        let mut problems = Vec::new();
        for finding in findings {
            problems.extend(problem_of(&finding));
            self.note_server(entry, key, finding);
        }
        let answers = self.connect(io, entry, key, &servers, &environment).await;
        let (mut connected, mut tools) = (Vec::new(), Vec::new());
        for (server, answer) in servers.into_iter().zip(answers) {
            match answer {
                Ok(answer) => {
                    let listed = list_of(answer);
                    problems.extend(self.take_tools(entry, key, &server, listed, &mut tools));
                    connected.push(server);
                }
                Err(failed) => {
                    self.note_failed(entry, key, &server.name, &failed);
                    problems.push(failed.into_error(key, &server.name).to_string());
                }
            }
        }
        Served {
            servers: Rc::from(connected),
            tools: Rc::from(tools),
            problems,
        }
    }

    /// What was recorded of a skill.
    fn served_before(&self, key: &SkillKey) -> Served {
        let memory = self.memory.borrow();
        let held = memory.state.get(key);
        held.map_or_else(Served::default, |held| Served {
            servers: Rc::clone(&held.skill.servers),
            tools: Rc::clone(&held.skill.tools),
            problems: Vec::new(),
        })
    }

    /// Takes the tools that a server lists. The sentence is about those that are left out.
    fn take_tools(
        &self,
        entry: &Entry,
        key: &SkillKey,
        server: &ServerConfig,
        listed: Vec<Value>,
        tools: &mut Vec<ServerTool>,
    ) -> Option<String> {
        // What the skill takes the place of leaves its names: they stay while its version changes.
        let superseded = self.superseded(&self.memory.borrow().state, entry, key);
        let is_taken = |name: &str| self.has_tool_of_another(key, &superseded, name);
        let left_out = add_tools(tools, key, &server.name, listed, &is_taken);
        let name = quoted(&server.name);
        let sentence = ["Some tools of the server ", &name, " cannot be offered."].concat();
        let sentence = (!left_out.is_empty()).then_some(sentence);
        for problem in left_out {
            self.note_failed(entry, key, &server.name, &Failed::of_tool(problem));
        }
        sentence
    }

    /// Says which servers of a skill stay, now that its load is recorded, and ends those of versions
    /// that it takes the place of. All at once, in the moment of the record: what is aborted before
    /// it leaves no server behind, and what is aborted after it takes none away.
    pub(super) async fn settle(
        &self,
        io: &Io,
        key: &SkillKey,
        servers: &[ServerConfig],
        superseded: &[SkillKey],
    ) {
        if self.environment().is_none() {
            return;
        }
        let ended = superseded.iter().map(|key| disconnect_request(key, &[]));
        let requests = std::iter::once(disconnect_request(key, servers)).chain(ended);
        io.perform(requests.collect()).await;
    }

    /// Ends the connections of a skill.
    pub(super) async fn disconnect(&self, io: &Io, key: &SkillKey) {
        if self.environment().is_some() {
            io.ask(disconnect_request(key, &[])).await;
        }
    }

    /// What a skill's `mcp.json` says now; nothing where there is none.
    async fn config(&self, io: &Io, entry: &Entry) -> McpConfig {
        let mode = self.catalog.options().mode;
        match self.config_bytes(io, entry).await {
            Ok(None) => McpConfig::default(),
            Ok(Some(bytes)) => mcp_config::parse(&bytes, mode),
            Err(error) => {
                let finding = Diagnostic::new(&CONFIG_UNREADABLE, mode, error.to_string());
                McpConfig {
                    servers: Vec::new(),
                    findings: vec![finding.with_hint("load the skill again once it can be read")],
                }
            }
        }
    }

    async fn config_bytes(&self, io: &Io, entry: &Entry) -> Result<Option<Vec<u8>>, Error> {
        let (Some(own), Ok(relative)) = (
            OwnFiles::of(&entry.record),
            RelativePath::parse(mcp_config::FILE),
        ) else {
            return Ok(None);
        };
        let range = Range {
            offset: 0,
            length: mcp_config::LARGEST + 1,
        };
        let opened = own
            .jail
            .open_exactly(io, &relative, range, self.follows_links());
        let opened = match opened.await {
            Ok(opened) => opened,
            Err(Refusal::NotFound) => return Ok(None),
            Err(refusal) => return Err(refusal.into_error(mcp_config::FILE, &entry.skill.name)),
        };
        let real = opened.file.real_path.as_deref();
        if real.is_some_and(|real| own.is_really_others(real)) {
            return Err(Refusal::Outside.into_error(mcp_config::FILE, &entry.skill.name));
        }
        let is_whole = opened.file.reaches_end(0, range.length);
        if is_whole || opened.file.bytes.len() >= range.length as usize {
            return Ok(Some(opened.file.bytes));
        }
        Err(Error::incomplete(mcp_config::FILE))
    }

    /// Asks for all servers at once. The answers are in their order.
    async fn connect(
        &self,
        io: &Io,
        entry: &Entry,
        key: &SkillKey,
        servers: &[ServerConfig],
        environment: &Environment,
    ) -> Vec<Result<Map, Failed>> {
        if servers.is_empty() {
            return Vec::new();
        }
        let workplace = Workplace::of(io, entry, self.follows_links()).await;
        let mut texts = Vec::with_capacity(servers.len());
        for server in servers {
            let directory = workplace.of_server(io, server).await;
            texts.push(directory.and_then(|directory| {
                let ask = Ask::new(key, server, directory, environment)?;
                Ok(ask.text(None))
            }));
        }
        let requests = texts.iter().filter_map(|text| text.as_ref().ok());
        let requests = requests.map(|text| Request::Connect { text: text.clone() });
        let mut replies = io.perform(requests.collect()).await.into_iter();
        let answer = |(text, server): (Result<String, Failed>, &ServerConfig)| {
            text?;
            let reply = replies.next().unwrap_or(Reply::Text(String::new()));
            answer_of(reply, server, environment)
        };
        texts.into_iter().zip(servers).map(answer).collect()
    }

    fn follows_links(&self) -> bool {
        self.catalog.options().links != Links::Never
    }

    /// Whether a loaded skill has a tool of this name that is neither this one nor `superseded`.
    fn has_tool_of_another(&self, key: &SkillKey, superseded: &[SkillKey], name: &str) -> bool {
        let memory = self.memory.borrow();
        let mut others = memory.skills();
        others.any(|Held { skill, .. }| {
            skill.key != *key
                && !superseded.contains(&skill.key)
                && skill.tools.iter().any(|tool| tool.name == name)
        })
    }

    fn note_failed(&self, entry: &Entry, key: &SkillKey, server: &str, failed: &Failed) {
        let message = ["the server ", &quoted(server), " ", &failed.problem].concat();
        let finding = Diagnostic::new(failed.rule, self.catalog.options().mode, message);
        self.note_server(entry, key, finding.with_hint(failed.remedy.clone()));
    }

    /// Notes what was found of a skill's servers.
    fn note_server(&self, entry: &Entry, key: &SkillKey, mut finding: Diagnostic) {
        finding.skill = Some(Rc::from(entry.skill.name.as_str()));
        let directory = match entry.record.shown() {
            Some(file) => file.rsplit_once('/').map_or("", |(directory, _)| directory),
            None => entry.record.shown_directory().unwrap_or_default(),
        };
        finding.path = Some(Rc::from(path::join(directory, mcp_config::FILE)));
        let findings = &mut self.memory.borrow_mut().findings;
        findings.add_of_server(key, finding);
    }

    /// Answers a call of a tool of a server.
    pub(super) async fn call_server(&self, io: &Io, call: &ServerCall) -> ToolResult {
        let skill = Some(call.key.name.clone());
        match self.server_result(io, call).await {
            Ok(result) => ToolResult { skill, ..result },
            Err(failed) => {
                let snapshot = self.catalog.snapshot();
                if let Some(entry) = self.entry_of(&snapshot, &call.key) {
                    self.note_failed(entry, &call.key, &call.tool.server, &failed);
                }
                let error = failed.into_error(&call.key, &call.tool.server);
                ToolResult::error(&error, skill)
            }
        }
    }

    async fn server_result(&self, io: &Io, call: &ServerCall) -> Result<ToolResult, Failed> {
        const NOT_CONNECTED: &str = "connect it by connectSkillServers of skillshelf/mcp";
        let environment = self
            .environment()
            .ok_or_else(|| Failed::new("is not connected", NOT_CONNECTED))?;
        let server = self
            .recorded_server(call)
            .ok_or_else(|| Failed::unusable("is not among those that the skill brought"))?;
        let directory = self.directory_of(io, call, &server).await;
        let is_gone = directory.is_none();
        let ask = Ask::new(&call.key, &server, directory.flatten(), &environment)?;
        let text = ask.text(Some((call, is_gone)));
        let reply = io.ask(Request::CallServer { text }).await;
        let answer = answer_of(reply, &server, &environment)?;
        match (answer.get("result"), answer.get("error")) {
            (Some(Value::Map(result)), _) => {
                Ok(tool_result(result, &self.catalog.options().limits))
            }
            (_, Some(Value::String(message))) => {
                let failed = Failed::answered(&environment.redacted(message));
                let error = failed.into_error(&call.key, &server.name);
                Ok(ToolResult::error(&error, None))
            }
            _ => Err(Failed::protocol()),
        }
    }

    /// Where a server that is called runs, or would; nothing where it cannot be started any more.
    async fn directory_of(
        &self,
        io: &Io,
        call: &ServerCall,
        server: &ServerConfig,
    ) -> Option<Option<String>> {
        let snapshot = self.catalog.snapshot();
        let entry = self.entry_of(&snapshot, &call.key);
        let entry = entry.or_else(|| snapshot.named(&call.key.name));
        let directory = match entry {
            Some(entry) => {
                let workplace = Workplace::of(io, entry, self.follows_links()).await;
                workplace.of_server(io, server).await.ok()
            }
            None => None,
        };
        match server.transport {
            Transport::Http { .. } => Some(None),
            Transport::Stdio { .. } => directory,
        }
    }

    /// The server of a tool, as it was recorded.
    fn recorded_server(&self, call: &ServerCall) -> Option<ServerConfig> {
        let memory = self.memory.borrow();
        let skill = &memory.state.get(&call.key)?.skill;
        let mut servers = skill.servers.iter();
        servers
            .find(|server| server.name == call.tool.server)
            .cloned()
    }
}

/// The tools that a server lists.
fn list_of(answer: Map) -> Vec<Value> {
    let mut fields = answer.0.into_iter();
    match fields.find(|(key, _)| key == "tools") {
        Some((_, Value::List(listed))) => listed,
        _ => Vec::new(),
    }
}

/// A finding as a sentence for the model, where something is missing.
fn problem_of(finding: &Diagnostic) -> Option<String> {
    let hint = finding.hint.as_deref().unwrap_or_default();
    let parts = [
        "Of this skill's mcp.json: ",
        &finding.message,
        "; ",
        hint,
        ".",
    ];
    (finding.severity != Severity::Info).then(|| parts.concat())
}

fn disconnect_request(key: &SkillKey, stay: &[ServerConfig]) -> Request {
    let stay: Vec<&str> = stay.iter().map(|server| server.name.as_str()).collect();
    let mut text = String::new();
    Object::begin(&mut text)
        .field("skill", &key.name)
        .optional("version", key.version.as_ref())
        .field("stay", &stay)
        .end();
    Request::Disconnect { text }
}

/// What is asked of whoever connects servers: what to show for approval, and what to start.
struct Ask<'a> {
    key: &'a SkillKey,
    server: &'a ServerConfig,
    /// Where it runs, if it is a program of a skill on a disk.
    directory: Option<String>,
    start: Transport,
}

impl<'a> Ask<'a> {
    fn new(
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

    /// As JSON text. Of a call it says too whether the server cannot be started any more.
    fn text(&self, call: Option<(&ServerCall, bool)>) -> String {
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
        if let Some((call, is_gone)) = call {
            object
                .field("tool", &call.tool.tool)
                .field("arguments", &call.arguments)
                .field("gone", &is_gone);
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
fn answer_of(
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

/// Adds which tools came with a skill, and what is missing.
pub(super) fn push_served(content: &mut String, names: &[String], problems: &[String]) {
    if !names.is_empty() {
        let named = names.get(..TOOLS_NAMED).unwrap_or(names);
        content.push_str("\n\nTools that came with this skill: `");
        content.push_str(&named.join("`, `"));
        content.push('`');
        let more = names.len() - named.len();
        if more > 0 {
            content.push_str(&format!(" and {more} more"));
        }
        content.push('.');
    }
    for problem in problems.iter().take(PROBLEMS_NAMED) {
        content.push_str("\n\n");
        content.push_str(problem);
    }
    let more = problems.len().saturating_sub(PROBLEMS_NAMED);
    if more > 0 {
        content.push_str(&format!("\n\nAnd {more} more problems with its servers."));
    }
}

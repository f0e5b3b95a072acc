//! The servers of a session's skills: asked for when a skill is loaded, and called by its tools.
//!
//! What connects them is outside, and asks the developer first. What a session has recorded of a
//! server is what counts for its tools, whatever its file says by now; a load reads the file anew.

mod config;
mod failure;
mod request;
mod told;
mod workplace;

use std::rc::Rc;

use self::failure::Failed;
use self::request::{Ask, Purpose, answer_of, list_of};
use self::told::problem_of;
pub(super) use self::told::push_served;
use self::workplace::{Place, Workplace};
use super::Session;
use super::change::Change;
use super::findings::ServerFinding;
use super::state::Held;
use crate::call::{Audience, ToolResult};
use crate::diagnostic::{Diagnostic, Rule};
use crate::host::{Reply, Request};
use crate::mcp_config::{self, Environment, McpConfig, ServerConfig};
use crate::operation::Io;
use crate::path;
use crate::server_result::{Changes, tool_result};
use crate::server_tool::{ServerTool, add_tools};
use crate::skill::SkillKey;
use crate::snapshot::Entry;
use crate::source::Links;
use crate::text::quoted;
use crate::tool_call::ServerCall;
use crate::value::{Map, Value};

const NOT_CONNECTED: Rule = Rule::info("mcp-servers-not-connected");

/// What came of asking for the servers of a skill that is being loaded.
pub(super) enum Served {
    /// Nobody connects servers: what was recorded stays. What is to be said of that, if anything new.
    AsBefore(Option<Diagnostic>),
    /// What its `mcp.json` says, and in the order of its servers what became of each.
    Asked(McpConfig, Vec<Result<Map, Failed>>),
}

/// What a skill brings with it.
#[derive(Default)]
pub(super) struct Judged {
    pub(super) servers: Rc<[ServerConfig]>,
    pub(super) tools: Rc<[ServerTool]>,
    /// Whether servers were asked for: those above are to stay, and no others.
    pub(super) is_asked: bool,
    /// What was found, in place of what was found before.
    pub(super) findings: Option<Vec<ServerFinding>>,
    /// What is missing, in sentences for the model.
    pub(super) problems: Vec<String>,
}

/// Who connects them.
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

    fn environment(&self) -> Option<Rc<Environment>> {
        self.memory.borrow().environment.clone()
    }

    pub(super) fn connects_servers(&self) -> bool {
        self.memory.borrow().environment.is_some()
    }
}

/// Their tools.
impl Session {
    /// The tools of the servers of loaded skills that can be called: none where nobody connects them.
    pub(super) fn served_tools(&self) -> Vec<(SkillKey, ServerTool)> {
        if self.connects_servers() {
            self.recorded_tools()
        } else {
            Vec::new()
        }
    }

    /// The tools that came with loaded skills.
    pub(super) fn recorded_tools(&self) -> Vec<(SkillKey, ServerTool)> {
        let memory = self.memory.borrow();
        let mut tools = Vec::new();
        if !memory.state.has_tools() {
            return tools;
        }
        for Held { skill, .. } in memory.skills() {
            for tool in skill.tools.iter() {
                tools.push((skill.key.clone(), tool.clone()));
            }
        }
        tools
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
}

/// When a skill is loaded.
impl Session {
    /// Asks for the servers of a skill. They belong to the load until its [`Change`] is accepted.
    pub(super) async fn serve(
        &self,
        io: &Io,
        entry: &Entry,
        key: &SkillKey,
        audience: Audience,
    ) -> Served {
        let Some(environment) = self.environment() else {
            return Served::AsBefore(self.not_connected(io, entry, key).await);
        };
        let config = self.config(io, entry).await;
        let ask = |server, directory| {
            let ask = Ask::new(key, server, directory, &environment)?;
            Ok(ask.text(&Purpose::Load(audience)))
        };
        let asks = self.asks(io, entry, &config.servers, ask).await;
        let answers = answers(io, asks, &config.servers, &environment).await;
        Served::Asked(config, answers)
    }

    /// That a skill brings servers that nobody connects. What is loaded was looked at before.
    async fn not_connected(&self, io: &Io, entry: &Entry, key: &SkillKey) -> Option<Diagnostic> {
        const REMEDY: &str = "connectSkillServers of skillshelf/mcp connects those of a session of loadSkills: call it before the skill is loaded";
        let brings = match self.held(key) {
            Some(held) => !held.skill.servers.is_empty(),
            None => !self.config(io, entry).await.servers.is_empty(),
        };
        brings.then(|| {
            let message = "the servers that the skill brings are not connected in this session";
            let finding = Diagnostic::new(&NOT_CONNECTED, self.catalog.options().mode, message);
            located(Some(entry), key, finding.with_hint(REMEDY))
        })
    }

    /// What is asked for each of the servers; or why it cannot be.
    async fn asks<'a>(
        &self,
        io: &Io,
        entry: &Entry,
        servers: &'a [ServerConfig],
        ask: impl Fn(&'a ServerConfig, Option<String>) -> Result<String, Failed>,
    ) -> Vec<Result<String, Failed>> {
        let mut asks = Vec::with_capacity(servers.len());
        if servers.is_empty() {
            return asks;
        }
        let workplace = Workplace::of(io, entry, self.follows_links()).await;
        for server in servers {
            let directory = workplace.of_server(io, server).await;
            asks.push(directory.and_then(|directory| ask(server, directory)));
        }
        asks
    }

    /// What the servers of a skill bring, now that it is loaded. What it takes the place of leaves
    /// the names of its tools: they stay while its version changes.
    pub(super) fn judged(
        &self,
        entry: &Entry,
        key: &SkillKey,
        superseded: &[SkillKey],
        served: Served,
    ) -> Judged {
        let (config, answers) = match served {
            Served::Asked(config, answers) => (config, answers),
            Served::AsBefore(found) => return self.served_before(key, found),
        };
        let is_taken = |name: &str| self.has_tool_of_another(key, superseded, name);
        let (mut problems, mut findings) = (Vec::new(), Vec::new());
        for found in config.findings {
            problems.extend(problem_of(&found));
            findings.push(ServerFinding::of_file(located(Some(entry), key, found)));
        }
        let (mut servers, mut tools) = (Vec::new(), Vec::new());
        for (server, answer) in config.servers.into_iter().zip(answers) {
            let name = server.name.as_str();
            let failed = |failed: &Failed| self.failed(Some(entry), key, name, failed);
            match answer {
                Ok(answer) => {
                    let left_out = add_tools(&mut tools, key, name, list_of(answer), &is_taken);
                    if !left_out.is_empty() {
                        let name = quoted(name);
                        let parts = ["Some tools of the server ", &name, " cannot be offered."];
                        problems.push(parts.concat());
                    }
                    for reason in left_out {
                        findings.push(ServerFinding::of_file(failed(&Failed::of_tool(reason))));
                    }
                    servers.push(server);
                }
                Err(reason) => {
                    findings.push(ServerFinding::of_failure(name, failed(&reason)));
                    problems.push(reason.into_error(key, name).to_string());
                }
            }
        }
        Judged {
            servers: Rc::from(servers),
            tools: Rc::from(tools),
            is_asked: true,
            findings: Some(findings),
            problems,
        }
    }

    /// What was recorded of a skill.
    fn served_before(&self, key: &SkillKey, found: Option<Diagnostic>) -> Judged {
        let (servers, tools) = match self.held(key) {
            Some(held) => (held.skill.servers, held.skill.tools),
            None => Default::default(),
        };
        Judged {
            servers,
            tools,
            findings: found.map(|found| vec![ServerFinding::of_file(found)]),
            ..Judged::default()
        }
    }

    fn follows_links(&self) -> bool {
        self.catalog.options().links != Links::Never
    }
}

/// Asks for all servers at once. The answers are in their order.
async fn answers(
    io: &Io,
    asks: Vec<Result<String, Failed>>,
    servers: &[ServerConfig],
    environment: &Environment,
) -> Vec<Result<Map, Failed>> {
    if asks.is_empty() {
        return Vec::new();
    }
    let texts = asks.iter().filter_map(|ask| ask.as_ref().ok());
    let requests = texts.map(|text| Request::Connect { text: text.clone() });
    let mut replies = io.perform(requests.collect()).await.into_iter();
    let answer = |(ask, server): (Result<String, Failed>, &ServerConfig)| {
        ask?;
        // There is one for each request; an empty text would be none that is understood.
        let reply = replies.next().unwrap_or(Reply::Text(String::new()));
        answer_of(reply, server, environment)
    };
    asks.into_iter().zip(servers).map(answer).collect()
}

/// What is found of them.
impl Session {
    /// What was found of the servers of skills: a part of [`Session::diagnostics`].
    pub fn server_findings(&self) -> Vec<Diagnostic> {
        let memory = self.memory.borrow();
        memory.findings.of_servers().cloned().collect()
    }

    /// Why a server, or a tool of it, cannot be used.
    fn failed(
        &self,
        entry: Option<&Entry>,
        key: &SkillKey,
        server: &str,
        failed: &Failed,
    ) -> Diagnostic {
        let message = ["the server ", &quoted(server), " ", &failed.problem].concat();
        let finding = Diagnostic::new(failed.rule, self.catalog.options().mode, message);
        located(entry, key, finding.with_hint(failed.remedy.clone()))
    }
}

/// A finding with its skill, and with the file it is about, where there is one.
fn located(entry: Option<&Entry>, key: &SkillKey, finding: Diagnostic) -> Diagnostic {
    let mut finding = finding.about(key.name.clone());
    if let Some(Entry { record, .. }) = entry {
        let directory = match record.shown() {
            Some(file) => file.rsplit_once('/').map_or("", |(directory, _)| directory),
            None => record.shown_directory().unwrap_or_default(),
        };
        finding.path = Some(Rc::from(path::join(directory, mcp_config::FILE)));
    }
    finding
}

/// When a tool of one is called.
impl Session {
    /// Answers a call of a tool of a server.
    pub(super) async fn call_server(
        &self,
        io: &Io,
        call: &ServerCall,
        change: &mut Change,
    ) -> ToolResult {
        let snapshot = self.catalog.snapshot();
        let entry = self.file_of(&snapshot, &call.key);
        let servers = self.recorded_servers(call);
        let result = self.server_result(io, call, entry, &servers).await;
        // Its skill may have been unloaded meanwhile, or loaded with other servers.
        let is_loaded = !servers.is_empty() && servers == self.recorded_servers(call);
        if is_loaded && self.connects_servers() {
            change.settle(call.key.clone(), &servers);
        }
        let skill = Some(call.key.name.clone());
        match result {
            Ok(result) => {
                let findings = &mut self.memory.borrow_mut().findings;
                findings.works(&call.key, &call.tool.server);
                ToolResult { skill, ..result }
            }
            Err(failed) => {
                let server = &call.tool.server;
                if is_loaded {
                    let found = self.failed(entry, &call.key, server, &failed);
                    let findings = &mut self.memory.borrow_mut().findings;
                    findings.add_of_server(&call.key, ServerFinding::of_failure(server, found));
                }
                ToolResult::error(&failed.into_error(&call.key, server), skill)
            }
        }
    }

    async fn server_result(
        &self,
        io: &Io,
        call: &ServerCall,
        entry: Option<&Entry>,
        servers: &[ServerConfig],
    ) -> Result<ToolResult, Failed> {
        let environment = self.environment().ok_or_else(Failed::not_connected)?;
        let mut servers = servers.iter();
        let server = servers
            .find(|server| server.name == call.tool.server)
            .ok_or_else(|| Failed::unusable("is not among those that the skill brought"))?;
        let place = Place::of(io, entry, server, self.follows_links()).await;
        let is_gone = place == Place::Gone;
        let ask = Ask::new(&call.key, server, place.directory(), &environment)?;
        let text = ask.text(&Purpose::Call(call, is_gone));
        let reply = io.ask(Request::CallServer { text }).await;
        let answer = answer_of(reply, server, &environment)?;
        match (answer.get("result"), answer.get("error")) {
            (Some(Value::Map(result)), _) => {
                let limits = &self.catalog.options().limits;
                Ok(tool_result(result, Changes::of(&answer), limits))
            }
            (_, Some(Value::String(message))) => {
                let failed = Failed::answered(&environment.redacted(message));
                let error = failed.into_error(&call.key, &server.name);
                Ok(ToolResult::error(&error, None))
            }
            _ => Err(Failed::protocol()),
        }
    }

    /// The servers of the skill that a tool came with, as they were recorded.
    fn recorded_servers(&self, call: &ServerCall) -> Rc<[ServerConfig]> {
        let held = self.held(&call.key);
        held.map_or_else(Rc::default, |held| held.skill.servers)
    }
}

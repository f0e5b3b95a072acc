//! The servers of a session's skills: connected when a skill is loaded, called by its tools, and
//! ended when it is unloaded.
//!
//! What connects them is outside, and asks the developer first. What a session has recorded of a
//! server is what counts for its tools, whatever its file says by now; a load reads the file anew.

use std::rc::Rc;

use super::Session;
use super::state::Held;
use crate::call::ToolResult;
use crate::diagnostic::{Diagnostic, MOST_FINDINGS, Rule, Severity};
use crate::error::Error;
use crate::host::{Reply, Request};
use crate::jail::{Range, Refusal};
use crate::json::{self, Object};
use crate::mcp_config::{self, Environment, McpConfig, ServerConfig, Transport};
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
const SERVER_FAILED: Rule = Rule::warning("mcp-server-failed");
const SERVER_REFUSED: Rule = Rule::info("mcp-server-refused");
const TOOL_REFUSED: Rule = Rule::warning("mcp-tool-refused");

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

/// Why a server cannot be used.
struct Failed {
    rule: &'static Rule,
    /// In words that follow its name.
    problem: String,
    /// What the developer can do.
    remedy: &'static str,
    /// What the model can do.
    advice: &'static str,
}

impl Failed {
    fn new(problem: impl Into<String>, remedy: &'static str) -> Self {
        Self {
            rule: &SERVER_FAILED,
            problem: problem.into(),
            remedy,
            advice: "go on without it, and tell the user",
        }
    }

    fn unusable(problem: impl Into<String>) -> Self {
        Self::new(
            problem,
            "mend the skill's mcp.json, and load the skill again",
        )
    }

    fn with_advice(self, advice: &'static str) -> Self {
        Self { advice, ..self }
    }

    fn into_error(self, key: &SkillKey, server: &str) -> Error {
        Error::ServerFailed {
            server: server.to_owned(),
            skill: key.name.clone(),
            problem: self.problem,
            advice: self.advice,
        }
    }
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

    /// What was found of the servers of skills, in this session.
    pub fn server_findings(&self) -> Vec<Diagnostic> {
        self.memory.borrow().findings.clone()
    }

    fn environment(&self) -> Option<Rc<Environment>> {
        self.memory.borrow().environment.clone()
    }

    /// The tools of the servers of loaded skills.
    pub(super) fn served_tools(&self) -> Vec<(SkillKey, ServerTool)> {
        let memory = self.memory.borrow();
        let mut tools = Vec::new();
        for Held { skill, .. } in &memory.state.skills {
            for tool in skill.tools.iter() {
                tools.push((skill.key.clone(), tool.clone()));
            }
        }
        tools
    }

    /// Connects the servers of a skill that is being loaded. Where nobody connects servers, what was
    /// recorded stays.
    pub(super) async fn serve(&self, io: &Io, entry: &Entry, key: &SkillKey) -> Served {
        let Some(environment) = self.environment() else {
            let memory = self.memory.borrow();
            let held = memory.state.get(key);
            return held.map_or_else(Served::default, |held| Served {
                servers: Rc::clone(&held.skill.servers),
                tools: Rc::clone(&held.skill.tools),
                problems: Vec::new(),
            });
        };
        let McpConfig { servers, findings } = self.config(io, entry).await;
        let mut problems = Vec::new();
        for finding in findings {
            if finding.severity != Severity::Info {
                let hint = finding.hint.as_deref().unwrap_or_default();
                let sentence = [
                    "Of this skill's mcp.json: ",
                    &finding.message,
                    "; ",
                    hint,
                    ".",
                ];
                problems.push(sentence.concat());
            }
            self.note_server(entry, finding);
        }
        let answers = self.connect(io, entry, key, &servers, &environment).await;
        // What the skill takes the place of leaves its names: they stay while its version changes.
        let superseded = self.superseded(&self.memory.borrow().state, entry, key);
        let (mut connected, mut tools) = (Vec::new(), Vec::new());
        for (server, answer) in servers.into_iter().zip(answers) {
            let listed = match answer {
                Ok(answer) => list_of(answer),
                Err(failed) => {
                    self.note_failed(entry, &server.name, &failed);
                    problems.push(failed.into_error(key, &server.name).to_string());
                    continue;
                }
            };
            let is_taken = |name: &str| self.has_tool_of_another(key, &superseded, name);
            let left_out = add_tools(&mut tools, key, &server.name, listed, &is_taken);
            if !left_out.is_empty() {
                let name = quoted(&server.name);
                problems.push(format!(
                    "Some tools of the server {name} cannot be offered."
                ));
            }
            for problem in left_out {
                let remedy = "mend the server; its other tools are offered";
                let left_out = Failed {
                    rule: &TOOL_REFUSED,
                    ..Failed::new(problem, remedy)
                };
                self.note_failed(entry, &server.name, &left_out);
            }
            connected.push(server);
        }
        self.disconnect(io, key, &connected).await;
        Served {
            servers: Rc::from(connected),
            tools: Rc::from(tools),
            problems,
        }
    }

    /// Ends the connections of a skill, but those of `stay`.
    pub(super) async fn disconnect(&self, io: &Io, key: &SkillKey, stay: &[ServerConfig]) {
        if self.environment().is_none() {
            return;
        }
        let stay: Vec<&str> = stay.iter().map(|server| server.name.as_str()).collect();
        let mut text = String::new();
        Object::begin(&mut text)
            .field("skill", &key.name)
            .optional("version", key.version.as_ref())
            .field("stay", &stay)
            .end();
        io.ask(Request::Disconnect { text }).await;
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
        let links = self.catalog.options().links != Links::Never;
        let opened = match own.jail.open_exactly(io, &relative, range, links).await {
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
        let directory = match servers {
            [] => None,
            _ => Some(directory_of(io, entry).await),
        };
        let texts: Vec<Result<String, Failed>> = servers
            .iter()
            .map(|server| request_text(key, server, directory.as_ref(), environment, None))
            .collect();
        let requests = texts.iter().filter_map(|text| text.as_ref().ok());
        let requests = requests.map(|text| Request::Connect { text: text.clone() });
        let mut replies = io.perform(requests.collect()).await.into_iter();
        let answer = |text: Result<String, Failed>| {
            text?;
            let reply = replies.next().unwrap_or(Reply::Text(String::new()));
            answer_of(reply, environment)
        };
        texts.into_iter().map(answer).collect()
    }

    /// Whether a loaded skill has a tool of this name that is neither this one nor `superseded`.
    fn has_tool_of_another(&self, key: &SkillKey, superseded: &[SkillKey], name: &str) -> bool {
        let memory = self.memory.borrow();
        let mut others = memory.state.skills.iter();
        others.any(|Held { skill, .. }| {
            skill.key != *key
                && !superseded.contains(&skill.key)
                && skill.tools.iter().any(|tool| tool.name == name)
        })
    }

    fn note_failed(&self, entry: &Entry, server: &str, failed: &Failed) {
        let message = ["the server ", &quoted(server), " ", &failed.problem].concat();
        let finding = Diagnostic::new(failed.rule, self.catalog.options().mode, message);
        self.note_server(entry, finding.with_hint(failed.remedy));
    }

    /// Notes what was found of a skill's servers, as far as there is room: a server may fail often.
    fn note_server(&self, entry: &Entry, mut finding: Diagnostic) {
        finding.skill = Some(Rc::from(entry.skill.name.as_str()));
        let directory = match entry.record.shown() {
            Some(file) => file.rsplit_once('/').map_or("", |(directory, _)| directory),
            None => entry.record.shown_directory().unwrap_or_default(),
        };
        finding.path = Some(Rc::from(path::join(directory, mcp_config::FILE)));
        let findings = &mut self.memory.borrow_mut().findings;
        if findings.len() < MOST_FINDINGS && !findings.contains(&finding) {
            findings.push(finding.clone());
            self.catalog.note(&entry.record.key, finding);
        }
    }

    /// Answers a call of a tool of a server.
    pub(super) async fn call_server(&self, io: &Io, call: &ServerCall) -> ToolResult {
        let skill = Some(call.key.name.clone());
        match self.server_result(io, call).await {
            Ok(result) => ToolResult { skill, ..result },
            Err(failed) => {
                let snapshot = self.catalog.snapshot();
                if let Some(entry) = self.entry_of(&snapshot, &call.key) {
                    self.note_failed(entry, &call.tool.server, &failed);
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
        let snapshot = self.catalog.snapshot();
        let entry = self.entry_of(&snapshot, &call.key);
        let directory = match entry.or_else(|| snapshot.named(&call.key.name)) {
            Some(entry) => Some(directory_of(io, entry).await),
            None => None,
        };
        let text = request_text(
            &call.key,
            &server,
            directory.as_ref(),
            &environment,
            Some(call),
        )?;
        let answer = answer_of(io.ask(Request::CallServer { text }).await, &environment)?;
        match (answer.get("result"), answer.get("error")) {
            (Some(Value::Map(result)), _) => {
                Ok(tool_result(result, &self.catalog.options().limits))
            }
            (_, Some(Value::String(message))) => {
                // The server works: what was asked of it is wrong, which is nothing to be noted.
                let message = quoted(&environment.redacted(message));
                let failed = Failed::new(["answered with an error: ", &message].concat(), "")
                    .with_advice("mind what it says, or go on without it");
                let error = failed.into_error(&call.key, &server.name);
                Ok(ToolResult::error(&error, None))
            }
            _ => Err(failure("protocol", "")),
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

/// The directory of a skill on this machine's disk, where it is on one.
async fn directory_of(io: &Io, entry: &Entry) -> Result<Option<String>, Failed> {
    let jail = entry.record.files().filter(|jail| jail.capabilities.disk);
    let Some((jail, request)) = jail.and_then(|jail| Some((jail, jail.root_request()?))) else {
        return Ok(None);
    };
    match jail.real_directory(io.ask(request).await) {
        Some(directory) => Ok(Some(directory)),
        None => Err(no_directory()),
    }
}

fn no_directory() -> Failed {
    const REMEDY: &str = "load the skill again once it is";
    Failed::new("runs in the skill's directory, which is not there", REMEDY)
}

/// What is asked of whoever connects servers: what to show for approval, and what to start.
/// `directory` is absent where the skill is.
fn request_text(
    key: &SkillKey,
    server: &ServerConfig,
    directory: Option<&Result<Option<String>, Failed>>,
    environment: &Environment,
    call: Option<&ServerCall>,
) -> Result<String, Failed> {
    let mut is_gone = false;
    let directory = match (&server.transport, directory) {
        (Transport::Http { .. }, _) => None,
        // It may still run.
        (Transport::Stdio { .. }, None | Some(Err(_))) if call.is_some() => {
            is_gone = true;
            None
        }
        (Transport::Stdio { .. }, None | Some(Err(_))) => return Err(no_directory()),
        (Transport::Stdio { cwd, .. }, Some(Ok(directory))) => match (cwd, directory) {
            (Some(cwd), Some(directory)) => Some(path::join_real(directory, cwd)),
            (None, directory) => directory.clone(),
            (Some(_), None) => {
                let problem = "has a cwd, but the skill is not on this machine's disk";
                return Err(Failed::unusable(problem));
            }
        },
    };
    let start = server.resolved(environment).map_err(Failed::unusable)?;
    let mut text = String::new();
    let mut object = Object::begin(&mut text);
    object
        .field("skill", &key.name)
        .optional("version", key.version.as_ref())
        .field("server", &server.name)
        .field("config", &server.transport)
        .field("start", &start)
        .optional("directory", directory.as_ref());
    if let Some(call) = call {
        object
            .field("tool", &call.tool.tool)
            .field("arguments", &call.arguments)
            .field("gone", &is_gone);
    }
    object.end();
    Ok(text)
}

/// What a server was asked for.
fn answer_of(reply: Reply, environment: &Environment) -> Result<Map, Failed> {
    let text = reply.text().map_err(|failure| {
        let message = shortened(&environment.redacted(&failure.message));
        Failed::new(["failed: ", &message].concat(), "load the skill again")
    })?;
    let Ok(Value::Map(answer)) = json::parse(&text) else {
        return Err(failure("protocol", ""));
    };
    let detail = answer.get("detail").and_then(Value::as_str);
    match answer.get("failed").and_then(Value::as_str) {
        Some(kind) => Err(failure(kind, detail.unwrap_or_default())),
        None => Ok(answer),
    }
}

/// What a kind of failure is in words. A server says what it likes, so none of it is repeated here.
fn failure(kind: &str, detail: &str) -> Failed {
    const MEND: &str = "check it in the skill's mcp.json";
    const OUTPUT: &str =
        "run its command by itself to see what it prints, or connect with stderr: \"inherit\"";
    let of = |problem: &str| [problem, " (", &shortened(detail), ")"].concat();
    match kind {
        "refused" => Failed {
            rule: &SERVER_REFUSED,
            ..Failed::new("was not approved", "approve it, if it is to be trusted")
        }
        .with_advice("go on without its tools, or ask the user to approve it"),
        "approval" => Failed::new(
            "was not approved, since asking for it failed",
            "mend approve, and load the skill again",
        ),
        "spawn" => Failed::new(of("could not be started"), MEND),
        "unsupported" => Failed::new(
            "is a program, which cannot be started here",
            "use a server with a url",
        ),
        "ended" => Failed::new("ended", OUTPUT),
        "timeout" => Failed::new(
            ["did not answer within ", &shortened(detail), " seconds"].concat(),
            "raise startTimeout or callTimeout, if it needs longer",
        )
        .with_advice("try again later, or go on without it"),
        "flood" => Failed::new("sent more than is read", "mend the server"),
        "network" => Failed::new(of("cannot be reached"), MEND),
        "redirect" => Failed::new("leads to another address, which is not followed", MEND),
        "status" => Failed::new(of("answered with an HTTP status"), MEND),
        "gone" => no_directory(),
        "closed" => Failed::new("was disconnected", "load the skill again")
            .with_advice("load the skill again"),
        _ => Failed::new("does not answer as the protocol asks", OUTPUT),
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

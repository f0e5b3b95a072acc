//! What JavaScript sees: the only place that knows `wasm-bindgen`. No rule is here.
//!
//! Results cross as JSON text, which `JSON.parse` turns into plain objects (`__proto__` becomes a
//! key like any other); requests and replies cross as one buffer a batch (see [`wire`]).

#![expect(
    unreachable_pub,
    reason = "what is exported to JavaScript is public there"
)]
#![expect(
    clippy::needless_pass_by_value,
    reason = "what JavaScript passes is passed by value"
)]

mod archive;
mod command;
mod http;
mod memory;
mod session;
mod wire;

use wasm_bindgen::prelude::wasm_bindgen;

use self::session::{ChangeHandle, SessionHandle};

use crate::call::{CallOptions, ToolResult};
use crate::catalog::{Catalog, Mark, RefreshOptions};
use crate::define::SkillSpec;
use crate::diagnostic::Diagnostic;
use crate::error::Error;
use crate::index::IndexOptions;
use crate::json::{Object, ToJson};
use crate::limits::Pace;
use crate::operation::{Operation, Step};
use crate::options;
use crate::parse::parse_skill_json;
use crate::public_skill::PublicSkill;
use crate::record::RecordId;
use crate::search::SearchOptions;
use crate::server_options::ServerOptions;
use crate::session::{Change, Session, SessionOptions};
use crate::skill_resource::SkillResource;
use crate::skill_server::{ListenOptions, SkillServerOptions};
use crate::slash_command::{CompleteOptions, ExpandOptions};
use crate::source::{LoadOptions, Source};
use crate::standard_places::StandardPlaces;
use crate::system_prompt::SystemPrompt;
use crate::tool_options::ToolOptions;
use crate::validate::{SkillFileContent, bytes_judged, validate_skill_json};
use crate::view::Patterns;
use crate::watch::WatchOptions;

/// What an operation came to. Each part is given once.
enum WorkResult {
    /// JSON text.
    Value(String),
    /// Text as it is, which may be long.
    Text(String),
    /// The result of a tool call: JSON text of all but its content and its bytes.
    Tool {
        facts: String,
        content: String,
        bytes: Option<Vec<u8>>,
    },
    /// What was loaded, or a view of it.
    Catalog(Catalog),
    /// A conversation that began.
    Session(Session),
    /// JSON text of a failure.
    Failed(String),
    /// What a call of a session came to, and what it did.
    OfSession(Box<Self>, Change),
}

impl WorkResult {
    fn value(value: &dyn ToJson) -> Self {
        Self::Value(value.to_json())
    }

    fn failed(error: &Error) -> Self {
        Self::Failed(error.to_json())
    }

    fn tool(mut result: ToolResult) -> Self {
        Self::Tool {
            facts: result.to_json(),
            bytes: result.bytes.take().map(|bytes| bytes.content),
            content: std::mem::take(&mut result.content),
        }
    }

    /// A file of a skill: text as text, anything else as bytes.
    fn resource(read: Result<SkillResource, Error>) -> Self {
        match read {
            Ok(read) => Self::Tool {
                facts: read.to_json(),
                content: read.text().unwrap_or_default().to_owned(),
                bytes: read.text().is_none().then_some(read.bytes),
            },
            Err(error) => Self::failed(&error),
        }
    }

    fn catalog(loaded: Result<Catalog, Error>) -> Self {
        loaded.map_or_else(|error| Self::failed(&error), Self::Catalog)
    }

    fn session(begun: Result<Session, Error>) -> Self {
        begun.map_or_else(|error| Self::failed(&error), Self::Session)
    }

    fn text(text: Result<String, Error>) -> Self {
        text.map_or_else(|error| Self::failed(&error), Self::Text)
    }

    fn result<T: ToJson>(result: Result<T, Error>) -> Self {
        match result {
            Ok(value) => Self::value(&value),
            Err(error) => Self::failed(&error),
        }
    }
}

/// An operation that is under way.
#[wasm_bindgen]
pub struct Work {
    operation: Operation<WorkResult>,
    pace: Pace,
    result: Option<WorkResult>,
    change: Option<Change>,
    memory: memory::Room,
}

#[wasm_bindgen]
impl Work {
    fn new(operation: Operation<WorkResult>) -> Self {
        Self {
            operation,
            pace: Pace::default(),
            result: None,
            change: None,
            memory: memory::Room::default(),
        }
    }

    /// The work that options ask for; their error where they cannot be used.
    fn with<T>(options: Result<T, Error>, work: impl FnOnce(T) -> Operation<WorkResult>) -> Self {
        match options {
            Ok(options) => Self::new(work(options)),
            Err(error) => Self::new(Operation::done(WorkResult::failed(&error))),
        }
    }

    /// Goes on with the replies to the last batch. Gives the next batch, or nothing when it is over.
    pub fn step(&mut self, replies: &[u8]) -> Option<Vec<u8>> {
        self.memory.make();
        match self.operation.step(wire::replies(replies))? {
            Step::Requests(requests) => Some(wire::requests(&requests)),
            Step::Done(WorkResult::OfSession(result, change)) => {
                self.result = Some(*result);
                self.change = Some(change);
                None
            }
            Step::Done(result) => {
                self.result = Some(result);
                None
            }
        }
    }

    fn at(self, pace: Pace) -> Self {
        Self { pace, ..self }
    }

    /// How many requests of one host are to be performed at the same time.
    pub fn concurrency(&self) -> u32 {
        self.pace.concurrency
    }

    /// After how many milliseconds a host that has answered nothing is given up.
    pub fn timeout(&self) -> u32 {
        self.pace.timeout
    }

    /// After how many milliseconds a host is given up that has not answered all.
    pub fn deadline(&self) -> u32 {
        self.pace.deadline
    }

    /// Directories looked into.
    pub fn directories(&self) -> u32 {
        self.operation.progress().directories
    }

    /// Skill files read.
    pub fn files(&self) -> u32 {
        self.operation.progress().files
    }

    /// The result as JSON text. Given once.
    pub fn value(&mut self) -> Option<String> {
        match self.result.as_mut()? {
            WorkResult::Value(json) | WorkResult::Tool { facts: json, .. } => {
                Some(std::mem::take(json))
            }
            _ => None,
        }
    }

    /// The text of the result. Given once.
    pub fn text(&mut self) -> Option<String> {
        match self.result.as_mut()? {
            WorkResult::Text(text) | WorkResult::Tool { content: text, .. } => {
                Some(std::mem::take(text))
            }
            _ => None,
        }
    }

    /// The failure as JSON text. Given once.
    pub fn error(&mut self) -> Option<String> {
        match self.result.as_mut()? {
            WorkResult::Failed(json) => Some(std::mem::take(json)),
            _ => None,
        }
    }

    /// The bytes of the result. Given once.
    pub fn bytes(&mut self) -> Option<Vec<u8>> {
        match self.result.as_mut()? {
            WorkResult::Tool { bytes, .. } => bytes.take(),
            _ => None,
        }
    }

    /// The catalog that was loaded. Given once.
    pub fn catalog(&mut self) -> Option<CatalogHandle> {
        match self.result.take()? {
            WorkResult::Catalog(catalog) => Some(CatalogHandle { catalog }),
            other => {
                self.result = Some(other);
                None
            }
        }
    }

    /// What a call did to its session. Given once.
    pub fn change(&mut self) -> Option<ChangeHandle> {
        self.change.take().map(ChangeHandle::new)
    }

    /// The session that began. Given once.
    pub fn session(&mut self) -> Option<SessionHandle> {
        match self.result.take()? {
            WorkResult::Session(session) => Some(SessionHandle::new(session)),
            other => {
                self.result = Some(other);
                None
            }
        }
    }
}

/// A catalog, or a view of one.
#[wasm_bindgen]
pub struct CatalogHandle {
    catalog: Catalog,
}

#[wasm_bindgen]
impl CatalogHandle {
    /// How many skills it shows.
    pub fn count(&self) -> usize {
        self.catalog.count()
    }

    /// Their names, as JSON text.
    pub fn names(&self) -> String {
        self.catalog.names().to_json()
    }

    /// Their readings, in the order of their names.
    pub fn ids(&self) -> Vec<RecordId> {
        self.catalog.ids()
    }

    /// A skill, as JSON text.
    pub fn skill(&self, id: RecordId) -> Option<String> {
        self.catalog.skill(id).map(|skill| skill.to_json())
    }

    /// The reading of a name.
    pub fn get(&self, name: String, version: Option<String>) -> Work {
        Work::new(
            self.catalog
                .get(name, version)
                .map(|id| WorkResult::value(&id)),
        )
    }

    /// All findings, or only errors, as JSON text.
    pub fn diagnostics(&self, errors_only: bool) -> String {
        self.catalog.findings(errors_only).to_json()
    }

    /// The text of the index.
    pub fn prompt(&self, options: &str) -> Work {
        Work::with(IndexOptions::from_json(options), |options| {
            self.catalog.prompt(options).map(WorkResult::text)
        })
    }

    /// The index and what is to be known about it.
    pub fn index(&self, options: &str) -> Work {
        Work::with(IndexOptions::from_json(options), |options| {
            self.catalog.index(options).map(WorkResult::result)
        })
    }

    /// The definitions of the tools, as an answer.
    pub fn tools(&self, options: Option<String>) -> String {
        let tools = tool_options(options, ToolOptions::default);
        let tools = tools.and_then(|options| self.catalog.tools(options));
        answer(tools.map(|tools| tools.definitions()))
    }

    /// The checked arguments of a call, as an answer.
    #[wasm_bindgen(js_name = checkArguments)]
    pub fn check_arguments(&self, tool: &str, arguments: &str, options: Option<String>) -> String {
        let tools = tool_options(options, ToolOptions::default);
        let tools = tools.and_then(|options| self.catalog.tools(options));
        answer(tools.and_then(|tools| tools.check_arguments(tool, arguments)))
    }

    /// Answers a call.
    pub fn call(&self, tool: String, arguments: String, options: Option<String>) -> Work {
        Work::with(tool_options(options, ToolOptions::default), |options| {
            let call = self.catalog.call(tool, arguments, options);
            call.map(WorkResult::tool)
        })
        .at(self.catalog.pace())
    }

    /// Reads a body.
    pub fn body(&self, name: String) -> Work {
        Work::new(self.catalog.body(name).map(WorkResult::text)).at(self.catalog.pace())
    }

    /// The paths of a skill's files.
    pub fn resources(&self, name: String) -> Work {
        Work::new(self.catalog.resources(name).map(WorkResult::result)).at(self.catalog.pace())
    }

    /// What a line of a user stands for.
    pub fn expand(&self, input: String, options: &str) -> Work {
        Work::with(ExpandOptions::from_json(options), |options| {
            self.catalog.expand(input, options).map(WorkResult::result)
        })
        .at(self.catalog.pace())
    }

    /// What a skill stands for that a user invokes by name, as one text.
    #[wasm_bindgen(js_name = skillPrompt)]
    pub fn skill_prompt(&self, name: String, extra: String, options: &str, tools: &str) -> Work {
        let options = ExpandOptions::from_json(options)
            .and_then(|options| Ok((options, ToolOptions::from_json(tools)?)));
        Work::with(options, |(options, tools)| {
            let prompt = self.catalog.skill_prompt(name, extra, options, tools);
            prompt.map(WorkResult::text)
        })
        .at(self.catalog.pace())
    }

    /// What a line that was begun may become.
    pub fn complete(&self, prefix: String, options: &str) -> Work {
        Work::with(CompleteOptions::from_json(options), |options| {
            let completions = self.catalog.complete(prefix, options);
            completions.map(|completions| WorkResult::value(&completions))
        })
    }

    /// The skills that fit a query best.
    pub fn search(&self, query: String, options: &str) -> Work {
        Work::with(SearchOptions::from_json(options), |options| {
            let found = self.catalog.search(query, options);
            found.map(|found| WorkResult::value(&found))
        })
        .at(self.catalog.pace())
    }

    /// Begins a conversation, or goes on with one.
    pub fn session(&self, options: &str) -> Work {
        Work::with(SessionOptions::from_json(options), |options| {
            Session::begin(&self.catalog, options).map(WorkResult::session)
        })
    }

    /// What a client of a server is told when it connects.
    pub fn instructions(&self, options: Option<String>) -> Work {
        Work::with(tool_options(options, ToolOptions::default), |options| {
            self.catalog.instructions(options).map(WorkResult::text)
        })
    }

    /// A page of the skills that MCP clients list.
    #[wasm_bindgen(js_name = skillEntries)]
    pub fn skill_entries(&self, cursor: Option<String>) -> Work {
        Work::new(self.catalog.skill_entries(cursor).map(WorkResult::result))
            .at(self.catalog.pace())
    }

    /// The entry of one of them, or null.
    #[wasm_bindgen(js_name = skillEntry)]
    pub fn skill_entry(&self, uri: String) -> Work {
        let entry = self.catalog.skill_entry(uri);
        let entry = entry.map(|entry| WorkResult::Value(entry.unwrap_or("null".to_owned())));
        Work::new(entry).at(self.catalog.pace())
    }

    /// A page of their files that are listed as resources, as an answer.
    #[wasm_bindgen(js_name = skillFiles)]
    pub fn skill_files(&self, cursor: Option<String>) -> String {
        answer(self.catalog.skill_files(cursor.as_deref()))
    }

    /// A page of what is in a directory of a skill, or null.
    #[wasm_bindgen(js_name = skillDirectory)]
    pub fn skill_directory(&self, uri: String, cursor: Option<String>) -> Work {
        let directory = self.catalog.skill_directory(uri, cursor);
        Work::new(directory.map(WorkResult::result)).at(self.catalog.pace())
    }

    /// Reads a file of a skill.
    #[wasm_bindgen(js_name = skillResource)]
    pub fn skill_resource(&self, uri: String) -> Work {
        Work::new(self.catalog.skill_resource(uri).map(WorkResult::resource))
            .at(self.catalog.pace())
    }

    /// A page of the skills that a user may invoke, as an answer.
    #[wasm_bindgen(js_name = skillPrompts)]
    pub fn skill_prompts(&self, cursor: Option<String>) -> String {
        answer(self.catalog.skill_prompts(cursor.as_deref()))
    }

    /// Reads again what has changed.
    pub fn refresh(&self, options: &str) -> Work {
        Work::with(RefreshOptions::from_json(options), |options| {
            self.catalog.refresh_with(options).map(WorkResult::result)
        })
        .at(self.catalog.pace())
    }

    /// The state as it is now.
    pub fn mark(&self) -> MarkHandle {
        let mark = self.catalog.mark();
        MarkHandle { mark }
    }

    /// What has changed since a mark, which moves to now, as JSON text.
    #[wasm_bindgen(js_name = changesSince)]
    pub fn changes_since(&self, mark: &mut MarkHandle) -> String {
        self.catalog.changes_since(&mut mark.mark).to_json()
    }

    /// What was found since a mark, or only errors, as JSON text.
    #[wasm_bindgen(js_name = newsSince)]
    pub fn news_since(&self, mark: &MarkHandle, errors_only: bool) -> String {
        self.catalog.news_since(&mark.mark, errors_only).to_json()
    }

    /// Which of the findings that hosts tell of are about nothing that this view leaves out: `+` or `-`
    /// for each.
    #[wasm_bindgen(js_name = showsFindings)]
    pub fn shows_findings(&self, findings: &str) -> String {
        self.catalog.shows_findings(findings)
    }

    /// A view. Takes `{"patterns": […]}`, or `{"only": […]}`.
    pub fn only(&self, patterns: &str) -> Work {
        Work::with(Patterns::from_json(patterns), |Patterns(patterns)| {
            self.catalog.only(patterns).map(WorkResult::Catalog)
        })
    }
}

/// A state of a catalog, for later ones to be compared with.
#[wasm_bindgen]
pub struct MarkHandle {
    mark: Mark,
}

/// How to watch a catalog, with the defaults: an answer.
#[wasm_bindgen(js_name = watchOptions)]
pub fn watch_options(options: &str) -> String {
    answer(WatchOptions::from_json(options))
}

/// Changes as a line for a terminal, `null` where nothing has changed: an answer.
#[wasm_bindgen(js_name = summaryOfChanges)]
pub fn summary_of_changes(names: &str) -> String {
    answer(crate::summary_of_changes(names))
}

/// The folders in which people keep skills by convention: an answer.
#[wasm_bindgen(js_name = standardPlaces)]
pub fn standard_places(options: &str) -> String {
    answer(StandardPlaces::from_json(options))
}

/// How to connect servers, with the defaults: an answer.
#[wasm_bindgen(js_name = serverOptions)]
pub fn server_options(options: &str) -> String {
    answer(ServerOptions::from_json(options))
}

/// How to serve skills, with the defaults: an answer.
#[wasm_bindgen(js_name = skillServerOptions)]
pub fn skill_server_options(options: &str) -> String {
    answer(SkillServerOptions::from_json(options))
}

/// Where to serve them, with the defaults: an answer.
#[wasm_bindgen(js_name = listenOptions)]
pub fn listen_options(options: &str) -> String {
    answer(ListenOptions::from_json(options))
}

/// The sources of a load.
#[wasm_bindgen]
#[derive(Default)]
pub struct Load {
    sources: Vec<Source>,
}

#[wasm_bindgen]
impl Load {
    /// None yet.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a directory of the disk, by the path that was given. An answer without a value.
    pub fn directory(&mut self, host: &str, path: &str) -> String {
        self.add(options::read(host).and_then(|host| Source::of_disk(host, path)))
    }

    /// Adds a source on a host, given as JSON text. An answer: whether the host is used.
    pub fn hosted(&mut self, host: &str, source: &str) -> String {
        match options::read(host).and_then(|host| Source::on_host(host, source)) {
            Ok(source) => {
                let is_used = source.uses_its_host();
                self.sources.push(source);
                object_of("value", &is_used)
            }
            Err(error) => object_of("error", &error),
        }
    }

    /// Adds all skills of a catalog.
    pub fn catalog(&mut self, catalog: &CatalogHandle) {
        self.sources.push(Source::Catalog(catalog.catalog.clone()));
    }

    /// Adds one skill of a catalog. An answer without a value.
    pub fn skill(&mut self, catalog: &CatalogHandle, id: RecordId, name: &str) -> String {
        self.add(Source::of_catalog(&catalog.catalog, id, name))
    }

    /// Adds a skill from code, with the host of its files, if it has any. An answer without a value.
    pub fn defined(&mut self, spec: &str, host: Option<String>) -> String {
        let host = host.as_deref().map(options::read).transpose();
        self.add(host.and_then(|host| Ok(Source::in_code(SkillSpec::from_json(spec)?, host))))
    }

    /// Says why something, given as JSON text, is no source: the one at `index`, where a list was
    /// given. An answer without a value.
    pub fn unsupported(&mut self, source: &str, index: Option<usize>) -> String {
        self.add(Err(Source::unsupported(source, index)))
    }

    fn add(&mut self, source: Result<Source, Error>) -> String {
        answer(source.map(|source| self.sources.push(source)))
    }

    /// Loads them. Takes options as JSON text.
    pub fn start(self, options: &str) -> Work {
        match LoadOptions::from_json(options) {
            Ok(options) => {
                let pace = options.limits.pace();
                Work::new(Catalog::load(self.sources, options).map(WorkResult::catalog)).at(pace)
            }
            Err(error) => Work::new(Operation::done(WorkResult::failed(&error))),
        }
    }
}

/// Checks the options of a call, given as JSON text. An answer without a value.
#[wasm_bindgen(js_name = checkCallOptions)]
pub fn check_call_options(options: &str) -> String {
    answer(CallOptions::check_json(options))
}

/// Reads one skill file; none stands for a content that is neither text nor bytes.
#[wasm_bindgen(js_name = parseSkill)]
pub fn parse(content: Option<Vec<u8>>, options: &str) -> Work {
    Work::new(parse_skill_json(content, options).map(|parsed| WorkResult::value(&parsed)))
}

/// Checks a skill from code: an answer with the skill.
#[wasm_bindgen(js_name = defineSkill)]
pub fn define(spec: &str) -> String {
    answer(SkillSpec::from_json(spec).map(PublicSkill::defined))
}

/// The text of a skill file: an answer.
#[wasm_bindgen(js_name = stringifySkill)]
pub fn stringify(spec: &str) -> String {
    answer(SkillSpec::from_json(spec).and_then(|spec| spec.to_text()))
}

/// The files of a skill that is validated; none, where what was passed are no files.
#[wasm_bindgen]
pub struct Validation {
    files: Option<Vec<SkillFileContent>>,
}

#[wasm_bindgen]
impl Validation {
    /// None yet.
    #[wasm_bindgen(constructor)]
    pub fn new(are_files: bool) -> Self {
        Self {
            files: are_files.then(Vec::new),
        }
    }

    /// How many bytes of a file are looked at.
    #[wasm_bindgen(js_name = bytesJudged)]
    pub fn bytes_judged(path: &str, hints: bool) -> u32 {
        bytes_judged(path, hints)
    }

    /// Adds a file, by its path relative to the skill, cut to the bytes that are looked at; none
    /// stands for a content that is neither text nor bytes.
    pub fn file(&mut self, path: String, content: Option<Vec<u8>>) {
        if let Some(files) = &mut self.files {
            files.push((path, content));
        }
    }

    /// Validates them. Takes options as JSON text.
    pub fn start(self, options: &str) -> Work {
        let found = validate_skill_json(self.files, options);
        Work::new(found.map(|found: Vec<Diagnostic>| WorkResult::value(&found)))
    }
}

/// The text of a system prompt and what was off, as an answer. Takes its parts as JSON text.
#[wasm_bindgen(js_name = systemPrompt)]
pub fn system_prompt(parts: &str) -> String {
    answer(SystemPrompt::from_json(parts).and_then(SystemPrompt::render))
}

/// What is added to the options of the index in a system prompt, as JSON text. Takes them as JSON
/// text, and of each tool in the prompt those that it was made with.
#[wasm_bindgen(js_name = addedIndexOptions)]
pub fn added_index_options(index: &str, tools: &str) -> String {
    SystemPrompt::added_index_options(index, tools)
}

/// What a console is told of findings, both as JSON text.
#[wasm_bindgen]
pub fn warnings(findings: &str) -> String {
    crate::warnings(findings).to_json()
}

/// Options of tools, given as JSON text, or else `usual`.
fn tool_options(
    text: Option<String>,
    usual: impl FnOnce() -> ToolOptions,
) -> Result<ToolOptions, Error> {
    match text {
        Some(text) => ToolOptions::from_json(&text),
        None => Ok(usual()),
    }
}

/// `{"value": …}` or `{"error": …}`
fn answer<T: ToJson>(result: Result<T, Error>) -> String {
    match result {
        Ok(value) => object_of("value", &value),
        Err(error) => object_of("error", &error),
    }
}

fn object_of(key: &str, value: &dyn ToJson) -> String {
    let mut out = String::new();
    Object::begin(&mut out).field(key, value).end();
    out
}

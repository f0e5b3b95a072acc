//! What JavaScript sees: the only place that knows `wasm-bindgen`. No rule is here.
//!
//! Results cross as JSON text, which `JSON.parse` turns into plain objects (`__proto__` becomes a
//! key like any other); requests and replies cross as one buffer a batch (see [`wire`]).

mod wire;

use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::call::ToolResult;
use crate::define::SkillSpec;
use crate::diagnostic::Diagnostic;
use crate::error::Error;
use crate::host::{Capabilities, HostId};
use crate::index::IndexOptions;
use crate::operation::{Operation, Step};
use crate::parse::{ParseOptions, parse_skill};
use crate::record::RecordId;
use crate::shelf::Shelf;
use crate::source::{Directory, LoadOptions, Source};
use crate::tools::ToolOptions;
use crate::validate::{SkillFileContent, ValidateOptions, validate_skill};

/// What an operation came to.
#[derive(Default)]
struct Outcome {
    /// JSON text.
    value: Option<String>,
    /// JSON text of a failure.
    error: Option<String>,
    bytes: Option<Vec<u8>>,
    catalog: Option<Shelf>,
}

impl Outcome {
    fn value(value: &impl Serialize) -> Self {
        Self {
            value: Some(json(value)),
            ..Self::default()
        }
    }

    fn error(error: &Error) -> Self {
        Self {
            error: Some(error_json(error)),
            ..Self::default()
        }
    }

    fn tool(mut result: ToolResult) -> Self {
        let bytes = result.bytes.take();
        Self {
            bytes,
            ..Self::value(&result)
        }
    }

    fn catalog(loaded: Result<Shelf, Error>) -> Self {
        match loaded {
            Ok(catalog) => Self {
                catalog: Some(catalog),
                ..Self::default()
            },
            Err(error) => Self::error(&error),
        }
    }

    fn result<T: Serialize>(result: Result<T, Error>) -> Self {
        match result {
            Ok(value) => Self::value(&value),
            Err(error) => Self::error(&error),
        }
    }
}

/// An operation that is under way.
#[wasm_bindgen]
pub struct Work {
    operation: Operation<Outcome>,
    outcome: Outcome,
}

#[wasm_bindgen]
impl Work {
    fn new(operation: Operation<Outcome>) -> Self {
        Self {
            operation,
            outcome: Outcome::default(),
        }
    }

    /// Goes on with the replies to the last batch. Gives the next batch, or nothing when it is over.
    pub fn step(&mut self, replies: &[u8]) -> Option<Vec<u8>> {
        match self.operation.step(wire::replies(replies))? {
            Step::Requests(requests) => Some(wire::requests(&requests)),
            Step::Done(outcome) => {
                self.outcome = outcome;
                None
            }
        }
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
        self.outcome.value.take()
    }

    /// The failure as JSON text. Given once.
    pub fn error(&mut self) -> Option<String> {
        self.outcome.error.take()
    }

    /// The bytes of the result. Given once.
    pub fn bytes(&mut self) -> Option<Vec<u8>> {
        self.outcome.bytes.take()
    }

    /// The catalog that was loaded. Given once.
    pub fn catalog(&mut self) -> Option<CatalogHandle> {
        self.outcome
            .catalog
            .take()
            .map(|shelf| CatalogHandle { shelf })
    }
}

/// A catalog, or a view of one.
#[wasm_bindgen]
pub struct CatalogHandle {
    shelf: Shelf,
}

#[wasm_bindgen]
impl CatalogHandle {
    /// How many skills it shows.
    pub fn count(&self) -> usize {
        self.shelf.count()
    }

    /// Their names, as JSON text.
    pub fn names(&self) -> String {
        json(&self.shelf.names())
    }

    /// Their readings, in the order of their names.
    pub fn ids(&self) -> Vec<RecordId> {
        self.shelf.ids()
    }

    /// A skill, as JSON text.
    pub fn listing(&self, id: RecordId) -> Option<String> {
        self.shelf.listing(id).map(|listing| json(&listing))
    }

    /// The reading of a name.
    pub fn get(&self, name: String, version: Option<String>) -> Work {
        Work::new(self.shelf.get(name, version).map(|id| Outcome::value(&id)))
    }

    /// All findings, as JSON text.
    pub fn diagnostics(&self) -> String {
        json(&self.shelf.diagnostics())
    }

    /// The text of the index.
    pub fn prompt(&self, options: &str) -> String {
        match parsed::<IndexOptions>(options) {
            Ok(options) => self.shelf.index(&options).text,
            Err(_) => String::new(),
        }
    }

    /// The index and what is to be known about it, as an answer.
    pub fn index(&self, options: &str) -> String {
        answer(parsed::<IndexOptions>(options).map(|options| self.shelf.index(&options)))
    }

    /// The definitions of the tools, as an answer.
    pub fn tools(&self, options: &str) -> String {
        let tools = parsed::<ToolOptions>(options).and_then(|options| self.shelf.tools(options));
        answer(tools.map(|tools| tools.definitions().to_vec()))
    }

    /// The checked arguments of a call, as an answer.
    pub fn check(&self, tool: &str, arguments: &str, options: &str) -> String {
        let tools = parsed::<ToolOptions>(options).and_then(|options| self.shelf.tools(options));
        answer(tools.and_then(|tools| tools.check(tool, arguments)))
    }

    /// Answers a call.
    pub fn call(&self, tool: String, arguments: String, options: &str) -> Work {
        let options = parsed::<ToolOptions>(options).unwrap_or_default();
        Work::new(self.shelf.call(tool, arguments, options).map(Outcome::tool))
    }

    /// Reads a body.
    pub fn body(&self, name: String) -> Work {
        Work::new(self.shelf.body(name).map(Outcome::result))
    }

    /// Reads again what has changed.
    pub fn refresh(&self) -> Work {
        Work::new(self.shelf.refresh().map(Outcome::result))
    }

    /// A view. Takes patterns as JSON text.
    pub fn only(&self, patterns: &str) -> CatalogHandle {
        let patterns: Vec<String> = serde_json::from_str(patterns).unwrap_or_default();
        CatalogHandle {
            shelf: self.shelf.only(&patterns),
        }
    }
}

/// The sources of a load.
#[wasm_bindgen]
#[derive(Default)]
pub struct Load {
    sources: Vec<Source>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct DirectoryJson {
    host: HostId,
    ranges: bool,
    stat: bool,
    real_path: bool,
    open: bool,
    path: String,
    prefix: String,
    label: String,
}

impl From<DirectoryJson> for Directory {
    fn from(json: DirectoryJson) -> Self {
        let DirectoryJson {
            host,
            ranges,
            stat,
            real_path,
            open,
            path,
            prefix,
            label,
        } = json;
        Self {
            host,
            capabilities: Capabilities {
                ranges,
                stat,
                real_path,
                open,
            },
            path,
            prefix,
            label,
        }
    }
}

#[wasm_bindgen]
impl Load {
    /// None yet.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a directory on a host, given as JSON text. An answer without a value.
    pub fn directory(&mut self, directory: &str) -> String {
        let directory = parsed::<DirectoryJson>(directory);
        answer(directory.map(|directory| self.sources.push(Source::Directory(directory.into()))))
    }

    /// Adds a source of which nothing is loaded.
    pub fn untrusted(&mut self, label: String) {
        self.sources.push(Source::Untrusted { label });
    }

    /// Adds all skills of a catalog.
    pub fn catalog(&mut self, catalog: &CatalogHandle) {
        self.sources.push(Source::Shelf(catalog.shelf.clone()));
    }

    /// Adds one skill of a catalog. False when the catalog has it no more.
    pub fn skill(&mut self, catalog: &CatalogHandle, id: RecordId, name: &str) -> bool {
        let Some(record) = catalog.shelf.record(id, name) else {
            return false;
        };
        self.sources.push(Source::Known(record));
        true
    }

    /// Adds a skill from code, with the directory of its files as JSON text. An answer without a
    /// value.
    pub fn defined(&mut self, spec: &str, files: Option<String>) -> String {
        let files = files.as_deref().map(parsed::<DirectoryJson>).transpose();
        let source = files.and_then(|files| {
            Ok(Source::defined(
                SkillSpec::from_json(spec)?,
                files.map(Directory::from),
            ))
        });
        answer(source.map(|source| self.sources.push(source)))
    }

    /// Loads them. Takes options as JSON text.
    pub fn start(self, options: &str) -> Work {
        match parsed::<LoadOptions>(options) {
            Ok(options) => Work::new(Shelf::load(self.sources, options).map(Outcome::catalog)),
            Err(error) => Work::new(Operation::done(Outcome::error(&error))),
        }
    }
}

/// Reads one skill file.
#[wasm_bindgen(js_name = parseSkill)]
pub fn parse(bytes: Vec<u8>, options: &str) -> Work {
    match parsed::<ParseOptions>(options) {
        Ok(options) => Work::new(parse_skill(bytes, options).map(|parsed| Outcome::value(&parsed))),
        Err(error) => Work::new(Operation::done(Outcome::error(&error))),
    }
}

/// Checks a skill from code: an answer with the skill.
#[wasm_bindgen(js_name = defineSkill)]
pub fn define(spec: &str) -> String {
    answer(SkillSpec::from_json(spec).map(|spec| spec.skill().clone()))
}

/// The text of a skill file: an answer.
#[wasm_bindgen(js_name = stringifySkill)]
pub fn stringify(spec: &str) -> String {
    answer(SkillSpec::from_json(spec).map(|spec| spec.to_text()))
}

/// The files of a skill that is validated.
#[wasm_bindgen]
#[derive(Default)]
pub struct Validation {
    files: Vec<SkillFileContent>,
}

#[wasm_bindgen]
impl Validation {
    /// None yet.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file, by its path relative to the skill.
    pub fn file(&mut self, path: String, bytes: Vec<u8>) {
        self.files.push((path, bytes));
    }

    /// Validates them. Takes options as JSON text.
    pub fn start(self, options: &str) -> Work {
        match parsed::<ValidateOptions>(options) {
            Ok(options) => {
                let found = validate_skill(self.files, options);
                Work::new(found.map(|found: Vec<Diagnostic>| Outcome::value(&found)))
            }
            Err(error) => Work::new(Operation::done(Outcome::error(&error))),
        }
    }
}

/// Ends the module the way a fault in it would: for tests of what follows.
#[wasm_bindgen(js_name = trapForTests)]
pub fn trap_for_tests() {
    std::process::abort();
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// Options that cannot be understood name the field.
fn parsed<'a, T: Deserialize<'a>>(json: &'a str) -> Result<T, Error> {
    serde_json::from_str(json)
        .map_err(|error| Error::SourceUnsupported(format!("The options cannot be used: {error}")))
}

/// `{"value": …}` or `{"error": …}`
fn answer<T: Serialize>(result: Result<T, Error>) -> String {
    match result {
        Ok(value) => format!("{{\"value\":{}}}", json(&value)),
        Err(error) => format!("{{\"error\":{}}}", error_json(&error)),
    }
}

fn error_json(error: &Error) -> String {
    #[derive(Serialize)]
    struct ErrorJson<'a> {
        code: &'static str,
        message: String,
        diagnostics: &'a [Diagnostic],
        #[serde(skip_serializing_if = "Option::is_none")]
        path: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        line: Option<u32>,
        #[serde(skip_serializing_if = "Option::is_none")]
        column: Option<u32>,
    }
    let position = error.position();
    json(&ErrorJson {
        code: error.code(),
        message: error.to_string(),
        diagnostics: error.diagnostics(),
        path: error.path(),
        line: position.map(|position| position.line),
        column: position.map(|position| position.column),
    })
}

//! A session, as JavaScript sees it.

use wasm_bindgen::prelude::wasm_bindgen;

use super::{Work, WorkResult, answer, tool_options};
use crate::call::ToolResult;
use crate::error::Error;
use crate::index::IndexOptions;
use crate::json::ToJson;
use crate::mcp_config::Environment;
use crate::operation::Operation;
use crate::session::{Change, CompactOptions, Forgotten, Outcome, RefusedEvent, Session, Stored};
use crate::slash_command::ExpandOptions;
use crate::tool_options::ToolOptions;

/// What one conversation has loaded.
#[wasm_bindgen]
pub struct SessionHandle {
    session: Session,
}

impl SessionHandle {
    pub(super) fn new(session: Session) -> Self {
        Self { session }
    }

    fn options(&self, text: Option<String>) -> Result<ToolOptions, Error> {
        tool_options(text, || self.session.tool_options())
    }
}

fn of_tool(work: Operation<Outcome<ToolResult>>) -> Operation<WorkResult> {
    work.map(|Outcome { result, change }| {
        WorkResult::OfSession(Box::new(WorkResult::tool(result)), change)
    })
}

fn of_text(work: Operation<Outcome<Result<String, Error>>>) -> Operation<WorkResult> {
    work.map(|Outcome { result, change }| {
        WorkResult::OfSession(Box::new(WorkResult::text(result)), change)
    })
}

fn of_result<T: ToJson + 'static>(
    work: Operation<Outcome<Result<T, Error>>>,
) -> Operation<WorkResult> {
    work.map(|Outcome { result, change }| {
        WorkResult::OfSession(Box::new(WorkResult::result(result)), change)
    })
}

/// What a call did to its session.
#[wasm_bindgen]
pub struct ChangeHandle {
    change: Change,
}

impl ChangeHandle {
    pub(super) fn new(change: Change) -> Self {
        Self { change }
    }
}

#[wasm_bindgen]
impl ChangeHandle {
    /// The events that are to be told, as JSON text.
    pub fn events(&self) -> String {
        self.change.events().to_json()
    }

    /// All of them were taken. Which servers are to run, as an answer.
    pub fn accept(self) -> String {
        answer(Ok(self.change.accept()))
    }

    /// So many were taken and the next one refused. Takes `{"state": […]}`, all that has happened in
    /// the session. Which servers are to run, as an answer.
    pub fn refuse(self, taken: usize, happened: &str) -> String {
        let happened = Stored::from_json(happened);
        answer(happened.map(|happened| self.change.refuse(taken, happened)))
    }
}

/// What a call comes to whose event was refused, as JSON text.
#[wasm_bindgen(js_name = refusedEvent)]
pub fn refused_event(event: String, skill: String, message: String) -> String {
    RefusedEvent::new(event, skill, message).to_json()
}

/// What events come to where the catalog of their session is lost, as an answer.
#[wasm_bindgen(js_name = storedSession)]
pub fn stored_session(events: &str) -> String {
    answer(Stored::from_json(events))
}

/// Options of tools in which those of a session say what `given` do not, all of them JSON text.
#[wasm_bindgen(js_name = mergedToolOptions)]
pub fn merged_tool_options(own: &str, given: &str) -> String {
    ToolOptions::merged_json(own, given)
}

#[wasm_bindgen]
impl SessionHandle {
    /// What is loaded, as JSON text.
    pub fn loaded(&self) -> String {
        self.session.loaded().to_json()
    }

    /// The tools that the loaded skills asked to be allowed, as JSON text.
    #[wasm_bindgen(js_name = allowedTools)]
    pub fn allowed_tools(&self) -> String {
        self.session.allowed_tools().to_json()
    }

    /// The whole state, as JSON text.
    pub fn state(&self) -> String {
        self.session.to_json()
    }

    /// What is to be said of the skills of this conversation, as JSON text.
    pub fn diagnostics(&self) -> String {
        self.session.diagnostics().to_json()
    }

    /// Names of what was loaded before and is left out now, as JSON text.
    #[wasm_bindgen(js_name = leftOut)]
    pub fn left_out(&self) -> String {
        self.session.left_out().to_json()
    }

    /// The text of the index.
    pub fn prompt(&self, options: &str) -> Work {
        Work::with(IndexOptions::from_json(options), |options| {
            self.session.prompt(options).map(WorkResult::text)
        })
    }

    /// The index and what is to be known about it.
    pub fn index(&self, options: &str) -> Work {
        Work::with(IndexOptions::from_json(options), |options| {
            self.session.index(options).map(WorkResult::result)
        })
    }

    /// The definitions of the tools, as an answer.
    pub fn tools(&self, options: Option<String>) -> String {
        let tools = self.options(options);
        let tools = tools.and_then(|options| self.session.tools(options));
        answer(tools.map(|tools| tools.definitions()))
    }

    /// The checked arguments of a call, as an answer.
    #[wasm_bindgen(js_name = checkArguments)]
    pub fn check_arguments(&self, tool: &str, arguments: &str, options: Option<String>) -> String {
        let tools = self.options(options);
        let tools = tools.and_then(|options| self.session.tools(options));
        answer(tools.and_then(|tools| tools.check_arguments(tool, arguments)))
    }

    /// Answers a call.
    pub fn call(&self, tool: String, arguments: String, options: Option<String>) -> Work {
        Work::with(self.options(options), |options| {
            of_tool(self.session.call(tool, arguments, options))
        })
        .at(self.session.pace())
    }

    /// From now on servers of skills are connected. Takes the environment that they may refer to as
    /// JSON text; an answer without a value.
    #[wasm_bindgen(js_name = connectServers)]
    pub fn connect_servers(&self, options: &str) -> String {
        let environment = Environment::from_json(options);
        answer(environment.map(|environment| self.session.connect_servers(environment)))
    }

    /// From now on no servers are connected.
    #[wasm_bindgen(js_name = disconnectServers)]
    pub fn disconnect_servers(&self) {
        self.session.disconnect_servers();
    }

    /// What was found of servers, as JSON text.
    #[wasm_bindgen(js_name = serverFindings)]
    pub fn server_findings(&self) -> String {
        self.session.server_findings().to_json()
    }

    /// Loads a skill for the user.
    pub fn load(&self, name: String) -> Work {
        Work::new(of_tool(self.session.load(name))).at(self.session.pace())
    }

    /// Says that a skill no longer applies.
    pub fn unload(&self, name: String) -> Work {
        Work::new(of_tool(self.session.unload(name)))
    }

    /// What a line of a user stands for; a skill in it is loaded.
    pub fn expand(&self, input: String, options: &str) -> Work {
        Work::with(ExpandOptions::from_json(options), |options| {
            of_result(self.session.expand(input, options))
        })
        .at(self.session.pace())
    }

    /// What a skill stands for that a user invokes by name; it is loaded.
    #[wasm_bindgen(js_name = skillPrompt)]
    pub fn skill_prompt(&self, name: String, extra: String, options: &str) -> Work {
        Work::with(ExpandOptions::from_json(options), |options| {
            of_text(self.session.skill_prompt(name, extra, options))
        })
        .at(self.session.pace())
    }

    /// What must be kept, and what is said of the rest.
    pub fn compact(&self, options: &str) -> Work {
        Work::with(CompactOptions::from_json(options), |options| {
            of_result(self.session.compact(options))
        })
    }

    /// Says that the texts of these skills have left the conversation. Takes `{"names": […]}`.
    pub fn forget(&self, names: &str) -> Work {
        Work::with(Forgotten::from_json(names), |Forgotten(names)| {
            self.session
                .forget(names)
                .map(|Outcome { result, change }| {
                    WorkResult::OfSession(Box::new(WorkResult::value(&result)), change)
                })
        })
    }

    /// Which of the loaded skills have changed or vanished.
    #[wasm_bindgen(js_name = checkSkills)]
    pub fn check_skills(&self) -> Work {
        Work::new(self.session.check().map(|found| WorkResult::value(&found)))
            .at(self.session.pace())
    }
}

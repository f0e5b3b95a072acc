//! Random conversations against a simple reference.
#![cfg(not(target_arch = "wasm32"))]

mod session_reference;
mod support;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt::Debug;

use proptest::prelude::*;
use serde_json::{Value as Json, json};
use session_reference::{
    Audience, Compacted, File, Held, Key, Load, PLACES, Reference, SERVER_TOOLS, Server, Since,
    Size, ToldTools, brings_server, text, wrapped,
};
use skillshelf::{
    Budget, Catalog, CompactOptions, Environment, ExpandOptions, Expansion, Operation, Reply,
    Request, Session, ToJson, ToolOptions, ToolResult,
};
use support::{Disk, as_json, load, refresh, restored_from_text, session, skill_with};

/// Which texts skills have.
const TEXTS: u8 = 3;
/// How many sessions answer at the same time.
const MOST_CONVERSATIONS: usize = 3;

#[derive(Clone, Debug)]
enum Action {
    // Of the model and the user.
    Load(Key, Audience),
    Expand(Key),
    Unload(Key, Audience),
    Read(Key, &'static str),
    CallTool(String),
    // Of the agent.
    Forget(Key),
    Check,
    Compact(Option<(Size, usize)>),
    Connect(bool),
    Restore,
    Replay,
    // Of those who write skills.
    Write(usize, File),
    Delete(usize),
    Serve(Server),
    Refresh,
}

fn asked() -> impl Strategy<Value = Key> {
    let name = prop::sample::select(vec!["a", "a", "b", "c"]);
    (name, prop::option::weighted(0.4, 1_u8..3)).prop_map(|(name, version)| Key { name, version })
}

fn file() -> impl Strategy<Value = File> {
    let version = prop::option::weighted(0.7, 1_u8..3);
    let one = (version, 0..TEXTS, prop::bool::weighted(0.8));
    one.prop_map(|(version, text, for_model)| File {
        version,
        text,
        for_model,
    })
}

fn audience() -> impl Strategy<Value = Audience> {
    prop::sample::select(vec![Audience::Model, Audience::User])
}

fn budget() -> impl Strategy<Value = (Size, usize)> {
    prop_oneof![
        (Just(Size::Characters), 0..600_usize),
        (Just(Size::EstimatedTokens), 0..150_usize),
        (Just(Size::CountedTokens), 0..80_usize),
    ]
}

fn served_tool() -> impl Strategy<Value = String> {
    let tool = prop::sample::select(SERVER_TOOLS.to_vec());
    (any::<bool>(), tool)
        .prop_map(|(is_short, tool)| format!("a__{}{tool}", if is_short { "" } else { "x__" }))
}

fn server() -> impl Strategy<Value = Server> {
    prop_oneof![
        Just(Server::Absent),
        Just(Server::Refused),
        (1..=SERVER_TOOLS.len()).prop_map(Server::Lists),
    ]
}

fn action() -> impl Strategy<Value = Action> {
    let reader = prop::sample::select(vec!["read_skill_file", "load_skill_resource"]);
    let place = 0..PLACES.len();
    prop_oneof![
        8 => (asked(), audience()).prop_map(|(asked, audience)| Action::Load(asked, audience)),
        2 => asked().prop_map(Action::Expand),
        2 => (asked(), audience()).prop_map(|(asked, audience)| Action::Unload(asked, audience)),
        2 => (asked(), reader).prop_map(|(asked, tool)| Action::Read(asked, tool)),
        2 => served_tool().prop_map(Action::CallTool),
        1 => asked().prop_map(Action::Forget),
        1 => Just(Action::Check),
        2 => prop::option::weighted(0.8, budget()).prop_map(Action::Compact),
        1 => prop::bool::weighted(0.7).prop_map(Action::Connect),
        1 => Just(Action::Restore),
        1 => Just(Action::Replay),
        4 => (place.clone(), file()).prop_map(|(place, file)| Action::Write(place, file)),
        1 => place.prop_map(Action::Delete),
        1 => server().prop_map(Action::Serve),
        3 => Just(Action::Refresh),
    ]
}

/// A session, and the servers that run for it.
struct Conversation {
    session: Session,
    running: RefCell<BTreeSet<(String, Option<String>)>>,
}

impl Conversation {
    fn new(session: Session, connects: bool) -> Self {
        let conversation = Self {
            session,
            running: RefCell::default(),
        };
        conversation.connect(connects);
        conversation
    }

    fn connect(&self, connects: bool) {
        if connects {
            self.session.connect_servers(Environment::default());
        } else {
            self.session.disconnect_servers();
            self.running.borrow_mut().clear();
        }
    }

    fn run<T>(&self, operation: Operation<T>, disk: &Disk, server: Server) -> T {
        let done = operation.run(|request| match request {
            Request::Connect { text } => self.answer_connect(text, server),
            Request::CallServer { text } => self.answer_call(text),
            Request::Disconnect { text } => self.answer_disconnect(text),
            other => disk.answer(other),
        });
        done.expect("it was not over before")
    }

    fn answer_connect(&self, text: &str, server: Server) -> Reply {
        let asked = parsed(text);
        let answer = match server {
            Server::Lists(count) => {
                self.running.borrow_mut().insert(skill_of(&asked));
                let tool = |name: &&str| Json::String(json!({ "name": name }).to_string());
                let tools: Vec<Json> = SERVER_TOOLS[..count].iter().map(tool).collect();
                json!({ "tools": tools })
            }
            Server::Absent | Server::Refused => json!({ "failed": "refused" }),
        };
        Reply::Text(answer.to_string())
    }

    /// What is called is started, if it does not run.
    fn answer_call(&self, text: &str) -> Reply {
        let asked = parsed(text);
        self.running.borrow_mut().insert(skill_of(&asked));
        let content = [json!({ "type": "text", "text": asked["tool"] })];
        Reply::Text(json!({ "result": { "content": content } }).to_string())
    }

    fn answer_disconnect(&self, text: &str) -> Reply {
        let asked = parsed(text);
        if asked["stay"] == json!([]) {
            self.running.borrow_mut().remove(&skill_of(&asked));
        }
        Reply::Text(String::new())
    }

    /// The names of the tools of servers.
    fn tools(&self) -> Vec<String> {
        let tools = self.session.tools(ToolOptions::default());
        let names = tools.expect("no name is taken").definitions();
        let mut names: Vec<String> = names.into_iter().map(|tool| tool.name).collect();
        names.retain(|name| name.contains("__"));
        names.sort();
        names
    }

    /// What its state says that it holds, and which files were read.
    fn state(&self) -> (Vec<Held>, Vec<Key>) {
        let (mut held, mut read) = (Vec::new(), Vec::new());
        let stored = as_json(&self.session);
        for event in stored["events"].as_array().expect("a list") {
            match event["type"].as_str().expect("text") {
                "skill_loaded" => held.push(held_of(event)),
                "skill_dropped" => {
                    let last = held.last_mut().expect("it follows what it drops");
                    assert_eq!(last.key, key_of(event));
                    last.dropped = true;
                }
                "resource_loaded" => read.push(key_of(event)),
                other => panic!("{other}"),
            }
        }
        (held, read)
    }
}

fn parsed(text: &str) -> Json {
    serde_json::from_str(text).expect("it is JSON")
}

/// Name and version of what a request is about.
fn skill_of(asked: &Json) -> (String, Option<String>) {
    let text = |key: &str| asked[key].as_str().map(str::to_owned);
    (text("skill").expect("a name"), text("version"))
}

fn key_of(event: &Json) -> Key {
    let named = |(name, _): &&(&str, &str)| event["name"] == *name;
    let (name, _) = PLACES.iter().find(named).expect("it is one of them");
    let version = event["version"].as_str();
    let version = version.map(|version| version.parse().expect("a number"));
    Key { name, version }
}

fn held_of(event: &Json) -> Held {
    let has_body = |number: &u8| event["body"] == text(*number);
    let tools = event["tools"].as_array().expect("a list");
    let name = |tool: &Json| tool["name"].as_str().expect("text").to_owned();
    Held {
        key: key_of(event),
        text: (0..TEXTS).find(has_body).expect("it is one of them"),
        for_model: event["modelInvocable"] != false,
        dropped: false,
        tools: tools.iter().map(name).collect(),
    }
}

/// A catalog, and sessions that were stored and restored at different times: all must answer alike.
struct Stage {
    disk: Disk,
    catalog: Catalog,
    conversations: Vec<Conversation>,
    /// All that the first of them has told, as JSON text.
    journal: Vec<String>,
    reference: Reference,
}

impl Stage {
    fn new() -> Self {
        let plain = File {
            version: None,
            text: 0,
            for_model: true,
        };
        let old = File {
            version: Some(1),
            ..plain
        };
        let files = [Some(plain), Some(old), Some(plain), Some(plain)];
        let mut disk = Disk::default();
        for (place, (_, directory)) in PLACES.into_iter().enumerate() {
            write(&mut disk, place, files[place]);
            disk.write(&format!("s/{directory}/x.md"), b"X");
        }
        let catalog = load(&disk);
        let conversations = vec![Conversation::new(session(&catalog), true)];
        let mut stage = Self {
            disk,
            catalog,
            conversations,
            journal: Vec::new(),
            reference: Reference {
                files,
                catalog: files,
                server: Server::Absent,
                connects: true,
                held: Vec::new(),
                read: Vec::new(),
            },
        };
        stage.serve(Server::Lists(1));
        stage
    }

    /// What every conversation answers.
    fn ask<T: PartialEq + Debug>(&self, ask: impl Fn(&Session) -> Operation<T>) -> T {
        let server = self.reference.server;
        let answer = |conversation: &Conversation| {
            conversation.run(ask(&conversation.session), &self.disk, server)
        };
        let mut answers = self.conversations.iter().map(answer);
        let first = answers.next().expect("there is one");
        for other in answers {
            assert_eq!(first, other, "a restored session answers otherwise");
        }
        first
    }

    fn call(&self, tool: &str, arguments: &Json) -> ToolResult {
        self.ask(|session| {
            let options = ToolOptions::default();
            session.call(tool.to_owned(), arguments.to_string(), options)
        })
    }

    fn serve(&mut self, server: Server) {
        self.reference.server = server;
        let config = json!({ "mcpServers": { "x": { "command": "node" } } });
        for (place, (_, directory)) in PLACES.into_iter().enumerate() {
            let path = format!("s/{directory}/mcp.json");
            match server {
                _ if !brings_server(place) => {}
                Server::Absent => self.disk.remove(&path),
                Server::Refused | Server::Lists(_) => self.disk.write(&path, config.to_string()),
            }
        }
    }

    /// Another session goes on beside the others.
    fn join(&mut self, state: &str) {
        let session = restored_from_text(&self.catalog, state).expect("it is what was stored");
        let conversation = Conversation::new(session, self.reference.connects);
        if self.conversations.len() == MOST_CONVERSATIONS {
            self.conversations.remove(1);
        }
        self.conversations.push(conversation);
    }

    fn act(&mut self, action: Action) -> Result<(), TestCaseError> {
        match action {
            Action::Load(asked, audience) => {
                let result = match audience {
                    Audience::User => self.ask(|session| session.load(asked.to_string())),
                    Audience::Model => {
                        self.call("load_skill", &json!({ "name": asked.to_string() }))
                    }
                };
                let (load, tools) = self.reference.load(asked, audience);
                check_load(&result, asked.name, load, &tools)?;
            }
            Action::Expand(asked) => self.expand(asked)?,
            Action::Unload(asked, audience) => {
                let result = match audience {
                    Audience::User => self.ask(|session| session.unload(asked.to_string())),
                    Audience::Model => {
                        self.call("unload_skill", &json!({ "name": asked.to_string() }))
                    }
                };
                prop_assert_eq!(!result.is_error(), self.reference.unload(asked));
            }
            Action::Read(asked, tool) => {
                let arguments = json!({ "skill": asked.to_string(), "path": "x.md" });
                let result = self.call(tool, &arguments);
                let code = (!self.reference.read(asked)).then_some("SKILL_NOT_FOUND");
                prop_assert_eq!(result.code, code);
            }
            Action::CallTool(name) => self.call_served(&name)?,
            Action::Forget(asked) => {
                self.reference.forget(asked);
                self.ask(|session| session.forget(vec![asked.to_string()]));
            }
            Action::Check => self.check()?,
            Action::Compact(budget) => self.compact(budget)?,
            Action::Connect(connects) => {
                self.reference.connects = connects;
                for conversation in &self.conversations {
                    conversation.connect(connects);
                }
            }
            Action::Restore => {
                let stored = self.conversations[0].session.to_json();
                self.join(&stored);
            }
            Action::Replay => self.join(&self.played_again()),
            Action::Write(place, file) => {
                self.reference.files[place] = Some(file);
                write(&mut self.disk, place, Some(file));
            }
            Action::Delete(place) => {
                self.reference.files[place] = None;
                write(&mut self.disk, place, None);
            }
            Action::Serve(server) => self.serve(server),
            Action::Refresh => {
                self.reference.refresh();
                refresh(&self.catalog, &self.disk);
            }
        }
        Ok(())
    }

    fn expand(&mut self, asked: Key) -> Result<(), TestCaseError> {
        let found =
            self.ask(|session| session.expand(format!("/{asked} x"), ExpandOptions::default()));
        match (found, self.reference.expand(asked)) {
            (Ok(Expansion::Skill { text: found, .. }), Load::Text(number)) => {
                prop_assert_eq!(found, text(number) + "\n\nx");
            }
            (Ok(Expansion::Unknown { .. }), Load::NotFound) => {}
            (Err(error), Load::FileGone) => prop_assert_eq!(error.code(), "FILE_NOT_FOUND"),
            (found, expected) => prop_assert!(false, "{found:?}, not {expected:?}"),
        }
        Ok(())
    }

    fn call_served(&self, name: &str) -> Result<(), TestCaseError> {
        let result = self.call(name, &json!({}));
        // One that is not offered any more is told so.
        let is_known = self.reference.tools().iter().any(|tool| tool == name);
        let code = match (is_known, self.reference.connects) {
            (false, _) => Some("TOOL_UNKNOWN"),
            (true, false) => Some("SERVER_FAILED"),
            (true, true) => None,
        };
        prop_assert_eq!(result.code, code, "{}", result.content);
        prop_assert!(code.is_some() || name.ends_with(&result.content));
        Ok(())
    }

    fn check(&self) -> Result<(), TestCaseError> {
        let found = self.ask(Session::check);
        let codes: Vec<&str> = found.iter().map(|found| found.code).collect();
        let code = |since| match since {
            Since::Changed => "session-skill-changed",
            Since::Vanished => "session-skill-vanished",
        };
        let expected: Vec<&str> = self.reference.check().into_iter().map(code).collect();
        prop_assert_eq!(codes, expected);
        Ok(())
    }

    fn compact(&mut self, budget: Option<(Size, usize)>) -> Result<(), TestCaseError> {
        let options = CompactOptions {
            budget: budget.map(budget_of),
        };
        let found = self.ask(|session| session.compact(options.clone()));
        let found = found.expect("tokens are counted");
        let keep = found.keep.into_iter().map(|kept| kept.text);
        let notes = found.notes.into_iter().map(|note| note.text);
        let found = Compacted {
            keep: keep.collect(),
            notes: notes.collect(),
        };
        prop_assert_eq!(found, self.reference.compact(budget));
        Ok(())
    }

    /// All conversations hold what the reference holds.
    fn check_state(&mut self) -> Result<(), TestCaseError> {
        let reference = &self.reference;
        let mut told = Vec::new();
        for conversation in &self.conversations {
            let (held, read) = conversation.state();
            prop_assert_eq!(&held, &reference.held);
            prop_assert_eq!(&read, &reference.read);
            prop_assert_eq!(conversation.tools(), reference.offered());
            prop_assert_eq!(conversation.session.loaded().len(), held.len());
            let events = conversation.session.take_events().into_iter();
            told.push(events.map(|event| event.to_json()).collect::<Vec<_>>());
            // No server runs for a skill that is not loaded.
            for (name, version) in conversation.running.borrow().iter() {
                let key = key_of(&json!({ "name": name, "version": version }));
                let held = held.iter().find(|held| held.key == key);
                prop_assert!(held.is_some_and(|held| !held.tools.is_empty()), "{}", key);
            }
        }
        let first = told.swap_remove(0);
        for other in told {
            prop_assert_eq!(&first, &other);
        }
        self.journal.extend(first);
        let again = restored_from_text(&self.catalog, &self.played_again()).unwrap();
        prop_assert_eq!(again.to_json(), self.conversations[0].session.to_json());
        Ok(())
    }

    /// All that was told, as a state.
    fn played_again(&self) -> String {
        format!("[{}]", self.journal.join(","))
    }
}

fn write(disk: &mut Disk, place: usize, file: Option<File>) {
    let (name, directory) = PLACES[place];
    let path = format!("s/{directory}/SKILL.md");
    let Some(file) = file else {
        return disk.remove(&path);
    };
    let version = file
        .version
        .map(|version| format!("version: \"{version}\"\n"));
    let disabled = "disable-model-invocation: true\n";
    let lines = [
        version.as_deref().unwrap_or_default(),
        if file.for_model { "" } else { disabled },
    ];
    disk.write(&path, skill_with(name, &lines.concat(), &text(file.text)));
}

fn budget_of((size, limit): (Size, usize)) -> Budget {
    let limit = u32::try_from(limit).unwrap();
    match size {
        Size::Characters => Budget::Characters(limit),
        Size::EstimatedTokens => Budget::Tokens(limit),
        Size::CountedTokens => Budget::CountedTokens(limit),
    }
}

fn check_load(
    result: &ToolResult,
    name: &str,
    load: Load,
    tools: &ToldTools,
) -> Result<(), TestCaseError> {
    let ToolResult { content, code, .. } = result;
    let skill = format!("The skill \"{name}\" ");
    let expected_code = match load {
        Load::NotFound => Some("SKILL_NOT_FOUND"),
        Load::FileGone => Some("FILE_NOT_FOUND"),
        _ => None,
    };
    prop_assert_eq!(*code, expected_code, "{}", content);
    let beginning = match load {
        Load::Text(number) => wrapped(name, number),
        Load::Changed(number) => {
            let change = "has changed since it was loaded; this replaces its earlier instructions.";
            format!("{skill}{change}\n\n{}", wrapped(name, number))
        }
        Load::Already => skill + "is already loaded: its instructions are in this conversation",
        Load::Recorded(_) => skill + "as it was loaded earlier (",
        Load::AlreadyRecorded => skill + "is already loaded (its file ",
        Load::NotFound | Load::FileGone => return Ok(()),
    };
    prop_assert!(content.starts_with(&beginning), "{content}, not {load:?}");
    let told = format!(
        "Tools that came with this skill: `{}`.",
        tools.names.join("`, `")
    );
    match tools.names.as_slice() {
        [] => prop_assert!(!content.contains("Tools that came")),
        _ => prop_assert!(content.ends_with(&told), "{content}, not {told}"),
    }
    prop_assert_eq!(content.contains("was not approved"), tools.problem);
    match load {
        Load::Recorded(number) => prop_assert!(content.ends_with(&wrapped(name, number))),
        Load::Already | Load::AlreadyRecorded if *tools == ToldTools::default() => {
            prop_assert_eq!(content.lines().count(), 1);
        }
        _ => {}
    }
    Ok(())
}

proptest! {
    #[test]
    fn conversations_answer_and_hold_what_the_reference_does(
        actions in prop::collection::vec(action(), 0..40),
    ) {
        let mut stage = Stage::new();
        for action in actions {
            stage.act(action)?;
            stage.check_state()?;
        }
    }
}

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
    Audience, Compacted, EXTRA, File, Held, Holdings, Key, Load, PLACES, Reference, SERVER_TOOLS,
    Server, Since, Size, Speech, ToldTools, brings_server, text,
};
use skillshelf::{
    Budget, Catalog, CompactOptions, Compaction, Environment, ExpandOptions, Expansion, Operation,
    Outcome, Reply, Request, SessionOptions, Settlement, Step, ToJson, ToolResult,
};
use support::{Conversation, Disk, as_json, load, refresh, skill_with};

/// Which texts skills have.
const TEXTS: u8 = 3;
/// How many sessions answer at the same time.
const MOST_CONVERSATIONS: usize = 3;

/// What is asked of a conversation, and may change what it holds.
#[derive(Clone, Debug)]
enum Ask {
    // Of the model and the user.
    Load(Key, Audience),
    Expand(Key, bool),
    Unload(Key, Audience),
    Read(Key, &'static str),
    CallTool(String),
    // Of the agent.
    Forget(Key),
    Compact(Option<(Size, usize)>),
}

#[derive(Clone, Debug)]
enum Action {
    Ask(Ask),
    /// The same, but the listener takes so many events and refuses the next one.
    Refuse(Ask, usize),
    /// Calls that are under way at the same time, and which of them goes on when.
    Together(Vec<Ask>, Vec<u8>),
    // Of the agent.
    Check,
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

fn ask() -> impl Strategy<Value = Ask> {
    let reader = prop::sample::select(vec!["read_skill_file", "load_skill_resource"]);
    prop_oneof![
        8 => (asked(), audience()).prop_map(|(asked, audience)| Ask::Load(asked, audience)),
        2 => (asked(), any::<bool>()).prop_map(|(asked, fills)| Ask::Expand(asked, fills)),
        2 => (asked(), audience()).prop_map(|(asked, audience)| Ask::Unload(asked, audience)),
        2 => (asked(), reader).prop_map(|(asked, tool)| Ask::Read(asked, tool)),
        2 => served_tool().prop_map(Ask::CallTool),
        1 => asked().prop_map(Ask::Forget),
        2 => prop::option::weighted(0.8, budget()).prop_map(Ask::Compact),
    ]
}

/// What is asked for in calls that others may end before: what they may do is settled at their end.
fn ask_beside_others() -> impl Strategy<Value = Ask> {
    prop_oneof![
        8 => (asked(), audience()).prop_map(|(asked, audience)| Ask::Load(asked, audience)),
        3 => (asked(), any::<bool>()).prop_map(|(asked, fills)| Ask::Expand(asked, fills)),
        3 => (asked(), audience()).prop_map(|(asked, audience)| Ask::Unload(asked, audience)),
        1 => asked().prop_map(Ask::Forget),
    ]
}

fn action() -> impl Strategy<Value = Action> {
    let place = 0..PLACES.len();
    let together = prop::collection::vec(ask_beside_others(), 2..4);
    let order = prop::collection::vec(0..3_u8, 12);
    prop_oneof![
        18 => ask().prop_map(Action::Ask),
        5 => (ask(), 0..2_usize).prop_map(|(ask, taken)| Action::Refuse(ask, taken)),
        4 => (together, order).prop_map(|(asks, order)| Action::Together(asks, order)),
        1 => Just(Action::Check),
        1 => prop::bool::weighted(0.7).prop_map(Action::Connect),
        1 => Just(Action::Restore),
        1 => Just(Action::Replay),
        4 => (place.clone(), file()).prop_map(|(place, file)| Action::Write(place, file)),
        1 => place.prop_map(Action::Delete),
        1 => server().prop_map(Action::Serve),
        3 => Just(Action::Refresh),
    ]
}

/// How a session speaks.
fn speech() -> impl Strategy<Value = Speech> {
    let usual = Speech {
        tag: "skill_content",
        load_skill: "load_skill",
        read_skill_file: "read_skill_file",
    };
    let other = Speech {
        tag: "skill",
        load_skill: "use_skill",
        read_skill_file: "open",
    };
    prop::sample::select(vec![usual, other])
}

/// What a call comes to.
#[derive(Debug, PartialEq)]
enum Answer {
    Result(ToolResult),
    Expansion(Result<Expansion, skillshelf::Error>),
    Compaction(Compaction),
    Forgotten,
}

/// A call that is under way.
enum Running {
    Result(Operation<Outcome<ToolResult>>),
    Expansion(Operation<Outcome<Result<Expansion, skillshelf::Error>>>),
    Compaction(Operation<Outcome<Result<Compaction, skillshelf::Error>>>),
    Forget(Operation<Outcome<()>>),
}

impl Running {
    fn step(&mut self, replies: Vec<Reply>) -> Step<Outcome<Answer>> {
        const OVER: &str = "it is not over";
        match self {
            Self::Result(call) => of_step(call.step(replies).expect(OVER), Answer::Result),
            Self::Expansion(call) => of_step(call.step(replies).expect(OVER), Answer::Expansion),
            Self::Compaction(call) => of_step(call.step(replies).expect(OVER), |compaction| {
                Answer::Compaction(compaction.expect("tokens are counted"))
            }),
            Self::Forget(call) => of_step(call.step(replies).expect(OVER), |()| Answer::Forgotten),
        }
    }
}

fn of_step<T, U>(step: Step<Outcome<T>>, change: impl FnOnce(T) -> U) -> Step<Outcome<U>> {
    match step {
        Step::Requests(requests) => Step::Requests(requests),
        Step::Done(outcome) => Step::Done(Outcome {
            result: change(outcome.result),
            change: outcome.change,
        }),
    }
}

/// A session with somebody who listens, and the servers that run for it.
struct Talk {
    conversation: Conversation,
    speech: Speech,
    /// Those that were settled.
    running: RefCell<BTreeSet<(String, Option<String>)>>,
    /// All that it has told, as JSON text, beginning with what was stored.
    journal: RefCell<Vec<String>>,
}

impl Talk {
    fn new(
        conversation: Conversation,
        speech: Speech,
        connects: bool,
        journal: Vec<String>,
    ) -> Self {
        let talk = Self {
            conversation,
            speech,
            running: RefCell::default(),
            journal: RefCell::new(journal),
        };
        talk.connect(connects);
        talk
    }

    fn connect(&self, connects: bool) {
        if connects {
            self.conversation.connect_servers(Environment::default());
        } else {
            self.conversation.disconnect_servers();
            self.running.borrow_mut().clear();
        }
    }

    fn begin(&self, ask: &Ask) -> Running {
        let session = &self.conversation.session;
        let call = |tool: &str, arguments: Json| {
            let name = match tool {
                "load_skill" => self.speech.load_skill,
                "read_skill_file" => self.speech.read_skill_file,
                other => other,
            };
            let options = session.tool_options();
            Running::Result(session.call(name.to_owned(), arguments.to_string(), options))
        };
        let of_name = |name: &Key| json!({ "name": name.to_string() });
        match ask {
            Ask::Load(asked, Audience::User) => Running::Result(session.load(asked.to_string())),
            Ask::Load(asked, Audience::Model) => call("load_skill", of_name(asked)),
            Ask::Expand(asked, arguments) => {
                let options = ExpandOptions {
                    arguments: *arguments,
                    ..ExpandOptions::default()
                };
                Running::Expansion(session.expand(format!("/{asked} {EXTRA}"), options))
            }
            Ask::Unload(asked, Audience::User) => {
                Running::Result(session.unload(asked.to_string()))
            }
            Ask::Unload(asked, Audience::Model) => call("unload_skill", of_name(asked)),
            Ask::Read(asked, tool) => {
                call(tool, json!({ "skill": asked.to_string(), "path": "x.md" }))
            }
            Ask::CallTool(name) => {
                let options = session.tool_options();
                Running::Result(session.call(name.clone(), "{}".to_owned(), options))
            }
            Ask::Forget(asked) => Running::Forget(session.forget(vec![asked.to_string()])),
            Ask::Compact(budget) => Running::Compaction(session.compact(CompactOptions {
                budget: budget.map(budget_of),
            })),
        }
    }

    /// What a call comes to whose events are taken; or, where there are more than `taken`, nothing.
    fn end(&self, outcome: Outcome<Answer>, taken: Option<usize>) -> Option<Answer> {
        let journal = self.journal.borrow();
        let answer = match taken {
            None => Some(self.conversation.take(outcome)),
            Some(taken) => self.conversation.refuse(outcome, taken, &journal).ok(),
        };
        for Settlement { key, stay } in self.conversation.settled.take() {
            let skill = (key.name, key.version);
            let mut running = self.running.borrow_mut();
            if stay.is_empty() {
                running.remove(&skill);
            } else {
                running.insert(skill);
            }
        }
        answer
    }

    /// The names of the tools of servers.
    fn tools(&self) -> Vec<String> {
        let session = &self.conversation.session;
        let tools = session.tools(session.tool_options());
        let names = tools.expect("no name is taken").definitions();
        let mut names: Vec<String> = names.into_iter().map(|tool| tool.name).collect();
        names.retain(|name| name.contains("__"));
        names.sort();
        names
    }

    /// For which skills a server runs.
    fn running(&self) -> BTreeSet<Key> {
        let running = self.running.borrow();
        let key = |(name, version): &(String, Option<String>)| {
            key_of(&json!({ "name": name, "version": version }))
        };
        running.iter().map(key).collect()
    }

    /// What its state says that it holds, and which files were read.
    fn state(&self) -> (Vec<Held>, Vec<Key>) {
        let (mut held, mut read) = (Vec::new(), Vec::new());
        let stored = as_json(&self.conversation.session);
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
        has_arguments: event["arguments"] == EXTRA,
        dropped: false,
        tools: tools.iter().map(name).collect(),
    }
}

/// A catalog, and sessions that were stored and restored at different times: all must answer alike.
struct Stage {
    disk: Disk,
    catalog: Catalog,
    talks: Vec<Talk>,
    reference: Reference,
}

impl Stage {
    fn new(speech: Speech) -> Self {
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
        let mut stage = Self {
            disk,
            catalog,
            talks: Vec::new(),
            reference: Reference {
                speech,
                files,
                catalog: files,
                server: Server::Absent,
                connects: true,
                now: Holdings::default(),
                before: Vec::new(),
            },
        };
        stage.join(&[]);
        stage.serve(Server::Lists(1));
        stage
    }

    fn answer(&self, request: &Request) -> Reply {
        let answer = match request {
            Request::Connect { .. } => match self.reference.server {
                Server::Lists(count) => {
                    let tool = |name: &&str| Json::String(json!({ "name": name }).to_string());
                    let tools: Vec<Json> = SERVER_TOOLS[..count].iter().map(tool).collect();
                    json!({ "tools": tools })
                }
                Server::Absent | Server::Refused => json!({ "failed": "refused" }),
            },
            Request::CallServer { text } => {
                let asked: Json = serde_json::from_str(text).expect("it is JSON");
                let content = [json!({ "type": "text", "text": asked["tool"] })];
                json!({ "result": { "content": content } })
            }
            other => return self.disk.answer(other),
        };
        Reply::Text(answer.to_string())
    }

    fn run<T>(&self, operation: Operation<T>) -> T {
        let done = operation.run(|request| self.answer(request));
        done.expect("it was not over before")
    }

    /// What a call of one conversation comes to, if nothing else goes on.
    fn outcome(&self, mut running: Running) -> Outcome<Answer> {
        let mut replies = Vec::new();
        loop {
            match running.step(replies) {
                Step::Done(outcome) => return outcome,
                Step::Requests(requests) => {
                    replies = requests.iter().map(|asked| self.answer(asked)).collect();
                }
            }
        }
    }

    /// What every conversation answers; nothing where an event is refused after so many.
    fn ask(&self, ask: &Ask, taken: Option<usize>) -> Option<Answer> {
        let answer = |talk: &Talk| talk.end(self.outcome(talk.begin(ask)), taken);
        same(self.talks.iter().map(answer))
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
    fn join(&mut self, events: &[String]) {
        let conversation = self.restored(events);
        let Reference {
            speech, connects, ..
        } = self.reference;
        let talk = Talk::new(conversation, speech, connects, events.to_vec());
        if self.talks.len() == MOST_CONVERSATIONS {
            self.talks.remove(1);
        }
        self.talks.push(talk);
    }

    fn restored(&self, events: &[String]) -> Conversation {
        let Speech {
            tag,
            load_skill,
            read_skill_file,
        } = self.reference.speech;
        let rename = json!({ "load_skill": load_skill, "read_skill_file": read_skill_file });
        let tools = json!({ "wrapper": tag, "rename": rename });
        let events = events.join(",");
        let options = format!("{{\"state\":[{events}],\"tools\":{tools}}}");
        let options = SessionOptions::from_json(&options).expect("it is what was stored");
        Conversation::begin(&self.catalog, options).expect("its digests are right")
    }

    fn act(&mut self, action: Action) -> Result<(), TestCaseError> {
        self.reference.begin();
        match action {
            Action::Ask(ask) => {
                let answer = self.ask(&ask, None).expect("nothing is refused");
                self.check_answer(&ask, answer)?;
            }
            Action::Refuse(ask, taken) => {
                let answer = self.ask(&ask, Some(taken));
                let is_refused = answer.is_none();
                if let Some(answer) = answer {
                    self.check_answer(&ask, answer)?;
                } else {
                    self.expect(&ask);
                }
                prop_assert_eq!(self.reference.refuse(taken), is_refused);
            }
            Action::Together(asks, order) => self.together(&asks, &order)?,
            Action::Check => {
                let found = same(
                    self.talks
                        .iter()
                        .map(|talk| self.run(talk.conversation.check())),
                );
                let codes: Vec<&str> = found.iter().map(|found| found.code).collect();
                let expected = self.reference.check().into_iter().map(Since::code);
                prop_assert_eq!(codes, expected.collect::<Vec<_>>());
            }
            Action::Connect(connects) => {
                self.reference.connect(connects);
                for talk in &self.talks {
                    talk.connect(connects);
                }
            }
            Action::Restore => {
                let stored = as_text_of_events(&self.talks[0].conversation);
                self.join(&stored);
            }
            Action::Replay => {
                let journal = self.talks[0].journal.borrow().clone();
                self.join(&journal);
            }
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

    /// Several calls go on in turns. Each of them happens in the moment in which it ends.
    fn together(&mut self, asks: &[Ask], order: &[u8]) -> Result<(), TestCaseError> {
        let ends: Vec<Vec<(usize, Answer)>> = self
            .talks
            .iter()
            .map(|talk| self.in_turns(talk, asks, order))
            .collect();
        for (ask, answer) in same(ends.into_iter()) {
            self.check_answer(&asks[ask], answer)?;
        }
        Ok(())
    }

    /// The calls of one conversation, in the order in which they end.
    fn in_turns(&self, talk: &Talk, asks: &[Ask], order: &[u8]) -> Vec<(usize, Answer)> {
        let begin = |(at, ask)| (at, talk.begin(ask), Vec::new());
        let mut running: Vec<_> = asks.iter().enumerate().map(begin).collect();
        let mut turns = order.iter().cycle();
        let mut ended = Vec::new();
        while !running.is_empty() {
            let turn = usize::from(*turns.next().expect("they go on")) % running.len();
            let (at, call, replies) = &mut running[turn];
            match call.step(std::mem::take(replies)) {
                Step::Requests(requests) => {
                    *replies = requests.iter().map(|asked| self.answer(asked)).collect();
                }
                Step::Done(outcome) => {
                    let answer = talk.end(outcome, None).expect("nothing is refused");
                    ended.push((*at, answer));
                    running.remove(turn);
                }
            }
        }
        ended
    }

    /// What happens in the reference; what it comes to is of no interest.
    fn expect(&mut self, ask: &Ask) {
        let reference = &mut self.reference;
        match ask {
            Ask::Load(asked, audience) => drop(reference.load(*asked, *audience)),
            Ask::Expand(asked, fills) => drop(reference.expand(*asked, *fills)),
            Ask::Unload(asked, _) => drop(reference.unload(*asked)),
            Ask::Read(asked, _) => drop(reference.read(*asked)),
            Ask::CallTool(name) => drop(reference.call_tool(name)),
            Ask::Forget(asked) => reference.forget(*asked),
            Ask::Compact(budget) => drop(reference.compact(*budget)),
        }
    }

    /// What the reference comes to is what was answered.
    fn check_answer(&mut self, ask: &Ask, answer: Answer) -> Result<(), TestCaseError> {
        let reference = &mut self.reference;
        match (ask, answer) {
            (Ask::Load(asked, audience), Answer::Result(result)) => {
                let (load, tools) = reference.load(*asked, *audience);
                check_load(reference, &result, asked.name, &load, &tools)?;
            }
            (Ask::Expand(asked, fills), Answer::Expansion(found)) => {
                match (found, reference.expand(*asked, *fills)) {
                    (Ok(Expansion::Skill { text, .. }), Ok(expected)) => {
                        prop_assert_eq!(text, expected);
                    }
                    (Ok(Expansion::Unknown { .. }), Err(Load::NotFound)) => {}
                    (Err(error), Err(Load::FileGone)) => {
                        prop_assert_eq!(error.code(), "FILE_NOT_FOUND");
                    }
                    (found, expected) => prop_assert!(false, "{found:?}, not {expected:?}"),
                }
            }
            (Ask::Unload(asked, _), Answer::Result(result)) => {
                prop_assert_eq!(!result.is_error(), reference.unload(*asked));
            }
            (Ask::Read(asked, _), Answer::Result(result)) => {
                let code = (!reference.read(*asked)).then_some("SKILL_NOT_FOUND");
                prop_assert_eq!(result.code(), code);
            }
            (Ask::CallTool(name), Answer::Result(result)) => {
                let code = reference.call_tool(name);
                prop_assert_eq!(result.code(), code, "{}", result.content);
                prop_assert!(code.is_some() || name.ends_with(&result.content));
            }
            (Ask::Forget(asked), Answer::Forgotten) => reference.forget(*asked),
            (Ask::Compact(budget), Answer::Compaction(found)) => {
                let keep = found.keep.into_iter().map(|kept| kept.text);
                let notes = found.notes.into_iter().map(|note| note.text);
                let found = Compacted {
                    keep: keep.collect(),
                    notes: notes.collect(),
                };
                prop_assert_eq!(found, reference.compact(*budget));
            }
            (ask, answer) => prop_assert!(false, "{answer:?} to {ask:?}"),
        }
        Ok(())
    }

    /// All conversations hold what the reference holds.
    fn check_state(&mut self) -> Result<(), TestCaseError> {
        let Holdings {
            held,
            read,
            running,
            ..
        } = &self.reference.now;
        let mut told = Vec::new();
        for talk in &self.talks {
            let (found_held, found_read) = talk.state();
            prop_assert_eq!(&found_held, held);
            prop_assert_eq!(&found_read, read);
            prop_assert_eq!(talk.tools(), self.reference.offered());
            prop_assert_eq!(talk.conversation.loaded().len(), held.len());
            let told_now = talk.conversation.told.take();
            talk.journal.borrow_mut().extend(told_now.iter().cloned());
            told.push(told_now);
            // One that was restored has started none by itself.
            prop_assert!(talk.running().is_subset(running));
        }
        same(told.iter().map(|told| without_bodies(told)));
        let first = &self.talks[0];
        prop_assert_eq!(&first.running(), running);
        let diagnostics = first.conversation.diagnostics();
        let mut codes: Vec<&str> = diagnostics.iter().map(|found| found.code).collect();
        codes.sort_unstable();
        prop_assert_eq!(codes, self.reference.diagnostics());
        let again = self.restored(&first.journal.borrow());
        prop_assert_eq!(again.to_json(), first.conversation.to_json());
        Ok(())
    }
}

/// Events but for the bodies: a session that was restored has told none yet, so it tells them once more.
fn without_bodies(told: &[String]) -> Vec<Json> {
    let event = |text: &String| {
        let mut event: Json = serde_json::from_str(text).expect("it is JSON");
        event.as_object_mut().expect("an event").remove("body");
        event
    };
    told.iter().map(event).collect()
}

/// What all of them are.
fn same<T: PartialEq + Debug>(mut all: impl Iterator<Item = T>) -> T {
    let first = all.next().expect("there is one");
    for other in all {
        assert_eq!(first, other, "a restored session answers otherwise");
    }
    first
}

/// The events of a state as JSON text, in which keys have their order; nothing where there are none.
fn as_text_of_events(conversation: &Conversation) -> Vec<String> {
    let stored = conversation.to_json();
    let events = stored.strip_prefix("{\"events\":[");
    let events = events.and_then(|events| events.strip_suffix("]}"));
    let events = events.expect("it is a state").to_owned();
    Vec::from_iter((!events.is_empty()).then_some(events))
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
    reference: &Reference,
    result: &ToolResult,
    name: &str,
    load: &Load,
    tools: &ToldTools,
) -> Result<(), TestCaseError> {
    let content = &result.content;
    let skill = format!("The skill \"{name}\" ");
    let wrapped = |text: &String| reference.wrapped(name, text);
    let expected_code = match load {
        Load::NotFound => Some("SKILL_NOT_FOUND"),
        Load::FileGone => Some("FILE_NOT_FOUND"),
        _ => None,
    };
    prop_assert_eq!(result.code(), expected_code, "{}", content);
    let beginning = match load {
        Load::Text(text) => wrapped(text),
        Load::Changed(text) => {
            let change = "has changed since it was loaded; this replaces its earlier instructions.";
            format!("{skill}{change}\n\n{}", wrapped(text))
        }
        Load::Already => skill + "is already loaded: its instructions are in this conversation",
        Load::Recorded(_) => skill + "as it was loaded earlier (",
        Load::AlreadyRecorded => skill + "is already loaded (its file ",
        Load::NotFound | Load::FileGone => return Ok(()),
    };
    prop_assert!(
        content.starts_with(&beginning),
        "{content}, not {beginning} as of {load:?}"
    );
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
        Load::Recorded(text) => prop_assert!(content.ends_with(&reference.wrapped(name, text))),
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
        speech in speech(),
        actions in prop::collection::vec(action(), 0..40),
    ) {
        let mut stage = Stage::new(speech);
        for action in actions {
            stage.act(action)?;
            stage.check_state()?;
        }
    }
}

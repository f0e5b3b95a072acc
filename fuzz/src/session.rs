//! A session that goes on with any stored state, and any calls of it.

use skillshelf::{
    Budget, Catalog, CompactOptions, Environment, LoadOptions, Session, SessionOptions, ToJson,
    ToolOptions,
};

use super::catalog::{arguments, check_result, file, tool};
use super::disk::Disk;
use super::host::Host;
use super::input::{Input, OUTSIDE};

/// What a state is made of.
const WORDS: [&str; 26] = [
    "events",
    "type",
    "skill_loaded",
    "skill_unloaded",
    "skill_dropped",
    "resource_loaded",
    "name",
    "version",
    "a",
    "demo",
    "1.10",
    "digest",
    "body",
    "path",
    "x.md",
    "tools",
    "servers",
    "modelInvocable",
    "description",
    "inputSchema",
    "object",
    "server",
    "tool",
    "command",
    "url",
    // Of an empty body.
    "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
];

/// Restores what the bytes say, and asks for what they say.
pub fn check(data: &[u8]) {
    let mut input = Input::new(data);
    let state = state(&mut input);
    let mut disk = Disk::default();
    disk.write("secret", OUTSIDE.to_string());
    for path in ["s/a/SKILL.md", "s/demo/SKILL.md", "s/demo/inner.md"] {
        disk.write(path, file(&mut input));
    }
    disk.write("s/a/x.md", "x");
    disk.write("s/a/mcp.json", r#"{"mcpServers":{"x":{"command":"node"}}}"#);
    let (seed, is_honest) = (input.seed(), input.below(4) > 0);
    let sources = vec![disk.source("s")];
    let mut host = Host::new(&disk, seed, true);
    let catalog = host.run(Catalog::load(sources, LoadOptions::default()));
    let catalog = catalog.expect("it is skipped what cannot be read");
    let stored = restored(&catalog, &mut host, &state);
    let mut session = stored.unwrap_or_else(|| begun(&catalog, &mut host));
    for _ in 0..input.below(10) {
        if input.flag() {
            session.connect_servers(Environment::default());
        }
        let says = input.pick(&[
            r#"{"tools":["{\"name\":\"t\"}"]}"#,
            r#"{"result":{"content":[{"type":"text","text":"t"}]}}"#,
            r#"{"failed":"ended"}"#,
            "",
        ]);
        let mut host = Host::new(&disk, seed, is_honest);
        says.clone_into(&mut host.server_says);
        act(&session, &mut host, &mut input);
        session = check_state(&catalog, &session, &mut host);
    }
    disk.write("s/a/SKILL.md", file(&mut input));
    disk.remove("s/demo");
    let mut host = Host::new(&disk, seed, is_honest);
    let _ = host.run(catalog.refresh());
    for _ in 0..input.below(4) {
        act(&session, &mut host, &mut input);
        session = check_state(&catalog, &session, &mut host);
    }
}

fn begun(catalog: &Catalog, host: &mut Host<'_>) -> Session {
    let begun = host.run(Session::begin(catalog, SessionOptions::default()));
    begun.expect("nothing is stored")
}

/// A state in its form, or any JSON.
fn state(input: &mut Input<'_>) -> String {
    if input.below(8) == 0 {
        return input.json(&WORDS, 4);
    }
    let mut events = Vec::new();
    for _ in 0..input.below(6) {
        let kind = input.pick(&[
            "skill_loaded",
            "skill_loaded",
            "skill_unloaded",
            "skill_dropped",
            "resource_loaded",
        ]);
        let name = input.word(&["a", "demo", "inner", "gone"]);
        let version = input.pick(&["", r#","version":"1.10""#, r#","version":null"#]);
        let digest = WORDS[WORDS.len() - 1];
        let tools = input.pick(&[
            "[]",
            r#"[{"name":"a__t","description":"","inputSchema":{},"server":"x","tool":"t"}]"#,
            r#"[{"name":"a__t","description":"","server":"y","tool":"t"},{"name":"load_skill","description":"","server":"x","tool":"t"}]"#,
        ]);
        let servers = match input.below(12) {
            0..6 => "[]".to_owned(),
            6..11 => {
                r#"[{"name":"x","command":"node","cwd":"./a/","env":{"A":"${A}"}}]"#.to_owned()
            }
            _ => input.json(&WORDS, 2),
        };
        let path = input.word(&["x.md", "b/x.md"]);
        events.push(format!(
            r#"{{"type":"{kind}","name":{name}{version},"digest":"{digest}","body":"","tools":{tools},"servers":{servers},"path":{path}}}"#
        ));
    }
    format!("[{}]", events.join(","))
}

/// The session of a state, if it is one.
fn restored(catalog: &Catalog, host: &mut Host<'_>, state: &str) -> Option<Session> {
    let options = SessionOptions::from_json(&format!("{{\"state\":{state}}}")).ok()?;
    host.run(Session::begin(catalog, options)).ok()
}

/// What a session holds can be stored, and is the same when it is restored.
fn check_state(catalog: &Catalog, session: &Session, host: &mut Host<'_>) -> Session {
    let state = session.to_json();
    let again = restored(catalog, host, &state).expect("it is a state");
    assert_eq!(again.to_json(), state);
    assert_eq!(again.loaded(), session.loaded());
    again
}

fn act(session: &Session, host: &mut Host<'_>, input: &mut Input<'_>) {
    let is_honest = host.is_honest();
    let name = input
        .pick(&["a", "demo", "a@1.10", "inner", "gone", ""])
        .to_owned();
    match input.below(8) {
        0 => check_result(&host.call(session.load(name)), is_honest),
        1 => check_result(&host.call(session.unload(name)), is_honest),
        2 => host.call(session.forget(vec![name, input.text()])),
        3 => compact(session, host, input),
        4 => {
            let line = format!("/{name} {}", input.text());
            let _ = host.call(session.expand(line, skillshelf::ExpandOptions::default()));
        }
        5 => {
            let found = host.run(session.check());
            assert!(found.len() <= session.loaded().len());
            assert!(found.iter().all(|found| !found.message.contains('\n')));
        }
        6 => call_served(session, host),
        _ => {
            let call = session.call(tool(input), arguments(input), ToolOptions::default());
            check_result(&host.call(call), is_honest);
        }
    }
}

/// What is kept fits, and of the rest each has a line.
fn compact(session: &Session, host: &mut Host<'_>, input: &mut Input<'_>) {
    let limit = u32::from(input.raw(1).first().copied().unwrap_or_default()) * 4;
    let options = CompactOptions {
        budget: Some(Budget::Characters(limit)),
    };
    let compaction = host.call(session.compact(options)).expect("nobody counts");
    let size: usize = compaction
        .keep
        .iter()
        .map(|kept| kept.text.chars().count())
        .sum();
    assert!(size <= limit as usize);
    assert_eq!(
        compaction.keep.len() + compaction.notes.len(),
        session.loaded().len()
    );
    for note in compaction.notes {
        assert!(!note.text.contains(['\n', '\r', '\u{2028}']), "{note:?}");
        assert!(note.text.len() < 4000, "{note:?}");
    }
}

/// Every tool that is offered has a name of its own, and can be called.
fn call_served(session: &Session, host: &mut Host<'_>) {
    let tools = session
        .tools(ToolOptions::default())
        .expect("nothing is taken");
    let mut names: Vec<String> = tools
        .definitions()
        .into_iter()
        .map(|tool| tool.name)
        .collect();
    for name in &names {
        let call = session.call(name.clone(), "{}".to_owned(), ToolOptions::default());
        let result = host.call(call);
        assert_ne!(result.code(), Some("TOOL_UNKNOWN"), "{name}");
    }
    let count = names.len();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), count);
}

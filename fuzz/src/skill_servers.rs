//! An `mcp.json` of any bytes, servers that say anything, and what a session makes of both.

use skillshelf::{
    Catalog, Environment, LoadOptions, Session, SessionOptions, ToJson, ToolOptions, Value,
};

use super::disk::Disk;
use super::host::Host;
use super::input::{Input, quoted};

/// What the host gives for `${TOKEN}`. No text that is made of the bytes has it.
const SECRET: &str = "Ω-secret";
/// Bytes of all that is asked for a skill's servers.
const MOST_ASKED: usize = 1024 * 1024;

/// What a configuration is made of.
const WORDS: [&str; 24] = [
    "mcpServers",
    "x",
    "y",
    "command",
    "node",
    "args",
    "env",
    "A",
    "cwd",
    "bin",
    "../up",
    "type",
    "stdio",
    "http",
    "sse",
    "url",
    "https://x.example/${TOKEN}",
    "headers",
    "Authorization",
    "Bearer ${TOKEN}",
    "${",
    "$${TOKEN}",
    "${NONE:-d}",
    "${NONE}",
];
/// What a server's answer is made of.
const SAID: [&str; 20] = [
    "tools",
    "name",
    "t",
    "description",
    "inputSchema",
    "type",
    "object",
    "properties",
    "result",
    "content",
    "text",
    "image",
    "data",
    "aGk=",
    "mimeType",
    "isError",
    "structuredContent",
    "error",
    "failed",
    "ended",
];

/// Loads a skill with the servers of the bytes, and calls what they offer.
pub fn check(data: &[u8]) {
    let mut input = Input::new(data);
    let lists = [listed(&mut input), listed(&mut input)];
    let mut disk = Disk::default();
    disk.write(
        "s/a/SKILL.md",
        "---\nname: a\ndescription: Fine.\n---\nText.",
    );
    disk.directory("s/a/bin");
    disk.write("s/a/mcp.json", config(&mut input));
    let mut host = Host::new(&disk, 0, true);
    let catalog = host.run(Catalog::load(
        vec![disk.source("s")],
        LoadOptions::default(),
    ));
    let catalog = catalog.expect("it can be read");
    let session = begun(&catalog, &mut host, "[]");
    let environment = format!(r#"{{"environment":{{"TOKEN":"{SECRET}"}}}}"#);
    session.connect_servers(Environment::from_json(&environment).expect("it is text"));
    for list in lists {
        host.server_says = list;
        let result = host.call(session.load("a".to_owned()));
        assert!(!result.is_error() && result.content.len() < 20_000);
        assert!(!result.content.contains(SECRET), "{}", result.content);
        call_tools(&session, &mut host, &mut input);
    }
    for found in session.server_findings() {
        assert!(
            !found.message.contains(['\n', '\r', '\u{2028}']),
            "{found:?}"
        );
        assert!(
            !found.message.contains(SECRET) && found.hint.is_some(),
            "{found:?}"
        );
    }
    check_asked(&host);
    let state = session.to_json();
    assert!(!state.contains(SECRET), "{state}");
    assert_eq!(begun(&catalog, &mut host, &state).to_json(), state);
}

/// An `mcp.json` in its form, or any bytes.
fn config(input: &mut Input<'_>) -> Vec<u8> {
    match input.below(6) {
        0 => input.bytes(),
        1 => input.json(&WORDS, 5).into_bytes(),
        _ => {
            let servers = 0..input.below(4);
            let server = servers.map(|_| {
                let name = input.word(&["x", "y", "a b", ""]);
                let kind = input.pick(&["command", "url"]);
                let place = input.word(&["node", "https://x.example/${TOKEN}", "${TOKEN}"]);
                let keys = ["args", "env", "cwd", "headers", "type", "disabled"];
                let more = input.pick(&keys);
                format!(
                    "{name}:{{\"{kind}\":{place},\"{more}\":{}}}",
                    input.json(&WORDS, 2)
                )
            });
            let servers = server.collect::<Vec<_>>().join(",");
            format!("{{\"mcpServers\":{{{servers}}}}}").into_bytes()
        }
    }
}

/// What a server lists: mostly tools, each as JSON text of its own.
fn listed(input: &mut Input<'_>) -> String {
    match input.below(8) {
        0 => input.json(&SAID, 4),
        1 => format!("{{\"tools\":[{}]}}", input.json(&SAID, 3)),
        _ => {
            let tools = 0..=input.below(3);
            let tool = tools.map(|_| {
                let (name, text) = (input.word(&["t", "u", "load_skill"]), quoted(&input.text()));
                let schema = input.pick(&["{}", "null", r#"{"type":"object"}"#, "1"]);
                quoted(&format!(
                    "{{\"name\":{name},\"description\":{text},\"inputSchema\":{schema}}}"
                ))
            });
            format!("{{\"tools\":[{}]}}", tool.collect::<Vec<_>>().join(","))
        }
    }
}

/// What a tool of a server answers: mostly a result with parts.
fn answered(input: &mut Input<'_>) -> String {
    match input.below(6) {
        0 => input.json(&SAID, 4),
        1 => format!(
            "{{\"error\":{}}}",
            quoted(&format!("{}{SECRET}", input.text()))
        ),
        _ => {
            let parts = 0..input.below(4);
            let part = parts.map(|_| {
                let kind = input.pick(&["text", "image", "resource", "resource_link"]);
                let (text, more) = (quoted(&input.text()), input.json(&SAID, 2));
                format!(
                    "{{\"type\":\"{kind}\",\"text\":{text},\"data\":{text},\"resource\":{more}}}"
                )
            });
            let parts = part.collect::<Vec<_>>().join(",");
            let more = input.json(&SAID, 2);
            format!("{{\"result\":{{\"content\":[{parts}],\"structuredContent\":{more}}}}}")
        }
    }
}

fn begun(catalog: &Catalog, host: &mut Host<'_>, state: &str) -> Session {
    let options = SessionOptions::from_json(&format!("{{\"state\":{state}}}"));
    let begun = host.run(Session::begin(catalog, options.expect("it is a state")));
    begun.expect("its digests are right")
}

/// Tools have names that providers accept, schemas of objects, and answers that are bounded.
fn call_tools(session: &Session, host: &mut Host<'_>, input: &mut Input<'_>) {
    let tools = session
        .tools(ToolOptions::default())
        .expect("nothing is taken");
    for tool in tools.definitions() {
        let is_in_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        assert!(
            tool.name.len() <= 64 && tool.name.chars().all(is_in_name),
            "{}",
            tool.name
        );
        assert!(!tool.description.contains('\n') && tool.description.len() < 10_000);
        let Value::Map(schema) = &tool.input_schema else {
            panic!("{:?}", tool.input_schema);
        };
        assert_eq!(schema.get("type").and_then(Value::as_str), Some("object"));
        if !tool.name.contains("__") {
            continue;
        }
        host.server_says = answered(input);
        let call = session.call(tool.name, "{\"q\":1}".to_owned(), ToolOptions::default());
        let result = host.call(call);
        assert!(result.content.len() < 300_000);
        assert!(!result.content.contains(SECRET), "{}", result.content);
    }
}

/// What is shown for approval has no value of the host; what is asked is JSON.
fn check_asked(host: &Host<'_>) {
    let size: usize = host.asked_of_servers.iter().map(String::len).sum();
    assert!(size <= MOST_ASKED);
    for asked in &host.asked_of_servers {
        let Some(Value::Map(asked)) = Value::from_json(asked) else {
            panic!("{asked}");
        };
        assert_eq!(asked.get("skill").and_then(Value::as_str), Some("a"));
        let shown = asked.get("config").map(ToJson::to_json);
        assert!(!shown.unwrap_or_default().contains(SECRET));
        let is_server = asked.get("server").is_some();
        assert_eq!(asked.get("start").is_some(), is_server);
        if let Some(directory) = asked.get("directory").and_then(Value::as_str) {
            assert!(
                directory == "/s/a" || directory.starts_with("/s/a/"),
                "{directory}"
            );
            assert!(
                !directory.split('/').any(|segment| segment == ".."),
                "{directory}"
            );
        }
    }
}

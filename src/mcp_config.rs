//! `mcp.json` in a skill's directory: the servers whose tools come with the skill.
//!
//! It is read in the form that clients share: `mcpServers` by name, each with a `command` (stdio) or
//! a `url` (streamable HTTP). What is wrong with one server does not lose the others.

mod display;
mod entry;
mod reference;
mod resolved;

use crate::diagnostic::{Diagnostic, MOST_FINDINGS, Mode, Position, Rule};
use crate::json::{self, Object, ToJson};
use crate::near::near;
use crate::server_tool::sanitized;
use crate::text::quoted;
use crate::value::{Map, Value};

use entry::{Fault, transport};
pub use reference::Environment;
pub(crate) use reference::Unresolved;

/// Where a skill says which servers it brings.
pub(crate) const FILE: &str = "mcp.json";
/// Bytes of it that are read.
pub(crate) const LARGEST: u32 = 64 * 1024;
/// Servers of one skill.
const MOST_SERVERS: usize = 16;
/// Where the servers are.
const SERVERS: &str = "mcpServers";
const STDIO: &str = "stdio";
const HTTP: &str = "http";

const CONFIG: Rule = Rule::tolerated("mcp-config-invalid");
const SERVER: Rule = Rule::tolerated("mcp-server-invalid");
const DUPLICATE: Rule = Rule::tolerated("mcp-server-duplicate");
const DISABLED: Rule = Rule::info("mcp-server-disabled");
const HIDDEN_CHARACTERS: Rule = Rule::warning("mcp-hidden-characters");

/// A server as a skill's `mcp.json` writes it, references to the environment included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerConfig {
    /// Its name in the file.
    pub name: String,
    /// How it is reached.
    pub transport: Transport,
}

/// How a server is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Transport {
    /// A program that is started, and talked to over its standard input and output.
    Stdio {
        /// What is started. No shell reads it.
        command: String,
        /// Its arguments.
        args: Vec<String>,
        /// Variables of its environment.
        env: Vec<(String, String)>,
        /// Where it runs, relative to the skill's directory.
        cwd: Option<String>,
    },
    /// Streamable HTTP.
    Http {
        /// Where it is.
        url: String,
        /// Sent with every request.
        headers: Vec<(String, String)>,
    },
}

impl ToJson for ServerConfig {
    fn write_json(&self, out: &mut String) {
        let mut object = Object::begin(out);
        object.field("name", &self.name);
        self.transport.write_fields(&mut object);
        object.end();
    }
}

impl ToJson for Transport {
    fn write_json(&self, out: &mut String) {
        let mut object = Object::begin(out);
        self.write_fields(&mut object);
        object.end();
    }
}

impl Transport {
    fn write_fields(&self, object: &mut Object<'_>) {
        match self {
            Self::Stdio {
                command,
                args,
                env,
                cwd,
            } => {
                object
                    .field("type", &STDIO)
                    .field("command", command)
                    .field("args", args)
                    .field("env", &Texts(env))
                    .optional("cwd", cwd.as_ref());
            }
            Self::Http { url, headers } => {
                object
                    .field("type", &HTTP)
                    .field("url", url)
                    .field("headers", &Texts(headers));
            }
        }
    }
}

/// An object that has only text.
struct Texts<'a>(&'a [(String, String)]);

impl ToJson for Texts<'_> {
    fn write_json(&self, out: &mut String) {
        let mut object = Object::begin(out);
        for (key, value) in self.0 {
            object.field(key, value);
        }
        object.end();
    }
}

/// What an `mcp.json` says.
#[derive(Debug, Default)]
pub(crate) struct McpConfig {
    /// Those that can be used, in the order of the file.
    pub(crate) servers: Vec<ServerConfig>,
    pub(crate) findings: Vec<Diagnostic>,
}

/// Reads the bytes of an `mcp.json`, of which there may be one more than [`LARGEST`].
pub(crate) fn parse(bytes: &[u8], mode: Mode) -> McpConfig {
    let mut config = McpConfig::default();
    let map = match servers_of(bytes) {
        Ok(map) => map,
        Err((Fault { problem, hint }, position)) => {
            let mut finding = Diagnostic::new(&CONFIG, mode, problem).with_hint(hint);
            finding.position = position;
            config.findings.push(finding);
            return config;
        }
    };
    for (name, value) in map.0 {
        if config.servers.len() == MOST_SERVERS || config.findings.len() == MOST_FINDINGS {
            let message = [
                "there are more than ",
                &MOST_SERVERS.to_string(),
                " servers",
            ]
            .concat();
            config.findings.push(
                Diagnostic::new(&CONFIG, mode, message)
                    .with_hint("leave out what the skill does not need"),
            );
            break;
        }
        config.add(name, &value, mode);
    }
    config
}

impl McpConfig {
    fn add(&mut self, name: String, value: &Value, mode: Mode) {
        let own = sanitized(&name);
        let mut servers = self.servers.iter();
        if let Some(other) = servers.find(|other| sanitized(&other.name) == own) {
            let problem = [
                "has the same name as ",
                &quoted(&other.name),
                ", which comes first; only letters, digits, - and _ tell names apart",
            ]
            .concat();
            return self.find(&DUPLICATE, mode, &name, &problem, "rename one of them");
        }
        if let Value::Map(map) = value
            && map.get("disabled") == Some(&Value::Bool(true))
        {
            let hint = "remove \"disabled\", if the server is wanted";
            return self.find(&DISABLED, mode, &name, "is disabled", hint);
        }
        match transport(&name, value) {
            Ok(transport) => {
                if let Some(problem) = transport.hidden_characters() {
                    let hint = "remove them: they hide what is started";
                    self.find(&HIDDEN_CHARACTERS, mode, &name, &problem, hint);
                }
                self.servers.push(ServerConfig { name, transport });
            }
            Err(Fault { problem, hint }) => self.find(&SERVER, mode, &name, &problem, hint),
        }
    }

    /// Adds what is found of one server.
    fn find(&mut self, rule: &Rule, mode: Mode, name: &str, problem: &str, hint: &'static str) {
        let message = ["the server ", &quoted(name), " ", problem].concat();
        let found = Diagnostic::new(rule, mode, message);
        self.findings.push(found.with_hint(hint));
    }
}

/// The object `mcpServers`; or what is wrong, and where.
fn servers_of(bytes: &[u8]) -> Result<Map, (Fault, Option<Position>)> {
    let wrong = |problem: String, hint| Err((Fault { problem, hint }, None));
    if bytes.len() > LARGEST as usize {
        let most = LARGEST.to_string();
        let problem = ["mcp.json has more than ", &most, " bytes"].concat();
        return wrong(problem, "shorten it");
    }
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text.strip_prefix('\u{feff}').unwrap_or(text),
        Err(error) => {
            let place = error.valid_up_to().to_string();
            let problem = ["mcp.json is not UTF-8 at byte ", &place].concat();
            return wrong(problem, "save it as UTF-8");
        }
    };
    let value = json::parse(text).map_err(|malformed| {
        let problem = "mcp.json is not JSON".to_owned();
        let hint = "comments and commas at the end are not JSON";
        let place = Position::in_text(text, malformed.offset);
        (Fault { problem, hint }, Some(place))
    })?;
    let problem = match value {
        Value::Map(map) => {
            let near = servers_under_another_key(&map);
            let mut entries = map.0.into_iter();
            match (entries.find(|(key, _)| key == SERVERS), near) {
                (Some((_, Value::Map(servers))), _) => return Ok(servers),
                (Some((_, other)), _) => wrong_object(SERVERS, &other),
                (None, Some(near)) => {
                    let near = quoted(&near);
                    ["mcp.json has no \"mcpServers\", but ", &near].concat()
                }
                (None, None) => "mcp.json has no \"mcpServers\"".to_owned(),
            }
        }
        other => wrong_object(FILE, &other),
    };
    let hint = "write { \"mcpServers\": { \"name\": { \"command\": \"…\" } } }";
    wrong(problem, hint)
}

fn wrong_object(what: &str, value: &Value) -> String {
    [what, " must be an object; it is ", value.kind()].concat()
}

/// A key that other programs read in place of `mcpServers`, or one that is misspelled; or that of a
/// single server, which has no name.
fn servers_under_another_key(map: &Map) -> Option<String> {
    let keys = || map.0.iter().map(|(key, _)| key.as_str());
    let is_other = |key: &&str| ["servers", "command", "url"].contains(key);
    let other = keys().find(is_other);
    other
        .map(str::to_owned)
        .or_else(|| near(SERVERS, keys()).into_iter().next())
}

/// Reads the servers of a skill as a session has stored them; nothing where it could not have.
pub(crate) fn stored_servers(stored: &[Value]) -> Option<Vec<ServerConfig>> {
    let mut servers: Vec<ServerConfig> = Vec::new();
    for server in stored {
        let server = stored_server(server).ok()?;
        let is_twice = servers.iter().any(|other| other.name == server.name);
        if is_twice || servers.len() == MOST_SERVERS {
            return None;
        }
        servers.push(server);
    }
    Some(servers)
}

/// Reads a server as a session has stored it.
pub(crate) fn stored_server(value: &Value) -> Result<ServerConfig, String> {
    let Value::Map(map) = value else {
        return Err(["must be an object; it is ", value.kind()].concat());
    };
    let name = map.get("name").and_then(Value::as_str).unwrap_or_default();
    match transport(name, value) {
        Ok(transport) => Ok(ServerConfig {
            name: name.to_owned(),
            transport,
        }),
        Err(fault) => Err(fault.problem),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> McpConfig {
        parse(text.as_bytes(), Mode::Lenient)
    }

    fn one(server: &str) -> McpConfig {
        parsed(&format!(r#"{{"mcpServers":{{"s":{server}}}}}"#))
    }

    fn problem(config: &McpConfig) -> String {
        assert!(config.servers.is_empty(), "{:?}", config.servers);
        assert_eq!(config.findings.len(), 1, "{:?}", config.findings);
        assert!(config.findings[0].hint.is_some());
        config.findings[0].message.to_string()
    }

    #[test]
    fn both_kinds_are_read_by_any_of_their_spellings() {
        for (server, json) in [
            (
                r#"{"command":"node","args":["a","${B}"],"env":{"K":"v"},"cwd":"./x/"}"#,
                r#"{"name":"s","type":"stdio","command":"node","args":["a","${B}"],"env":{"K":"v"},"cwd":"x"}"#,
            ),
            (
                r#"{"type":"stdio","command":"node","args":null,"cwd":".","other":1}"#,
                r#"{"name":"s","type":"stdio","command":"node","args":[],"env":{}}"#,
            ),
            (
                r#"{"url":"https://x/mcp","headers":{"A-b":"Bearer ${T}"}}"#,
                r#"{"name":"s","type":"http","url":"https://x/mcp","headers":{"A-b":"Bearer ${T}"}}"#,
            ),
            (
                r#"{"type":"streamableHttp","url":"HTTP://x","command":"unused"}"#,
                r#"{"name":"s","type":"http","url":"HTTP://x","headers":{}}"#,
            ),
            (
                r#"{"type":"streamable-http","url":"${URL}"}"#,
                r#"{"name":"s","type":"http","url":"${URL}","headers":{}}"#,
            ),
        ] {
            let config = one(server);
            assert!(config.findings.is_empty(), "{:?}", config.findings);
            assert_eq!(config.servers[0].to_json(), json);
            let stored = json::parse(json).unwrap();
            assert_eq!(stored_server(&stored).as_ref(), Ok(&config.servers[0]));
        }
    }

    #[test]
    fn what_is_wrong_with_a_server_is_named() {
        for (server, expected) in [
            ("1", "must be an object; it is a number"),
            ("{}", "has neither a command nor a url"),
            (r#"{"command":""}"#, "has no command"),
            (
                r#"{"command":"x","cwd":"${DIR}/a"}"#,
                "has a reference in cwd, where none is replaced",
            ),
            (
                r#"{"command":"a","url":"http://x"}"#,
                "has both a command and a url",
            ),
            (
                r#"{"command":1}"#,
                "must have text in command; it is a number",
            ),
            (
                r#"{"command":"a","command":"b"}"#,
                "has the key \"command\" twice",
            ),
            (
                r#"{"command":"a","args":"b"}"#,
                "must have a list of text in args; it is text",
            ),
            (
                r#"{"command":"a","args":[1]}"#,
                "must have text in args; it is a number",
            ),
            (
                r#"{"command":"a","env":[]}"#,
                "must have an object of text in env; it is a list",
            ),
            (
                r#"{"command":"a","env":{"A":"1","A":"2"}}"#,
                "has a name twice in env",
            ),
            (
                r#"{"command":"a","env":{"A=B":"1"}}"#,
                "has a variable in env whose name cannot be used",
            ),
            (
                r#"{"command":"a\u0000b"}"#,
                "has a control character in command",
            ),
            (
                r#"{"command":"a","args":["\u001b[0m"]}"#,
                "has a control character in args",
            ),
            (
                r#"{"command":"a","cwd":"../x"}"#,
                "has a cwd that is refused: it leaves the skill's directory",
            ),
            (
                r#"{"command":"a","cwd":"/etc"}"#,
                "has a cwd that is refused: it is absolute",
            ),
            (
                r#"{"command":"a","args":["${A"]}"#,
                "args cannot be used: a reference has no end",
            ),
            (
                r#"{"command":"a","args":["${A B}"]}"#,
                "args cannot be used: a reference has no name",
            ),
            (
                r#"{"type":"sse","url":"http://x"}"#,
                "has the type \"sse\", which is not known",
            ),
            (r#"{"type":"http","command":"a"}"#, "has no url"),
            (
                r#"{"url":"file:///etc/passwd"}"#,
                "has a url that is not http or https",
            ),
            (r#"{"url":"//x"}"#, "has a url that is not http or https"),
            (r#"{"url":"https://"}"#, "has a url that is no address"),
            (
                r#"{"url":"https://a:b@x"}"#,
                "has a name or a password in its url",
            ),
            (
                r#"{"url":"https://x","headers":{"a b":"c"}}"#,
                "has a header whose name cannot be used",
            ),
            (
                r#"{"url":"https://x","headers":{"a":"c\r\nd: e"}}"#,
                "has a control character in headers",
            ),
        ] {
            assert_eq!(
                problem(&one(server)),
                format!("the server \"s\" {expected}")
            );
        }
    }

    #[test]
    fn what_is_wrong_with_the_file_has_its_place() {
        for (text, expected, place) in [
            ("[]", "mcp.json must be an object; it is a list", None),
            ("{}", "mcp.json has no \"mcpServers\"", None),
            (
                r#"{"servers":{}}"#,
                "mcp.json has no \"mcpServers\", but \"servers\"",
                None,
            ),
            (
                r#"{"other":1,"mcpservers":{}}"#,
                "mcp.json has no \"mcpServers\", but \"mcpservers\"",
                None,
            ),
            (
                r#"{"command":"node"}"#,
                "mcp.json has no \"mcpServers\", but \"command\"",
                None,
            ),
            (
                r#"{"mcpServers":null}"#,
                "mcpServers must be an object; it is null",
                None,
            ),
            (
                r#"{"mcpServers":[]}"#,
                "mcpServers must be an object; it is a list",
                None,
            ),
            (
                "{\n  \"mcpServers\": {},\n}",
                "mcp.json is not JSON",
                Some((3, 1)),
            ),
        ] {
            let config = parsed(text);
            assert_eq!(problem(&config), expected);
            let found = config.findings[0].position;
            assert_eq!(found.map(|at| (at.line, at.column)), place, "{text}");
        }
        let large = parse(&vec![b' '; LARGEST as usize + 1], Mode::Lenient);
        assert_eq!(problem(&large), "mcp.json has more than 65536 bytes");
        assert_eq!(
            problem(&parse(b"{\"\xff", Mode::Lenient)),
            "mcp.json is not UTF-8 at byte 2"
        );
        let deep = "[".repeat(60_000);
        assert_eq!(problem(&parsed(&deep)), "mcp.json is not JSON");
        let marked = parsed("\u{feff}{\"mcpServers\":{\"a\":{\"command\":\"b\"}}}");
        assert_eq!(marked.servers.len(), 1);
    }

    #[test]
    fn one_bad_server_does_not_lose_the_others() {
        let config = parsed(
            r#"{"mcpServers":{
                "a b":{"command":"1"},
                "":{"command":"2"},
                "x\u200by":{"command":"3"},
                "a_b":{"command":"4"},
                "off":{"command":"5","disabled":true},
                "a b":{"command":"6"},
                "c":{"command":"7"}
            }}"#,
        );
        let names: Vec<_> = config.servers.iter().map(|server| &server.name).collect();
        assert_eq!(names, ["a b", "c"]);
        let codes: Vec<_> = config.findings.iter().map(|found| found.code).collect();
        assert_eq!(
            codes,
            [
                "mcp-server-invalid",
                "mcp-server-invalid",
                "mcp-server-duplicate",
                "mcp-server-disabled",
                "mcp-server-duplicate",
            ]
        );
        let many: Vec<String> = (0..1000)
            .map(|number| format!(r#""s{number}":{{"command":"x"}}"#))
            .collect();
        let config = parsed(&format!(r#"{{"mcpServers":{{{}}}}}"#, many.join(",")));
        assert_eq!(config.servers.len(), MOST_SERVERS);
        assert_eq!(config.findings.len(), 1);
    }

    #[test]
    fn what_cannot_be_seen_in_a_server_is_found_and_the_server_stays() {
        let config = one(r#"{"command":"a","args":["\u202eb"],"env":{"C":"\u200b"}}"#);
        assert_eq!(config.servers.len(), 1);
        let [found] = config.findings.as_slice() else {
            panic!("{:?}", config.findings)
        };
        assert_eq!(found.code, "mcp-hidden-characters");
        assert_eq!(
            found.message,
            "the server \"s\" has characters that cannot be seen in args, env (U+202E, U+200B)"
        );
    }

    #[test]
    fn references_stand_for_what_the_host_gave_and_nothing_else() {
        let environment = Environment::of(&[("T", "secret"), ("NL", "a\nb"), ("U", "ftp://x")]);
        let http = |headers: &str| {
            one(&format!(
                r#"{{"url":"https://x/${{T}}","headers":{headers}}}"#
            ))
        };
        let resolved = http(r#"{"A":"Bearer ${T}"}"#).servers[0].resolved(&environment);
        assert_eq!(
            resolved,
            Ok(Transport::Http {
                url: "https://x/secret".to_owned(),
                headers: vec![("A".to_owned(), "Bearer secret".to_owned())],
            })
        );
        let unusable = |problem: &str| Unresolved::Unusable(problem.to_owned());
        for (config, expected) in [
            (
                http(r#"{"A":"${NL}"}"#),
                unusable("has a header \"A\" whose value cannot be sent"),
            ),
            (
                http(r#"{"A":"${HOME}"}"#),
                Unresolved::NotGiven("HOME".to_owned()),
            ),
            (
                one(r#"{"url":"${U}"}"#),
                unusable("has a url that is not http or https"),
            ),
        ] {
            let resolved = config.servers[0].resolved(&environment);
            assert_eq!(resolved, Err(expected));
        }
    }
}

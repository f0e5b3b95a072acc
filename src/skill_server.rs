//! What is said about a server of skills over MCP, and what it says of itself. Serving is the
//! runtime's.

use crate::budget::Budget;
use crate::catalog::Catalog;
use crate::error::Error;
use crate::index::IndexOptions;
use crate::json::{Object, ToJson};
use crate::operation::Operation;
use crate::options::{self, Fields, FromFields};
use crate::text::quoted;
use crate::tool_options::{ToolOptions, ToolSet};
use crate::tools::Purpose;
use crate::value::Value;

/// Characters of the index that clients are told when they connect, where nobody says otherwise.
const LONGEST_INDEX: u32 = 16 * 1024;
/// What is wrong with a text that is no name of a host.
const NO_HOST_NAME: &str = ", which is no name of a host: write it as skills.example or [::1], without scheme, port and path";
/// Addresses that are all of this machine's, so none that anybody asks for.
const ALL_ADDRESSES: [&str; 2] = ["0.0.0.0", "::"];
/// By which names this machine is asked by programs on it.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// How skills are served. Times are milliseconds, sizes bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillServerOptions {
    /// What the server is called.
    pub name: String,
    /// In which version.
    pub version: String,
    /// Which tools are offered; all, unless something is said.
    pub tools: ToolSet,
    /// Whether prompts fill their argument into the body.
    pub arguments: bool,
    /// Names that requests over HTTP may be addressed to.
    pub hosts: Vec<String>,
    /// Whether they are this machine's since nothing was said; then the address of a place at which
    /// it listens is one of them.
    pub own_hosts: bool,
    /// Names of the web pages that may send them.
    pub origins: Vec<String>,
    /// The longest request.
    pub max_body: u32,
    /// Sessions at the same time.
    pub max_sessions: u32,
    /// After how long without a request a session ends that nobody listens to.
    pub idle_timeout: u32,
}

impl SkillServerOptions {
    /// Reads them from JSON text.
    ///
    /// # Errors
    ///
    /// [`Error::SourceUnsupported`], which names the option that cannot be used.
    pub fn from_json(json: &str) -> Result<Self, Error> {
        options::read(json)
    }
}

impl FromFields for SkillServerOptions {
    fn from_fields(fields: &Fields<'_>) -> Self {
        /// What the timers of runtimes can keep.
        const LONGEST: u32 = i32::MAX as u32;
        fields.kept("onError", "a function");
        let tools = fields.object("tools", "tools.");
        if let Some(Value::Bool(true)) = tools.get("directory") {
            tools.refuse(
                "directory",
                "is true; clients of a server are not told of directories",
            );
        }
        let is_said = tools.get("set").is_some();
        let ToolOptions { set, .. } = tools.read();
        let text = |key, default: &str| fields.text(key).unwrap_or_else(|| default.to_owned());
        let http = fields.object("http", "http.");
        let names = |key| match http.get(key) {
            None => LOOPBACK.map(str::to_owned).to_vec(),
            Some(_) => host_names(&http, key),
        };
        let read = Self {
            name: text("name", "skillshelf"),
            version: text("version", env!("CARGO_PKG_VERSION")),
            tools: if is_said { set } else { ToolSet::Full },
            arguments: fields.flag("arguments", false),
            hosts: names("hosts"),
            own_hosts: http.get("hosts").is_none(),
            origins: names("origins"),
            max_body: http.number_from("maxBody", 1, 1024 * 1024),
            max_sessions: http.number_from("maxSessions", 1, 1000),
            idle_timeout: http.number_from("idleTimeout", 1, 600_000).min(LONGEST),
        };
        http.finish();
        read
    }
}

impl ToJson for SkillServerOptions {
    fn write_json(&self, out: &mut String) {
        Object::begin(out)
            .field("name", &self.name)
            .field("version", &self.version)
            .field("inConversation", &ServedTools(&self.tools))
            .field("stateless", &ServedTools(&self.tools.stateless()))
            .field("arguments", &self.arguments)
            .field("hosts", &self.hosts)
            .field("ownHosts", &self.own_hosts)
            .field("origins", &self.origins)
            .field("maxBody", &self.max_body)
            .field("maxSessions", &self.max_sessions)
            .field("idleTimeout", &self.idle_timeout)
            .end();
    }
}

/// What of a developer's options of tools is otherwise for clients, which are elsewhere.
struct ServedTools<'a>(&'a ToolSet);

impl ToJson for ServedTools<'_> {
    fn write_json(&self, out: &mut String) {
        Object::begin(out)
            .field("set", self.0)
            .field("directory", &false)
            .end();
    }
}

/// Names of hosts, as the URLs of requests have them.
fn host_names(fields: &Fields<'_>, key: &'static str) -> Vec<String> {
    let mut names = fields.texts(key);
    for name in &mut names {
        if !is_host_name(name) {
            let problem = ["has ", &quoted(name), NO_HOST_NAME].concat();
            fields.refuse(key, &problem);
        }
        name.make_ascii_lowercase();
    }
    names
}

fn is_host_name(name: &str) -> bool {
    let address = name
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'));
    let (text, marks) = address.map_or((name, &b"-._"[..]), |address| (address, b":."));
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || marks.contains(&byte);
    !text.is_empty() && text.bytes().all(fits)
}

/// Where a server listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListenOptions {
    /// The address; that of this machine alone, unless another one is given.
    pub host: String,
    /// 0 is any that is free.
    pub port: u32,
    /// The path of its URL.
    pub path: String,
}

impl ListenOptions {
    /// Reads them from JSON text.
    ///
    /// # Errors
    ///
    /// [`Error::SourceUnsupported`], which names the option that cannot be used.
    pub fn from_json(json: &str) -> Result<Self, Error> {
        options::read(json)
    }

    /// The address as URLs have it.
    fn name(&self) -> String {
        let host = self.host.to_ascii_lowercase();
        if host.contains(':') {
            ["[", &host, "]"].concat()
        } else {
            host
        }
    }
}

impl FromFields for ListenOptions {
    fn from_fields(fields: &Fields<'_>) -> Self {
        let port = fields.number("port", 0);
        if port > 65_535 {
            fields.refuse("port", "must be at most 65535");
        }
        let path = fields.text("path").unwrap_or_else(|| "/mcp".to_owned());
        if !path.starts_with('/') || path.contains(['?', '#']) {
            fields.refuse("path", "must begin with a slash, and have no ? and no #");
        }
        let host = fields.text("host").filter(|host| !host.is_empty());
        Self {
            host: host.unwrap_or_else(|| "127.0.0.1".to_owned()),
            port,
            path,
        }
    }
}

impl ToJson for ListenOptions {
    fn write_json(&self, out: &mut String) {
        Object::begin(out)
            .field("host", &self.host)
            .field("name", &self.name())
            .field("isOne", &!ALL_ADDRESSES.contains(&self.host.as_str()))
            .field("port", &self.port)
            .field("path", &self.path)
            .end();
    }
}

impl Catalog {
    /// What a client is told of the skills when it connects: the index, as much of it as is good to
    /// be told unasked. Empty where there is nothing to tell. An error where tools cannot be named so.
    pub fn instructions(&self, options: ToolOptions) -> Operation<Result<String, Error>> {
        // Whichever of them are offered: one of a conversation is none of the catalog's.
        let named = ToolOptions {
            set: ToolSet::Full,
            ..options.clone()
        };
        if let Err(error) = self.tools_of(named, None, Purpose::Call) {
            return Operation::done(Err(error));
        }
        let ToolOptions { index, rename, .. } = options;
        let budget = index.budget.unwrap_or(Budget::Characters(LONGEST_INDEX));
        self.prompt(IndexOptions {
            rename: Some(rename),
            budget: Some(budget),
            ..index
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_said_has_its_default() {
        let options = SkillServerOptions::from_json("{}").expect("nothing is wrong");
        let version = env!("CARGO_PKG_VERSION");
        assert_eq!(
            options.to_json(),
            format!(
                r#"{{"name":"skillshelf","version":"{version}","inConversation":{{"set":"full","directory":false}},"stateless":{{"set":"full","directory":false}},"arguments":false,"hosts":["localhost","127.0.0.1","[::1]"],"ownHosts":true,"origins":["localhost","127.0.0.1","[::1]"],"maxBody":1048576,"maxSessions":1000,"idleTimeout":600000}}"#
            )
        );
        let said = r#"{"name":"n","version":"v","arguments":true,"onError":{},"tools":{"set":["unload_skill","load_skill"],"directory":false},"http":{"hosts":["A.example"],"origins":[],"maxBody":1,"maxSessions":2,"idleTimeout":4294967295}}"#;
        let options = SkillServerOptions::from_json(said).expect("nothing is wrong");
        assert_eq!(
            options.to_json(),
            r#"{"name":"n","version":"v","inConversation":{"set":["unload_skill","load_skill"],"directory":false},"stateless":{"set":["load_skill"],"directory":false},"arguments":true,"hosts":["a.example"],"ownHosts":false,"origins":[],"maxBody":1,"maxSessions":2,"idleTimeout":2147483647}"#
        );
        let listen = ListenOptions::from_json("{}").expect("nothing is wrong");
        assert_eq!(
            listen.to_json(),
            r#"{"host":"127.0.0.1","name":"127.0.0.1","isOne":true,"port":0,"path":"/mcp"}"#
        );
        for (host, name, is_one) in [("FE80::1", "[fe80::1]", true), ("::", "[::]", false)] {
            let listen = ListenOptions::from_json(&format!(r#"{{"host":"{host}"}}"#));
            let listen = listen.expect("nothing is wrong").to_json();
            let expected = format!(r#""name":"{name}","isOne":{is_one}"#);
            assert!(listen.contains(&expected), "{listen}");
        }
    }

    #[test]
    fn a_name_of_a_host_has_nothing_around_it() {
        for name in [
            "a",
            "skills.example",
            "127.0.0.1",
            "[::1]",
            "[::ffff:1.2.3.4]",
            "a_b-c.d",
        ] {
            assert!(is_host_name(name), "{name}");
        }
        for name in [
            "",
            "*",
            "a:80",
            "::1",
            "https://a",
            "a/",
            "a b",
            "[]",
            "[a",
            "gr\u{f6}\u{df}e.example",
        ] {
            assert!(!is_host_name(name), "{name}");
        }
    }

    #[test]
    fn what_cannot_be_used_is_named() {
        for (json, problem) in [
            (r#"{"nam":"a"}"#, "nam is not known; name is"),
            (
                r#"{"tools":{"sett":"full"}}"#,
                "tools.sett is not known; set is",
            ),
            (
                r#"{"tools":{"directory":true}}"#,
                "tools.directory is true; clients of a server are not told of directories",
            ),
            (
                r#"{"http":{"host":["a"]}}"#,
                "http.host is not known; hosts is",
            ),
            (
                r#"{"http":{"maxBody":0}}"#,
                "http.maxBody must be a whole number from 1 to 4294967295; it is 0",
            ),
            (
                r#"{"http":{"origins":["a.example","https://b.example"]}}"#,
                r#"http.origins has "https://b.example", which is no name of a host: write it as skills.example or [::1], without scheme, port and path"#,
            ),
            (r#"{"onError":1}"#, "onError must be a function; it is 1"),
        ] {
            let error = SkillServerOptions::from_json(json).expect_err(json);
            let message = format!("The options cannot be used: {problem}.");
            assert_eq!(error.to_string(), message);
        }
        for (json, problem) in [
            (r#"{"port":65536}"#, "port must be at most 65535"),
            (
                r#"{"path":"mcp"}"#,
                "path must begin with a slash, and have no ? and no #",
            ),
        ] {
            let error = ListenOptions::from_json(json).expect_err(json);
            assert!(error.to_string().contains(problem), "{error}");
        }
    }
}

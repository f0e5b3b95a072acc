//! What is said about a server of skills over MCP. Serving is the runtime's.

mod host_names;
mod instructions;
mod listen;

use crate::error::Error;
use crate::json::{Object, ToJson};
use crate::options::{self, Fields, FromFields};
use crate::tool_options::{ToolOptions, ToolSet};
use crate::value::Value;
pub use listen::ListenOptions;

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
    pub hosts: Hosts,
    /// Names of the web pages that may send them.
    pub origins: Vec<String>,
    /// The longest request.
    pub max_body: u32,
    /// Sessions at the same time.
    pub max_sessions: u32,
    /// After how long without a request a session ends that nobody listens to.
    pub idle_timeout: u32,
}

/// Names that requests may be addressed to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hosts {
    /// Those of this machine, and the address at which the server listens: nothing else was said.
    Own,
    /// These alone.
    Named(Vec<String>),
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
        fields.function("onError");
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
        let hosts = host_names::from_field(&http, "hosts");
        let idle_timeout = http.number_from("idleTimeout", 1, 600_000);
        if idle_timeout > LONGEST {
            http.refuse("idleTimeout", "must be at most 2147483647");
        }
        let read = Self {
            name: text("name", "skillshelf"),
            version: text("version", env!("CARGO_PKG_VERSION")),
            tools: if is_said { set } else { ToolSet::Full },
            arguments: fields.flag("arguments", false),
            hosts: hosts.map_or(Hosts::Own, Hosts::Named),
            origins: host_names::from_field(&http, "origins").unwrap_or_else(host_names::own),
            max_body: http.number_from("maxBody", 1, 1024 * 1024),
            max_sessions: http.number_from("maxSessions", 1, 1000),
            idle_timeout,
        };
        http.finish();
        read
    }
}

impl ToJson for SkillServerOptions {
    fn write_json(&self, out: &mut String) {
        let (hosts, own) = match &self.hosts {
            Hosts::Own => (&host_names::own(), true),
            Hosts::Named(names) => (names, false),
        };
        Object::begin(out)
            .field("name", &self.name)
            .field("version", &self.version)
            .field("inConversation", &ServedTools(&self.tools))
            .field("stateless", &ServedTools(&self.tools.stateless()))
            .field("arguments", &self.arguments)
            .field("hosts", hosts)
            .field("ownHosts", &own)
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
        let said = r#"{"name":"n","version":"v","arguments":true,"onError":{"~function":true},"tools":{"set":["unload_skill","load_skill"],"directory":false},"http":{"hosts":["A.example"],"origins":[],"maxBody":1,"maxSessions":2,"idleTimeout":2147483647}}"#;
        let options = SkillServerOptions::from_json(said).expect("nothing is wrong");
        assert_eq!(
            options.to_json(),
            r#"{"name":"n","version":"v","inConversation":{"set":["unload_skill","load_skill"],"directory":false},"stateless":{"set":["load_skill"],"directory":false},"arguments":true,"hosts":["a.example"],"ownHosts":false,"origins":[],"maxBody":1,"maxSessions":2,"idleTimeout":2147483647}"#
        );
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
            (
                r#"{"http":{"idleTimeout":2147483648}}"#,
                "http.idleTimeout must be at most 2147483647",
            ),
            (r#"{"onError":1}"#, "onError must be a function; it is 1"),
        ] {
            let error = SkillServerOptions::from_json(json).expect_err(json);
            let message = format!("The options cannot be used: {problem}.");
            assert_eq!(error.to_string(), message);
        }
    }
}

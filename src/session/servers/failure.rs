//! Why a server cannot be used: in words for the developer, and in words for the model.

use std::borrow::Cow;

use crate::diagnostic::Rule;
use crate::error::Error;
use crate::mcp_config::{ServerConfig, Transport};
use crate::skill::SkillKey;
use crate::text::{quoted, shortened};

const SERVER_FAILED: Rule = Rule::warning("mcp-server-failed");
const SERVER_REFUSED: Rule = Rule::info("mcp-server-refused");
const TOOL_REFUSED: Rule = Rule::warning("mcp-tool-refused");

/// Why a server cannot be used.
pub(in crate::session) struct Failed {
    pub(super) rule: &'static Rule,
    /// In words that follow its name.
    pub(super) problem: String,
    /// What the developer can do.
    pub(super) remedy: Cow<'static, str>,
    /// What the model can do.
    advice: &'static str,
}

impl Failed {
    pub(super) fn new(problem: impl Into<String>, remedy: impl Into<Cow<'static, str>>) -> Self {
        Self {
            rule: &SERVER_FAILED,
            problem: problem.into(),
            remedy: remedy.into(),
            advice: "go on without it, and tell the user",
        }
    }

    /// One that the skill's author has to mend.
    pub(super) fn unusable(problem: impl Into<String>) -> Self {
        Self::new(
            problem,
            "mend the skill's mcp.json, and load the skill again",
        )
    }

    /// A tool that is left out.
    pub(super) fn of_tool(problem: String) -> Self {
        Self {
            rule: &TOOL_REFUSED,
            ..Self::new(problem, "mend the server; its other tools are offered")
        }
    }

    pub(super) fn not_connected() -> Self {
        const REMEDY: &str = "connect it by connectSkillServers of skillshelf/mcp";
        Self::new("is not connected", REMEDY)
    }

    pub(super) fn no_directory() -> Self {
        const REMEDY: &str = "load the skill again once it is";
        Self::new("runs in the skill's directory, which is not there", REMEDY)
    }

    pub(super) fn protocol() -> Self {
        Self::new("does not answer as the protocol asks", OUTPUT)
    }

    /// What a server answered to a call, which is nothing to be noted: it works.
    pub(super) fn answered(message: &str) -> Self {
        let problem = ["answered with an error: ", &quoted(message)].concat();
        Self::new(problem, "").with_advice("mind what it says, or go on without it")
    }

    fn with_advice(self, advice: &'static str) -> Self {
        Self { advice, ..self }
    }

    pub(super) fn into_error(self, key: &SkillKey, server: &str) -> Error {
        Error::ServerFailed {
            server: server.to_owned(),
            skill: key.name.clone(),
            problem: self.problem,
            advice: self.advice,
        }
    }
}

/// What can become of a server, as whoever connects it tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Refused,
    Approval,
    Spawn,
    Unsupported,
    Moved,
    Ended,
    Stopped,
    Timeout,
    Flood,
    Network,
    Redirect,
    Status,
    Protocol,
    Gone,
    Closed,
}

const KINDS: [(&str, Kind); 15] = [
    ("refused", Kind::Refused),
    ("approval", Kind::Approval),
    ("spawn", Kind::Spawn),
    ("unsupported", Kind::Unsupported),
    ("moved", Kind::Moved),
    ("ended", Kind::Ended),
    ("stopped", Kind::Stopped),
    ("timeout", Kind::Timeout),
    ("flood", Kind::Flood),
    ("network", Kind::Network),
    ("redirect", Kind::Redirect),
    ("status", Kind::Status),
    ("protocol", Kind::Protocol),
    ("gone", Kind::Gone),
    ("closed", Kind::Closed),
];

const MEND: &str = "check it in the skill's mcp.json";
const OUTPUT: &str =
    "run its command by itself to see what it prints, or connect with stderr: \"inherit\"";

/// What a kind of failure is in words. A server says what it likes, so none of it is repeated here
/// but the origin that it leads to, and that only to the developer.
pub(super) fn failure(server: &ServerConfig, kind: &str, detail: &str) -> Failed {
    let known = KINDS.into_iter().find(|(name, _)| *name == kind);
    let of = |problem: &str| [problem, " (", &shortened(detail), ")"].concat();
    match known.map_or(Kind::Protocol, |(_, kind)| kind) {
        Kind::Refused => Failed {
            rule: &SERVER_REFUSED,
            ..Failed::new(
                "was not approved",
                "load the skill by session.load or expand, which ask again, if it is to be trusted",
            )
        }
        .with_advice(
            "go on without its tools; whoever said no is asked again only when the user loads the skill",
        ),
        Kind::Approval => Failed::new(
            "was not approved, since asking for it failed",
            "mend approve, and load the skill again",
        ),
        Kind::Spawn => Failed::new(of("could not be started"), spawn_remedy(server, detail)),
        Kind::Unsupported => Failed::new(
            "is a program, which cannot be started here",
            "use a server with a url",
        ),
        Kind::Moved => Failed::new(
            "runs in a directory that has become another one since it was shown for approval",
            "load the skill again, once nobody changes it",
        ),
        Kind::Ended => Failed::new("ended", OUTPUT),
        Kind::Stopped => Failed::new("ended", OUTPUT)
            .with_advice("call the tool again, which starts the server anew, or go on without it"),
        Kind::Timeout => Failed::new(
            ["did not answer within ", &shortened(detail), " seconds"].concat(),
            "raise startTimeout or callTimeout, if it needs longer",
        )
        .with_advice("try again later, or go on without it"),
        Kind::Flood => Failed::new("sent more than is read", "mend the server"),
        Kind::Network => Failed::new(of("cannot be reached"), MEND),
        Kind::Redirect => Failed::new(
            "leads to another address, which is not followed",
            redirect_remedy(detail),
        ),
        Kind::Status => Failed::new(of("answered with an HTTP status"), MEND),
        Kind::Protocol => Failed::protocol(),
        Kind::Gone => Failed::no_directory(),
        Kind::Closed => Failed::new("was disconnected", "load the skill again")
            .with_advice("load the skill again"),
    }
}

/// A command is one program. Many write a whole line there, as for a shell.
fn spawn_remedy(server: &ServerConfig, code: &str) -> Cow<'static, str> {
    let Transport::Stdio { command, .. } = &server.transport else {
        return MEND.into();
    };
    if code != "ENOENT" {
        return MEND.into();
    }
    let there_is_no = ["there is no program ", &quoted(command)].concat();
    let remedy = if command.contains(char::is_whitespace) {
        ": no shell reads the command, so write the arguments into \"args\""
    } else {
        ": install it, or mend the command in the skill's mcp.json"
    };
    [&there_is_no, remedy].concat().into()
}

fn redirect_remedy(origin: &str) -> Cow<'static, str> {
    if origin.is_empty() {
        return MEND.into();
    }
    let origin = quoted(origin);
    let remedy =
        "; write the address that it leads to into the skill's mcp.json, if it is to be trusted";
    ["it leads to a place at ", &origin, remedy].concat().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(command: &str) -> ServerConfig {
        ServerConfig {
            name: "x".to_owned(),
            transport: Transport::Stdio {
                command: command.to_owned(),
                args: Vec::new(),
                env: Vec::new(),
                cwd: None,
            },
        }
    }

    /// The kinds are written here and where servers are connected.
    #[test]
    fn every_kind_of_the_package_has_its_words() {
        let source = include_str!("../../../pkg-template/src/mcp/failure.ts");
        let kinds = source
            .lines()
            .map_while(|line| (!line.starts_with("export class")).then_some(line));
        let kinds: Vec<&str> = kinds
            .filter_map(|line| line.trim().strip_prefix("| \"")?.split('"').next())
            .collect();
        let known: Vec<&str> = KINDS.into_iter().map(|(name, _)| name).collect();
        assert_eq!(kinds, known);
    }

    #[test]
    fn a_program_that_is_not_there_is_named_and_so_is_where_arguments_go() {
        for (command, code, expected) in [
            (
                "nod",
                "ENOENT",
                "there is no program \"nod\": install it, or mend the command in the skill's mcp.json",
            ),
            (
                "node server.js",
                "ENOENT",
                "there is no program \"node server.js\": no shell reads the command, so write the arguments into \"args\"",
            ),
            ("node server.js", "EACCES", MEND),
        ] {
            let failed = failure(&program(command), "spawn", code);
            assert_eq!(failed.remedy, expected);
            assert_eq!(failed.problem, format!("could not be started ({code})"));
        }
    }

    #[test]
    fn only_the_developer_is_told_where_a_redirect_leads() {
        let failed = failure(&program("x"), "redirect", "https://elsewhere");
        assert!(failed.remedy.contains("\"https://elsewhere\""));
        assert!(!failed.problem.contains("elsewhere"));
        assert_eq!(failure(&program("x"), "redirect", "").remedy, MEND);
    }
}

//! What an operation can fail with: one stable code each, and a message that says what to do.
//!
//! A developer and a model are told the same problem, but each the remedies in its own reach: a
//! developer can raise a limit, a model can call again.

use crate::diagnostic::{Diagnostic, Position};
use crate::host::{HostFault, LONGEST_REASON};
use crate::json::{Object, ToJson};
use crate::near::near_names;
use crate::path;
use crate::read_skill_file::NO_FILES;
use crate::text::{cut, listed, one_line, quoted, shortened};
use crate::warnings::line;

/// What is larger than its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TooLarge {
    /// The body of a skill.
    Body,
    /// A file that is not text, which is given whole or not at all.
    NotText,
}

/// An error of this crate, worded for a developer. [`Error::code`] is the stable code of the public
/// interface.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Error {
    /// A skill that breaks a rule it must keep.
    #[error("{}", summary(.0, |path| path))]
    SkillInvalid(Vec<Diagnostic>),
    /// Prompt files that cannot be used.
    #[error("{}", summary(.0, |path| path))]
    PromptInvalid(Vec<Diagnostic>),
    /// No skill of this name is offered.
    #[error("There is no skill named {}.{}{}", quoted(.name), near_names(.near), valid_names(.valid, *.total, .search.as_deref()))]
    SkillNotFound {
        /// The name that was asked for.
        name: String,
        /// Names like it.
        near: Vec<String>,
        /// The first names that are offered, in order.
        valid: Vec<String>,
        /// How many names are offered.
        total: usize,
        /// The tool that finds them, by the name it has for the model, where that helps more than names.
        search: Option<String>,
    },
    /// The conversation has not loaded a skill of this name.
    #[error("The skill {} is not loaded.{}{}", quoted(.name), near_names(.near), loaded_names(.loaded, *.total))]
    SkillNotLoaded {
        /// The name that was asked for.
        name: String,
        /// Names like it of what is loaded.
        near: Vec<String>,
        /// The first names of what is loaded.
        loaded: Vec<String>,
        /// How many are loaded.
        total: usize,
    },
    /// Content that is not what its digest says.
    #[error(
        "{what} is not what was stored: its digest is {found}, not {expected}. Restore it from a copy, or leave it out."
    )]
    DigestMismatch {
        /// What has the digest.
        what: String,
        /// The digest that it should have.
        expected: String,
        /// The digest that it has.
        found: String,
    },
    /// A path that may not be read, whatever it leads to.
    #[error("{} If the file has moved, refresh the skills (refresh()).", refused(.path, .reason))]
    PathRefused {
        /// The path that was asked for.
        path: String,
        /// Why, in words.
        reason: &'static str,
    },
    /// There is no such file.
    #[error("{}{} If the file has moved, refresh the skills (refresh()).", missing(.path, .skill), near_names(.near))]
    FileNotFound {
        /// The path that was asked for.
        path: String,
        /// The skill it was asked of.
        skill: String,
        /// Files like it.
        near: Vec<String>,
    },
    /// A file over its limit.
    #[error("{} {}", too_large(.path, *.size, *.limit), match .of {
        TooLarge::Body => "Move parts of it into files beside it, or raise limits.body.",
        TooLarge::NotText => "It is not text, so it cannot be read in parts; limits.bytes may be raised.",
    })]
    FileTooLarge {
        /// The path that was asked for.
        path: String,
        /// Its size in bytes.
        size: u64,
        /// The limit in bytes.
        limit: u32,
        /// What it is.
        of: TooLarge,
    },
    /// There is no such tool.
    #[error("There is no tool named {}.{}", quoted(.name), valid_tools(.valid))]
    ToolUnknown {
        /// The name that was called.
        name: String,
        /// The names that are there.
        valid: Vec<String>,
    },
    /// Arguments that do not fit the tool's schema.
    #[error("The arguments of {tool} do not fit: {problem}.")]
    ToolArgumentsInvalid {
        /// The tool, by the name it has for the model.
        tool: String,
        /// What is wrong and what is expected.
        problem: String,
    },
    /// A list does not go on from there.
    #[error(
        "The cursor is none that came with a page of the list. Leave it out for the first page."
    )]
    CursorUnknown,
    /// What follows a slash command makes too much text of the placeholders in its skill.
    #[error("What follows /{} makes more than {limit} bytes of the placeholders in the skill. Shorten it, or expand without arguments.", one_line(.skill))]
    ArgumentsTooLarge {
        /// The skill.
        skill: String,
        /// How many bytes its text may have.
        limit: usize,
    },
    /// The caller has a tool of this name already.
    #[error("The skill tool {original} would be named {}, but a tool of that name is already there. Rename one of them: tools({{ rename: {{ {original}: \"…\" }} }}).", quoted(.name))]
    ToolNameTaken {
        /// The name that clashes.
        name: String,
        /// The skill tool's original name.
        original: &'static str,
    },
    /// A server of a skill that cannot be used now.
    #[error("The server {} of the skill {} {problem}; {advice}.", quoted(.server), quoted(.skill))]
    ServerFailed {
        /// The server's name in the skill's `mcp.json`.
        server: String,
        /// The skill that brings it.
        skill: String,
        /// What is wrong, in words that follow its name.
        problem: String,
        /// What a model can do, in words that follow a semicolon.
        advice: &'static str,
    },
    /// An archive of which nothing is taken.
    #[error("The archive is refused: {problem}. {remedy}")]
    ArchiveRefused {
        /// The entry that it is for.
        entry: Option<String>,
        /// What is wrong, in words.
        problem: String,
        /// What mends it, as a sentence.
        remedy: &'static str,
    },
    /// An option or a source that cannot be understood.
    #[error("{0}")]
    SourceUnsupported(String),
    /// The caller's own function did not take what happened in a session.
    #[error("{} It is as if it had not happened: mend onEvent, and do it again.", not_taken("onEvent failed for", .event, .skill, .message))]
    EventRefused {
        /// What happened, as the event's type.
        event: String,
        /// The skill that it happened to.
        skill: String,
        /// What the function threw.
        message: String,
    },
    /// The host could not do what it was asked.
    #[error("{}{}", not_read(.path, .message), remedy_of(*.fault))]
    HostFailed {
        /// What was asked for, as the caller named it.
        path: String,
        /// The host's own words.
        message: String,
        /// What a model is told in their place.
        told: Option<String>,
        /// What it is, where the host is one of this package.
        fault: Option<&'static HostFault>,
    },
}

/// Errors of this package say themselves what helps.
fn remedy_of(fault: Option<&HostFault>) -> &'static str {
    match fault {
        Some(_) => "",
        None => " Let it be read, then try again.",
    }
}

impl Error {
    /// The stable code of the public interface.
    pub fn code(&self) -> &'static str {
        match self {
            Self::SkillInvalid(_) => "SKILL_INVALID",
            Self::SkillNotFound { .. } | Self::SkillNotLoaded { .. } => "SKILL_NOT_FOUND",
            Self::DigestMismatch { .. } => "DIGEST_MISMATCH",
            Self::PathRefused { .. } => "PATH_REFUSED",
            Self::FileNotFound { .. } => "FILE_NOT_FOUND",
            Self::FileTooLarge { .. } => "FILE_TOO_LARGE",
            Self::ToolUnknown { .. } => "TOOL_UNKNOWN",
            Self::ToolArgumentsInvalid { .. }
            | Self::CursorUnknown
            | Self::ArgumentsTooLarge { .. } => "TOOL_ARGUMENTS_INVALID",
            Self::ToolNameTaken { .. } => "TOOL_NAME_TAKEN",
            Self::ServerFailed { .. } => "SERVER_FAILED",
            Self::ArchiveRefused { .. } => "ARCHIVE_REFUSED",
            Self::PromptInvalid(_) | Self::SourceUnsupported(_) => "SOURCE_UNSUPPORTED",
            Self::HostFailed {
                fault: Some(fault), ..
            } => fault.code_of_call(),
            Self::HostFailed { .. } | Self::EventRefused { .. } => "HOST_FAILED",
        }
    }

    /// The same in words for a model: files are named as the skill sees them, not by the host's
    /// paths, and the remedies are those in a model's reach.
    pub(crate) fn for_model(&self) -> String {
        let (problem, remedy) = match self {
            Self::SkillInvalid(diagnostics) => {
                let problem = summary(diagnostics, |path| path::base_name(path).unwrap_or(path));
                let first = "The skill cannot be used until its file is mended: ";
                return [first, &problem].concat();
            }
            Self::PathRefused { path, reason } if *reason == NO_FILES => (
                refused(path, reason),
                "All of it is in the result of loading it: go on without the file.",
            ),
            Self::PathRefused { path, reason } => (
                refused(path, reason),
                "Give a path relative to the skill's own directory, such as references/guide.md.",
            ),
            Self::FileNotFound { path, skill, near } if near.is_empty() => (
                missing(path, skill),
                "Take another file, or go on without it.",
            ),
            Self::FileNotFound { path, skill, near } => {
                return [missing(path, skill), near_names(near)].concat();
            }
            Self::FileTooLarge {
                path,
                size,
                limit,
                of,
            } => (
                too_large(path, *size, *limit),
                match of {
                    TooLarge::Body => {
                        "Go on without it, and tell the user that it has to be made smaller."
                    }
                    TooLarge::NotText => {
                        "It is not text, so it cannot be read in parts: go on without it."
                    }
                },
            ),
            Self::HostFailed {
                path,
                message,
                told,
                fault,
            } => (
                not_read(path, told.as_ref().unwrap_or(message)),
                match fault {
                    Some(fault) if !fault.is_for_now() => {
                        "Calling again will not help: go on without it and tell the user."
                    }
                    _ => "Call again; if that fails too, go on without it and tell the user.",
                },
            ),
            Self::EventRefused {
                event,
                skill,
                message,
            } => (
                not_taken("The application did not take", event, skill, message),
                "Nothing has changed: call again; if that fails too, go on without it and tell the user.",
            ),
            other => return other.to_string(),
        };
        [&problem, " ", remedy].concat()
    }

    /// The same for one who is elsewhere: a host's own words may name its directories.
    pub(crate) fn for_remote(&self) -> String {
        match self {
            Self::HostFailed { path, .. } => {
                let shown = quoted(path::base_name(path).unwrap_or(path));
                [
                    &shown,
                    " could not be read. Call again; if that fails too, go on without it and tell the user.",
                ]
                .concat()
            }
            other => other.for_model(),
        }
    }

    /// What is wrong for one who is elsewhere: the `server`, the `request`, or that what it asks for is
    /// `missing`.
    fn kind_for_remote(&self) -> &'static str {
        match self {
            Self::HostFailed { .. } | Self::EventRefused { .. } => "server",
            Self::SkillNotFound { .. } | Self::FileNotFound { .. } => "missing",
            _ => "request",
        }
    }

    /// That a host gave less of a file than it says there is.
    pub(crate) fn incomplete(path: &str) -> Self {
        Self::HostFailed {
            path: path.to_owned(),
            message: "the host gave only a part of it".to_owned(),
            told: None,
            fault: None,
        }
    }

    /// The findings behind it.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        match self {
            Self::SkillInvalid(diagnostics) | Self::PromptInvalid(diagnostics) => diagnostics,
            _ => &[],
        }
    }

    /// The file it is about, as the host or the caller names it.
    pub fn path(&self) -> Option<&str> {
        match self {
            Self::SkillInvalid(diagnostics) | Self::PromptInvalid(diagnostics) => {
                first_error(diagnostics)?.path.as_deref()
            }
            Self::PathRefused { path, .. }
            | Self::FileNotFound { path, .. }
            | Self::FileTooLarge { path, .. }
            | Self::HostFailed { path, .. } => Some(path),
            Self::ArchiveRefused { entry, .. } => entry.as_deref(),
            _ => None,
        }
    }

    /// Where in that file.
    pub fn position(&self) -> Option<Position> {
        match self {
            Self::SkillInvalid(diagnostics) | Self::PromptInvalid(diagnostics) => {
                first_error(diagnostics)?.position
            }
            _ => None,
        }
    }
}

impl ToJson for Error {
    fn write_json(&self, out: &mut String) {
        let position = self.position();
        Object::begin(out)
            .field("code", &self.code())
            .field("message", &self.to_string())
            .field("told", &self.for_remote())
            .field("kind", &self.kind_for_remote())
            .field("diagnostics", &self.diagnostics())
            .optional("path", self.path().as_ref())
            .optional("line", position.map(|position| position.line).as_ref())
            .optional("column", position.map(|position| position.column).as_ref())
            .end();
    }
}

fn first_error(diagnostics: &[Diagnostic]) -> Option<&Diagnostic> {
    diagnostics
        .iter()
        .find(|diagnostic| diagnostic.is_error())
        .or_else(|| diagnostics.first())
}

fn refused(path: &str, reason: &str) -> String {
    ["The path ", &quoted(path), " is refused: ", reason, "."].concat()
}

fn missing(path: &str, skill: &str) -> String {
    let (path, skill) = (quoted(path), quoted(skill));
    ["There is no file ", &path, " in the skill ", &skill, "."].concat()
}

fn too_large(path: &str, size: u64, limit: u32) -> String {
    let path = quoted(path);
    format!("{path} has {size} bytes; at most {limit} are returned.")
}

fn not_read(path: &str, message: &str) -> String {
    let message = cut(&one_line(message), LONGEST_REASON);
    let end = if message.ends_with('.') { "" } else { "." };
    [&quoted(path), " could not be read: ", &message, end].concat()
}

fn not_taken(what: &str, event: &str, skill: &str, message: &str) -> String {
    let message = shortened(message);
    let end = if message.ends_with('.') { "" } else { "." };
    let skill = quoted(skill);
    format!("{what} the event {event} of the skill {skill}: {message}{end}")
}

/// `path:line:column: message; hint` of the first error, and how many more there are.
fn summary(diagnostics: &[Diagnostic], shown: fn(&str) -> &str) -> String {
    let Some(first) = first_error(diagnostics) else {
        return "The skill is not valid.".to_owned();
    };
    let path = first.path.as_deref().map(|path| shortened(shown(path)));
    let mut text = line(
        path.as_deref(),
        first.position,
        &first.message,
        first.hint.as_deref(),
    );
    let others = diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.is_error())
        .count();
    if others > 1 {
        text.push_str(&format!(" (and {} more)", others - 1));
    }
    text
}

fn loaded_names(loaded: &[String], total: usize) -> String {
    if loaded.is_empty() {
        return " No skills are loaded.".to_owned();
    }
    [" Loaded: ", &first_names(loaded, total), "."].concat()
}

fn valid_tools(valid: &[String]) -> String {
    if valid.is_empty() {
        return " No tools are offered.".to_owned();
    }
    format!(" Tools: {}.", valid.join(", "))
}

fn valid_names(valid: &[String], total: usize, search: Option<&str>) -> String {
    if let Some(search) = search {
        return format!(
            " There are {total} skills: call `{search}` with words of the task to find those for it."
        );
    }
    if valid.is_empty() {
        return " No skills are available.".to_owned();
    }
    [" Available skills: ", &first_names(valid, total), "."].concat()
}

/// The first names of a list, and how many follow.
fn first_names(names: &[String], total: usize) -> String {
    let mut text = names
        .iter()
        .map(|name| listed(name))
        .collect::<Vec<_>>()
        .join(", ");
    let more = total.saturating_sub(names.len());
    if more > 0 {
        text.push_str(&format!(" and {more} more"));
    }
    text
}

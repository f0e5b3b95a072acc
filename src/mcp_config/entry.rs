//! One server in an `mcp.json`: what may stand there, and what it means.

use super::{HTTP, STDIO, Transport, reference};
use crate::hidden;
use crate::relative_path::RelativePath;
use crate::text::quoted;
use crate::value::{Map, Value};

/// What clients call streamable HTTP.
const HTTP_SPELLINGS: [&str; 4] = [HTTP, "streamable-http", "streamable_http", "streamableHttp"];
/// Code points of a server's name.
const LONGEST_NAME: usize = 64;
const RENAME: &str = "rename it";
const USE_TEXT: &str = "write text in double quotes, numbers too";

/// What is wrong, and how it is mended.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) problem: String,
    pub(super) hint: &'static str,
}

fn fault<T>(problem: impl Into<String>, hint: &'static str) -> Result<T, Fault> {
    Err(Fault {
        problem: problem.into(),
        hint,
    })
}

/// Reads a server as a skill writes it.
pub(super) fn transport(name: &str, value: &Value) -> Result<Transport, Fault> {
    check_name(name)?;
    let Value::Map(map) = value else {
        let problem = ["must be an object; it is ", value.kind()].concat();
        return fault(problem, "give it a command or a url");
    };
    if let Some(twice) = first_duplicate(&map.0) {
        let problem = ["has the key ", &quoted(twice), " twice"].concat();
        return fault(problem, "remove one of them");
    }
    of_either_kind(map)
}

fn check_name(name: &str) -> Result<(), Fault> {
    const REMEDY: &str = "use letters, digits, - and _, at most 64";
    let is_visible = hidden::find(name).next().is_none() && !name.chars().any(hidden::is_control);
    if name.trim().is_empty() || name.chars().count() > LONGEST_NAME || !is_visible {
        return fault("has a name that cannot be used", REMEDY);
    }
    Ok(())
}

fn first_duplicate<T>(entries: &[(String, T)]) -> Option<&str> {
    let is_known = |(place, key): (usize, &str)| {
        let before = entries.get(..place).unwrap_or_default();
        before.iter().any(|(other, _)| other == key)
    };
    let mut keys = entries.iter().map(|(key, _)| key.as_str()).enumerate();
    keys.find(|place| is_known(*place)).map(|(_, key)| key)
}

fn of_either_kind(map: &Map) -> Result<Transport, Fault> {
    let has = |key| map.get(key).is_some_and(|value| *value != Value::Null);
    let kind = optional_text(map, "type")?;
    match kind.as_deref() {
        None if has("command") && has("url") => fault(
            "has both a command and a url",
            "keep one of them, or say which by \"type\"",
        ),
        None if has("url") => http(map),
        None if has("command") => stdio(map),
        None => fault("has neither a command nor a url", "give it one of them"),
        Some(STDIO) => stdio(map),
        Some(kind) if HTTP_SPELLINGS.contains(&kind) => http(map),
        Some(kind) => fault(
            ["has the type ", &quoted(kind), ", which is not known"].concat(),
            "use \"stdio\" with a command, or \"http\" (streamable HTTP) with a url",
        ),
    }
}

fn stdio(map: &Map) -> Result<Transport, Fault> {
    let env = texts(map, "env")?;
    let is_variable = |name: &str| !name.is_empty() && !name.contains('=');
    if env.iter().any(|(name, _)| !is_variable(name)) {
        return fault("has a variable in env whose name cannot be used", RENAME);
    }
    Ok(Transport::Stdio {
        command: required_text(map, "command")?,
        args: list(map, "args")?,
        env,
        cwd: own_directory(map)?,
    })
}

/// A path in the skill's own directory; nothing where it is that directory.
fn own_directory(map: &Map) -> Result<Option<String>, Fault> {
    const REMEDY: &str = "give a path in the skill's own directory";
    let Some(cwd) = optional_text(map, "cwd")? else {
        return Ok(None);
    };
    if matches!(cwd.as_str(), "" | "." | "./") {
        return Ok(None);
    }
    if cwd.contains("${") {
        return fault("has a reference in cwd, where none is replaced", REMEDY);
    }
    match RelativePath::parse(cwd.trim_end_matches('/')) {
        Ok(path) => Ok(Some(path.as_str().to_owned())),
        Err(reason) => fault(["has a cwd that is refused: ", reason].concat(), REMEDY),
    }
}

fn http(map: &Map) -> Result<Transport, Fault> {
    let headers = texts(map, "headers")?;
    if headers.iter().any(|(name, _)| !is_token(name)) {
        return fault("has a header whose name cannot be used", RENAME);
    }
    let url = required_text(map, "url")?;
    // A reference may stand for all of it; then it is judged once it has a value.
    if !url.starts_with('$') {
        check_url(&url)?;
    }
    Ok(Transport::Http { url, headers })
}

/// Only http and https, and nobody's password.
pub(super) fn check_url(url: &str) -> Result<(), Fault> {
    const REMEDY: &str = "give an http or https address, such as https://example.com/mcp";
    let scheme_end = url.find("://").map_or(0, |at| at + 3);
    let (scheme, rest) = url.split_at(scheme_end);
    if !scheme.eq_ignore_ascii_case("http://") && !scheme.eq_ignore_ascii_case("https://") {
        return fault("has a url that is not http or https", REMEDY);
    }
    let host = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
    if host.is_empty() || rest.contains(char::is_whitespace) {
        return fault("has a url that is no address", REMEDY);
    }
    if host.contains('@') {
        return fault(
            "has a name or a password in its url",
            "put it into headers, as a reference such as ${TOKEN}",
        );
    }
    Ok(())
}

/// What a name of a header consists of.
fn is_token(name: &str) -> bool {
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !name.is_empty() && name.bytes().all(is_token)
}

fn required_text(map: &Map, key: &'static str) -> Result<String, Fault> {
    match optional_text(map, key)? {
        Some(text) if !text.trim().is_empty() => Ok(text),
        _ => fault(["has no ", key].concat(), "give it one"),
    }
}

fn optional_text(map: &Map, key: &'static str) -> Result<Option<String>, Fault> {
    match map.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => text(value, key).map(Some),
    }
}

fn list(map: &Map, key: &'static str) -> Result<Vec<String>, Fault> {
    match map.get(key) {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::List(items)) => items.iter().map(|item| text(item, key)).collect(),
        Some(other) => fault(wrong_kind(key, "a list of text", other), USE_TEXT),
    }
}

fn texts(map: &Map, key: &'static str) -> Result<Vec<(String, String)>, Fault> {
    let entries = match map.get(key) {
        None | Some(Value::Null) => return Ok(Vec::new()),
        Some(Value::Map(Map(entries))) => entries,
        Some(other) => return fault(wrong_kind(key, "an object of text", other), USE_TEXT),
    };
    if first_duplicate(entries).is_some() {
        return fault(["has a name twice in ", key].concat(), "remove one of them");
    }
    let entry = |(name, value): &(String, Value)| {
        check_characters(name, key)?;
        Ok((name.clone(), text(value, key)?))
    };
    entries.iter().map(entry).collect()
}

fn text(value: &Value, key: &str) -> Result<String, Fault> {
    let Value::String(text) = value else {
        return fault(wrong_kind(key, "text", value), USE_TEXT);
    };
    check_characters(text, key)?;
    reference::check(text).map_err(|reason| Fault {
        problem: [key, " cannot be used: ", reason].concat(),
        hint: "write ${NAME}, ${NAME:-default}, or $${ for a literal ${",
    })?;
    Ok(text.clone())
}

fn check_characters(text: &str, key: &str) -> Result<(), Fault> {
    if text.chars().any(hidden::is_control) {
        let problem = ["has a control character in ", key].concat();
        return fault(problem, "remove it");
    }
    Ok(())
}

fn wrong_kind(key: &str, expected: &str, value: &Value) -> String {
    [
        "must have ",
        expected,
        " in ",
        key,
        "; it is ",
        value.kind(),
    ]
    .concat()
}

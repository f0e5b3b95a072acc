//! Findings as lines for people.

use crate::diagnostic::Position;
use crate::json;
use crate::places::Places;
use crate::text::one_line;
use crate::value::{Map, Value};

/// `path:line:column: message; hint`, as far as there is any of it.
pub(crate) fn line(
    path: Option<&str>,
    position: Option<Position>,
    message: &str,
    hint: Option<&str>,
) -> String {
    let mut line = String::new();
    if let Some(path) = path {
        line.push_str(path);
        if let Some(Position { line: row, column }) = position {
            line.push_str(&format!(":{row}:{column}"));
        }
        line.push_str(": ");
    }
    line.push_str(message);
    if let Some(hint) = hint {
        line.push_str("; ");
        line.push_str(hint);
    }
    line
}

/// What a console is told of findings: a line for each file with an error, its first. They are
/// given as JSON text, since some are the hosts' own. A name may hold what a terminal obeys; the
/// lines do not.
pub fn warnings(findings: &str) -> Vec<String> {
    let Ok(Value::List(findings)) = json::parse(findings) else {
        return Vec::new();
    };
    let mut told = Places::default();
    let mut lines = Vec::new();
    for finding in &findings {
        let Value::Map(finding) = finding else {
            continue;
        };
        if text(finding, "severity") == Some("error") && told.add(key(finding), lines.len()) {
            lines.push(warning(finding));
        }
    }
    lines
}

/// What is told of once: a file, or each entry of an index or archive, which is a skill of its own.
fn key(finding: &Map) -> String {
    let path = text(finding, "path").unwrap_or_default();
    let code = text(finding, "code").unwrap_or_default();
    if code.starts_with("index-entry") {
        let message = text(finding, "message").unwrap_or_default();
        return [path, "\n", message].concat();
    }
    path.to_owned()
}

fn warning(finding: &Map) -> String {
    let position = number(finding, "line")
        .zip(number(finding, "column"))
        .map(|(line, column)| Position { line, column });
    let message = text(finding, "message").unwrap_or_default();
    let line = line(
        text(finding, "path"),
        position,
        message,
        text(finding, "hint"),
    );
    one_line(&line).into_owned()
}

fn text<'a>(finding: &'a Map, key: &str) -> Option<&'a str> {
    finding.get(key)?.as_str()
}

fn number(finding: &Map, key: &str) -> Option<u32> {
    u32::try_from(finding.get(key)?.as_whole_number()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_told_once_and_only_of_an_error() {
        let findings = r#"[
            {"severity":"warning","message":"w","path":"a"},
            {"severity":"error","message":"first","hint":"mend it","path":"a","line":2,"column":7},
            {"severity":"error","message":"second","path":"a"},
            {"severity":"error","message":"other","path":"b"},
            {"severity":"error","message":"of no file"},
            {"severity":"info","message":"i","path":"c"},
            7
        ]"#;
        assert_eq!(
            warnings(findings),
            ["a:2:7: first; mend it", "b: other", "of no file"]
        );
        assert_eq!(warnings("{"), [""; 0]);
    }

    #[test]
    fn each_entry_of_an_index_is_told() {
        let findings = r#"[
            {"severity":"error","code":"index-entry-invalid","message":"1","path":"i"},
            {"severity":"error","code":"index-entry-type-unknown","message":"2","path":"i"},
            {"severity":"error","code":"index-entry-invalid","message":"1","path":"i"}
        ]"#;
        assert_eq!(warnings(findings), ["i: 1", "i: 2"]);
    }

    #[test]
    fn nothing_in_a_line_is_obeyed_by_a_terminal() {
        let findings = r#"[{"severity":"error","message":"m\nn","path":"a\u001b[2J\u202e"}]"#;
        assert_eq!(warnings(findings), ["a[2J: m n"]);
    }
}

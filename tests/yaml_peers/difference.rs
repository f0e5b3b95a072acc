//! What kind of difference there is between two readings of a text.

use std::collections::BTreeSet;

use serde_json::Value as Json;
use skillshelf::{Limits, Map, Mode, Value, yaml};

use crate::peers::NAMES;

/// How a kind begins of what is read here alone.
const REFUSED_BY_BOTH: &str = "refused by both: ";

/// Our readings of a text.
pub(crate) struct Ours {
    strict: Result<Value, Refused>,
    lenient: Option<(Value, Vec<&'static str>)>,
}

/// Why a text is refused.
struct Refused {
    code: &'static str,
    message: String,
}

impl Ours {
    pub(crate) fn read(text: &str) -> Self {
        let read = |mode| yaml::read(text, 1, mode, &Limits::default());
        let value = |document: yaml::Document| {
            let fields = document.fields.into_iter();
            Value::Map(Map(fields.map(|field| (field.key, field.value)).collect()))
        };
        let strict = read(Mode::Strict).and_then(|document| {
            match document.diagnostics.iter().find(|found| found.is_error()) {
                Some(found) => Err(found.clone()),
                None => Ok(value(document)),
            }
        });
        let lenient = read(Mode::Lenient).ok().map(|document| {
            let codes = document
                .diagnostics
                .iter()
                .map(|found| found.code)
                .collect();
            (value(document), codes)
        });
        let strict = strict.map_err(|found| Refused {
            code: found.code,
            message: found.message.into_owned(),
        });
        if let Ok(value) = &strict {
            let lenient = lenient.as_ref().map(|(value, _)| value);
            assert_eq!(
                lenient.map(ToString::to_string_of),
                Some(value.to_string_of()),
                "{text:?}"
            );
        }
        Self { strict, lenient }
    }
}

impl Ours {
    /// Whether it is read when strict.
    pub(crate) fn is_read(&self) -> bool {
        self.strict.is_ok()
    }
}

trait ToString {
    fn to_string_of(&self) -> String;
}

impl ToString for Value {
    /// Not a number equals itself here.
    fn to_string_of(&self) -> String {
        format!("{self:?}")
    }
}

/// The kinds of difference between ours and those of the others. What a text has that one of them reads in
/// its own way everywhere is a kind of its own: it says nothing about another rule, and its row says
/// nothing of other texts.
pub(crate) fn kinds_of(text: &str, ours: &Ours, theirs: &[Json; 2]) -> BTreeSet<String> {
    let mut kinds = all_kinds_of(ours, theirs);
    let mut gather = |name: &str, is_of_it: &dyn Fn(&str) -> bool| {
        let count = kinds.len();
        kinds.retain(|kind| !is_of_it(kind));
        if kinds.len() < count {
            kinds.insert(name.to_owned());
        }
    };
    if text.replace("\r\n", "").contains('\r') {
        gather("carriage return", &|kind| {
            kind.contains(" by yaml")
                || kind.ends_with("value: yaml")
                || kind.starts_with(REFUSED_BY_BOTH)
        });
    }
    if has_explicit_key(text) {
        gather("explicit key", &|kind| kind.starts_with("read by yaml: "));
    }
    if has_indentation_indicator(text) {
        gather("indentation indicator", &|kind| kind == "value: yaml");
    }
    if has_escaped_break(text) {
        gather("escaped line break", &|kind| kind.starts_with("value: "));
    }
    let is_marked = text.contains("\n\u{feff}") || text.contains("\r\u{feff}");
    if is_marked || text.starts_with("\u{feff}\u{feff}") || text.starts_with("\u{feff} ") {
        gather("byte order mark", &|kind| {
            kind.starts_with("value: ")
                || kind.starts_with("refused by ")
                || kind == "read by yaml: did not find expected <document start>"
                || kind == "read by yaml: a byte order mark must not appear inside a document"
        });
    }
    let mut lines = text.split(['\n', '\r']);
    if lines.any(|line| line.trim_start().starts_with([']', '}'])) {
        gather("closing bracket", &|kind| {
            kind == "refused by yaml: BAD_INDENT"
                || kind == "refused by both: BAD_INDENT"
                || kind == "refused by js-yaml: deficient indentation"
        });
    }
    kinds
}

/// The same of a text that nobody would write: what one of the others alone reads, or alone refuses, is its
/// own affair. What both do against us keeps its kind.
pub(crate) fn of_composed(kinds: BTreeSet<String>) -> BTreeSet<String> {
    if kinds.iter().any(|kind| kind.starts_with(REFUSED_BY_BOTH)) {
        return kinds;
    }
    let alone = |kind: String| {
        let name = NAMES.iter().find(|name| {
            ["read", "refused"]
                .iter()
                .any(|verb| kind.starts_with(&format!("{verb} by {name}: ")))
        });
        name.map_or(kind.clone(), |name| format!("composed, by one: {name}"))
    };
    kinds.into_iter().map(alone).collect()
}

/// Whether an entry begins with `?`.
fn has_explicit_key(text: &str) -> bool {
    let entries = text
        .split(['\n', '\r'])
        .map(|line| line.trim_start_matches(['-', ':', ' ', '\t']));
    let mut keys = entries.filter_map(|entry| entry.strip_prefix('?'));
    keys.any(|after| after.is_empty() || after.starts_with([' ', '\t']))
}

/// Whether there is the header of a block scalar that says how far its text is indented.
fn has_indentation_indicator(text: &str) -> bool {
    let headers = text.split(['|', '>']).skip(1);
    headers
        .map(|after| after.trim_start_matches(['+', '-']))
        .any(|after| after.starts_with(|digit: char| digit.is_ascii_digit()))
}

/// Whether a line ends in a backslash and a blank one follows.
fn has_escaped_break(text: &str) -> bool {
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let is_blank_next = lines.peek().is_some_and(|next| next.trim().is_empty());
        if line.ends_with('\\') && is_blank_next {
            return true;
        }
    }
    false
}

fn all_kinds_of(ours: &Ours, theirs: &[Json; 2]) -> BTreeSet<String> {
    let mut kinds = BTreeSet::new();
    let readers: Vec<&str> = NAMES
        .iter()
        .zip(theirs)
        .filter(|(_, read)| refused(read).is_none())
        .map(|(name, _)| *name)
        .collect();
    match &ours.strict {
        Ok(ours) => {
            for (name, theirs) in NAMES.iter().zip(theirs) {
                match refused(theirs) {
                    None => differences(ours, theirs, &mut |kind| {
                        kinds.insert(if kind == "value" {
                            format!("value: {name}")
                        } else {
                            kind.to_owned()
                        });
                    }),
                    Some(reason) => {
                        kinds.insert(format!("refused by {name}: {reason}"));
                    }
                }
            }
            // Two against one: no row of one of them explains it.
            if let [Some(reason), Some(_)] = [refused(&theirs[0]), refused(&theirs[1])] {
                kinds.insert(format!("{REFUSED_BY_BOTH}{reason}"));
            }
        }
        Err(Refused { code, message }) if !readers.is_empty() => {
            let by = if readers.len() == NAMES.len() {
                "both"
            } else {
                readers[0]
            };
            // What is no map to any of them would be refused even if it was YAML.
            let is_map = |theirs: &Json| theirs.get(0).and_then(Json::as_str) == Some("map");
            let code = if theirs.iter().any(is_map) {
                *code
            } else {
                yaml::NOT_A_MAP.code
            };
            kinds.insert(if code == yaml::INVALID.code {
                let problem = message
                    .rsplit_once("\": ")
                    .map_or(message.as_str(), |(_, rest)| rest);
                let problem = problem.trim_start_matches("invalid YAML: ");
                format!("read by {by}: {problem}")
            } else {
                format!("{code}: read by {by}")
            });
            // What strict alone refuses, others do not read as text.
            if code != yaml::INVALID.code
                && let Some((ours, codes)) = &ours.lenient
                && codes.iter().all(|code| TOLERATED.contains(code))
            {
                for (name, theirs) in NAMES.iter().zip(theirs) {
                    if refused(theirs).is_none() {
                        differences(ours, theirs, &mut |kind| {
                            if kind == "value" {
                                kinds.insert(format!("lenient value: {name}"));
                            }
                        });
                    }
                }
            }
        }
        Err(_) => {}
    }
    kinds
}

/// Findings with which a value is still what others read.
const TOLERATED: [&str; 3] = [
    "yaml-indentation",
    "yaml-unprintable",
    "yaml-comment-after-text",
];

fn refused(theirs: &Json) -> Option<&str> {
    theirs.get("refused").and_then(Json::as_str)
}

/// Tells of what kind the differences between two values are.
fn differences(ours: &Value, theirs: &Json, tell: &mut dyn FnMut(&str)) {
    let parts = theirs.as_array().map(Vec::as_slice).unwrap_or_default();
    let (kind, rest) = match parts.split_first() {
        Some((kind, rest)) => (kind.as_str().unwrap_or_default(), rest),
        None => ("", parts),
    };
    let first = rest.first();
    let text = first.and_then(Json::as_str);
    match (ours, kind) {
        (Value::Null, "null") => {}
        (Value::Bool(ours), "boolean") if first == Some(&Json::Bool(*ours)) => {}
        (Value::String(ours), "text") if text == Some(ours) => {}
        (Value::Number(ours), "number") if text.and_then(number) == Some(*ours) => {}
        (Value::String(ours), "number") if is_number(ours, text) => tell("number-as-written"),
        (Value::List(ours), "list") if ours.len() == rest.len() => {
            for (ours, theirs) in ours.iter().zip(rest) {
                differences(ours, theirs, tell);
            }
        }
        (Value::Map(Map(ours)), "map") if ours.len() == rest.len() => {
            for ((key, ours), entry) in ours.iter().zip(rest) {
                match entry.get(0) {
                    Some(theirs) if is_key(key, theirs) => {}
                    _ => tell("value"),
                }
                differences(ours, entry.get(1).unwrap_or(&Json::Null), tell);
            }
        }
        // Nothing at all is no map there, and one without fields here.
        (Value::Map(Map(ours)), "null") if ours.is_empty() => {}
        _ => tell("value"),
    }
}

/// Whether a key is the text that the other one was written as.
fn is_key(ours: &str, theirs: &Json) -> bool {
    let text = theirs.get(1).and_then(Json::as_str);
    match theirs.get(0).and_then(Json::as_str) {
        Some("text") => text == Some(ours),
        Some("number") => is_number(ours, text),
        Some("null") => matches!(ours, "" | "~" | "null" | "Null" | "NULL"),
        Some("boolean") => matches!(ours, "true" | "True" | "TRUE" | "false" | "False" | "FALSE"),
        _ => false,
    }
}

/// A number as JavaScript writes it.
fn number(text: &str) -> Option<f64> {
    match text {
        "Infinity" => Some(f64::INFINITY),
        "-Infinity" => Some(f64::NEG_INFINITY),
        _ => text.parse().ok(),
    }
}

/// Whether a text is how someone writes a number of the core schema.
fn is_number(text: &str, number_of: Option<&str>) -> bool {
    let Some(theirs) = number_of.and_then(number) else {
        return false;
    };
    let digits = |prefix, radix| {
        let digits = text.strip_prefix(prefix)?;
        u64::from_str_radix(digits, radix).ok()
    };
    #[allow(clippy::cast_precision_loss, reason = "JavaScript loses it too")]
    let whole = digits("0x", 16)
        .or_else(|| digits("0o", 8))
        .map(|whole| whole as f64);
    let unsigned = text.trim_start_matches(['-', '+']).to_ascii_lowercase();
    match unsigned.as_str() {
        ".nan" => theirs.is_nan(),
        ".inf" => theirs.is_infinite(),
        _ => whole.or_else(|| text.parse().ok()) == Some(theirs),
    }
}

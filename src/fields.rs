//! The fields of a skill: what each may hold, and what is made of one that holds something else.
//!
//! The rules are those of the Agent Skills specification
//! (<https://agentskills.io/specification>); the last section of rules is Anthropic's own.

use std::borrow::Cow;

use crate::diagnostic::{Diagnostic, Mode, Position, Rule};
use crate::front_matter::OPENING_FENCE;
use crate::hidden;
use crate::invocation::{DISABLE_MODEL, Invocation, USER};
use crate::near::near;
use crate::number;
use crate::skill::Skill;
use crate::skill_file::{Place, ReadOptions, hidden_in};
use crate::text::quoted;
use crate::value::{Map, Value};
use crate::yaml::{Document, Field};

pub(crate) const NAME_MISSING: Rule = Rule::tolerated("name-missing");
pub(crate) const NAME_NOT_TEXT: Rule = Rule::tolerated("name-not-text");
const NAME_UNUSABLE: Rule = Rule::tolerated("name-unusable");
pub(crate) const NAME_INVALID: Rule = Rule::tolerated("name-invalid");
const NAME_TOO_LONG: Rule = Rule::tolerated("name-too-long");
/// Nor is there a directory or a file whose name could stand in.
const NAME_NONE: Rule = Rule::error("no-usable-name");
pub(crate) const DESCRIPTION_MISSING: Rule = Rule::error("description-missing");
pub(crate) const DESCRIPTION_NOT_TEXT: Rule = Rule::error("description-not-text");
const DESCRIPTION_TOO_LONG: Rule = Rule::tolerated("description-too-long");
const COMPATIBILITY_LENGTH: Rule = Rule::tolerated("compatibility-length");
const FIELD_NOT_TEXT: Rule = Rule::tolerated("field-not-text");
const METADATA_NOT_A_MAP: Rule = Rule::tolerated("metadata-not-a-map");
const METADATA_NOT_TEXT: Rule = Rule::warning("metadata-not-text");
const TOOLS_NOT_TEXT: Rule = Rule::tolerated("allowed-tools-not-text");
const TOOLS_FORM: Rule = Rule::warning("allowed-tools-form");
const FLAG_NOT_BOOLEAN: Rule = Rule::warning("flag-not-boolean");
const FIELD_UNKNOWN: Rule = Rule::warning("field-unknown");
const FIELD_EXTENSION: Rule = Rule::noted("field-extension");
const NAME_RESERVED: Rule = Rule::tolerated("name-reserved");
const XML_TAG: Rule = Rule::tolerated("xml-tag");

const AS_TEXT: &str = "write it as text on one line";
const IN_QUOTES: &str = "put the values in quotes";
const ADD_NAME: &str = "add a line `name: …`";
const NAME_PATTERN: &str = "use lower-case letters, digits and single hyphens";
const TOOLS_AS_TEXT: &str = "write the tools in one line, separated by blanks";

/// A name has at most so many code points.
pub(crate) const NAME_LENGTH: usize = 64;
/// A longer name is not used at all.
const NAME_LENGTH_USABLE: usize = 256;
pub(crate) const DESCRIPTION_LENGTH: usize = 1024;
pub(crate) const COMPATIBILITY_LENGTH_MOST: usize = 500;

/// The fields of the specification.
const SPECIFIED: [&str; 6] = [
    "name",
    "description",
    "license",
    "compatibility",
    "metadata",
    "allowed-tools",
];
/// Fields of well-known clients, which are kept and, where this library knows them, obeyed.
const EXTENSIONS: [&str; 16] = [
    "version",
    "trigger",
    "when_to_use",
    "argument-hint",
    "arguments",
    DISABLE_MODEL,
    USER,
    "disallowed-tools",
    "model",
    "effort",
    "context",
    "agent",
    "background",
    "hooks",
    "paths",
    "shell",
];
/// Fields whose value is text, however it looks: `1.10` stays `1.10`, `yes` stays `yes`.
const TEXT_FIELDS: [&str; 7] = [
    "name",
    "description",
    "license",
    "compatibility",
    "version",
    "trigger",
    "when_to_use",
];

/// Whose rules apply beside those of the specification.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// The specification alone.
    #[default]
    AgentSkills,
    /// Also what Anthropic's own surfaces ask for: no reserved words, no XML tags.
    Anthropic,
}

impl Profile {
    pub(crate) const NAMES: [(&str, Self); 2] = [
        ("agentskills", Self::AgentSkills),
        ("anthropic", Self::Anthropic),
    ];
}

/// What a document's fields say. Name and skill are there also when a diagnostic is an error, as far
/// as they could be made out.
pub(crate) struct SkillFields {
    pub(crate) name: Option<String>,
    pub(crate) skill: Option<Skill>,
    pub(crate) invocation: Invocation,
    /// What was off.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Makes a skill of a document's fields.
pub(crate) fn read(document: Document, place: Place<'_>, options: &ReadOptions) -> SkillFields {
    let mut reader = Reader {
        mode: options.mode,
        strip: options.strip,
        fields: &document.fields,
        found: document.diagnostics,
    };
    let name = reader.name(place, options.profile);
    let description = reader.description(options.profile);
    let metadata_version = reader.metadata();
    let version = reader.text("version").or(metadata_version);
    let license = reader.text("license");
    let compatibility = reader.compatibility();
    let allowed_tools = reader.allowed_tools();
    let trigger = reader.text("trigger");
    let invocation = Invocation {
        model: !reader.flag(DISABLE_MODEL).unwrap_or(false),
        user: reader.flag(USER).unwrap_or(true),
    };
    reader.other_keys();
    let diagnostics = reader.found;
    let written = written(document.fields);
    let skill = name.as_ref().zip(description).map(|(name, description)| {
        let skill = Skill {
            name: name.clone(),
            description,
            version,
            license,
            compatibility,
            allowed_tools,
            written: Map::default(),
            trigger,
            model_invocable: invocation.model,
            user_invocable: invocation.user,
        };
        skill.with_written(written)
    });
    SkillFields {
        name,
        skill,
        invocation,
        diagnostics,
    }
}

/// All keys with their values, text fields as their source text.
fn written(fields: Vec<Field>) -> Map {
    // Collecting would keep the memory of the fields, five times as much as the entries need.
    let mut entries = Vec::with_capacity(fields.len());
    entries.extend(fields.into_iter().map(|field| {
        let value = match field.source {
            Some(text) if TEXT_FIELDS.contains(&field.key.as_str()) => Value::String(text),
            _ => field.value,
        };
        (field.key, value)
    }));
    Map(entries)
}

struct Reader<'a> {
    mode: Mode,
    /// Whether hidden characters are left out of the fields that are text. The whole front matter
    /// stays as it was written.
    strip: bool,
    fields: &'a [Field],
    found: Vec<Diagnostic>,
}

impl<'a> Reader<'a> {
    fn field(&self, key: &str) -> Option<&'a Field> {
        self.fields.iter().find(|field| field.key == key)
    }

    /// Where the value of a key is; or would be, where the front matter begins.
    fn position(&self, key: &str) -> Position {
        let field = self.field(key);
        field.map_or(OPENING_FENCE, |field| field.position)
    }

    /// Text as it is kept.
    fn kept<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.strip {
            return hidden::strip(text);
        }
        Cow::Borrowed(text)
    }

    fn report(
        &mut self,
        rule: &Rule,
        position: Position,
        message: impl Into<Cow<'static, str>>,
        hint: &'static str,
    ) {
        let diagnostic = Diagnostic::new(rule, self.mode, message).with_hint(hint);
        self.found.push(diagnostic.at(position));
    }

    /// The text of a field that holds text. Missing, null or empty: `None`. A list or a map: a
    /// finding and `None`.
    fn text(&mut self, key: &'static str) -> Option<String> {
        let field = self.field(key)?;
        match (field.text(), &field.value) {
            (Some(text), _) => {
                let kept = self.kept(text);
                (!kept.is_empty()).then(|| kept.into_owned())
            }
            (None, Value::Null) => None,
            (None, other) => {
                let message = format!("{key} must be text; it is {}", other.kind());
                self.report(&FIELD_NOT_TEXT, field.position, message, AS_TEXT);
                None
            }
        }
    }

    fn name(&mut self, place: Place<'_>, profile: Profile) -> Option<String> {
        let field = self.field("name");
        let position = self.position("name");
        let written = field.and_then(Field::text).map(str::trim);
        let Some(name) = written.filter(|name| !name.is_empty()) else {
            let not_text =
                field.is_some_and(|field| matches!(field.value, Value::List(_) | Value::Map(_)));
            return self.stand_in(place, position, not_text);
        };
        if let Some(reason) = unusable(name) {
            let message = format!("the name {} cannot be used: {reason}", quoted(name));
            self.report(&NAME_UNUSABLE, position, message, NAME_PATTERN);
            return self.usable_stand_in(place, position);
        }
        self.check_name(name, position, profile);
        Some(name.to_owned())
    }

    /// The directory's or the file's name, for a name that is missing.
    fn stand_in(&mut self, place: Place<'_>, position: Position, not_text: bool) -> Option<String> {
        let (rule, problem) = if not_text {
            (&NAME_NOT_TEXT, "name must be text")
        } else {
            (&NAME_MISSING, "name is missing")
        };
        let stand_in = match place {
            Place {
                directory: Some(directory),
                ..
            } => format!("; the directory's name, {}, stands in", quoted(directory)),
            Place {
                file_stem: Some(stem),
                ..
            } => format!("; the file's name, {}, stands in", quoted(stem)),
            _ => String::new(),
        };
        // A loose file is named by its file: nothing is missing there.
        let is_loose = place.directory.is_none() && place.file_stem.is_some();
        if not_text || !is_loose {
            self.report(rule, position, [problem, &stand_in].concat(), ADD_NAME);
        }
        self.usable_stand_in(place, position)
    }

    fn usable_stand_in(&mut self, place: Place<'_>, position: Position) -> Option<String> {
        let stand_in = place.directory.or(place.file_stem).map(str::trim);
        if let Some(name) = stand_in.filter(|name| unusable(name).is_none() && !name.is_empty()) {
            if let Some(problem) = against_the_pattern(name) {
                let message = format!("the name {} {problem}", quoted(name));
                self.report(&NAME_INVALID, position, message, NAME_PATTERN);
            }
            return Some(name.to_owned());
        }
        let message = "there is no name that can be used";
        self.report(&NAME_NONE, position, message, ADD_NAME);
        None
    }

    fn check_name(&mut self, name: &str, position: Position, profile: Profile) {
        if let Some(problem) = against_the_pattern(name) {
            let message = format!("the name {} {problem}", quoted(name));
            self.report(&NAME_INVALID, position, message, NAME_PATTERN);
        }
        let length = name.chars().count();
        if length > NAME_LENGTH {
            let message =
                format!("the name has {length} characters; at most {NAME_LENGTH} are allowed");
            self.report(&NAME_TOO_LONG, position, message, "choose a shorter one");
        }
        if profile == Profile::Anthropic {
            if let Some(word) = ["anthropic", "claude"]
                .into_iter()
                .find(|word| name.contains(word))
            {
                let message = format!("the name uses the reserved word {word}");
                self.report(&NAME_RESERVED, position, message, "choose another one");
            }
            self.check_tags("name", name, position);
        }
    }

    fn description(&mut self, profile: Profile) -> Option<String> {
        let field = self.field("description");
        let position = self.position("description");
        if let Some(Field {
            value: value @ (Value::List(_) | Value::Map(_)),
            ..
        }) = field
        {
            let message = format!("description must be text; it is {}", value.kind());
            self.report(&DESCRIPTION_NOT_TEXT, position, message, AS_TEXT);
            return None;
        }
        let written = field.and_then(Field::text);
        let written = written.unwrap_or_default().trim();
        let kept = self.kept(written);
        let description = kept.trim();
        if description.is_empty() {
            let problem = if field.is_some() {
                "description is empty"
            } else {
                "description is missing"
            };
            let hint = "say what the skill does and when to use it";
            self.report(&DESCRIPTION_MISSING, position, problem, hint);
            return None;
        }
        let length = description.chars().count();
        if length > DESCRIPTION_LENGTH {
            let message = format!(
                "the description has {length} characters; at most {DESCRIPTION_LENGTH} are allowed"
            );
            let hint =
                "shorten it; what is needed only while the skill is used belongs in the body";
            self.report(&DESCRIPTION_TOO_LONG, position, message, hint);
        }
        let hidden = hidden_in("the description", written, self.mode);
        self.found.extend(hidden.map(|found| found.at(position)));
        if profile == Profile::Anthropic {
            self.check_tags("description", description, position);
        }
        Some(description.to_owned())
    }

    fn check_tags(&mut self, key: &str, text: &str, position: Position) {
        if has_tag(text) {
            let message = format!("the {key} has an XML tag");
            self.report(&XML_TAG, position, message, "write it without < and >");
        }
    }

    fn compatibility(&mut self) -> Option<String> {
        let position = self.position("compatibility");
        let text = self.text("compatibility")?;
        let length = text.chars().count();
        if length > COMPATIBILITY_LENGTH_MOST {
            let message = format!(
                "compatibility has {length} characters; at most {COMPATIBILITY_LENGTH_MOST} are allowed"
            );
            self.report(&COMPATIBILITY_LENGTH, position, message, "shorten it");
        }
        Some(text)
    }

    /// Judges the `metadata` map. Gives the version in it, as it was written.
    fn metadata(&mut self) -> Option<String> {
        let field = self.field("metadata")?;
        let map = match &field.value {
            Value::Map(map) => map,
            Value::Null => return None,
            other => {
                let message = format!("metadata must be a map; it is {}", other.kind());
                let hint = "write lines like `key: value` below it, indented";
                self.report(&METADATA_NOT_A_MAP, field.position, message, hint);
                return None;
            }
        };
        let not_text: Vec<_> = map
            .0
            .iter()
            .filter(|(_, value)| !matches!(value, Value::String(_)))
            .map(|(key, _)| quoted(key))
            .collect();
        if !not_text.is_empty() {
            let message = format!("metadata that is not text: {}", shortened(&not_text));
            self.report(&METADATA_NOT_TEXT, field.position, message, IN_QUOTES);
        }
        let version = version_in(map).map(|version| self.kept(&version).into_owned());
        version.filter(|version| !version.is_empty())
    }

    fn allowed_tools(&mut self) -> Option<Vec<String>> {
        let field = self.field("allowed-tools")?;
        let position = field.position;
        if let Some(text) = field.text() {
            let (tools, has_commas) = split_tools(&self.kept(text));
            if has_commas {
                let message = "allowed-tools is separated by commas; the specification says blanks";
                self.report(&TOOLS_FORM, position, message, TOOLS_AS_TEXT);
            }
            return Some(tools);
        }
        match &field.value {
            Value::List(items) => {
                let message =
                    "allowed-tools is a list; the specification says text separated by blanks";
                self.report(&TOOLS_FORM, position, message, TOOLS_AS_TEXT);
                let mut tools = Vec::new();
                let mut not_text = 0;
                for item in items {
                    match item {
                        Value::String(text) => {
                            let tool = self.kept(text).trim().to_owned();
                            tools.extend(Some(tool).filter(|tool| !tool.is_empty()));
                        }
                        Value::Null => {}
                        _ => not_text += 1,
                    }
                }
                if not_text > 0 {
                    let message = format!(
                        "allowed-tools has items that are not text, {not_text} in all; they are left out"
                    );
                    self.report(&TOOLS_NOT_TEXT, position, message, TOOLS_AS_TEXT);
                }
                Some(tools)
            }
            Value::Null => Some(Vec::new()),
            other => {
                // Nothing is allowed rather than everything: a restriction must not get lost.
                let message = format!(
                    "allowed-tools must be text; it is {}, so no tool is allowed",
                    other.kind()
                );
                self.report(&TOOLS_NOT_TEXT, position, message, TOOLS_AS_TEXT);
                Some(Vec::new())
            }
        }
    }

    /// A flag counts only as a boolean.
    fn flag(&mut self, key: &'static str) -> Option<bool> {
        let field = self.field(key)?;
        match &field.value {
            Value::Bool(flag) => Some(*flag),
            Value::Null => None,
            other => {
                let message = format!(
                    "{key} must be true or false; it is {}, so it does not count",
                    other.kind()
                );
                let hint = "write true or false, without quotes";
                self.report(&FLAG_NOT_BOOLEAN, field.position, message, hint);
                None
            }
        }
    }

    fn other_keys(&mut self) {
        for field in self.fields {
            let key = field.key.as_str();
            if SPECIFIED.contains(&key) {
                continue;
            }
            if EXTENSIONS.contains(&key) {
                let message = format!("{key} is not a field of the specification");
                let hint = "other clients may pass it over; metadata is for what is not specified";
                self.report(&FIELD_EXTENSION, field.key_position, message, hint);
            } else {
                // Short names are near to many: what is meant begins alike, or is a part. That is also
                // what makes a scan, which asks this of every third file, compare only a few.
                let first = key.as_bytes().first();
                let is_meant = |near: &&str| near.as_bytes().first() == first || near.contains(key);
                let known = SPECIFIED.into_iter().chain(EXTENSIONS);
                let meant = near(key, known.filter(is_meant)).into_iter().next();
                let known = match meant {
                    Some(near) => [": did you mean ", &near, "? It"].concat(),
                    None => "; it".to_owned(),
                };
                let message = [
                    "the field ",
                    &quoted(key),
                    " is unknown",
                    &known,
                    " is kept",
                ];
                let message = message.concat();
                let hint = "correct its spelling, or move it into metadata";
                self.report(&FIELD_UNKNOWN, field.key_position, message, hint);
            }
        }
    }
}

/// The version that a skill's metadata tells, as it is written.
pub(crate) fn version_in(metadata: &Map) -> Option<String> {
    let version = match metadata.get("version")? {
        Value::String(text) => text.clone(),
        Value::Number(number) => number::print(*number),
        _ => return None,
    };
    Some(version).filter(|text| !text.is_empty())
}

/// Why a name is never used, not even leniently.
pub(crate) fn unusable(name: &str) -> Option<&'static str> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    if name.len() <= NAME_LENGTH_USABLE && name.bytes().all(is_plain) {
        return None;
    }
    if name.contains(['/', '\\']) {
        return Some("it has a separator");
    }
    if name.chars().any(hidden::is_control) {
        return Some("it has a control character or a line separator");
    }
    if hidden::find(name).next().is_some() {
        return Some("it has a hidden character");
    }
    if name.chars().all(|c| c == '.') && !name.is_empty() {
        return Some("it has only dots");
    }
    if name.chars().nth(NAME_LENGTH_USABLE).is_some() {
        return Some("it has more than 256 characters");
    }
    None
}

/// What in `name` departs from `^[a-z0-9]+(-[a-z0-9]+)*$`, in words.
pub(crate) fn against_the_pattern(name: &str) -> Option<&'static str> {
    let name = name.as_bytes();
    if name.starts_with(b"-") || name.ends_with(b"-") {
        return Some("begins or ends with a hyphen");
    }
    let mut before = 0;
    let mut are_allowed = true;
    for &byte in name {
        if byte == b'-' && before == b'-' {
            return Some("has two hyphens in a row");
        }
        are_allowed &= matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
        before = byte;
    }
    (!are_allowed).then_some("has other characters than a-z, 0-9 and hyphens")
}

/// Tools separated by blanks or commas, but not inside parentheses; and whether by commas.
pub(crate) fn split_tools(text: &str) -> (Vec<String>, bool) {
    let mut tools = Vec::new();
    let mut tool = String::new();
    let mut depth = 0_usize;
    let mut has_commas = false;
    for c in text.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let separates = depth == 0 && (c == ',' || c.is_whitespace());
        if !separates {
            tool.push(c);
            continue;
        }
        has_commas |= c == ',';
        if !tool.is_empty() {
            tools.push(std::mem::take(&mut tool));
        }
    }
    let last = tool.trim();
    if !last.is_empty() {
        tools.push(last.to_owned());
    }
    (tools, has_commas)
}

/// Whether there is something of the form `<tag>`, `</tag>` or `<tag/>`.
fn has_tag(text: &str) -> bool {
    let Some((before_last_end, _)) = text.rsplit_once('>') else {
        return false;
    };
    before_last_end.split('<').skip(1).any(|inside| {
        let name = inside.strip_prefix('/').unwrap_or(inside);
        name.starts_with(|c: char| c.is_ascii_alphabetic())
    })
}

/// The first few of a list of names, for a message.
fn shortened(names: &[String]) -> String {
    const SHOWN: usize = 5;
    let shown = names
        .iter()
        .take(SHOWN)
        .cloned()
        .collect::<Vec<_>>()
        .join(", ");
    match names.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

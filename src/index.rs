//! The index: what a system prompt says of each skill. Never any part of a body.
//!
//! Whatever a skill says of itself becomes one line: it can neither open, close nor add an entry.

use std::borrow::Cow;

use crate::error::Error;
use crate::json::{Object, ToJson};
use crate::options::{self, Fields, FromFields};
use crate::snapshot::Entry;
use crate::text::{before_colon, estimated_tokens, one_line, xml_escaped};
use crate::tool::ToolName;
use crate::tool_options::{Rename, rename_from};

/// The form of the list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// A heading, a sentence, and `- name: description`.
    #[default]
    Markdown,
    /// The same, indented by two blanks, without Markdown.
    Plain,
    /// The specification's `<available_skills>`.
    Xml,
    /// One JSON object.
    Json,
}

impl Style {
    const NAMES: [(&str, Self); 4] = [
        ("markdown", Self::Markdown),
        ("plain", Self::Plain),
        ("xml", Self::Xml),
        ("json", Self::Json),
    ];
}

/// What an index looks like.
#[derive(Clone, Debug, Default)]
pub struct IndexOptions {
    /// The form of the list.
    pub style: Style,
    /// The line above it.
    pub heading: Option<String>,
    /// The sentence that tells what to do with it.
    pub instruction: Option<String>,
    /// Names that the tools have for the model; their own where nothing is said.
    pub rename: Option<Rename>,
    /// Whether entries name their file.
    pub location: bool,
}

impl IndexOptions {
    /// Reads them from JSON text.
    ///
    /// # Errors
    ///
    /// [`Error::SourceUnsupported`], which names the option that cannot be used.
    pub fn from_json(json: &str) -> Result<Self, Error> {
        options::read(json)
    }
}

impl FromFields for IndexOptions {
    fn from_fields(fields: &Fields<'_>) -> Self {
        Self {
            style: fields.choice("style", &Style::NAMES),
            heading: fields.text("heading"),
            instruction: fields.text("instruction"),
            rename: fields.get("rename").map(|_| rename_from(fields)),
            location: fields.flag("location", false),
        }
    }
}

/// How much of the skills an index shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// All of every entry.
    Full,
    /// There is nothing to list.
    None,
}

impl Form {
    /// As the public interface names it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::None => "none",
        }
    }
}

/// An index, and what is to be known about it.
#[derive(Clone, Debug)]
pub struct IndexReport {
    /// The text for the system prompt.
    pub text: String,
    /// How much it shows.
    pub form: Form,
    /// Skills that the model may load.
    pub total: usize,
    /// Skills that are named in the text.
    pub listed: usize,
    /// Names of those whose description was cut.
    pub shortened: Vec<String>,
    /// Names of those that are not in the text.
    pub omitted: Vec<String>,
    /// Code points of the text.
    pub characters: usize,
    /// An estimate of its tokens.
    pub tokens: usize,
    /// The tools that it tells the model to call.
    pub tools: Vec<ToolName>,
}

impl ToJson for IndexReport {
    fn write_json(&self, out: &mut String) {
        Object::begin(out)
            .field("text", &self.text)
            .field("form", &self.form.as_str())
            .field("total", &self.total)
            .field("listed", &self.listed)
            .field("shortened", &self.shortened)
            .field("omitted", &self.omitted)
            .field("characters", &self.characters)
            .field("tokens", &self.tokens)
            .field("tools", &self.tools)
            .end();
    }
}

/// One skill as an index shows it, each part on one line.
struct Line<'a> {
    name: Cow<'a, str>,
    /// Absent where there is no room for it.
    description: Option<Cow<'a, str>>,
    location: Option<Cow<'a, str>>,
}

/// The text of the index of `entries`, which the model may load.
pub(crate) fn prompt(entries: &[&Entry], options: &IndexOptions) -> String {
    if entries.is_empty() {
        return String::new();
    }
    let mut lines = Vec::with_capacity(entries.len());
    for entry in entries {
        let location = entry.record.shown().filter(|_| options.location);
        lines.push(Line {
            name: one_line(&entry.skill.name),
            description: Some(one_line(&entry.skill.description)),
            location: location.map(|path| one_line(path)),
        });
    }
    text(&lines, options)
}

/// The index of `entries`, which the model may load.
pub(crate) fn report(entries: &[&Entry], options: &IndexOptions) -> IndexReport {
    let text = prompt(entries, options);
    let listed = entries.len();
    IndexReport {
        form: if listed == 0 { Form::None } else { Form::Full },
        total: listed,
        listed,
        shortened: Vec::new(),
        omitted: Vec::new(),
        characters: text.chars().count(),
        tokens: estimated_tokens(&text),
        tools: if listed == 0 {
            Vec::new()
        } else {
            tools(options)
        },
        text,
    }
}

/// The tools that an index tells the model to call.
pub(crate) fn tools(_options: &IndexOptions) -> Vec<ToolName> {
    vec![ToolName::LoadSkill]
}

fn text(lines: &[Line<'_>], options: &IndexOptions) -> String {
    let heading = options.heading.as_deref().map(one_line);
    let instruction = match options.instruction.as_deref() {
        Some(instruction) => one_line(instruction),
        None => Cow::Owned(default_instruction(options)),
    };
    match options.style {
        Style::Markdown => {
            let heading = heading.unwrap_or(Cow::Borrowed("## Available skills"));
            let mut out = preamble(&[&heading, &instruction], "\n\n");
            for line in lines {
                push_list_item(&mut out, "- ", line);
            }
            finished(out)
        }
        Style::Plain => {
            let heading = heading.unwrap_or(Cow::Borrowed("Skills available:"));
            let mut out = preamble(&[&instruction, &heading], "\n");
            for line in lines {
                push_list_item(&mut out, "  - ", line);
            }
            finished(out)
        }
        Style::Xml => {
            let mut out = preamble(
                &[heading.as_deref().unwrap_or_default(), &instruction],
                "\n\n",
            );
            out.push_str("<available_skills>\n");
            for line in lines {
                push_xml(&mut out, line);
            }
            out.push_str("</available_skills>");
            out
        }
        Style::Json => json_text(
            heading.as_deref().unwrap_or("Available skills"),
            &instruction,
            lines,
        ),
    }
}

fn default_instruction(options: &IndexOptions) -> String {
    const LOADER: ToolName = ToolName::LoadSkill;
    let renamed = options.rename.as_ref();
    let tool = renamed.map_or(LOADER.as_str(), |rename| rename.shown_name(LOADER));
    format!(
        "Before you do a task that a skill covers, call the `{tool}` tool with its name to read its instructions."
    )
}

/// The parts that are not empty, each followed by `separator`.
fn preamble(parts: &[&str], separator: &str) -> String {
    let mut out = String::new();
    for part in parts.iter().filter(|part| !part.is_empty()) {
        out.push_str(part);
        out.push_str(separator);
    }
    out
}

/// Without the line end of the last item.
fn finished(mut out: String) -> String {
    out.truncate(out.trim_end_matches('\n').len());
    out
}

fn push_list_item(out: &mut String, bullet: &str, line: &Line<'_>) {
    out.push_str(bullet);
    out.push_str(&before_colon(&line.name));
    if let Some(description) = &line.description {
        out.push_str(": ");
        out.push_str(description);
    }
    if let Some(location) = &line.location {
        out.push_str(" (");
        out.push_str(location);
        out.push(')');
    }
    out.push('\n');
}

/// The layout of the specification's reference library.
fn push_xml(out: &mut String, line: &Line<'_>) {
    out.push_str("<skill>\n");
    push_element(out, "name", Some(&line.name));
    push_element(out, "description", line.description.as_deref());
    push_element(out, "location", line.location.as_deref());
    out.push_str("</skill>\n");
}

fn push_element(out: &mut String, tag: &str, content: Option<&str>) {
    let Some(content) = content else { return };
    for part in ["<", tag, ">\n", &xml_escaped(content), "\n</", tag, ">\n"] {
        out.push_str(part);
    }
}

fn json_text(heading: &str, instruction: &str, lines: &[Line<'_>]) -> String {
    let mut out = String::new();
    let mut index = Object::begin(&mut out);
    for (key, text) in [("heading", heading), ("instruction", instruction)] {
        if !text.is_empty() {
            index.field(key, &text);
        }
    }
    index.field("skills", &lines).end();
    out
}

impl ToJson for Line<'_> {
    fn write_json(&self, out: &mut String) {
        Object::begin(out)
            .field("name", &self.name.as_ref())
            .optional("description", self.description.as_deref().as_ref())
            .optional("location", self.location.as_deref().as_ref())
            .end();
    }
}

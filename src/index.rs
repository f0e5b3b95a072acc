//! The index: what a system prompt says of each skill. Never any part of a body.
//!
//! Whatever a skill says of itself becomes one line: it can neither open, close nor add an entry.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::catalog::Entry;
use crate::text::{one_line, xml_escaped};
use crate::tools::{Rename, ToolName, Tools};

/// The form of the list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
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

/// What an index looks like.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct IndexOptions {
    /// The form of the list.
    pub style: Style,
    /// The line above it.
    pub heading: Option<String>,
    /// The sentence that tells what to do with it.
    pub instruction: Option<String>,
    /// Names that the tools have for the model.
    pub rename: Rename,
    /// Whether entries name their file.
    pub location: bool,
}

/// How much of the skills an index shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// All of every entry.
    Full,
    /// There is nothing to list.
    None,
}

/// An index, and what is to be known about it.
#[derive(Clone, Debug, Serialize)]
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

/// One skill as an index shows it, each part on one line.
struct Line<'a> {
    name: Cow<'a, str>,
    /// Absent where there is no room for it.
    description: Option<Cow<'a, str>>,
    location: Option<Cow<'a, str>>,
}

/// Renders the index of `entries`, which the model may load.
pub(crate) fn render<'a>(
    entries: impl Iterator<Item = &'a Entry>,
    options: &IndexOptions,
) -> IndexReport {
    let lines: Vec<Line<'_>> = entries
        .map(|entry| Line {
            name: one_line(&entry.skill.name),
            description: Some(one_line(&entry.skill.description)),
            location: entry
                .record
                .shown()
                .filter(|_| options.location)
                .map(one_line),
        })
        .collect();
    let listed = lines.len();
    let text = if lines.is_empty() {
        String::new()
    } else {
        text(&lines, options)
    };
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
            vec![ToolName::LoadSkill]
        },
        text,
    }
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
            lines
                .iter()
                .for_each(|line| push_list_item(&mut out, "- ", line));
            finished(out)
        }
        Style::Plain => {
            let heading = heading.unwrap_or(Cow::Borrowed("Skills available:"));
            let mut out = preamble(&[&instruction, &heading], "\n");
            lines
                .iter()
                .for_each(|line| push_list_item(&mut out, "  - ", line));
            finished(out)
        }
        Style::Xml => {
            let mut out = preamble(
                &[heading.as_deref().unwrap_or_default(), &instruction],
                "\n\n",
            );
            out.push_str("<available_skills>\n");
            lines.iter().for_each(|line| push_xml(&mut out, line));
            out.push_str("</available_skills>");
            out
        }
        Style::Json => json(
            heading.as_deref().unwrap_or("Available skills"),
            &instruction,
            lines,
        ),
    }
}

fn default_instruction(options: &IndexOptions) -> String {
    let tool = Tools::shown_name(&options.rename, ToolName::LoadSkill);
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
    out.push_str(&line.name);
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

fn json(heading: &str, instruction: &str, lines: &[Line<'_>]) -> String {
    #[derive(Serialize)]
    struct Index<'a> {
        #[serde(skip_serializing_if = "str::is_empty")]
        heading: &'a str,
        #[serde(skip_serializing_if = "str::is_empty")]
        instruction: &'a str,
        skills: Vec<Item<'a>>,
    }
    #[derive(Serialize)]
    struct Item<'a> {
        name: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        description: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        location: Option<&'a str>,
    }
    let skills = lines
        .iter()
        .map(|line| Item {
            name: &line.name,
            description: line.description.as_deref(),
            location: line.location.as_deref(),
        })
        .collect();
    // Text and lists always become JSON.
    serde_json::to_string(&Index {
        heading,
        instruction,
        skills,
    })
    .unwrap_or_default()
}

/// An estimate without a tokenizer: four ASCII characters a token, other characters one each.
pub(crate) fn estimated_tokens(text: &str) -> usize {
    let ascii = text.bytes().filter(u8::is_ascii).count();
    let others = text.chars().count() - ascii;
    ascii.div_ceil(4) + others
}

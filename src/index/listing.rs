//! What an index shows, and how it is written in each style.

use std::borrow::Cow;

use super::{IndexOptions, Style};
use crate::json::{Object, ToJson};
use crate::text::{before_colon, one_line, xml_escaped};
use crate::tool::ToolName;

/// What an index shows.
#[derive(Clone, Debug, Default)]
pub(super) struct Listing<'a> {
    /// What there is to do where not all skills are named, or described.
    pub(super) advice: String,
    /// Whether that stands in the place of the usual sentence.
    pub(super) is_advice_all: bool,
    pub(super) lines: Vec<Line<'a>>,
    pub(super) groups: Vec<Group<'a>>,
}

/// One skill, each part on one line.
#[derive(Clone, Debug)]
pub(super) struct Line<'a> {
    pub(super) name: &'a str,
    /// Absent where there is no room for it.
    pub(super) description: Option<Cow<'a, str>>,
    pub(super) location: Option<&'a str>,
}

impl Line<'_> {
    /// About how many bytes it takes.
    fn size(&self) -> usize {
        const AROUND: usize = "- : \n".len();
        let description = self.description.as_deref().map_or(0, str::len);
        let location = self.location.map_or(0, str::len);
        AROUND + self.name.len() + description + location
    }
}

/// A group of skills, of which some are named.
#[derive(Clone, Debug)]
pub(super) struct Group<'a> {
    /// Empty for the skills that are in none.
    pub(super) name: &'a str,
    /// How many are in it.
    pub(super) count: usize,
    pub(super) named: Vec<&'a str>,
    /// How many are named nowhere.
    pub(super) unnamed: usize,
}

/// The text of an index.
pub(super) fn text(listing: &Listing<'_>, options: &IndexOptions) -> String {
    let heading = options.heading.as_deref().map(one_line);
    let instruction = instruction(listing, options);
    let writer = writer(options.style);
    match options.style {
        Style::Markdown => {
            let heading = heading.unwrap_or(Cow::Borrowed("## Available skills"));
            let mut out = preamble(&[&heading, &instruction], "\n\n");
            push_list(&mut out, listing, writer);
            finished(out)
        }
        Style::Plain => {
            let heading = heading.unwrap_or(Cow::Borrowed("Skills available:"));
            let mut out = preamble(&[&instruction, &heading], "\n");
            push_list(&mut out, listing, writer);
            finished(out)
        }
        Style::Xml => {
            let heading = heading.as_deref().unwrap_or_default();
            let mut out = preamble(&[heading, &instruction], "\n\n");
            out.push_str("<available_skills>\n");
            push_list(&mut out, listing, writer);
            out.push_str("</available_skills>");
            out
        }
        Style::Json => {
            let heading = heading.as_deref().unwrap_or("Available skills");
            json_text(heading, &instruction, listing)
        }
    }
}

/// How one skill and one group are written in a style.
#[derive(Clone, Copy)]
pub(super) struct Writer {
    pub(super) line: fn(&mut String, &Line<'_>),
    pub(super) group: fn(&mut String, &Group<'_>),
    /// How many characters more one takes than by itself, since it is escaped.
    pub(super) escape: fn(char) -> usize,
}

pub(super) fn writer(style: Style) -> Writer {
    match style {
        Style::Markdown => Writer {
            line: |out, line| push_item(out, "- ", line),
            group: |out, group| push_group_item(out, "- ", group),
            escape: |_| 0,
        },
        Style::Plain => Writer {
            line: |out, line| push_item(out, "  - ", line),
            group: |out, group| push_group_item(out, "  - ", group),
            escape: |_| 0,
        },
        Style::Xml => Writer {
            line: push_xml,
            group: push_xml_group,
            escape: |c| match c {
                '&' => "amp;".len(),
                '<' | '>' => "lt;".len(),
                _ => 0,
            },
        },
        Style::Json => Writer {
            line: |out, line| line.write_json(out),
            group: |out, group| group.write_json(out),
            escape: |c| usize::from(matches!(c, '"' | '\\')),
        },
    }
}

fn push_list(out: &mut String, listing: &Listing<'_>, writer: Writer) {
    // Thousands of skills are megabytes, which would be copied each time that the text grows.
    out.reserve(listing.lines.iter().map(Line::size).sum());
    for line in &listing.lines {
        (writer.line)(out, line);
    }
    for group in &listing.groups {
        (writer.group)(out, group);
    }
}

fn instruction(listing: &Listing<'_>, options: &IndexOptions) -> String {
    let instruction = match options.instruction.as_deref() {
        Some(instruction) => one_line(instruction).into_owned(),
        None if listing.is_advice_all => String::new(),
        None => default_instruction(options),
    };
    let is_gap_needed = !instruction.is_empty() && !listing.advice.is_empty();
    let gap = if is_gap_needed { " " } else { "" };
    [&instruction, gap, &listing.advice].concat()
}

fn default_instruction(options: &IndexOptions) -> String {
    let tool = options.shown_name(ToolName::LoadSkill);
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

fn push_item(out: &mut String, bullet: &str, line: &Line<'_>) {
    out.push_str(bullet);
    out.push_str(&before_colon(line.name));
    if let Some(description) = &line.description {
        out.push_str(": ");
        out.push_str(description);
    }
    if let Some(location) = line.location {
        for part in [" (", location, ")"] {
            out.push_str(part);
        }
    }
    out.push('\n');
}

/// `- "office" (12 skills): docx, xlsx, …`
fn push_group_item(out: &mut String, bullet: &str, group: &Group<'_>) {
    let count = group.count.to_string();
    let skills = if group.count == 1 {
        " skill"
    } else {
        " skills"
    };
    let is_named = !group.name.is_empty();
    let (before, after) = if is_named { (" (", ")") } else { ("", "") };
    let name = if is_named {
        in_quotes(group.name)
    } else {
        String::new()
    };
    for part in [bullet, &name, before, &count, skills, after] {
        out.push_str(part);
    }
    if !group.named.is_empty() {
        out.push_str(": ");
        push_names(out, group);
    }
    out.push('\n');
}

/// `docx, xlsx, …`
fn push_names(out: &mut String, group: &Group<'_>) {
    for (index, name) in group.named.iter().enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        out.push_str(&as_listed(name));
    }
    if group.unnamed > 0 {
        out.push_str(", …");
    }
}

/// A name among others: in quotes where it could be taken for more than one.
fn as_listed(name: &str) -> Cow<'_, str> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.@".contains(&byte);
    if !name.is_empty() && name.bytes().all(is_plain) {
        return Cow::Borrowed(name);
    }
    Cow::Owned(in_quotes(name))
}

fn in_quotes(name: &str) -> String {
    let name = name.replace('\\', "\\\\").replace('"', "\\\"");
    ["\"", &name, "\""].concat()
}

/// The layout of the specification's reference library.
fn push_xml(out: &mut String, line: &Line<'_>) {
    out.push_str("<skill>\n");
    push_element(out, "name", Some(line.name));
    push_element(out, "description", line.description.as_deref());
    push_element(out, "location", line.location);
    out.push_str("</skill>\n");
}

fn push_xml_group(out: &mut String, group: &Group<'_>) {
    out.push_str("<skill_group>\n");
    push_element(
        out,
        "name",
        Some(group.name).filter(|name| !name.is_empty()),
    );
    push_element(out, "count", Some(&group.count.to_string()));
    if !group.named.is_empty() {
        let mut names = String::new();
        push_names(&mut names, group);
        push_element(out, "skills", Some(&names));
    }
    out.push_str("</skill_group>\n");
}

fn push_element(out: &mut String, tag: &str, content: Option<&str>) {
    let Some(content) = content else { return };
    for part in ["<", tag, ">\n", &xml_escaped(content), "\n</", tag, ">\n"] {
        out.push_str(part);
    }
}

fn json_text(heading: &str, instruction: &str, listing: &Listing<'_>) -> String {
    let mut out = String::new();
    let mut index = Object::begin(&mut out);
    for (key, text) in [("heading", heading), ("instruction", instruction)] {
        if !text.is_empty() {
            index.field(key, &text);
        }
    }
    index.field("skills", &listing.lines);
    if !listing.groups.is_empty() {
        index.field("groups", &listing.groups);
    }
    index.end();
    out
}

impl ToJson for Line<'_> {
    fn write_json(&self, out: &mut String) {
        Object::begin(out)
            .field("name", &self.name)
            .optional("description", self.description.as_deref().as_ref())
            .optional("location", self.location.as_ref())
            .end();
    }
}

impl ToJson for Group<'_> {
    fn write_json(&self, out: &mut String) {
        let name = Some(&self.name).filter(|name| !name.is_empty());
        Object::begin(out)
            .optional("group", name)
            .field("count", &self.count)
            .field("skills", &self.named)
            .end();
    }
}

//! `load_skill`: the body of a skill as it is now, and what stands beside it.

use std::rc::Rc;

use crate::body;
use crate::call::{ToolResult, Unanswered};
use crate::catalog::Catalog;
use crate::diagnostic::{Diagnostic, Mode, Rule};
use crate::hidden;
use crate::look_alike::{ascii_form, is_read_as};
use crate::operation::Io;
use crate::own_files::OwnFiles;
use crate::record::Record;
use crate::resources::{self, Resources, UNREAD};
use crate::snapshot::Entry;
use crate::text::{attribute_escaped, counted, one_line, xml_escaped};
use crate::tool_options::Wrapper;
use crate::tools::Tools;

/// What stands around the list of files.
const RESOURCES_TAG: &str = "skill_resources";

/// The body has a tag that could be taken for the wrapper around it.
const WRAPPER_TAG_IN_BODY: Rule = Rule::warning("wrapper-tag-in-body");

pub(crate) async fn answer(
    io: &Io,
    catalog: &Catalog,
    entry: &Entry,
    own: Option<OwnFiles<'_>>,
    tools: &Tools,
) -> Result<ToolResult, Unanswered> {
    let body = body::read(io, entry, &catalog.options().read_options()).await?;
    if !body.model_invocable {
        return Err(Unanswered::Disabled);
    }
    Ok(ToolResult {
        content: wrapped(catalog, entry, &body.text?, tools)
            + &beside(io, catalog, entry, own, tools).await,
        ..ToolResult::default()
    })
}

/// A text in its tag, and a finding where it has that tag itself.
pub(crate) fn wrapped(catalog: &Catalog, entry: &Entry, text: &str, tools: &Tools) -> String {
    let mut content = String::with_capacity(text.len() + 1024);
    let name = &entry.skill.name;
    if push_wrapped(&mut content, name, text, tools.options().wrapper) {
        let found = wrapper_found(&entry.record, name, catalog);
        catalog.note(entry.record.key(), found);
    }
    content
}

/// What is said after a skill's text of its directory and its files: empty lines come first, where
/// there is something to say.
pub(crate) async fn beside(
    io: &Io,
    catalog: &Catalog,
    entry: &Entry,
    own: Option<OwnFiles<'_>>,
    tools: &Tools,
) -> String {
    let mut content = String::new();
    if let Some(own) = own {
        let resources = resources::list(io, &own, catalog.options().links).await;
        push_directory(&mut content, &entry.record, &resources, tools);
        push_resources(
            &mut content,
            &resources,
            catalog.options().limits.listed_files as usize,
        );
    }
    content
}

/// Adds the body in its tag. Tells whether a literal tag in the body had to be escaped.
pub(crate) fn push_wrapped(content: &mut String, name: &str, body: &str, wrapper: Wrapper) -> bool {
    let Some(tag) = wrapper.tag() else {
        content.push_str(body);
        return false;
    };
    for part in [
        "<",
        tag,
        " name=\"",
        &attribute_escaped(&one_line(name)),
        "\">\n",
    ] {
        content.push_str(part);
    }
    let escaped = push_escaped(content, body, tag);
    for part in ["\n</", tag, ">"] {
        content.push_str(part);
    }
    escaped
}

/// Adds `body` with the `<` of each literal `<tag` and `</tag` as `&lt;`, and nothing else changed.
fn push_escaped(content: &mut String, body: &str, tag: &str) -> bool {
    let mut escaped = false;
    let mut rest = body;
    while let Some(at) = rest.find('<') {
        let (before, from) = rest.split_at(at);
        content.push_str(before);
        rest = from.strip_prefix('<').unwrap_or_default();
        if begins_tag(rest, tag) {
            content.push_str("&lt;");
            escaped = true;
        } else {
            content.push('<');
        }
    }
    content.push_str(rest);
    escaped
}

/// Whether `text`, what follows a `<`, begins the tag or its end, as a reader sees it: in any case, with
/// blanks, with characters between that nobody sees, in letters and slashes that look like these.
pub(crate) fn begins_tag(text: &str, tag: &str) -> bool {
    let mut seen = text.chars().filter(|c| is_seen(*c)).peekable();
    while seen
        .next_if(|c| c.is_whitespace() || is_slash(*c))
        .is_some()
    {}
    for letter in tag.chars() {
        if seen.next_if(|c| is_read_as(*c, letter)).is_none() {
            return false;
        }
    }
    let goes_on = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':');
    seen.next_if(|c| goes_on(ascii_form(*c))).is_none()
}

/// Whether a character takes room of its own between letters: none that is invisible, controls or formats,
/// and no accent of the one before.
fn is_seen(c: char) -> bool {
    let is_blank = matches!(c, ' ' | '\t' | '\n' | '\r');
    let is_format = matches!(c,
        '\u{300}'..='\u{36F}' | '\u{600}'..='\u{605}' | '\u{6DD}' | '\u{70F}' | '\u{890}' | '\u{891}'
        | '\u{8E2}' | '\u{20D0}'..='\u{20FF}' | '\u{2800}' | '\u{110BD}' | '\u{110CD}'
        | '\u{13430}'..='\u{1343F}');
    is_blank || !(is_format || c.is_control() || hidden::is_invisible(c) || hidden::is_control(c))
}

/// Whether a character is a slash of any kind.
fn is_slash(c: char) -> bool {
    matches!(
        ascii_form(c),
        '/' | '\\' | '\u{2044}' | '\u{2215}' | '\u{29F8}'
    )
}

/// That a body has a tag that could be taken for the wrapper around it.
pub(crate) fn wrapper_tag_found(mode: Mode) -> Diagnostic {
    let message = "the body has a literal tag of the wrapper around it; it is escaped when loaded";
    Diagnostic::new(&WRAPPER_TAG_IN_BODY, mode, message)
        .with_hint("remove the tag, or choose another wrapper for the tools")
}

fn wrapper_found(record: &Record, name: &str, catalog: &Catalog) -> Diagnostic {
    let mut diagnostic = wrapper_tag_found(catalog.options().mode).about(name.to_owned());
    diagnostic.path = record.shown().map(Rc::clone);
    diagnostic
}

/// Adds where the skill's files are, where there is something to say of it.
fn push_directory(content: &mut String, record: &Record, resources: &Resources, tools: &Tools) {
    let directory = record
        .shown_directory()
        .filter(|_| tools.options().directory);
    let mut separator = "\n\n";
    if let Some(directory) = directory {
        let directory = if directory.is_empty() { "." } else { directory };
        content.push_str(separator);
        content.push_str("Skill directory: ");
        // Neither may a directory's name open a list of files.
        let mut shown = String::new();
        push_escaped(&mut shown, &one_line(directory), RESOURCES_TAG);
        let tag = tools.options().wrapper.tag();
        push_escaped(content, &shown, tag.unwrap_or(Wrapper::USUAL_TAG));
        separator = "\n";
    }
    if resources.is_empty() {
        return;
    }
    content.push_str(separator);
    content.push_str("Paths in these instructions are relative to the skill's directory");
    if let Some(reader) = tools.file_reader() {
        for part in ["; read its files with `", reader, "`"] {
            content.push_str(part);
        }
    }
    content.push('.');
}

fn push_resources(content: &mut String, resources: &Resources, shown: usize) {
    if !resources.files.is_empty() {
        push_files(content, resources, shown);
    }
    if resources.unread {
        content.push_str("\n\n");
        content.push_str(UNREAD);
    }
}

fn push_files(content: &mut String, resources: &Resources, shown: usize) {
    let files = &resources.files;
    content.push_str("\n\n<skill_resources>\n");
    for file in files.iter().take(shown) {
        content.push_str("<file>");
        content.push_str(&xml_escaped(file));
        content.push_str("</file>\n");
    }
    content.push_str("</skill_resources>");
    let hidden = files.len().saturating_sub(shown);
    let more = counted(hidden, "more file");
    match (resources.more, hidden) {
        (false, 0) => {}
        (false, _) => content.push_str(&format!("\nAnd {more}.")),
        (true, 0) => content.push_str("\nThere may be more files."),
        (true, _) => content.push_str(&format!("\nAnd at least {more}.")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_wrappers_own_tags_are_escaped() {
        for (body, tag, expected) in [
            (
                "a </skill_content> b",
                "skill_content",
                "a &lt;/skill_content> b",
            ),
            (
                "<SKILL_content name=\"x\">",
                "skill_content",
                "&lt;SKILL_content name=\"x\">",
            ),
            ("< / skill >", "skill", "&lt; / skill >"),
            (
                "<skill_resources> <skills>",
                "skill",
                "<skill_resources> <skills>",
            ),
            ("</skill", "skill", "&lt;/skill"),
            ("a < b <b> </b> << <", "skill", "a < b <b> </b> << <"),
            ("&lt;skill>", "skill", "&lt;skill>"),
            // As a reader sees it.
            ("</sk\u{200B}ill>", "skill", "&lt;/sk\u{200B}ill>"),
            (
                "<\u{E0041}/\u{202E}skill\u{2060}>",
                "skill",
                "&lt;\u{E0041}/\u{202E}skill\u{2060}>",
            ),
            ("<\u{0}/skill>", "skill", "&lt;\u{0}/skill>"),
            ("</ѕkіll>", "skill", "&lt;/ѕkіll>"),
            ("</sk\u{200B}ills>", "skill", "</sk\u{200B}ills>"),
            ("<é", "skill", "<é"),
        ] {
            let mut content = String::new();
            let escaped = push_escaped(&mut content, body, tag);
            assert_eq!(content, expected);
            assert_eq!(escaped, body != expected);
        }
    }
}

//! `load_skill`: the body of a skill as it is now, and what stands beside it.

use crate::body;
use crate::call::{ToolResult, Unanswered};
use crate::catalog::Catalog;
use crate::operation::Io;
use crate::own_files::OwnFiles;
use crate::record::Record;
use crate::resources::{self, Resources, UNREAD};
use crate::snapshot::Entry;
use crate::text::{counted, one_line, xml_escaped};
use crate::tool_options::Wrapper;
use crate::tools::Tools;
use crate::wrapper::{push_escaped, push_wrapped, wrapper_tag_found};

/// What stands around the list of files.
const RESOURCES_TAG: &str = "skill_resources";

pub(crate) async fn answer(
    io: &Io,
    catalog: &Catalog,
    entry: &Entry,
    own: Option<OwnFiles<'_>>,
    tools: &Tools,
) -> Result<ToolResult, Unanswered> {
    let body = body::read(io, catalog, entry).await?;
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
        let found = entry.finding(wrapper_tag_found(catalog.options().mode));
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

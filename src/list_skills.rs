//! `list_skills`: names and descriptions in pages, for when the index does not show them all.

mod groups;

use crate::call::{Rest, ToolResult};
use crate::error::Error;
use crate::index::{IndexOptions, group_of};
use crate::order::sort_by;
use crate::snapshot::Entry;
use crate::text::{before_colon, lowercase, one_line, quoted};
use crate::tool::ToolName;
use crate::tool_call::ListSkills;
use crate::tools::Tools;

/// Skills on a page, where the call does not say.
const PAGE: usize = 50;
/// Skills on a page at most.
const LARGEST_PAGE: usize = 200;

/// Words of a filter at most: each is looked for in every skill.
const MOST_WORDS: usize = 32;

/// A skill as it is listed.
struct Line<'a> {
    /// With its version, where another one has the name.
    name: String,
    /// As the index names it.
    group: &'a str,
    entry: &'a Entry,
}

/// Answers a call. `entries` may be loaded by their names, `versions` by name and version. Their
/// descriptions fill a page at `most_bytes`.
pub(crate) fn answer<'a>(
    entries: impl Iterator<Item = &'a Entry>,
    versions: impl Iterator<Item = &'a Entry>,
    call: &ListSkills,
    most_bytes: usize,
    tools: &'a Tools,
) -> Result<ToolResult, Error> {
    let lines = lines_of(entries, versions, &tools.options().index);
    let words = words(call.filter.as_deref());
    if words.len() > MOST_WORDS {
        return Err(too_many_words(tools));
    }
    let found: Vec<&Line<'_>> = lines
        .iter()
        .filter(|line| is_meant(line, &words, call.group.as_deref()))
        .collect();
    if found.is_empty() {
        return Ok(none_found(call, &lines, tools));
    }
    let offset = call.offset.map_or(0, |offset| at_most(offset, usize::MAX));
    if offset >= found.len() {
        return Err(past_the_end(offset, found.len(), tools));
    }
    let limit = call
        .limit
        .map_or(PAGE, |limit| at_most(limit, LARGEST_PAGE));
    let from_offset = found.iter().skip(offset).take(limit).copied();
    let page = within(from_offset, most_bytes);
    Ok(page_result(&page, &found, offset, call, tools))
}

/// What may be listed, by name.
fn lines_of<'a>(
    entries: impl Iterator<Item = &'a Entry>,
    versions: impl Iterator<Item = &'a Entry>,
    index: &'a IndexOptions,
) -> Vec<Line<'a>> {
    let entries = entries.map(|entry| (entry.skill.name.clone(), entry));
    let versions = versions.map(|entry| (entry.skill.key().address(), entry));
    let mut lines: Vec<Line<'a>> = entries
        .chain(versions)
        .map(|(name, entry)| Line {
            name: one_line(&name).into_owned(),
            group: group_of(entry, index),
            entry,
        })
        .collect();
    sort_by(&mut lines, |a, b| a.name.cmp(&b.name));
    lines
}

/// The first lines, until their descriptions fill a page.
fn within<'a>(lines: impl Iterator<Item = &'a Line<'a>>, most_bytes: usize) -> Vec<&'a Line<'a>> {
    let mut page = Vec::new();
    let mut size = 0;
    for line in lines {
        size += line.entry.skill.description.len();
        // One is there in any case, so that the next page is another.
        if size > most_bytes && !page.is_empty() {
            break;
        }
        page.push(line);
    }
    page
}

fn at_most(number: u64, most: usize) -> usize {
    usize::try_from(number).unwrap_or(most).min(most)
}

/// The words of a filter, each once; of more than [`MOST_WORDS`] not all.
fn words(filter: Option<&str>) -> Vec<String> {
    let mut words = Vec::new();
    for word in filter.unwrap_or_default().split_whitespace() {
        let word = lowercase(word);
        if words.len() <= MOST_WORDS && !words.contains(&word) {
            words.push(word);
        }
    }
    words
}

fn is_meant(line: &Line<'_>, words: &[String], group: Option<&str>) -> bool {
    let is_in_group = group.is_none_or(|group| is_in(line.group, group));
    if !is_in_group || words.is_empty() {
        return is_in_group;
    }
    let text = [&line.name, "\n", &line.entry.skill.description].concat();
    let text = lowercase(&text);
    words.iter().all(|word| text.contains(word.as_str()))
}

/// Whether a group is `wanted`, or below it.
fn is_in(group: &str, wanted: &str) -> bool {
    let wanted = wanted.trim().trim_matches('/');
    group
        .strip_prefix(wanted)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/') || wanted.is_empty())
}

fn past_the_end(offset: usize, total: usize, tools: &Tools) -> Error {
    let problem = format!("{offset} is past the end: there are {total}");
    unfit("offset", &problem, tools)
}

fn too_many_words(tools: &Tools) -> Error {
    let problem = format!("has more than {MOST_WORDS} words");
    unfit("filter", &problem, tools)
}

/// That an argument does not fit, in words that follow its name.
fn unfit(argument: &str, problem: &str, tools: &Tools) -> Error {
    let rename = tools.rename();
    let argument = rename.shown_argument(ToolName::ListSkills, argument);
    Error::ToolArgumentsInvalid {
        tool: rename.shown_name(ToolName::ListSkills).to_owned(),
        problem: [argument, " ", problem].concat(),
    }
}

fn none_found(call: &ListSkills, all: &[Line<'_>], tools: &Tools) -> ToolResult {
    let mut content = String::from("There is no skill");
    push_condition(&mut content, call, "matches");
    if !all.is_empty() {
        content.push_str(&format!(", of {} in all", all.len()));
    }
    content.push('.');
    if call.group.is_some() {
        let all: Vec<&Line<'_>> = all.iter().collect();
        push_groups(&mut content, &all, tools);
    }
    ToolResult {
        content,
        ..ToolResult::default()
    }
}

fn push_condition(content: &mut String, call: &ListSkills, matches: &str) {
    if let Some(filter) = &call.filter {
        content.push_str(&format!(" that {matches} {}", quoted(filter)));
    }
    if let Some(group) = &call.group {
        content.push_str(" in the group ");
        content.push_str(&quoted(group));
    }
}

/// Adds the groups that `lines` are in, where one of them is fewer.
fn push_groups(content: &mut String, lines: &[&Line<'_>], tools: &Tools) {
    let of_lines: Vec<&str> = lines.iter().map(|line| line.group).collect();
    let groups = groups::named(&of_lines);
    if groups.is_empty() {
        return;
    }
    let group = tools.rename().shown_argument(ToolName::ListSkills, "group");
    for part in ["\n\n[Groups, to list with ", group, ": ", &groups, ".]"] {
        content.push_str(part);
    }
}

/// Adds a skill to a list.
pub(crate) fn push_line(content: &mut String, name: &str, description: &str) {
    for part in ["\n- ", &before_colon(name), ": ", &one_line(description)] {
        content.push_str(part);
    }
}

/// A page of what was `found`.
fn page_result(
    page: &[&Line<'_>],
    found: &[&Line<'_>],
    offset: usize,
    call: &ListSkills,
    tools: &Tools,
) -> ToolResult {
    let total = found.len();
    let end = offset + page.len();
    let mut content = format!("Skills {} to {end} of {total}", offset + 1);
    push_condition(&mut content, call, "match");
    content.push_str(":\n");
    for line in page {
        push_line(&mut content, &line.name, &line.entry.skill.description);
    }
    // Who goes on has seen them.
    if offset == 0 {
        push_groups(&mut content, found, tools);
    }
    if end == total {
        return ToolResult {
            content,
            ..ToolResult::default()
        };
    }
    let offset = tools
        .rename()
        .shown_argument(ToolName::ListSkills, "offset");
    content.push_str(&format!("\n\n[To go on, list with {offset} {end}.]"));
    ToolResult {
        content,
        rest: Rest::From(end as u64),
        ..ToolResult::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_holds_what_is_below_it() {
        for (group, wanted, expected) in [
            ("docs", "docs", true),
            ("docs/pdf", "docs", true),
            ("docs/pdf", "docs/", true),
            ("docs-old", "docs", false),
            ("docs", "docs/pdf", false),
            ("docs", "", true),
        ] {
            assert_eq!(is_in(group, wanted), expected, "{group} {wanted}");
        }
    }
}
